"""A board at rest: cells put on it, and full rows taken off."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.games.tetris.modern.rules.level import WIDTH
from winnable.games.tetris.modern.rules.srs import Cell

_EMPTY = "." * WIDTH


def put(rows: Sequence[str], cells: Sequence[Cell], letter: str) -> list[str]:
    """The rows with these cells filled; each was empty."""
    height = max(len(rows), 1 + max(y for _, y in cells))
    filled = [*rows, *[_EMPTY] * (height - len(rows))]
    for x, y in cells:
        filled[y] = filled[y][:x] + letter + filled[y][x + 1 :]
    return filled


def full_rows(rows: Sequence[str]) -> tuple[int, ...]:
    """The numbers of the full rows, from the lowest."""
    return tuple(index for index, row in enumerate(rows) if "." not in row)


def without(rows: Sequence[str], cleared: Sequence[int]) -> tuple[str, ...]:
    """The rows that stay, and no empty ones on top."""
    left = [row for index, row in enumerate(rows) if index not in cleared]
    while left and left[-1] == _EMPTY:
        left.pop()
    return tuple(left)
