"""The exact solver of rotate on random boards: how many fewest turns it proves, and how soon."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from bench.processor_budget import ProcessorBudget
from bench.report import Row, rate_row
from winnable.contract.core import Answer, finish
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import shuffle
from winnable.games.rotate.rules.level import Level, rows_of
from winnable.games.rotate.solve import exact

BOARDS = (
    *((4, colours, 1.0, 10.0) for colours in range(2, 9)),
    *((5, colours, 1.0, 60.0) for colours in (2, 3, 4, 5)),
    *((5, colours, 0.2, 60.0) for colours in (6, 7, 8)),
    *((6, colours, 0.03, 300.0) for colours in (3, 4, 5, 6)),
)
"""Side, colours, share of the boards, seconds of the processor for each board."""


def rows(
    games: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: boards of each kind, a fifth of them from 5 × 5 with 6 colours on and 3 in 100 on 6 × 6. Colours
    with as equally many cells as may be, places at random.

    For each kind: the share proved, how many boards take how many turns, the mean; processor time with the
    kernels compiled, the first board apart, whose time includes the pattern databases. Each board that was
    not proved has a row of its own, with its turns and its lower bound as reference."""
    exact.warm()
    for number, (side, colours, share, seconds) in enumerate(BOARDS, 1):
        what = f"{side} × {side}, {colours} colours"
        results: list[Answer] = []
        times: list[float] = []
        for one in range(seed, seed + max(1, round(share * games))):
            puzzle = GAME.puzzle(draw(side, colours, one))
            started = time.process_time()
            result = finish(GAME.solvers["optimal"](puzzle, puzzle.initial(), ProcessorBudget(seconds), seed))
            times.append(time.process_time() - started)
            results.append(result)
            if result.status != "unsolvable" and not result.optimal:
                name = f"{what}, #{one}: not proved, turns"
                yield Row(name, result.cost or 0, seed=one, reference=result.lower_bound)
        n = len(results)
        proved = [result.cost for result in results if result.cost is not None and result.optimal]
        lost = sum(result.status == "unsolvable" for result in results)
        yield rate_row(f"{what}: proved within {seconds:.0f} s", len(proved) + lost, n, seed)
        for turns, count in sorted(Counter(proved).items()):
            yield Row(f"{what}: boards of {turns} turns", count, n=n, seed=seed)
        if proved:
            yield Row(f"{what}: mean turns", float(np.mean(proved)), n=len(proved), seed=seed)
        yield Row(f"{what}: first board", times[0], "s", seed=seed)
        if n > 1:
            yield Row(f"{what}: mean of the others", float(np.mean(times[1:])), "s", n=n - 1, seed=seed)
            yield Row(f"{what}: longest of the others", max(times[1:]), "s", n=n - 1, seed=seed)
        if progress is not None:
            progress(number, len(BOARDS))


def draw(side: int, colours: int, seed: int) -> Level:
    """Never a finished board."""
    rng = random.Random(f"rotate-optimal {side} {colours} {seed}")
    while True:
        cells = [place % colours for place in range(side * side)]
        shuffle(cells, rng)
        level = Level(rows_of(cells, side))
        puzzle = GAME.puzzle(level)
        if not puzzle.is_goal(puzzle.initial()):
            return level
