"""A function of real numbers minimised by one call, for those who need no loop of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Concatenate, Protocol, cast

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize import base
from winnable.optimize.base import Floats, Optimizer
from winnable.optimize.cma_es import CMAES
from winnable.optimize.cross_entropy import CrossEntropy
from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.optimize.judging import Judge, Map
from winnable.optimize.lshade import JSO, LSHADE, AdaptiveDE


class Make(Protocol):
    def __call__(
        self, low: Floats, high: Floats, seed: int, most: int, first: Floats | None = None
    ) -> Optimizer:
        """most: evaluations. first: float [genes], where the search begins, or a genome of its first
        population; None: anywhere. Raises ValueError, ImportError for what an extra brings."""
        ...


class HasBounds(Protocol):
    """Such as `scipy.optimize.Bounds`: numbers, or one for each gene."""

    @property
    def lb(self) -> ArrayLike: ...
    @property
    def ub(self) -> ArrayLike: ...


EVALUATIONS = 1000
"""For each gene, where nobody says how many."""


@dataclass(frozen=True, slots=True)
class Minimum:
    """What was found; its fields are named like those of scipy's `OptimizeResult`.

    x:       float [genes], of the least value seen
    fun:     that value
    center:  float [genes], what to use in the end: where the values are random, x is the luckiest, this the
             surest. The optimiser's `recommendation`
    nfev, nit: evaluations, generations
    success: whether the target was reached; without one, True
    message: what ended it
    """

    x: Floats
    fun: float
    center: Floats
    nfev: int
    nit: int
    success: bool
    message: str


def _shrinking(kind: type[LSHADE]) -> Make:
    return lambda low, high, seed, most, first=None: kind(
        low, high, seed=seed, max_evaluations=most, first=first
    )


METHODS: Mapping[str, Make] = {
    "adaptive-de": _shrinking(AdaptiveDE),
    "jso": _shrinking(JSO),
    "lshade": _shrinking(LSHADE),
    "cma": lambda low, high, seed, most, first=None: CMAES(
        low, high, mean=first, seed=seed, max_evaluations=most, restarts=9
    ),
    "cross-entropy": lambda low, high, seed, most, first=None: CrossEntropy(
        low, high, base.suitable_size(low.size, most), mean=first, seed=seed, max_evaluations=most
    ),
    "de": lambda low, high, seed, most, first=None: DifferentialEvolution(
        low, high, base.suitable_size(low.size, most), first=first, seed=seed, max_evaluations=most
    ),
}
"""See docs/optimize.md on which one when; `cma` needs the extra of this name."""


def method_of(name: object) -> Make:
    """Raises ValueError."""
    if isinstance(name, str) and name in METHODS:
        return METHODS[name]
    near = get_close_matches(str(name)[:40], METHODS, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise ValueError(f"method: there is no {str(name)[:40]!r}; there are: {', '.join(METHODS)}{meant}")


def minimize(
    fun: Callable[Concatenate[Floats, ...], Any],
    bounds: Iterable[tuple[float, float]] | HasBounds | ArrayLike,
    *,
    args: Any = (),
    x0: ArrayLike | None = None,
    method: str = "adaptive-de",
    max_evaluations: int | None = None,
    target: float | None = None,
    seed: int = 0,
    workers: int | Map = 1,
    executor: Executor | None = None,
    callback: Callable[[Floats, float], bool | None] | None = None,
) -> Minimum:
    """fun:      float [genes], its own copy, and `args` -> a value: a number, or an array or a list with one
              in it; infinity where there is none
    bounds:   of each gene, low and high: pairs, an array [genes, 2], or `lb` and `ub` as
              `scipy.optimize.Bounds` has them; finite
    args:     what `fun` gets after the genome; what is no tuple is its only one
    x0:       float [genes] within the bounds, evaluated first; the search begins there, or with it in the
              first population
    method:   one of METHODS
    max_evaluations: else EVALUATIONS for each gene; the last generation may pass it
    target:   ends the search at a value that is no more
    workers:  evaluate each generation side by side: so many processes, -1 for one per core; or what maps as
              `map` does, such as a pool's. Processes begin anew (they are spawned, each in some tenths of a
              second) and end with the search; `fun` must be of a module that they can import. The result is
              the same
    executor: likewise, any of `concurrent.futures`, also Dask's, mpi4py's or submitit's; `fun` and what it
              returns must be what it can send
    callback: called after each generation with the best genome and its value; True ends the search

    Raises ValueError that names the argument, also for a value that is no number; ImportError for a method
    whose extra is not there; RuntimeError for a worker process that ends; what `fun` raises.
    """
    make, (low, high) = method_of(method), _bounds_of(bounds, x0)
    given: dict[str, object] = {"fun": fun} if callback is None else {"fun": fun, "callback": callback}
    for name, function in given.items():
        if not callable(function):
            raise ValueError(f"{name}: a function is needed, not {type(function).__name__}")
    if target is not None:
        target = base.checked_number("target", target)
    first = None if x0 is None else base.checked_genome("x0", x0, low, high)
    most = base.checked_count(
        "max_evaluations", EVALUATIONS * low.size if max_evaluations is None else max_evaluations, 1
    )
    more: tuple[Any, ...] = args if isinstance(cast("object", args), tuple) else (args,)
    with Judge(fun, more, workers, executor) as judge:
        if (low == high).all():  # one point is all that there is
            return _point(low, judge, target)
        best, value = low, np.inf
        if first is not None:
            best, value = first.copy(), judge(first[None])[0]
        optimizer = make(low, high, seed, max(1, most - judge.calls), first)
        message = "the target is reached" if target is not None and value <= target else ""
        while not (message or optimizer.should_stop()):
            genomes = optimizer.ask()
            optimizer.tell(genomes, judge(genomes))
            if optimizer.best[1] < value or judge.calls == len(genomes):
                best, value = optimizer.best
            if target is not None and value <= target:
                message = "the target is reached"
            elif callback is not None and callback(best.copy(), value):
                message = "the callback ended it"
    used_up = judge.calls >= most
    return Minimum(
        x=best,
        fun=value,
        center=optimizer.recommendation if optimizer.evaluations else best.copy(),
        nfev=judge.calls,
        nit=optimizer.generation,
        success=target is None or value <= target,
        message=message or ("the evaluations are used up" if used_up else "the search has converged"),
    )


def _point(genome: Floats, judge: Judge, target: float | None) -> Minimum:
    (value,) = judge(genome[None])
    reached = target is None or value <= target
    return Minimum(genome, value, genome.copy(), 1, 1, reached, "the bounds leave one point")


def _bounds_of(bounds: Any, x0: ArrayLike | None) -> tuple[Floats, Floats]:
    """Raises ValueError."""
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        try:
            low, high = np.broadcast_arrays(np.asarray(bounds.lb), np.asarray(bounds.ub))
        except ValueError:
            shapes = f"{np.shape(bounds.lb)} and {np.shape(bounds.ub)}"
            raise ValueError(f"bounds: lb and ub have the shapes {shapes}") from None
        if low.ndim == 0 and x0 is not None:
            low, high = (np.broadcast_to(bound, np.shape(x0)) for bound in (low, high))
        return base.checked_bounds(low, high)
    try:
        is_read = isinstance(cast("object", bounds), np.ndarray | Sequence)
        pairs = np.asarray(bounds if is_read else [*bounds])
    except (TypeError, ValueError):
        raise ValueError("bounds: of each gene a pair is needed, low and high") from None
    if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2):
        raise ValueError(f"bounds: of each gene a pair is needed, [genes, 2], not shape {pairs.shape}")
    if pairs.size and pairs.dtype.kind not in "fiu":
        raise ValueError(f"bounds: numbers are needed, not {pairs.dtype}")
    return base.checked_bounds(*pairs.reshape(-1, 2).astype(np.float64).T)
