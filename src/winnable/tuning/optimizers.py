"""The optimisers that tune weights, and what they can be set to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct

from winnable.contract.core import WinnableError
from winnable.contract.methods import Settable
from winnable.contract.tunable import Narrow, Tunable
from winnable.inert.arrays import IS_NUMPY
from winnable.optimize.base import Optimizer, suitable_size

MAX_EVALUATIONS = 10_000_000
EVALUATIONS = 500
"""Where nothing is said of them."""
LEAST_SIZE = 4

_Size = Annotated[int, Meta(ge=0, le=100_000)]
_Bound = Annotated[float, Meta(ge=-1e9, le=1e9)]
_Share = Annotated[float, Meta(ge=0, le=1)]


class Shrinking(Struct, frozen=True, forbid_unknown_fields=True):
    """size:      genomes at first; 0: what suits the number of evaluations
    low, high: of every weight; both 0: the tunable's own bounds"""

    size: _Size = 0
    low: _Bound = 0.0
    high: _Bound = 0.0


class Generations(Struct, frozen=True, forbid_unknown_fields=True):
    """size:       genomes of a generation; 0: what suits the number of evaluations
    iterations: generations after the first, which then say how many evaluations there are; 0: they do not
    low, high:  of every weight; both 0: the tunable's own bounds"""

    size: _Size = 0
    iterations: Annotated[int, Meta(ge=0, le=MAX_EVALUATIONS)] = 0
    low: _Bound = 0.0
    high: _Bound = 0.0


class DE(Generations, frozen=True):
    """cr: chance of a gene to come from the mutant; f: factor of the difference. The article's."""

    cr: _Share = 0.3
    f: Annotated[float, Meta(ge=0.01, le=2)] = 0.5


class CrossEntropy(Generations, frozen=True):
    """elite: the share of a generation that the next one is drawn from."""

    elite: Annotated[float, Meta(ge=0.01, le=1)] = 0.25


class CMA(Generations, frozen=True):
    """sigma: the first standard deviation, as a share of each weight's range; 0: what suits the tunable."""

    sigma: Annotated[float, Meta(ge=0, le=10)] = 0.0


class Genetic(Generations, frozen=True):
    """pc, pm: chances of a crossover, and of a mutation of each gene; pm 0: one gene of a genome."""

    pc: _Share = 0.9
    pm: _Share = 0.0


def evaluations_of(settings: Any, evaluations: int | None) -> int:
    """How many genomes are judged: `evaluations` where they are given, else what the settings say, else
    EVALUATIONS. Raises WinnableError."""
    iterations = settings.iterations if isinstance(settings, Generations) else 0
    if not iterations:
        return EVALUATIONS if evaluations is None else evaluations
    if evaluations is not None:
        raise WinnableError("tune.both", field="evaluations")
    if not settings.size:
        raise WinnableError("tune.size", field="size")
    found: int = settings.size * (iterations + 1)
    if found > MAX_EVALUATIONS:
        raise WinnableError("tune.many", field="iterations", given=found, high=MAX_EVALUATIONS)
    return found


class _Frame:
    """What every optimiser is made of: bounds, the first mean, a size. held: weights that stay at a value:
    both of their bounds. Raises WinnableError."""

    def __init__(
        self, tunable: Tunable, seed: int, evaluations: int, settings: Any, held: Mapping[str, float]
    ) -> None:
        self.tunable = tunable
        self.low, self.high, self.start = tunable.low, tunable.high, tunable.start
        if settings.low or settings.high:
            if not settings.low < settings.high:
                raise WinnableError("tune.bounds", field="high", given=settings.high, low=settings.low)
            self.low, self.high = ((bound,) * len(self.low) for bound in (settings.low, settings.high))
            self.start = tuple(min(max(gene, settings.low), settings.high) for gene in self.start)
        if unknown := held.keys() - set(tunable.genes):
            raise WinnableError("tune.held", field="hold", given=min(unknown)[:40], known=list(tunable.genes))
        if len(held) == len(tunable.genes):
            raise WinnableError("tune.held.all", field="hold")
        self.low, self.high, self.start = (
            tuple(held.get(name, gene) for name, gene in zip(tunable.genes, genes, strict=True))
            for genes in (self.low, self.high, self.start)
        )
        if 0 < settings.size < LEAST_SIZE:
            raise WinnableError("params.least", field="size", given=settings.size, low=LEAST_SIZE)
        self.asked_size: int | None = settings.size or None
        self.size: int = settings.size or suitable_size(len(self.low), evaluations)
        self.limits: dict[str, Any] = {"seed": seed, "max_evaluations": evaluations}


def _cross_entropy(of: _Frame, settings: CrossEntropy) -> Optimizer:
    from winnable.optimize.cross_entropy import CrossEntropy as Made

    return Made(of.low, of.high, of.size, elite_share=settings.elite, mean=of.start, **of.limits)


def _cma(of: _Frame, settings: CMA) -> Optimizer:
    from winnable.optimize.cma_es import CMAES

    if not IS_NUMPY:
        raise WinnableError("optimizer.numpy", field="optimizer", given="cma")
    chosen: dict[str, Any] = {"population_size": of.asked_size}
    if isinstance(of.tunable, Narrow):
        chosen = {"population_size": of.asked_size or of.tunable.population, "sigma": of.tunable.sigma}
    if settings.sigma:
        chosen["sigma"] = settings.sigma
    return CMAES(of.low, of.high, mean=of.start, **chosen, **of.limits)


def _shrinking(name: str) -> Callable[[_Frame, Shrinking], Optimizer]:
    """One of `lshade.py`; with few evaluations its population is smaller than in its paper."""

    def make(of: _Frame, settings: Shrinking) -> Optimizer:
        from winnable.optimize import lshade

        size = of.asked_size or (None if of.limits["max_evaluations"] >= 500 * len(of.low) else of.size)
        found: Optimizer = getattr(lshade, name)(of.low, of.high, size, **of.limits)
        return found

    return make


def _de(of: _Frame, settings: DE) -> Optimizer:
    from winnable.optimize.differential_evolution import DifferentialEvolution

    rates = {"cross_rate": settings.cr, "scale": settings.f}
    return DifferentialEvolution(of.low, of.high, of.size, **rates, **of.limits)


def _genetic(of: _Frame, settings: Genetic) -> Optimizer:
    from winnable.optimize.genetic import Genetic as Made
    from winnable.optimize.genomes import RealGenes

    genes = RealGenes(of.low, of.high, cross_rate=settings.pc, mutation_rate=settings.pm or None)
    return Made(genes, of.size, **of.limits)


OPTIMIZERS: Mapping[str, Settable] = {
    "cross-entropy": Settable(_cross_entropy, CrossEntropy()),
    "cma": Settable(_cma, CMA()),
    "jso": Settable(_shrinking("JSO"), Shrinking()),
    "lshade": Settable(_shrinking("LSHADE"), Shrinking()),
    "de": Settable(_de, DE()),
    "genetic": Settable(_genetic, Genetic()),
}
"""Name -> (frame) -> optimiser, which `make_optimizer` makes; the first one is the default. Those that keep a
distribution come first: under noise they recommend its mean, the others the luckiest genome."""


def make_optimizer(
    method: Settable,
    tunable: Tunable,
    seed: int,
    evaluations: int,
    held: Mapping[str, float] = MappingProxyType({}),
) -> Optimizer:
    """Makes an optimiser for a budget of so many evaluations. Those that keep a distribution begin around the
    weights in use. held: weight -> the value at which it stays. Raises WinnableError, also for what an
    optimiser refuses and for a package that is missing."""
    try:
        return method(_Frame(tunable, seed, evaluations, method.settings, held))
    except WinnableError:
        raise
    except (ValueError, ImportError) as error:
        raise WinnableError("optimizer.other", field="optimizer", reason=str(error)) from error
