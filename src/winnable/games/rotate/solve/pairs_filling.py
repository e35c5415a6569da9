"""A line for every board of pairs with more than twelve cells: long, but there at once.

Rows are filled from the top, pair by pair from the left, until two rows are left; these by columns, until
2 × 4 cells are left, of which every arrangement can be finished. Each cell that is filled keeps what it
holds, and its mate comes beside it on the shortest way through blocks without filled cells. At the end of a
row both cells must move.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from winnable.contract.core import Search
from winnable.games.rotate.rules.blocks import Block
from winnable.games.rotate.rules.clusters import neighbours
from winnable.games.rotate.rules.level import rows_of
from winnable.games.rotate.solve.pairs_exact import Mates, mates_of, shortest
from winnable.games.rotate.solve.pairs_kernels import turn_mates
from winnable.games.rotate.solve.route_kernels import Area, route
from winnable.inert.arrays import np
from winnable.search.meter import Meter

EXACT = 4
"""Columns of the two rows that are left for the exhaustive search."""


def filling_line(mates: Sequence[int], rows: int, columns: int, meter: Meter) -> Search[list[Block]]:
    """mates: row-major, the place of each cell's mate; more than twelve cells. Blocks to turn clockwise."""
    if rows > 2 and (columns % 2 or columns < EXACT):
        across = yield from _Filling(_quarter_turned(mates, columns), columns, rows).line(meter)
        return [Block(block.top, rows - block.left - block.side, block.side) for block in across]
    return (yield from _Filling(mates, rows, columns).line(meter))


def _quarter_turned(mates: Sequence[int], columns: int) -> Mates:
    """The whole board, clockwise: its columns, from the left, are the rows from the top."""
    labels = [min(pair) for pair in enumerate(mates)]
    return mates_of([*chain.from_iterable(zip(*rows_of(labels, columns)[::-1], strict=True))])


class _Filling:
    """columns: even and 4 at least, or there are two rows."""

    def __init__(self, mates: Sequence[int], rows: int, columns: int) -> None:
        self.mates, self.rows, self.columns = np.array(mates, np.int16), rows, columns
        self.turns: list[Block] = []
        self.enough: int | None = None
        """So many turns join all pairs, by chance before a row is filled: the rules allow none after them."""

    def line(self, meter: Meter) -> Search[list[Block]]:
        """It does not end with the budget."""
        for row in range(self.rows - 2):
            for column in range(0, self.columns, 2):
                if meter.is_due:
                    yield from meter.allows("filling")
                self._join_in_row(row, column)
        top, left = self.rows - 2, 0
        while self.columns - left > EXACT:
            if meter.is_due:
                yield from meter.allows("filling")
            self._bring(top, left, top + 1, left, stays=False, left=left)
            left += 1
        self._turn_all((yield from self._last_turns(top, left, meter)))
        return self.turns[: self.enough]

    def _join_in_row(self, row: int, column: int) -> None:
        if column + 2 < self.columns:
            self._bring(row, column, row, column + 1)
        elif self.mates[row * self.columns + column] != row * self.columns + column + 1:
            self._bring(row, column, row + 1, column + 1)
            self._bring(row, column, row, column + 1, stays=False, left=column - 1, bottom=row + 3)

    def _bring(
        self,
        row: int,
        column: int,
        to_row: int,
        to_column: int,
        stays: bool = True,
        left: int = 0,
        bottom: int | None = None,
    ) -> None:
        """The cell's mate, to that place, by turns right of `left` and above `bottom` that touch nothing
        filled. When the cell does not stay, either may come to either place."""
        one, to = row * self.columns + column, to_row * self.columns + to_column
        after = column if stays else column - 1
        area = Area(row, left, bottom or self.rows, self.columns, after, self.columns)
        line = route(area, stays, one, int(self.mates[one]), to)
        self._turn_all([Block(*block) for block in line.tolist()])
        assert self.mates[one] == to or self.mates[to] == one, "two cells get anywhere"

    def _last_turns(self, top: int, left: int, meter: Meter) -> Search[list[Block]]:
        squares = [Block(column, top, 2) for column in range(left, self.columns - 1)]
        last = yield from shortest(self.mates.tolist(), self.columns, squares, meter)
        assert last is not None, "every arrangement of 2 × 4 cells can be finished"
        return last

    def _turn_all(self, turns: Sequence[Block]) -> None:
        after = np.empty_like(self.mates)
        for block in turns:
            turn_mates(self.mates, after, self.columns, *block)
            self.mates, after = after, self.mates
            self.turns.append(block)
            if self.enough is None and self._is_finished():
                self.enough = len(self.turns)

    def _is_finished(self) -> bool:
        """From the end, where loose cells stay the longest: so it takes no time."""
        return all(
            int(self.mates[place]) in neighbours(place, len(self.mates), self.columns)
            for place in reversed(range(len(self.mates)))
        )
