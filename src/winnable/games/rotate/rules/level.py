"""The level of rotate: its schema and everything that must hold for its rules to work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias, TypeVar

from msgspec import Meta

from winnable.contract.core import LevelError
from winnable.levels.base import BaseLevel, check_widths

MIN_SIDE, MAX_SIDE = 2, 64
MAX_COLOURS = 26
MAX_LABEL = MAX_SIDE * MAX_SIDE // 2 - 1
MAX_TURNS = 1_000_000

RuleName: TypeAlias = Literal["clusters", "pairs"]
"""`clusters`: even blocks turn by 90, 180 or 270 degrees (Kosen Procon 20, 2009; the article). `pairs`: each
label is there twice, and blocks of any side from 2 turn by 90 degrees clockwise (Kosen Procon 36, 2025)."""
Cell = Annotated[int, Meta(ge=0, le=MAX_LABEL)]
Row = Annotated[tuple[Cell, ...], Meta(min_length=MIN_SIDE, max_length=MAX_SIDE)]
T = TypeVar("T")


def rows_of(cells: Sequence[T], columns: int) -> tuple[tuple[T, ...], ...]:
    """Row-major cells as the rows of a board."""
    return tuple(tuple(cells[first : first + columns]) for first in range(0, len(cells), columns))


class Level(BaseLevel, frozen=True, tag="winnable.rotate/1"):
    """An immutable instance. Rows from the top; a number for each cell's colour (or label).

    turns: how many turns there are; None: as many as it takes.
    """

    board: Annotated[tuple[Row, ...], Meta(min_length=MIN_SIDE, max_length=MAX_SIDE)]
    rules: RuleName = "clusters"
    turns: Annotated[int, Meta(ge=0, le=MAX_TURNS)] | None = None

    def __post_init__(self) -> None:
        check_widths(self.board)
        counts = Counter(self.cells)
        if len(counts) < 2:
            raise LevelError("rotate.one", field="board")
        if self.rules == "pairs":
            for label, count in sorted(counts.items()):
                if count != 2:
                    raise LevelError("rotate.pair", field="board", label=label, count=count)
        elif len(counts) > MAX_COLOURS:
            raise LevelError("rotate.many", field="board", given=len(counts), most=MAX_COLOURS)

    @property
    def rows(self) -> int:
        """The number of rows of the board."""
        return len(self.board)

    @property
    def columns(self) -> int:
        """The number of columns of the board."""
        return len(self.board[0])

    @property
    def cells(self) -> tuple[int, ...]:
        """The board's cells, row-major."""
        return tuple(cell for row in self.board for cell in row)

    @property
    def colours(self) -> int:
        """The number of colours, or labels."""
        return len(set(self.cells))
