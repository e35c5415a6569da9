"""The level of tetris: its schema and everything that must hold for its rules to work."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import LevelError
from winnable.games.tetris.rules.pieces import row_bits
from winnable.levels.base import BaseLevel

MIN_WIDTH, MAX_WIDTH = 4, 16
MIN_HEIGHT, MAX_HEIGHT = 6, 40
MAX_PIECES = 10_000
PIECES = r"[IOTSZJL]*"

RuleName: TypeAlias = Literal["simplified", "travel", "article"]
Width = Annotated[int, Meta(ge=MIN_WIDTH, le=MAX_WIDTH)]
Height = Annotated[int, Meta(ge=MIN_HEIGHT, le=MAX_HEIGHT)]
Row = Annotated[str, Meta(pattern=rf"\A[.x]{{{MIN_WIDTH},{MAX_WIDTH}}}\Z")]


class Level(BaseLevel, frozen=True, tag="winnable.tetris/1"):
    """An immutable instance: the wall at the start, and the seed of the pieces to come.

    rules:   `simplified` (C. Thiery, B. Scherrer, Building controllers for Tetris, ICGA Journal 32, 2009):
             a piece is set down from above in any column. `travel` (C. Fahey's program, the game of
             P. Dellacherie's controller): it appears inside the board and must find its way. `article`: the
             article's program.
    preview: whether the next piece is seen
    top:     `article` only: the row, counted from 0 at the bottom, in which any cell ends the game; None: the
             one that the article plays with, height - 2
    wall:    rows from the top; those above are empty. `x` is filled, `.` empty
    pieces:  the first ones to come, as in a game that was recorded; not under `article`
    dice:    the seed of the pieces after those
    """

    width: Width = 10
    height: Height = 20
    rules: RuleName = "simplified"
    preview: bool = False
    top: Annotated[int, Meta(ge=1, le=MAX_HEIGHT - 2)] | None = None
    wall: Annotated[tuple[Row, ...], Meta(max_length=MAX_HEIGHT)] = ()
    dice: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0
    pieces: Annotated[str, Meta(pattern=rf"\A{PIECES}\Z", max_length=MAX_PIECES)] = ""

    def __post_init__(self) -> None:
        if self.pieces and self.rules == "article":
            raise LevelError("tetris.pieces.none", field="pieces", rules=self.rules)
        if self.top is not None and self.rules != "article":
            raise LevelError("tetris.top.none", field="top", rules=self.rules)
        if self.top is not None and self.top > self.height - 2:
            raise LevelError("tetris.top", field="top", given=self.top, row=self.height - 2)
        if len(self.wall) > self.ceiling:
            raise LevelError("tetris.wall", field="wall", given=len(self.wall), most=self.ceiling)
        for index, row in enumerate(self.wall):
            if len(row) != self.width:
                raise LevelError("row.width", field=f"wall[{index}]", given=len(row), width=self.width)
            if "." not in row:
                raise LevelError("row.full", field=f"wall[{index}]")
        if self.wall and "x" not in self.wall[0]:
            raise LevelError("tetris.wall.top", field="wall[0]")

    @property
    def ceiling(self) -> int:
        """The number of rows that a wall may have without ending the game."""
        if self.rules != "article":
            return self.height
        return self.height - 2 if self.top is None else self.top

    @property
    def rows(self) -> tuple[int, ...]:
        """The wall's rows from the lowest, as bits; bit 0 is the leftmost column."""
        return tuple(map(row_bits, reversed(self.wall)))
