"""Differential evolution, DE/rand/1/bin.

R. Storn and K. Price, "Differential Evolution - A Simple and Efficient Heuristic for Global Optimization over
Continuous Spaces", Journal of Global Optimization 11 (1997), 341-359.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]

DONORS = 3
"""Each trial is built from three genomes other than its target: a population needs at least four."""


class DifferentialEvolution:
    """Minimises a function of real genes within bounds.

        optimizer = DifferentialEvolution(low, high, population_size=60, seed=1, max_generations=1000)
        while not optimizer.should_stop():
            genomes = optimizer.ask()
            optimizer.tell(genomes, [loss(genome) for genome in genomes])
        genome, loss = optimizer.best

    The first `ask` gives a population drawn uniformly within the bounds, every later one a trial for each of
    its genomes; a trial that is no worse takes its target's place. For the target x_i the mutant is
    v_i = x_a + scale · (x_b - x_c), clipped to the bounds; the trial takes each gene from the mutant with
    chance `cross_rate`, one gene always, and the others from the target.

    The rule and the defaults of `cross_rate` and `scale` are those of the seed article on 马了个马. Its
    program departs from the rule by accident, and this class does not: there a, b and c may include the
    target; with chance 1 / (genes + 1) no gene is forced, so that a trial may equal its target; all instances
    share one population; and nothing can be seeded. Two things differ on purpose: we minimise, and a trial of
    equal loss replaces its target, which lets the population cross plateaus.
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        population_size: int,
        *,
        cross_rate: float = 0.3,
        scale: float = 0.5,
        seed: int,
        max_generations: int | None = None,
        max_evaluations: int | None = None,
    ) -> None:
        """low, high: float [genes], finite, low <= high. A generation is one `tell`; `should_stop` checks the
        limits between generations, so that the last population may pass `max_evaluations`.

        Raises ValueError that names the argument.
        """
        self._low, self._high = _checked_bounds(low, high)
        if population_size <= DONORS:
            raise ValueError(
                f"population_size: at least {DONORS + 1} genomes are needed, not {population_size}"
            )
        if not 0 <= cross_rate <= 1:
            raise ValueError(f"cross_rate: {cross_rate} is not in 0 ... 1")
        if not 0 < scale <= 2:
            raise ValueError(f"scale: {scale} is not in 0 ... 2 (0 excluded)")
        for name, limit in (("max_generations", max_generations), ("max_evaluations", max_evaluations)):
            if limit is not None and limit < 1:
                raise ValueError(f"{name}: {limit} is less than 1")
        if seed < 0:
            raise ValueError(f"seed: {seed} is negative")
        self._cross_rate, self._scale = cross_rate, scale
        self._max_generations, self._max_evaluations = max_generations, max_evaluations
        self._rng = np.random.default_rng(seed)
        self._shape = (population_size, len(self._low))
        self._genomes: Floats = np.empty(self._shape)
        self._losses: Floats = np.full(population_size, np.inf)
        self._best: tuple[Floats, float] | None = None
        self.generation = 0
        """How often `tell` was called."""

    @property
    def evaluations(self) -> int:
        return self.generation * self._shape[0]

    @property
    def best(self) -> tuple[Floats, float]:
        """The genome of the least loss so far (of equals, the first) and its loss.

        Raises ValueError before the first `tell`.
        """
        if self._best is None:
            raise ValueError("best: nothing is known before the first tell")
        genome, loss = self._best
        return genome.copy(), loss

    def should_stop(self) -> bool:
        """Whether a limit is reached; without limits always False."""
        return (self._max_generations is not None and self.generation >= self._max_generations) or (
            self._max_evaluations is not None and self.evaluations >= self._max_evaluations
        )

    def ask(self) -> Floats:
        """float [population, genes], the caller's own: genomes to be judged next."""
        if self.generation == 0:
            return self._low + self._rng.random(self._shape) * (self._high - self._low)
        return self._crossed(self._mutants())

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        """genomes: float [population, genes] as `ask` gave them, or repaired by the caller within the bounds;
        losses: float [population], infinity allowed. Raises ValueError that names the argument.
        """
        told, judged = self._checked(genomes, losses)
        replaced = judged <= self._losses
        self._genomes[replaced] = told[replaced]
        self._losses[replaced] = judged[replaced]
        self.generation += 1
        first = int(np.argmin(judged))
        if self._best is None or judged[first] < self._best[1]:
            self._best = told[first].copy(), float(judged[first])

    def _mutants(self) -> Floats:
        a, b, c = self._genomes[self._donors()]
        return np.clip(a + self._scale * (b - c), self._low, self._high)

    def _donors(self) -> NDArray[np.intp]:
        """int [3, population]: for each target three genomes, different from it and from each other: those
        with the least of random keys, where the target's own key is infinite."""
        keys = self._rng.random((self._shape[0], self._shape[0]))
        np.fill_diagonal(keys, np.inf)
        return np.argpartition(keys, range(DONORS), axis=1)[:, :DONORS].T

    def _crossed(self, mutants: Floats) -> Floats:
        size, genes = self._shape
        from_mutant = self._rng.random(self._shape) < self._cross_rate
        from_mutant[np.arange(size), self._rng.integers(genes, size=size)] = True
        return np.where(from_mutant, mutants, self._genomes)

    def _checked(self, genomes: ArrayLike, losses: ArrayLike) -> tuple[Floats, Floats]:
        told, judged = np.asarray(genomes, np.float64), np.asarray(losses, np.float64)
        if told.shape != self._shape:
            raise ValueError(f"genomes: shape {told.shape}, but the population is {self._shape}")
        if judged.shape != self._shape[:1]:
            raise ValueError(f"losses: shape {judged.shape}, but the population is {self._shape[:1]}")
        if not ((told >= self._low) & (told <= self._high)).all():
            raise ValueError("genomes: some gene is out of bounds or not a number")
        if np.isnan(judged).any():
            raise ValueError(f"losses: loss {int(np.isnan(judged).argmax())} is not a number")
        return told, judged


def _checked_bounds(low: ArrayLike, high: ArrayLike) -> tuple[Floats, Floats]:
    lows, highs = np.array(low, np.float64), np.array(high, np.float64)
    if lows.ndim != 1 or lows.size == 0:
        raise ValueError(f"low: a list of at least one number is needed, not shape {lows.shape}")
    if highs.shape != lows.shape:
        raise ValueError(f"high: shape {highs.shape}, but low has {lows.shape}")
    for name, bounds in (("low", lows), ("high", highs)):
        if not np.isfinite(bounds).all():
            raise ValueError(f"{name}: all bounds must be finite")
    if (lows > highs).any():
        gene = int((lows > highs).argmax())
        raise ValueError(f"high: gene {gene} has bounds {lows[gene]} > {highs[gene]}")
    return lows, highs
