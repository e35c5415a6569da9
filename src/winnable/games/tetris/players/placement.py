"""A placement, with all that the features of controllers are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from winnable.games.tetris.rules.puzzle import Afterstate, Landing, State, Tetris, add

Column = Sequence[bool]


class Placement:
    """before:  rows of the wall on which it is set
    columns: of the wall that it leaves, from the left; cells from the lowest, H of them or more"""

    def __init__(self, game: Tetris, state: State, action: int) -> None:
        self.landing: Landing = game.landing(state, action)
        after: Afterstate
        after, self.lines = game.after_landing(state, self.landing)
        self.over = after.over
        self.height, self.width = game.height, game.width
        self.rows = [*after.wall, *[0] * (game.height - len(after.wall))]
        self.columns: list[Column] = [
            [bool(row >> column & 1) for row in self.rows] for column in range(game.width)
        ]
        self.before = len(state.wall)
        filled = add(state.wall, self.landing)
        self.eroded = (
            0
            if after.over
            else sum(
                cells.bit_count()
                for index, cells in enumerate(self.landing.shape.rows)
                if filled[self.landing.row + index] == game.full
            )
        )

    @cached_property
    def heights(self) -> list[int]:
        """The height of each column."""
        return [height_of(column) for column in self.columns]

    def is_filled(self, column: int, row: int) -> bool:
        """Whether the cell is filled; walls and floor are, what is above the board is not."""
        if not 0 <= column < self.width or row < 0:
            return True
        return row < len(self.rows) and self.columns[column][row]


def height_of(column: Column) -> int:
    """The row above its highest cell."""
    return max((row + 1 for row, cell in enumerate(column) if cell), default=0)


def holes_in(column: Column) -> list[int]:
    """The rows of empty cells with a filled one somewhere above."""
    return [row for row in range(height_of(column)) if not column[row]]
