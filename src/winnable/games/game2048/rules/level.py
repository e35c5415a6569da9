"""The level of 2048: its schema and everything that must hold for its rules to work."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated

from msgspec import Meta

from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import LevelError
from winnable.levels.base import BaseLevel

MIN_SIDE, MAX_SIDE = 2, 8
MAX_EXPONENT = 35
"""Of a tile that a level may show: 2 ** 35, the last one with a sign of its own in text, `z`."""
FOURS = 10
"""Percent of the new tiles that are a 4 in the original game."""
MAX_GIVEN = 100_000
GIVEN = r"(\.?[0-9A-Za-z_-])*"
CELL_SIGNS = string.digits + string.ascii_letters + "-_"
"""Of the cells of the largest board, row-major."""

Side = Annotated[int, Meta(ge=MIN_SIDE, le=MAX_SIDE)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Value = Annotated[int, Meta(ge=0, le=2**MAX_EXPONENT)]
Row = Annotated[tuple[Value, ...], Meta(min_length=MIN_SIDE, max_length=MAX_SIDE)]


class Level(BaseLevel, frozen=True, tag="winnable.2048/1"):
    """An immutable instance: the board at the start, the goal, and the seed of the tiles to come.

    board: rows of tiles, 0 is an empty cell; none: `rows` × `columns` empty cells, to which the dice add two
           tiles before the first move
    goal:  the tile to reach; None: as far as you get
    ends:  whether the game is over when the goal is reached
    fours: percent of the new tiles that are a 4; the others are a 2
    given: the new tiles of the first moves, as in a game that was recorded: for each move the sign of the
           cell (`CELL_SIGNS`), a 2, or a 4 with a dot before it. Where the game went another way and a cell
           is filled, and after the last one, the dice decide
    dice:  the seed of the new tiles
    """

    rows: Side = 4
    columns: Side = 4
    board: Annotated[tuple[Row, ...], Meta(max_length=MAX_SIDE)] = ()
    goal: Value | None = None
    ends: bool = False
    fours: Percent = FOURS
    dice: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0
    given: Annotated[str, Meta(pattern=rf"\A{GIVEN}\Z", max_length=2 * MAX_GIVEN)] = ""

    def __post_init__(self) -> None:
        self._check_board()
        if any(cell >= self.rows * self.columns for cell, _ in self.given_tiles):
            raise LevelError("2048.given.cell", field="given", cells=self.rows * self.columns)
        if self.goal is None:
            if self.ends:
                raise LevelError("2048.ends", field="ends")
            return
        if not _is_tile(self.goal) or self.goal < 8:
            raise LevelError("2048.goal", field="goal", given=self.goal)
        if self.ends and any(value >= self.goal for row in self.board for value in row):
            raise LevelError("2048.reached", field="board", goal=self.goal)

    def _check_board(self) -> None:
        if not self.board:
            return
        if len(self.board) != self.rows:
            raise LevelError("rows.count", field="board", given=len(self.board), rows=self.rows)
        for index, row in enumerate(self.board):
            if len(row) != self.columns:
                raise LevelError("row.width", field=f"board[{index}]", given=len(row), width=self.columns)
            for value in row:
                if value and not _is_tile(value):
                    raise LevelError("2048.tile", field=f"board[{index}]", given=value)
        if not any(map(any, self.board)):
            raise LevelError("2048.no_tile", field="board")
        if not self._can_move():
            raise LevelError("2048.stuck", field="board")

    def _can_move(self) -> bool:
        lines = (*self.board, *zip(*self.board, strict=True))
        return any(a == b or not (a and b) for line in lines for a, b in pairwise(line))

    @property
    def cells(self) -> tuple[int, ...]:
        """The board at the start as exponents, row-major; empty: the game is from the beginning."""
        return tuple(value.bit_length() - 1 if value else 0 for row in self.board for value in row)

    @property
    def given_tiles(self) -> tuple[tuple[int, int], ...]:
        """`given` as cells and exponents."""
        return tuple(
            (_CELLS[sign], 1 + (before == ".")) for before, sign in pairwise(" " + self.given) if sign != "."
        )


def given_text(tiles: Iterable[tuple[int, int]]) -> str:
    """Cells and exponents, 1 or 2, as `given`."""
    return "".join("." * (exponent - 1) + CELL_SIGNS[cell] for cell, exponent in tiles)


def board_of(cells: Sequence[int], columns: int) -> tuple[tuple[int, ...], ...]:
    """Exponents, row-major, as the rows of a board: the inverse of `Level.cells`."""
    values = [1 << exponent if exponent else 0 for exponent in cells]
    return tuple(tuple(values[at : at + columns]) for at in range(0, len(values), columns))


_CELLS = {sign: cell for cell, sign in enumerate(CELL_SIGNS)}


def _is_tile(value: int) -> bool:
    return value > 1 and not value & (value - 1)
