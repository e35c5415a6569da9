"""CMA-ES, by the package `cmaes` (extra `cma`), behind our interface.

N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv 1604.00772. Learning-rate adaptation: M. Nomura,
Y. Akimoto and I. Ono, "CMA-ES with Learning Rate Adaptation", GECCO 2023, arXiv 2304.03473. Restarts with a
doubled population (IPOP): A. Auger and N. Hansen, "A Restart CMA Evolution Strategy With Increasing
Population Size", CEC 2005.
"""

from __future__ import annotations

from importlib import import_module
from math import isclose
from typing import Any, cast

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize.base import Floats, checked_bounds, checked_count
from winnable.optimize.cross_entropy import checked_mean
from winnable.optimize.ledger import Ledger, Told
from winnable.optimize.state import StateReader, to_json

LEAST_POPULATION = 4
"""With fewer, the strategy's learning rates divide by zero."""
FINITE = 1e300
"""What infinite losses count as inside the strategy, which subtracts losses; only their order matters."""


class CMAES(Told):
    """Minimises a function of real genes within bounds; the best choice for few evaluations, and for noise.

    Works on the free genes (low < high), each scaled to 0 ... 1. Once a generation's worth of genomes is
    told, in whatever order they came, also ones drawn before the last update, the distribution is updated.

    Each genome is drawn with a generator of its own, from the seed and the genome's number, and the strategy
    is put through its saved form after every generation, also in a run that is never saved: `cmaes` leaves
    its generator and the last bits of its matrix out of what it saves, and so a resumed run is the same run
    (on the same machine: the last bits of its linear algebra are BLAS's).
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        population_size: int | None = None,
        *,
        mean: ArrayLike | None = None,
        sigma: float = 0.3,
        lr_adapt: bool = False,
        restarts: int = 0,
        seed: int,
        max_generations: int | None = None,
        max_evaluations: int | None = None,
    ) -> None:
        """population_size: None: 4 + 3 ln(free genes). mean: the first, float [genes]; None: the middle.
        sigma: the first standard deviation, as a share of each gene's range. lr_adapt: smaller steps the
        noisier the losses, instead of a larger population. restarts: how often, once the strategy has
        converged, it starts anew from a random mean with twice the population.

        Raises ValueError that names the argument, ImportError without the package `cmaes`.
        """
        self._low, self._high = checked_bounds(low, high)
        self._free = self._low < self._high
        if not self._free.any():
            raise ValueError("high: no gene is free, low and high are the same")
        self._mean = checked_mean(mean, self._low, self._high)
        if not 0 < sigma < np.inf:
            raise ValueError(f"sigma: {sigma} is not a finite number > 0")
        default = 4 + int(3 * np.log(self._free.sum()))
        size = default if population_size is None else population_size
        self._first_size = checked_count("population_size", size, LEAST_POPULATION)
        self._sigma, self._lr_adapt = float(sigma), bool(lr_adapt)
        self._restarts = checked_count("restarts", restarts, 0)
        self._seed = checked_count("seed", seed, 0)
        self._ledger = Ledger(len(self._low), np.float64, 1, max_generations, max_evaluations)
        self._asked = 0
        self._settled: tuple[float, Floats] | None = None
        self._start(0)

    def _start(self, run: int) -> None:
        self._run, self._median, self._converged = run, np.inf, False
        self._told: Floats = np.empty((0, len(self._low)))
        self._losses: Floats = np.empty(0)
        self._strategy = self._new_strategy(run)
        self._saved = _plain(self._strategy)

    def _new_strategy(self, run: int) -> Any:
        mean = self._to_unit(self._mean[None])[0]
        if run:
            seeds = np.random.SeedSequence(self._seed, spawn_key=(1, run))
            mean = np.random.default_rng(seeds).random(len(mean))
        strategy = _cmaes().CMA(
            mean=mean,
            sigma=self._sigma,
            bounds=np.tile([0.0, 1.0], (len(mean), 1)),
            population_size=self._first_size << run,
            lr_adapt=self._lr_adapt,
        )
        state = _plain(strategy)
        if "_funhist_values" in state:  # made uninitialised
            state["_funhist_values"] = np.zeros_like(state["_funhist_values"])
        strategy.__setstate__(state)
        return strategy

    @property
    def population_size(self) -> int:
        """The population of the current run: it doubles with every restart."""
        return self._first_size << self._run

    @property
    def restarts(self) -> int:
        """How often it was restarted."""
        return self._run

    @property
    def recommendation(self) -> Floats:
        """The distribution's mean; after restarts, of the run whose last generation has the least median.
        Under noise it is much better than the luckiest genome only with `lr_adapt` or a large population."""
        if self._settled is not None and self._settled[0] <= self._median:
            return self._settled[1].copy()
        return self._from_unit(self._strategy.mean[None])[0]

    def should_stop(self) -> bool:
        """Whether a limit is reached, or the strategy has converged and no restart is left."""
        return self._converged or self._ledger.should_stop()

    def ask(self, n: int | None = None) -> Floats:
        wanted = self.population_size if n is None else checked_count("n", n, 1)
        asked = self._from_unit(np.array([self._sampled(self._asked + i) for i in range(wanted)]))
        self._asked += wanted
        self._ledger.enter(asked, np.full((wanted, 1), float(self._run)))
        return asked

    def _sampled(self, number: int) -> Floats:
        seeds = np.random.SeedSequence(self._seed, spawn_key=(0, number))
        self._strategy.reseed_rng(seeds.generate_state(4))
        return self._strategy.ask()

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        told, judged, runs = self._ledger.settle(genomes, losses)
        current = runs[:, 0] == self._run
        self._told = np.concatenate((self._told, told[current]))
        self._losses = np.concatenate((self._losses, judged[current]))
        while len(self._told) >= self.population_size:
            size = self.population_size
            generation = self._told[:size], self._losses[:size]
            self._told, self._losses = self._told[size:], self._losses[size:]
            self._update(*generation)

    def _update(self, genomes: Floats, losses: Floats) -> None:
        finite = np.clip(losses, -FINITE, FINITE).tolist()
        with np.errstate(all="ignore"):
            self._strategy.tell(list(zip(self._to_unit(genomes), finite, strict=True)))
            state = _plain(self._strategy)
            broken = not all(np.isfinite(value).all() for value in state.values() if value is not None)
            if not broken:
                self._saved = state
            self._strategy.__setstate__(_copied(self._saved))
            self._converged = broken or bool(self._strategy.should_stop())
        self._median = float(np.median(finite))
        self._ledger.generation += 1
        if self._converged and self._run < self._restarts:
            if self._settled is None or self._median < self._settled[0]:
                self._settled = self._median, self._from_unit(self._strategy.mean[None])[0]
            self._start(self._run + 1)

    def _to_unit(self, genomes: Floats) -> Floats:
        low, high = self._low[self._free], self._high[self._free]
        return np.clip((genomes[:, self._free] - low) / (high - low), 0, 1)

    def _from_unit(self, units: Floats) -> Floats:
        low, high = self._low[self._free], self._high[self._free]
        genomes = np.tile(self._low, (len(units), 1))
        genomes[:, self._free] = np.clip(low + units * (high - low), low, high)
        return genomes

    def _settings(self) -> dict[str, Any]:
        return {
            "low": self._low.tolist(),
            "high": self._high.tolist(),
            "population_size": self._first_size,
            "mean": self._mean.tolist(),
            "sigma": self._sigma,
            "lr_adapt": self._lr_adapt,
            "restarts": self._restarts,
            "seed": self._seed,
        }

    def state_dict(self) -> dict[str, Any]:
        """The same as `Optimizer.state_dict`; the limits may differ in the optimiser that loads it. The
        strategy's part is what `cmaes` itself saves, and other versions of it may not take it."""
        return {
            **self._state(),
            "asked": self._asked,
            "run": self._run,
            "converged": int(self._converged),
            "median": to_json(np.array([self._median])),
            "settled": None if self._settled is None else [self._settled[0], self._settled[1].tolist()],
            "told": to_json(self._told),
            "losses": to_json(self._losses),
            "strategy": {
                name: to_json(cast("Floats", value)) if isinstance(value, np.ndarray) else value
                for name, value in self._saved.items()
            },
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        (reader, ledger), genes = self._read(state, self._low, self._high), len(self._low)
        asked, run = reader.integer("asked"), reader.integer("run", high=self._restarts)
        converged = reader.integer("converged", high=1)
        median = reader.floats("median", (1,), infinite=True)
        settled = self._read_settled(reader)
        told = reader.genomes("told", (-1, genes), np.float64, self._low, self._high)
        losses = reader.floats("losses", (len(told),), infinite=True)
        if len(told) >= self._first_size << run:
            raise ValueError("state: told: a whole generation or more")
        strategy = self._new_strategy(run)
        saved = _read_strategy(_plain(strategy), reader.part("strategy"))
        strategy.__setstate__(_copied(saved))
        self._ledger, self._asked, self._run, self._converged = ledger, asked, run, bool(converged)
        self._median, self._settled, self._told, self._losses = float(median[0]), settled, told, losses
        self._strategy, self._saved = strategy, saved

    def _read_settled(self, reader: StateReader) -> tuple[float, Floats] | None:
        value = reader.value("settled")
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != 2:  # pyright: ignore[reportUnknownArgumentType]
            raise ValueError("state: settled: a median and a mean are needed")
        parts = StateReader({"median": value[0], "mean": value[1]}, "state: settled")
        mean = parts.genomes("mean", self._low.shape, np.float64, self._low, self._high)
        return parts.number("median"), mean


def _cmaes() -> Any:
    try:
        return import_module("cmaes")
    except ImportError as error:
        raise ImportError("CMAES needs the package cmaes: pip install 'winnable[cma]'") from error


def _plain(strategy: Any) -> dict[str, Any]:
    """What `cmaes` saves of itself, with arrays of its own and Python's numbers: as when read from JSON."""
    return {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in _copied(strategy.__getstate__()).items()
    }


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in state.items()}


_ADAPTED = {"_sigma", "_Vmean", "_VSigma", "_eta_mean", "_eta_Sigma"}
"""The numbers of a strategy that change while it searches; the others follow from its settings."""


def _read_strategy(blank: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """blank: what a new strategy of the same settings saves; tells each field's kind and shape."""
    reader, read = StateReader(fields, "state: strategy"), dict[str, Any]()
    for name, value in blank.items():
        if value is None or isinstance(value, bool) or (isinstance(value, int) and name != "_g"):
            if reader.value(name) != value:
                raise ValueError(f"state: strategy: {name}: {reader.value(name)!r} is not {value!r}")
            read[name] = value
        elif isinstance(value, int):
            read[name] = reader.integer(name)
        elif isinstance(value, np.ndarray):
            read[name] = reader.floats(name, cast("Floats", value).shape)
        else:
            read[name] = reader.number(name)
            if name not in _ADAPTED and not isclose(read[name], value):
                raise ValueError(f"state: strategy: {name}: {read[name]} is not {value}")
    if not read.get("_sigma", 1.0) > 0:
        raise ValueError("state: strategy: _sigma: not above 0")
    return read
