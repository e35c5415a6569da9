"""Whole games of controllers under the rules that the table of shapes tells, on top of kernels.py."""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.dice_kernels import draw
from winnable.compiled.jit import kernel
from winnable.games.tetris.players.choice_kernels import choose, choose_or_recall
from winnable.games.tetris.players.kernels import Workspace, place
from winnable.games.tetris.players.shape_kernels import NOWHERE, highest
from winnable.inert.arrays import F64, I64, U64, np
from winnable.tuning.process import Ints, Leap

PIECES = 7


class Played(NamedTuple):
    """A game as far as it was played."""

    pieces: int
    lines: int
    over: bool


class Until(NamedTuple):
    """Where each copy's leap ends: at a wall that is lower than `low` or not lower than `high`, or after
    `limit` pieces."""

    low: Ints
    high: Ints
    limit: Ints


@kernel
def play(
    now: U64, height: int, dice: U64, most: int, shapes: I64, table: F64, work: Workspace, memory: U64
) -> Played:
    """Plays on from a wall until the game is over or `most` pieces are placed. memory: see
    choice_kernels.py."""
    lines = 0
    for placed in range(most):
        piece = draw(dice, PIECES)
        action = choose_or_recall(now, height, piece, shapes, table, work, memory)
        if action == NOWHERE:
            return Played(placed + 1, lines, True)
        lines += place(now, height, piece, action, shapes)
    return Played(most, lines, False)


@kernel
def leap(end: Leap, until: Until, height: int, dice: U64, shapes: I64, table: F64, work: Workspace) -> None:
    """Plays each of the walls `end.states`, uint64 [copies, width + 2], for at least one piece, until the
    game is over or `until` says so. Fills `end`; its reward is lines."""
    walls, died, steps, lines = end
    low, high, limit = until
    now = np.empty(walls.shape[1], np.uint64)
    for copy in range(walls.shape[0]):
        now[:] = walls[copy]
        cleared, taken = 0, 0
        while True:
            piece = draw(dice, PIECES)
            action = choose(now, height, piece, shapes, table, work)
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
