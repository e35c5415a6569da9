"""The level of modern tetris, and the handling of its keys: their schemas."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import LevelError, unreadable
from winnable.levels.base import BaseLevel

WIDTH = 10
HEIGHT = 40
"""Rows in all."""
VISIBLE = 20
"""Rows that are seen. Coordinates everywhere: x to the right from 0, y up from 0."""
ARTICLE_FLOOR = 17
"""Under the article's rules pieces appear in the rows from here on."""
SPRINT_LINES = 40
MARATHON_LINES = 150
LINES_A_LEVEL = 10
LAST_LEVEL = 15
"""Of a marathon."""

Mode: TypeAlias = Literal["sprint", "marathon", "zen", "endless"]
RuleName: TypeAlias = Literal["guideline", "article"]
Row = Annotated[str, Meta(pattern=r"\A[.IOTSZJLX]{10}\Z")]


class Level(BaseLevel, frozen=True, tag="winnable.modern/1"):
    """An immutable instance.

    mode:        `sprint`: won after some lines. `marathon`: 10 lines a level, won after 150 lines. `zen`:
                 never won, and where the game would be over the board is emptied. `endless`: never won
    rules:       `guideline`, or `article`: the article's game for people (sprint and endless only)
    lines:       sprint only: how many win; None: 40
    start_level: of gravity and score; a marathon's level rises from there on, others stay
    board:       rows from the top; those above are empty. `.` is empty, `X` garbage
    dice:        the seed of the pieces
    """

    mode: Mode = "sprint"
    rules: RuleName = "guideline"
    lines: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    start_level: Annotated[int, Meta(ge=1, le=20)] = 1
    board: Annotated[tuple[Row, ...], Meta(max_length=VISIBLE)] = ()
    dice: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0

    def __post_init__(self) -> None:
        if self.lines is not None and self.mode != "sprint":
            raise LevelError("modern.lines", field="lines", mode=self.mode)
        if self.mode == "marathon" and self.start_level > LAST_LEVEL:
            raise LevelError("modern.marathon", field="start_level", given=self.start_level, last=LAST_LEVEL)
        if self.rules == "article":
            self._check_seed()
        for index, row in enumerate(self.board):
            if "." not in row:
                raise LevelError("row.full", field=f"board[{index}]")

    def _check_seed(self) -> None:
        if self.mode not in ("sprint", "endless"):
            raise LevelError("modern.mode", field="mode", mode=self.mode)
        if self.start_level != 1:
            raise LevelError("modern.levels", field="start_level")
        if len(self.board) > ARTICLE_FLOOR:
            raise LevelError("modern.floor", field="board", given=len(self.board), row=ARTICLE_FLOOR)

    @property
    def goal(self) -> int | None:
        """Lines that win; None: nothing does."""
        if self.mode == "sprint":
            return SPRINT_LINES if self.lines is None else self.lines
        return MARATHON_LINES if self.mode == "marathon" else None

    @property
    def rows(self) -> tuple[str, ...]:
        """The board's rows from the lowest, without the empty ones above."""
        rows = list(reversed(self.board))
        while rows and rows[-1] == "." * WIDTH:
            rows.pop()
        return tuple(rows)


def asked_level(dice: int | None, **fields: Any) -> Level:
    """The level with these fields, as somebody asks for it. dice: None: any. Raises LevelError that names the
    field."""
    fields |= {"format": "winnable.modern/1", "dice": secrets.randbelow(2**32) if dice is None else dice}
    try:
        return msgspec.convert(fields, Level)
    except msgspec.ValidationError as error:
        raise unreadable(error).within("level") from None


class Handling(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How keys that stay down repeat: a player's own setting, no part of a level. In frames of 1/60 second.

    das:  delayed auto shift: from pressing left or right to the first repetition
    arr:  auto repeat rate: from one repetition to the next; 0: at once to the wall
    soft: how many times as fast as gravity a soft drop is; `instant`: at once to the ground
    """

    das: Annotated[int, Meta(ge=1, le=60)] = 10
    arr: Annotated[int, Meta(ge=0, le=60)] = 2
    soft: Annotated[int, Meta(ge=1, le=100)] | Literal["instant"] = 20
