"""The seven tetrominoes in each way that they can be turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NAMES = "IOTSZJL"
"""A piece is its place in here."""
_SPAWNED = {
    "I": ("####",),
    "O": ("##", "##"),
    "T": (".#.", "###"),
    "S": (".##", "##."),
    "Z": ("##.", ".##"),
    "J": ("#..", "###"),
    "L": ("..#", "###"),
}
"""As they appear, rows from the top."""


class Shape(NamedTuple):
    """A piece, turned.

    rows:    of cells from the lowest, as bits; bit 0 is the leftmost column
    bottoms: of each column from the left, its lowest cell's row
    tops:    of each column, the row above its highest cell
    """

    rows: tuple[int, ...]
    bottoms: tuple[int, ...]
    tops: tuple[int, ...]

    @property
    def width(self) -> int:
        """The number of its columns."""
        return len(self.bottoms)

    @property
    def height(self) -> int:
        """The number of its rows."""
        return len(self.rows)

    @property
    def columns(self) -> tuple[int, ...]:
        """Its cells column by column from the left, as bits; bit 0 is the lowest row."""
        return turned_bits(self.rows, self.width)

    def cells(self, column: int, row: int) -> tuple[tuple[int, int], ...]:
        """Its cells, (column, row), with the leftmost and the lowest of them there; from the lowest row."""
        return tuple(
            (column + x, row + y)
            for y, bits in enumerate(self.rows)
            for x in range(self.width)
            if bits >> x & 1
        )


def row_bits(row: str) -> int:
    """A row that is drawn, `.` for an empty cell, as bits; bit 0 is the leftmost column."""
    return sum(1 << column for column, cell in enumerate(row) if cell != ".")


def turned_bits(rows: Sequence[int], width: int) -> tuple[int, ...]:
    """The columns as bits of their rows, of rows as bits of their columns."""
    return tuple(
        sum((row >> column & 1) << index for index, row in enumerate(rows)) for column in range(width)
    )


def collides(wall: Sequence[int], shape: Shape, column: int, row: int) -> bool:
    """Whether one of the piece's cells is filled already. wall: rows from the lowest, as bits; column, row:
    of the piece's leftmost and lowest cells."""
    here = wall[row : row + shape.height]
    return any(cells << column & filled for cells, filled in zip(shape.rows, here, strict=False))


def _shape(drawing: tuple[str, ...]) -> Shape:
    rows = drawing[::-1]
    filled = [[row[column] == "#" for row in rows] for column in range(len(rows[0]))]
    return Shape(
        rows=tuple(map(row_bits, rows)),
        bottoms=tuple(column.index(True) for column in filled),
        tops=tuple(len(rows) - column[::-1].index(True) for column in filled),
    )


def _turned(drawing: tuple[str, ...]) -> tuple[str, ...]:
    """Clockwise by a quarter."""
    return tuple("".join(column)[::-1] for column in zip(*drawing, strict=True))


def _shapes(drawing: tuple[str, ...]) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    while (shape := _shape(drawing)) not in shapes:
        shapes.append(shape)
        drawing = _turned(drawing)
    return tuple(shapes)


SHAPES: tuple[tuple[Shape, ...], ...] = tuple(_shapes(_SPAWNED[name]) for name in NAMES)
"""Of each piece, after so many quarter turns clockwise; what looks the same as before is not repeated."""
TURNED: tuple[tuple[int, int], ...] = tuple(
    (piece, turns) for piece, shapes in enumerate(SHAPES) for turns in range(len(shapes))
)
"""All 19 of (piece, quarter turns)."""
