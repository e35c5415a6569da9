"""Whole games of controllers under the rules that the table of shapes tells, on top of kernels.py."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.dice_kernels import draw
from winnable.games.tetris.choice_kernels import choose, choose_or_recall
from winnable.games.tetris.kernels import place
from winnable.games.tetris.shape_kernels import F64, I64, NOWHERE, U64, highest
from winnable.jit import kernel

PIECES = 7
Bools: TypeAlias = NDArray[np.bool_]


@kernel
def play(
    now: U64, height: int, dice: U64, most: int, shapes: I64, table: F64, sums: I64, rows: U64, spare: U64,
    values: F64, memory: U64, counts: I64,
) -> None:  # fmt: skip
    """Plays on from a wall until the game is over or `most` pieces are placed. memory: see choice_kernels.py.
    counts, int64 [3]: pieces and lines, added up, and whether it is over."""
    for _ in range(most):
        piece = draw(dice, PIECES)
        action = choose_or_recall(now, height, piece, shapes, table, sums, rows, spare, values, memory)
        counts[0] += 1
        if action == NOWHERE:
            counts[2] = 1
            break
        counts[1] += place(now, height, piece, action, shapes)


@kernel
def leap(
    walls: U64, height: int, dice: U64, low: I64, high: I64, limit: I64, shapes: I64, table: F64,
    sums: I64, rows: U64, spare: U64, values: F64, died: Bools, steps: I64, lines: F64,
) -> None:  # fmt: skip
    """Plays each wall, uint64 [copies, width + 2], for at least one piece, until the game is over, the wall
    is lower than `low` or not lower than `high`, or `limit` pieces are placed. Results go to died, steps and
    lines."""
    now = np.empty(walls.shape[1], np.uint64)
    for copy in range(walls.shape[0]):
        now[:] = walls[copy]
        cleared, taken = 0, 0
        while True:
            piece = draw(dice, PIECES)
            action = choose(now, height, piece, shapes, table, sums, rows, spare, values)
            taken += 1
            if action == NOWHERE:
                died[copy] = True
                break
            cleared += place(now, height, piece, action, shapes)
            level = highest(now)
            if level < low[copy] or level >= high[copy] or taken == limit[copy]:
                break
        steps[copy], lines[copy] = taken, cleared
        walls[copy] = now
