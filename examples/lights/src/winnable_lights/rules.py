"""Lights out: pressing a lamp switches it and its neighbours. All dark wins, within so many presses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from winnable.contract.core import Action, IllegalAction, LevelError
from winnable.levels.base import BaseLevel, check_widths

SIDE = 5
Row = Annotated[str, Meta(pattern=rf"\A[o.]{{2,{SIDE}}}\Z")]


class Level(BaseLevel, frozen=True, tag="winnable.lights/1"):
    """Rows from the top: `o` is lit, `.` is dark."""

    board: Annotated[tuple[Row, ...], Meta(min_length=2, max_length=SIDE)]
    presses: Annotated[int, Meta(ge=1, le=SIDE * SIDE)]

    def __post_init__(self) -> None:
        check_widths(self.board)
        if "o" not in "".join(self.board):
            raise LevelError("lights.dark", field="board")


class State(NamedTuple):
    """lit: a bit for each cell, row-major; left: presses"""

    lit: int
    left: int


class View(Struct, frozen=True):
    """cells: 1 is lit"""

    rows: int
    columns: int
    cells: list[int]
    left: int


class Lights:
    """An action is the cell that is pressed."""

    def __init__(self, level: Level) -> None:
        self.rows, self.columns = len(level.board), len(level.board[0])
        self.num_actions = self.rows * self.columns
        self._start = State(_bits("".join(level.board)), level.presses)
        self.switches = [self._switched(cell) for cell in range(self.num_actions)]

    def _switched(self, cell: int) -> int:
        y, x = divmod(cell, self.columns)
        near = [(x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return sum(1 << b * self.columns + a for a, b in near if 0 <= a < self.columns and 0 <= b < self.rows)

    def initial(self) -> State:
        return self._start

    def legal_actions(self, state: State) -> Sequence[Action]:
        return range(self.num_actions) if state.lit and state.left else ()

    def apply(self, state: State, action: Action) -> State:
        if action not in self.legal_actions(state):
            raise IllegalAction("action.here", given=action)
        return State(state.lit ^ self.switches[action], state.left - 1)

    def is_goal(self, state: State) -> bool:
        return not state.lit

    def cost(self, state: State, action: Action) -> int:
        return 1

    def observe(self, state: State) -> View:
        cells = [state.lit >> cell & 1 for cell in range(self.num_actions)]
        return View(self.rows, self.columns, cells, state.left)

    def action_name(self, action: Action) -> str:
        y, x = divmod(action, self.columns)
        return f"({x + 1},{y + 1})"

    def parse_action(self, text: str) -> Action:
        match = re.fullmatch(r"\(?([1-9]),([1-9])\)?", text.strip())
        if match is None or int(match[1]) > self.columns or int(match[2]) > self.rows:
            raise IllegalAction("lights.name", given=text[:20])
        return (int(match[2]) - 1) * self.columns + int(match[1]) - 1


def _bits(signs: str) -> int:
    return sum(1 << cell for cell, sign in enumerate(signs) if sign == "o")
