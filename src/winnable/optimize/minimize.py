"""A function of real numbers minimised by one call, for those who need no loop of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from winnable.optimize.base import Floats, Optimizer, checked_bounds, suitable_size
from winnable.optimize.cma_es import CMAES
from winnable.optimize.cross_entropy import CrossEntropy
from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.optimize.lshade import JSO, LSHADE, AdaptiveDE

Make = Callable[[Floats, Floats, int, int], Optimizer]
"""(low, high, seed, evaluations) -> optimiser"""
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


METHODS: Mapping[str, Make] = {
    "adaptive-de": lambda low, high, seed, most: AdaptiveDE(low, high, seed=seed, max_evaluations=most),
    "jso": lambda low, high, seed, most: JSO(low, high, seed=seed, max_evaluations=most),
    "lshade": lambda low, high, seed, most: LSHADE(low, high, seed=seed, max_evaluations=most),
    "cma": lambda low, high, seed, most: CMAES(low, high, seed=seed, max_evaluations=most, restarts=9),
    "cross-entropy": lambda low, high, seed, most: CrossEntropy(
        low, high, suitable_size(low.size, most), seed=seed, max_evaluations=most
    ),
    "de": lambda low, high, seed, most: DifferentialEvolution(
        low, high, suitable_size(low.size, most), seed=seed, max_evaluations=most
    ),
}
"""See docs/optimize.md on which one when; `cma` needs the extra of this name."""


def method_of(name: str) -> Make:
    """Raises ValueError."""
    if name not in METHODS:
        raise ValueError(f"method: there is no {name[:40]!r}; there are: {', '.join(METHODS)}")
    return METHODS[name]


def minimize(
    fun: Callable[[Floats], float],
    bounds: Sequence[tuple[float, float]],
    *,
    method: str = "adaptive-de",
    max_evaluations: int | None = None,
    target: float | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    callback: Callable[[Floats, float], bool | None] | None = None,
) -> Minimum:
    """fun:      float [genes] -> a value; infinity where there is none
    bounds:   of each gene, low and high
    method:   one of METHODS
    max_evaluations: else EVALUATIONS for each gene; the last generation may pass it
    target:   ends the search at a value that is no more
    executor: evaluates each generation side by side (any of `concurrent.futures`, also Dask's, mpi4py's
              or submitit's); `fun` and what it returns must be what it can send. The result is the same
    callback: called after each generation with the best genome and its value; True ends the search

    Raises ValueError that names the argument, also for a value that is no number; what `fun` raises.
    """
    make = method_of(method)
    low, high = checked_bounds(*np.asarray(bounds, np.float64).reshape(-1, 2).T)
    most = EVALUATIONS * low.size if max_evaluations is None else max_evaluations
    optimizer = make(low, high, seed, most)
    message = "the evaluations are used up"
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        values: Iterable[float] = map(fun, genomes) if executor is None else executor.map(fun, genomes)
        optimizer.tell(genomes, [float(value) for value in values])
        best, value = optimizer.best
        if target is not None and value <= target:
            message = "the target is reached"
            break
        if callback is not None and callback(best, value):
            message = "the callback ended it"
            break
    else:
        if optimizer.evaluations < most:
            message = "the search has converged"
    best, value = optimizer.best
    return Minimum(
        x=best,
        fun=value,
        center=optimizer.recommendation,
        nfev=optimizer.evaluations,
        nit=optimizer.generation,
        success=target is None or value <= target,
        message=message,
    )
