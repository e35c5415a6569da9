"""The exact solver of drops on random 6 × 6 boards: how many fewest clicks it proves, and how soon."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from bench.report import Row, rate_row
from winnable.contract.core import Answer, Budget, finish
from winnable.games.drops.game import GAME
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.solve import solver

SIDE = 6
SECONDS = 30.0
"""For one board, of the clock."""


def rows(
    games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """`games` boards, each cell 0 to 4 with equal chances, `classic`: a row for each that was not proved,
    with its clicks and its lower bound as reference; then the share proved, the quantiles of the processor
    time with the kernels compiled, and how often each number of fewest clicks occurs."""
    solver.warm()
    results: list[Answer] = []
    times: list[float] = []
    for one in range(seed, seed + games):
        puzzle = GAME.puzzle(draw(one))
        started = time.process_time()
        result = finish(GAME.solvers["optimal"](puzzle, puzzle.initial(), Budget(seconds=SECONDS), seed))
        times.append(1000 * (time.process_time() - started))
        results.append(result)
        if not result.optimal:
            yield Row(f"#{one}: not proved, clicks", result.cost or 0, seed=one, reference=result.lower_bound)
        if progress is not None:
            progress(len(results), games)
    proved = [result.cost for result in results if result.optimal and result.cost is not None]
    yield rate_row(f"proved within {SECONDS:.0f} s", len(proved), games, seed)
    for name, quantile in (("median", 0.5), ("90th percentile", 0.9), ("99th percentile", 0.99)):
        yield Row(f"processor time, {name}", float(np.quantile(times, quantile)), "ms", n=games, seed=seed)
    yield Row("processor time, longest", max(times), "ms", n=games, seed=seed)
    for clicks, count in sorted(Counter(proved).items()):
        yield Row(f"boards of {clicks} clicks", count, n=len(proved), seed=seed)


def draw(seed: int) -> Level:
    """Never an empty board."""
    rng = random.Random(f"drops-random {seed}")
    while True:
        board = tuple("".join(str(int(rng.random() * (FULL + 1))) for _ in range(SIDE)) for _ in range(SIDE))
        if set("".join(board)) != {"0"}:
            return Level(board)
