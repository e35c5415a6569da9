"""The level of drops: its schema and everything that must hold for its rules to work."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import LevelError
from winnable.levels.base import BaseLevel, check_widths

MAX_SIDE = 32
MAX_DROPS = 1_000_000
MAX_ROUND = 1_000_000
MAX_EVERY = 1000
TANK = 10
"""What the tank of a flash game holds at the start."""
FULL = 4
"""The most drops that rest in a cell; one more bursts it."""

RuleName: TypeAlias = Literal["classic", "snappers", "symmetric", "half"]
Row = Annotated[str, Meta(pattern=r"\A[0-4]{1,32}\Z")]
Drops = Annotated[int, Meta(ge=0, le=MAX_DROPS)]
Every = Annotated[int, Meta(ge=1, le=MAX_EVERY)]


class Flash(Struct, frozen=True, forbid_unknown_fields=True):
    """The endless game with a tank: which board this is of which series."""

    series: Annotated[int, Meta(ge=0, le=MAX_SEED)]
    """The seed that all its boards follow from."""
    round: Annotated[int, Meta(ge=1, le=MAX_ROUND)] = 1


class Level(BaseLevel, frozen=True, tag="winnable.drops/1"):
    """An immutable instance. Rows from the top; each digit says how many drops rest in that cell.

    drops: how many clicks there are; None: as many as it takes. In a flash game, what the tank
           holds (None: 10).
    every: so many bursts of the game, counted over all its clicks, give one drop back (the article: 3);
           None: none do.
    open:  also empty cells may be clicked.
    """

    board: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=MAX_SIDE)]
    rules: RuleName = "classic"
    drops: Drops | None = None
    every: Every | None = None
    open: bool = False
    flash: Flash | None = None

    def __post_init__(self) -> None:
        check_widths(self.board)
        if not any(cell != "0" for row in self.board for cell in row):
            raise LevelError("drops.empty", field="board")
        if self.every is not None and (self.drops is None or self.flash is not None):
            raise LevelError("drops.every", field="every")

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.board)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.board[0])

    @property
    def cells(self) -> bytes:
        """Row-major, one byte for each cell: how many drops rest there."""
        return bytes(int(cell) for row in self.board for cell in row)
