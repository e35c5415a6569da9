"""The Super Rotation System: how pieces look, where they appear, how they turn and what they try in order.

A position is that of the piece's centre, the cell that it turns about; x to the right from 0, y up from 0.
A turn tries up to five places. Each orientation has a list of five offsets; the n-th place is where the n-th
offsets of the two orientations would meet. This is the tetris wiki's account "How SRS really works", and it
gives the two usual kick tables, of J, L, S, T, Z and of I; O has one offset each, so it never kicks.

Half turns are no part of SRS. They are tried as TETR.IO does it, with one table for all pieces but O.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from winnable.games.tetris.modern.rules.level import HEIGHT, VISIBLE, WIDTH

Cell: TypeAlias = tuple[int, int]
"""x, y."""

SPAWN: Cell = (4, VISIBLE)
"""Where a piece's centre appears, unturned: its cells are in the rows 20 and 21."""
CLOCKWISE, HALF, COUNTER = 1, 2, 3
"""Quarter turns clockwise."""

_UNTURNED: dict[str, tuple[Cell, ...]] = {
    "I": ((-1, 0), (0, 0), (1, 0), (2, 0)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "T": ((-1, 0), (0, 0), (1, 0), (0, 1)),
    "S": ((-1, 0), (0, 0), (0, 1), (1, 1)),
    "Z": ((-1, 1), (0, 1), (0, 0), (1, 0)),
    "J": ((-1, 1), (-1, 0), (0, 0), (1, 0)),
    "L": ((-1, 0), (0, 0), (1, 0), (1, 1)),
}
_AT_CENTRE: Cell = (0, 0)
_OFFSETS_JLSTZ: tuple[tuple[Cell, ...], ...] = (
    (_AT_CENTRE,) * 5,
    ((0, 0), (1, 0), (1, -1), (0, 2), (1, 2)),
    (_AT_CENTRE,) * 5,
    ((0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)),
)
_OFFSETS_I: tuple[tuple[Cell, ...], ...] = (
    ((0, 0), (-1, 0), (2, 0), (-1, 0), (2, 0)),
    ((-1, 0), (0, 0), (0, 0), (0, 1), (0, -2)),
    ((-1, 1), (1, 1), (-2, 1), (1, 0), (-2, 0)),
    ((0, 1), (0, 1), (0, 1), (0, -1), (0, 2)),
)
_OFFSETS_O: tuple[tuple[Cell, ...], ...] = (((0, 0),), ((0, -1),), ((-1, -1),), ((-1, 0),))
_HALF_KICKS: tuple[tuple[Cell, ...], ...] = (
    ((0, 0), (0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0)),
    ((0, 0), (1, 0), (1, 2), (1, 1), (0, 2), (0, 1)),
    ((0, 0), (0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0)),
    ((0, 0), (-1, 0), (-1, 2), (-1, 1), (0, 2), (0, 1)),
)
"""By the orientation that is left."""


def _offsets(piece: str) -> tuple[tuple[Cell, ...], ...]:
    return {"I": _OFFSETS_I, "O": _OFFSETS_O}.get(piece, _OFFSETS_JLSTZ)


@cache
def shape(piece: str, turn: int) -> tuple[Cell, ...]:
    """The four cells, relative to the centre, after so many quarter turns clockwise."""
    cells = _UNTURNED[piece]
    for _ in range(turn):
        cells = tuple((y, -x) for x, y in cells)
    return cells


@cache
def kicks(piece: str, turn: int, by: int) -> tuple[Cell, ...]:
    """The moves of the centre, one for each place that is tried, in order, when a piece that has made `turn`
    quarter turns clockwise makes `by` more."""
    left, entered = _offsets(piece)[turn], _offsets(piece)[(turn + by) % 4]
    moves = tuple((x - to_x, y - to_y) for (x, y), (to_x, to_y) in zip(left, entered, strict=True))
    if by != HALF or piece == "O":
        return moves
    first_x, first_y = moves[0]
    return tuple((first_x + x, first_y + y) for x, y in _HALF_KICKS[turn])


def fits(rows: Sequence[str], cells: Sequence[Cell], x: int, y: int) -> bool:
    """Whether the cells, moved by x and y, are on the board and empty. rows: from the lowest."""
    filled = len(rows)
    for dx, dy in cells:
        column, row = x + dx, y + dy
        if not (0 <= column < WIDTH and 0 <= row < HEIGHT) or (row < filled and rows[row][column] != "."):
            return False
    return True
