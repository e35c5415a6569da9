"""Boards that are one picture, turned or mirrored.

Twins need not play alike: only `symmetric` treats all ways alike, under the other rule sets ties between
droplets are broken by an order of the ways. A person sees the same picture all the same.
"""

from __future__ import annotations

from winnable.games.drops.rules.level import Level

Rows = tuple[str, ...]


def picture(level: Level) -> str:
    """The same for all twins: of the 8 symmetries of a square, the 4 of a rectangle, the least board."""
    board = level.board
    boards = [board, _turned(_turned(board))]
    if level.rows == level.columns:
        boards += [_turned(board), _turned(_turned(_turned(board)))]
    return min("/".join(rows) for one in boards for rows in (one, one[::-1]))


def _turned(board: Rows) -> Rows:
    """By a quarter."""
    return tuple("".join(column) for column in zip(*board[::-1], strict=True))
