"""Where the exact solver of drops comes to its limits: 6 × 6 boards with little water in many cells."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from bench.report import Row, mean_row, rate_row
from winnable.contract.core import Answer, Budget, finish
from winnable.games.drops.game import GAME
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.solve import solver

SIDE = 6
EMPTY = 0.15
"""Of the cells, each by itself."""
LEAST, MOST = 1.0, 1.6
"""Units per cell of the board."""
SECONDS = (30.0, 60.0)
"""For one board, of the clock: the longer time is given only to those that are not proved in the shorter."""


def rows(games: int = 50, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """`games` boards of each kind. A row for each that is not proved at the end, with its clicks and its
    lower bound as reference; then for each kind and for all, after each time: the share proved, and the
    mean of (clicks - bound) / clicks. Times start with the kernels compiled."""
    solver.warm()
    ended: dict[str, list[list[Answer]]] = {kind: [[] for _ in SECONDS] for kind in KINDS}
    done = 0
    for kind, by_time in ended.items():
        processor = 0.0
        for one in range(seed, seed + games):
            puzzle = GAME.puzzle(KINDS[kind](random.Random(f"drops-frontier {kind} {one}")))
            started = time.process_time()
            result: Answer | None = None
            for seconds, results in zip(SECONDS, by_time, strict=True):
                if result is None or not result.optimal:
                    budget = Budget(seconds=seconds)
                    result = finish(GAME.solvers["optimal"](puzzle, puzzle.initial(), budget, seed))
                results.append(result)
            processor += time.process_time() - started
            if result is not None and not result.optimal:
                name = f"{kind} #{one}: not proved, clicks"
                yield Row(name, result.cost or 0, seed=one, reference=result.lower_bound)
            done += 1
            if progress is not None:
                progress(done, len(KINDS) * games)
        yield from _rows_of(kind, by_time, seed)
        yield Row(f"{kind}: processor time", processor / games, "s a board", n=games, seed=seed)
    yield from _rows_of(
        "all", [[*first, *second] for first, second in zip(*ended.values(), strict=True)], seed
    )


def _rows_of(name: str, by_time: list[list[Answer]], seed: int) -> Iterator[Row]:
    for seconds, results in zip(SECONDS, by_time, strict=True):
        proved = sum(result.optimal for result in results)
        yield rate_row(f"{name}: proved within {seconds:.0f} s", proved, len(results), seed)
        yield mean_row(
            f"{name}: mean gap after {seconds:.0f} s", [gap(result) for result in results], "", seed
        )


def gap(result: Answer) -> float:
    """Without a line, or without a bound, all is open."""
    return 1 - (result.lower_bound or 0) / result.cost if result.cost else 1.0


def with_gaps(rng: random.Random) -> Level:
    """About 15 % of the cells are empty; how much water there is in the others is drawn from all allowed
    totals with equal chances."""
    while True:
        cells = [int(rng.random() >= EMPTY) for _ in range(SIDE**2)]
        water = round((LEAST + rng.random() * (MOST - LEAST)) * SIDE**2)
        if any(cells) and sum(cells) <= water <= FULL * sum(cells):
            return _board(cells, water, FULL, rng)


def ones_and_twos(rng: random.Random) -> Level:
    """No cell is empty."""
    water = round((LEAST + rng.random() * (MOST - LEAST)) * SIDE**2)
    return _board([1] * SIDE**2, water, 2, rng)


def _board(cells: list[int], water: int, most: int, rng: random.Random) -> Level:
    """Adds drops to cells that hold some, at most `most` in each, until there is so much water."""
    while sum(cells) < water:
        cell = int(rng.random() * SIDE**2)
        if 0 < cells[cell] < most:
            cells[cell] += 1
    return Level(tuple("".join(map(str, cells[row * SIDE : (row + 1) * SIDE])) for row in range(SIDE)))


KINDS: dict[str, Callable[[random.Random], Level]] = {
    "15 % empty": with_gaps,
    "ones and twos, full": ones_and_twos,
}
