"""The constructive solver of rotate on random boards of all sizes: every one is to be finished, and soon."""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

from bench.report import Row, mean_row, rate_row
from winnable.contract.core import Budget, finish, replay
from winnable.games.rotate.game import GAME
from winnable.games.rotate.rules.level import Level, rows_of

SIDES = range(3, 31)
COLOURS = range(2, 9)
GROUPS = ((3, 5), (6, 8), (9, 12), (13, 16), (17, 20), (21, 25), (26, 30))
"""Of sides, from and to, that share a row."""
LIMITS = {"first try": 1, "all tries": sys.maxsize}
"""Tries that count as one expanded node each."""
EVERY = 9
"""Each so many boards get all tries, too."""


def rows(
    games: int = 10_000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """`games` square boards, each side as often as any other, 2 to 8 colours: the share that is finished, as
    replayed by the readable rules. Then for each group of sides the mean turns per cell and the longest
    processor time for one board with the kernels compiled, for the first try alone and, on each ninth board,
    for all."""
    _finish(draw(3, 3, 2, random.Random(0)), Budget(), 0)
    per_cell: dict[tuple[str, int], list[float]] = defaultdict(list)
    seconds: dict[tuple[str, int], list[float]] = defaultdict(list)
    finished = 0
    for one in range(seed, seed + games):
        rng = random.Random(f"rotate-finish {one}")
        side, colours = SIDES[one % len(SIDES)], rng.choice(COLOURS)
        level = draw(side, side, colours, rng)
        for name, limit in LIMITS.items():
            if name == "all tries" and one % EVERY:
                continue
            turns, took = _finish(level, Budget(expanded=limit), one)
            seconds[name, side].append(took)
            if turns is None:
                yield Row(f"#{one}, {name}: {side} × {side}, {colours} colours not finished", 0, seed=one)
            else:
                per_cell[name, side].append(turns / side**2)
                finished += name == "first try"
        if progress is not None:
            progress(one - seed + 1, games)
    yield rate_row("finished and replayed", finished, games, seed)
    for name in LIMITS:
        for first, last in GROUPS:
            group, sides = f"{first} to {last} a side, {name}", range(first, last + 1)
            values = [value for side in sides for value in per_cell[name, side]]
            if values:
                longest = max(took for side in sides for took in seconds[name, side])
                yield mean_row(f"{group}: turns", values, "per cell", seed)
                yield Row(f"{group}: longest", 1000 * longest, "ms", n=len(values), seed=seed)


def _finish(level: Level, budget: Budget, seed: int) -> tuple[int | None, float]:
    """Turns of a line that replays, and seconds."""
    puzzle = GAME.puzzle(level)
    started = time.process_time()
    result = finish(GAME.solvers["constructive"](puzzle, puzzle.initial(), budget, seed))
    took = time.process_time() - started
    won = result.status == "solved" and puzzle.is_goal(replay(puzzle, result.actions))
    return len(result.actions) if won else None, took


def draw(rows: int, columns: int, colours: int, rng: random.Random) -> Level:
    """Each colour as often as the others, or once more; shuffled."""
    cells = [1 + index * colours // (rows * columns) for index in range(rows * columns)]
    rng.shuffle(cells)
    return Level(rows_of(cells, columns))
