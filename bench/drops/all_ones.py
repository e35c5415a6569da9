"""Boards of ones: the construction's clicks beside the bound, each line replayed by the readable rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import get_args

from bench.report import Row
from winnable.contract.core import replay
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.all_ones import construct, fewest

SIDES = (*range(2, 21), 32)


def rows(progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Three rows for each side: clicks, with the bound as reference; under how many rule sets they empty the
    board; and how long it took to make the line."""
    for done, side in enumerate(SIDES, 1):
        began = time.perf_counter()
        line = construct(side, side)
        seconds = time.perf_counter() - began
        puzzles = [Drops(Level(board=("1" * side,) * side, rules=rules)) for rules in get_args(RuleName)]
        emptied = sum(puzzle.is_goal(replay(puzzle, line)) for puzzle in puzzles)
        if progress is not None:
            progress(done, len(SIDES))
        yield Row(f"{side} × {side}: clicks", len(line), reference=fewest(side, side))
        yield Row(f"{side} × {side}: rule sets under which the board is empty", emptied, reference=4)
        yield Row(f"{side} × {side}: construction", seconds * 1000, "ms")
