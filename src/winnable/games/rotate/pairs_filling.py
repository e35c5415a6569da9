"""A line for every board of pairs with more than twelve cells: long, but there at once.

Rows are filled from the top, pair by pair from the left, until two rows are left; these by columns, until
2 × 4 cells are left, of which every arrangement can be finished. Each cell that is filled keeps what it
holds, and its mate comes beside it on the shortest way through blocks without filled cells. At the end of a
row both cells must move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from winnable.games.rotate.blocks import Block, blocks
from winnable.games.rotate.pairs_exact import shortest, turned_mates
from winnable.games.rotate.route_kernels import route

EXACT = 4
"""Columns of the two rows that are left for the exhaustive search."""


def filling_line(mates: Sequence[int], rows: int, columns: int) -> list[Block]:
    """mates: row-major, the place of each cell's mate; more than twelve cells. Blocks to turn clockwise."""
    if rows > 2 and (columns % 2 or columns < EXACT):
        across = _Filling(_quarter_turned(mates, rows, columns), columns, rows).line()
        return [Block(block.top, rows - block.left - block.side, block.side) for block in across]
    return _Filling(mates, rows, columns).line()


def _quarter_turned(mates: Sequence[int], rows: int, columns: int) -> list[int]:
    """The whole board, clockwise: its columns, from the left, are the rows from the top."""

    def after(place: int) -> int:
        return place % columns * rows + rows - 1 - place // columns

    turned = [0] * len(mates)
    for place, mate in enumerate(mates):
        turned[after(place)] = after(mate)
    return turned


class _Filling:
    """columns: even and 4 at least, or there are two rows."""

    def __init__(self, mates: Sequence[int], rows: int, columns: int) -> None:
        self.mates, self.rows, self.columns = list(mates), rows, columns
        self.all = blocks(rows, columns, range(2, min(rows, columns) + 1))
        self.turns: list[Block] = []

    def line(self) -> list[Block]:
        for row in range(self.rows - 2):
            for column in range(0, self.columns, 2):
                self._join_in_row(row, column)
        top, first = self.rows - 2, 0
        while self.columns - first > EXACT:
            self._bring(top, first, top + 1, first, _from(top, first), rows=2)
            first += 1
        last = shortest(self.mates, self.columns, _from(top, first))
        assert last is not None, "every arrangement of 2 × 4 cells can be finished"
        self._turn_all(last)
        return self.turns

    def _join_in_row(self, row: int, column: int) -> None:
        one = row * self.columns + column

        def free(block: Block) -> bool:
            """Holds nothing that is filled, nor the cell whose mate is on its way."""
            return block.top > row or (block.top == row and block.left > column)

        def window(block: Block) -> bool:
            """At the end of the row and below it: three rows, three columns."""
            left = column if block.top == row else column - 1
            return row <= block.top and block.top + block.side <= row + 3 and block.left >= left

        if column + 2 < self.columns:
            self._bring(row, column, row, column + 1, free)
        elif self.mates[one] != one + 1:
            self._bring(row, column, row + 1, column + 1, free)
            self._bring(row, column, row, column + 1, window, rows=3)

    def _bring(
        self,
        row: int,
        column: int,
        to_row: int,
        to_column: int,
        free: Callable[[Block], bool],
        rows: int | None = None,
    ) -> None:
        """The cell's mate, to that place. With `rows` both are so many rows from `row` on and may move, and
        either may come to either place; else the cell stays."""
        one, to = row * self.columns + column, to_row * self.columns + to_column
        usable = [block for block in self.all if free(block)]
        first, last = row, self.rows if rows is None else row + rows
        numbers: list[int] = route(
            np.array(usable, np.int64).reshape(-1, 3),
            self.columns,
            first * self.columns,
            (last - first) * self.columns,
            rows is None,
            one,
            self.mates[one],
            to,
        ).tolist()
        assert numbers != [-1], "two cells get anywhere"
        self._turn_all([usable[number] for number in numbers])

    def _turn_all(self, turns: Sequence[Block]) -> None:
        for block in turns:
            self.mates = turned_mates(self.mates, self.columns, block)
            self.turns.append(block)


def _from(top: int, left: int) -> Callable[[Block], bool]:
    return lambda block: block.top >= top and block.left >= left
