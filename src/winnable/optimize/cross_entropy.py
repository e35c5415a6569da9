"""The cross-entropy method with added noise, for losses that are themselves noisy.

I. Szita and A. Lőrincz, "Learning Tetris Using the Noisy Cross-Entropy Method", Neural Computation 18 (2006),
2936-2941.
"""

from __future__ import annotations

from math import frexp, ldexp
from typing import Any

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize.base import Floats, checked_bounds, checked_count, checked_genome, checked_rng
from winnable.optimize.ledger import Ledger, Told
from winnable.optimize.state import rng_to_json, to_json


class CrossEntropy(Told):
    """Minimises a function of real genes within bounds.

    Genomes are drawn gene by gene from normal distributions; what falls beyond a bound is put on it. Once
    `population_size` genomes are told, in whatever order they came, the distributions become those of the
    best of them, the elite: their mean, and their variance plus a noise that keeps the search from settling
    early:

        variance = elite variance + noise · max(0, 1 - generation / noise_generations) · first variance

    With noise_generations None the noise stays. The paper's two schedules, from a first variance of 100, are
    the constant 4 (noise 0.04, None) and max(5 - t / 10, 0), the default here (0.05, 50). Infinite losses are
    never of the elite; a generation without a finite loss changes nothing.
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        population_size: int = 100,
        *,
        elite_share: float = 0.1,
        noise: float = 0.05,
        noise_generations: int | None = 50,
        mean: ArrayLike | None = None,
        deviation: float = 0.25,
        seed: int,
        max_generations: int | None = None,
        max_evaluations: int | None = None,
    ) -> None:
        """mean: the first, float [genes]; None: the middle; deviation: the first, as a share of each gene's
        range. Raises ValueError that names the argument."""
        self._low, self._high = checked_bounds(low, high)
        self._size = checked_count("population_size", population_size, 2)
        if not 0 < elite_share <= 1:
            raise ValueError(f"elite_share: {elite_share} is not in 0 ... 1 (0 excluded)")
        for name, value in (("noise", noise), ("deviation", deviation)):
            if not 0 <= value < np.inf:
                raise ValueError(f"{name}: {value} is not a finite number >= 0")
        if noise_generations is not None:
            checked_count("noise_generations", noise_generations, 1)
        self._elite = max(1, round(elite_share * self._size))
        self._noise, self._noise_generations = float(noise), noise_generations
        self._mean = checked_mean(mean, self._low, self._high)
        self._unit = _unit(self._high - self._low)
        self._first_variance: Floats = (deviation * ((self._high - self._low) / self._unit)) ** 2
        self._variance = self._first_variance.copy()
        self._first = {"mean": self._mean.tolist(), "deviation": float(deviation)}
        self._rng = checked_rng(seed)
        self._ledger = Ledger(len(self._low), np.float64, 0, max_generations, max_evaluations)
        self._told: Floats = np.empty((0, len(self._low)))
        self._losses: Floats = np.empty(0)

    @property
    def recommendation(self) -> Floats:
        """The distributions' mean."""
        return self._mean.copy()

    @property
    def deviation(self) -> Floats:
        """[genes]: the distributions' standard deviations."""
        return np.sqrt(self._variance) * self._unit

    def ask(self, n: int | None = None) -> Floats:
        wanted = self._size if n is None else checked_count("n", n, 1)
        normal = self._rng.standard_normal((wanted, len(self._mean)))
        asked: Floats = np.clip(self._mean + normal * self.deviation, self._low, self._high)
        self._ledger.enter(asked)
        return asked

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        told, judged, _ = self._ledger.settle(genomes, losses)
        self._told = np.concatenate((self._told, told))
        self._losses = np.concatenate((self._losses, judged))
        while len(self._told) >= self._size:
            self._update(self._told[: self._size], self._losses[: self._size])
            self._told, self._losses = self._told[self._size :], self._losses[self._size :]

    def _update(self, genomes: Floats, losses: Floats) -> None:
        ranked = losses.argsort(kind="stable")[: self._elite]
        elite = genomes[ranked[losses[ranked] < np.inf]]
        if len(elite):
            scaled = elite / self._unit
            self._mean = np.clip(scaled.mean(axis=0) * self._unit, self._low, self._high)
            self._variance = scaled.var(axis=0) + self._noise_now() * self._first_variance
        self._ledger.generation += 1

    def _noise_now(self) -> float:
        if self._noise_generations is None:
            return self._noise
        return self._noise * max(0.0, 1 - self.generation / self._noise_generations)

    def _settings(self) -> dict[str, Any]:
        return {
            "low": self._low.tolist(),
            "high": self._high.tolist(),
            "population_size": self._size,
            "elite": self._elite,
            "noise": [self._noise, self._noise_generations],
            "first": self._first,
        }

    def state_dict(self) -> dict[str, Any]:
        """The same as `Optimizer.state_dict`; the limits may differ in the optimiser that loads it."""
        return {
            **self._state(),
            "rng": rng_to_json(self._rng),
            "mean": to_json(self._mean),
            "variance": to_json(self._variance),
            "told": to_json(self._told),
            "losses": to_json(self._losses),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        (reader, ledger), genes = self._read(state, self._low, self._high), len(self._low)
        rng = reader.rng()
        mean = reader.genomes("mean", (genes,), np.float64, self._low, self._high)
        variance = reader.floats("variance", (genes,))
        if (variance < 0).any():
            raise ValueError("state: variance: some variance is negative")
        told = reader.genomes("told", (-1, genes), np.float64, self._low, self._high)
        losses = reader.floats("losses", (len(told),), infinite=True)
        if len(told) >= self._size:
            raise ValueError("state: told: a whole generation or more")
        self._rng, self._ledger = rng, ledger
        self._mean, self._variance = mean, variance
        self._told, self._losses = told, losses


def _unit(ranges: Floats) -> Floats:
    """[genes]: in which variances are measured, a power of two, near the range where its square were none or
    infinite; else 1."""
    exponents = [frexp(length)[1] for length in ranges.tolist()]
    return np.array([ldexp(1.0, exponent) if abs(exponent) > 250 else 1.0 for exponent in exponents])


def checked_mean(mean: ArrayLike | None, low: Floats, high: Floats) -> Floats:
    """float [genes] within the bounds; None: their middle. Raises ValueError."""
    if mean is None:
        return low / 2 + high / 2
    return checked_genome("mean", mean, low, high)
