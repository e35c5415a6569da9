"""Every wall that a game on a small board can come to, and what its value follows from; on top of kernels.py.

A wall is one uint64: column by column from the left, `height` bits each. A *draw* from a wall gives each of
the seven pieces, and for each there are some *options*, placements that the player may take: one for a
controller, all of them for the best player. `after`, int32 [walls, options], says where each leads: the
number of the wall * 8 + the lines cleared, or NOWHERE when it ends the game. `starts`, int64 [8], says at
which option each piece's begin, and where the last one's end. `worth`, float64 [walls], is never below 0.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from winnable.compiled.jit import kernel
from winnable.games.tetris.players.ahead_kernels import Weights, Workspaces, choose_ahead
from winnable.games.tetris.players.choice_kernels import choose
from winnable.games.tetris.players.kernels import Workspace, place
from winnable.games.tetris.players.play_kernels import PIECES
from winnable.games.tetris.players.shape_kernels import NOWHERE
from winnable.inert.arrays import F64, I32, I64, U64, U

LINES: Final = 8
"""More than a placement clears."""
SCATTER: Final = 0x9E3779B9
"""2 ** 32 / the golden ratio (D. E. Knuth, The Art of Computer Programming 3, 6.4)."""


@kernel
def packed(now: U64, height: int) -> U:
    wall = U(0)
    for c in range(now.size - 2, 0, -1):
        wall = wall << U(height) | now[c]
    return wall


@kernel
def unpack(wall: U, height: int, now: U64) -> None:
    column = (U(1) << U(height)) - U(1)
    for c in range(1, now.size - 1):
        now[c] = wall >> U(height * (c - 1)) & column


@kernel
def number_of(wall: U, walls: U64, known: int, table: I64) -> int:
    """The number of a wall, from 0; it gets the number `known` when it is new. table, a power of two of
    entries: number + 1, or 0; open addressing."""
    mask = U(table.size - 1)
    slot = ((wall ^ wall >> U(32)) & U(0xFFFFFFFF)) * U(SCATTER) >> U(24) & mask
    while table[slot] and walls[table[slot] - 1] != wall:
        slot = slot + U(1) & mask
    if not table[slot]:
        walls[known] = wall
        table[slot] = known + 1
    return table[slot] - 1


@kernel
def follow(
    first: int, last: int, known: int, walls: U64, table: I64, height: int, starts: I64, actions: I64,
    shapes: I64, now: U64, after: I32,
) -> int:  # fmt: skip
    """Fills `after`, [last - first, options], for the walls `first` to `last`, and numbers the walls that are
    new: how many are known then, or NOWHERE when there is no room in `walls`. actions, int64 [last - first,
    options]; a NOWHERE ends the game. now: for a wall."""
    for number in range(first, last):
        for piece in range(PIECES):
            for option in range(starts[piece], starts[piece + 1]):
                after[number - first, option] = NOWHERE
                action = actions[number - first, option]
                if action == NOWHERE:
                    continue
                unpack(walls[number], height, now)
                lines = place(now, height, piece, action, shapes)
                if lines == NOWHERE:
                    continue
                if known == walls.size:
                    return NOWHERE
                reached = number_of(packed(now, height), walls, known, table)
                known = max(known, reached + 1)
                after[number - first, option] = reached * LINES + lines
    return known


@kernel
def decide(walls: U64, height: int, shapes: I64, table: F64, now: U64, work: Workspace, actions: I64) -> None:
    """What a controller does: actions, int64 [walls, 7], or NOWHERE. now: for a wall."""
    for number in range(walls.size):
        unpack(walls[number], height, now)
        for piece in range(PIECES):
            actions[number, piece] = choose(now, height, piece, shapes, table, work)


@kernel
def decide_ahead(
    walls: U64, height: int, shapes: I64, weights: Weights, now: U64, works: Workspaces, actions: I64
) -> None:
    """Likewise one that looks ahead, without preview."""
    for number in range(walls.size):
        unpack(walls[number], height, now)
        for piece in range(PIECES):
            actions[number, piece] = choose_ahead(now, height, piece, NOWHERE, shapes, weights, works)


@kernel
def backup(after: I32, starts: I64, number: int, per_line: float, per_piece: float, worth: F64) -> float:
    """What a draw from the wall is worth, if the walls are worth so much: the mean over the pieces of the
    best option. A draw itself is worth per_piece, a line per_line, the end of the game nothing."""
    total = 0.0
    for piece in range(PIECES):
        best = 0.0
        for option in range(starts[piece], starts[piece + 1]):
            reached = after[number, option]
            if reached != NOWHERE:
                best = max(best, per_line * (reached % LINES) + worth[reached // LINES])
        total += best
    return per_piece + total / PIECES


@kernel
def sweep(after: I32, starts: I64, per_line: float, per_piece: float, worth: F64) -> None:
    """A backup of each wall in place, those last that were found first (Gauss-Seidel)."""
    for number in range(worth.size - 1, -1, -1):
        worth[number] = backup(after, starts, number, per_line, per_piece, worth)


@kernel
def errors(after: I32, starts: I64, per_line: float, per_piece: float, worth: F64, extremes: F64) -> None:
    """extremes, float64 [2]: the least and the most by which a backup changes a worth; none is changed."""
    extremes[0], extremes[1] = np.inf, -np.inf
    for number in range(worth.size):
        change = backup(after, starts, number, per_line, per_piece, worth) - worth[number]
        extremes[0], extremes[1] = min(extremes[0], change), max(extremes[1], change)


@kernel
def best_options(after: I32, starts: I64, worth: F64, best: I32) -> None:
    """best, int32 [walls, 7]: of each piece's options the entry of `after` that is worth the most lines."""
    for number in range(worth.size):
        for piece in range(PIECES):
            most, best[number, piece] = -1.0, NOWHERE
            for option in range(starts[piece], starts[piece + 1]):
                reached = after[number, option]
                if reached != NOWHERE:
                    value = reached % LINES + worth[reached // LINES]
                    if value > most:
                        most, best[number, piece] = value, reached
