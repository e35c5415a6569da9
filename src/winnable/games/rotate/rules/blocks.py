"""Blocks of a board and how they turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Cells = tuple[int, ...]
"""Row-major, a colour for each."""


class Block(NamedTuple):
    """A square of cells, by the column and row of its upper left one."""

    left: int
    top: int
    side: int

    def cells(self, columns: int) -> list[int]:
        """Places of its cells, row-major, on a board with so many columns."""
        return [
            (self.top + row) * columns + self.left + column
            for row in range(self.side)
            for column in range(self.side)
        ]


def blocks(rows: int, columns: int, sides: Sequence[int]) -> list[Block]:
    """Every block with one of these sides, by side, then from the top, then from the left."""
    return [
        Block(left, top, side)
        for side in sides
        for top in range(rows - side + 1)
        for left in range(columns - side + 1)
    ]


def turned(cells: Cells, columns: int, block: Block, quarters: int) -> Cells:
    """The board after so many quarter turns of the block, clockwise."""
    starts = [(block.top + row) * columns + block.left for row in range(block.side)]
    square: list[Cells] = [cells[start : start + block.side] for start in starts]
    for _ in range(quarters):
        square = list(zip(*square[::-1], strict=True))
    after = list(cells)
    for start, row in zip(starts, square, strict=True):
        after[start : start + block.side] = row
    return tuple(after)
