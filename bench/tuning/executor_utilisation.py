"""How busy the evaluator keeps its workers when a task takes a random time: a barrier after each generation
against steady-state ask/tell.

The times are exponential, as those of a chance game that goes on until it is lost. A generation of n on m
workers takes (n - m) / m + H(m) mean times, H being the harmonic number: .593 of 8 workers' time is used by
generations of 20, and .344 of 16 workers' time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from heapq import heapify, heapreplace
from itertools import islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bench.report import Row, mean_row
from winnable.workers.engines import Processes
from winnable.workers.executor import ORDERED_IN_FLIGHT, Evaluator

Times: TypeAlias = "NDArray[np.float64]"

GENERATION = 20
WORKERS = 8
MEAN_SECONDS = 0.05
"""Of a task on the pool; shorter ones are better sent several at a time."""
SIMULATED_GENERATIONS = 100
SIMULATIONS = 20
BARRIER = {8: 0.59, 16: 0.34}
STEADY = 0.99
"""What was published for the same loads."""


def rows(
    games: int = 480, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """Shares of the workers' time that tasks used, from the first start to the last end. Measured
    with `games` tasks that sleep in worker processes (at least a generation, counted in whole ones), and
    simulated without any overhead, also for the ordered mode."""
    games = max(1, games // GENERATION) * GENERATION
    times = np.random.default_rng(seed).exponential(MEAN_SECONDS, games)
    with Evaluator(Processes(WORKERS)) as evaluator:
        _run(evaluator, np.full(4 * WORKERS, 0.2))  # every worker has begun
        barrier = sum(_run(evaluator, part) for part in times.reshape(-1, GENERATION))
        if progress is not None:
            progress(games, 2 * games)
        steady = _run(evaluator, times)
        if progress is not None:
            progress(2 * games, 2 * games)
    for name, wall, reference in (("barrier", barrier, BARRIER[WORKERS]), ("steady state", steady, STEADY)):
        share = float(times.sum()) / (WORKERS * wall)
        yield Row(f"{WORKERS} processes, {name}", share, n=games, seed=seed, reference=reference)
    for workers, reference in BARRIER.items():
        yield _simulated(f"{workers} simulated, barrier", workers, GENERATION, seed, reference)
        yield _simulated(f"{workers} simulated, steady state", workers, None, seed, STEADY)
        for window in (ORDERED_IN_FLIGHT, 4 * ORDERED_IN_FLIGHT):
            shares = [_window_share(times, workers, window) for times in _draws(seed)]
            yield mean_row(f"{workers} simulated, ordered, {window} in flight", shares, seed=seed)


def _run(evaluator: Evaluator, times: Times) -> float:
    """Seconds until all these tasks were done: as soon as one is, the next begins."""
    began = time.perf_counter()
    waiting = iter(_seconds(times))
    while True:
        for seconds in islice(waiting, evaluator.free):
            evaluator.submit(None, time.sleep, seconds)
        if next(evaluator, None) is None:
            return time.perf_counter() - began


def _seconds(times: Times) -> list[float]:
    return [float(seconds) for seconds in times]


def _draws(seed: int) -> Iterator[Times]:
    for child in np.random.SeedSequence(seed).spawn(SIMULATIONS):
        yield np.random.default_rng(child).exponential(1.0, SIMULATED_GENERATIONS * GENERATION)


def _simulated(name: str, workers: int, generation: int | None, seed: int, reference: float) -> Row:
    shares: list[float] = []
    for times in _draws(seed):
        parts = [times] if generation is None else times.reshape(-1, generation)
        wall = sum(_window_wall(part, workers, len(part)) for part in parts)
        shares.append(float(times.sum()) / (workers * wall))
    return mean_row(name, shares, seed=seed, reference=reference)


def _window_share(times: Times, workers: int, window: int) -> float:
    return float(times.sum()) / (workers * _window_wall(times, workers, window))


def _window_wall(times: Times, workers: int, window: int) -> float:
    """When the last task ends. Each goes to the worker that is free first, and not before the task `window`
    places ahead of it, and all before that one, have ended."""
    free = [0.0] * workers
    heapify(free)
    delivered: list[float] = []
    for index, seconds in enumerate(_seconds(times)):
        allowed = delivered[index - window] if index >= window else 0.0
        ends = max(free[0], allowed) + seconds
        heapreplace(free, ends)
        delivered.append(max(ends, delivered[-1] if delivered else 0.0))
    return delivered[-1]
