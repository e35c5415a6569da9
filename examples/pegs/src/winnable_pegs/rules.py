"""Peg solitaire: a peg jumps over its neighbour into a hole, and the neighbour goes. One peg left wins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from winnable.contract.core import Action, IllegalAction, LevelError
from winnable.levels.base import BaseLevel, check_widths

SIDE = 9
STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
WAYS = tuple(STEPS)
Row = Annotated[str, Meta(pattern=rf"\A[ox.]{{1,{SIDE}}}\Z")]


class Level(BaseLevel, frozen=True, tag="winnable.pegs/1"):
    """Rows from the top: `o` is a peg, `.` an empty hole, `x` no hole at all."""

    board: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=SIDE)]

    def __post_init__(self) -> None:
        check_widths(self.board)
        if "".join(self.board).count("o") < 2:
            raise LevelError("pegs.few", field="board")


class Pegs:
    """A state is the set of pegs as bits, row-major. An action is 4 * cell + the way of its jump."""

    def __init__(self, level: Level) -> None:
        self.rows, self.columns = len(level.board), len(level.board[0])
        self.cells = "".join(level.board)
        self.num_actions = 4 * len(self.cells)
        self.jumps = dict(self._all_jumps())

    def _all_jumps(self) -> list[tuple[Action, tuple[int, int]]]:
        """Action -> the bits that it changes, and those of them that must be pegs before."""
        found: list[tuple[Action, tuple[int, int]]] = []
        for action in range(self.num_actions):
            (y, x), (right, down) = divmod(action // 4, self.columns), STEPS[WAYS[action % 4]]
            if 0 <= x + 2 * right < self.columns and 0 <= y + 2 * down < self.rows:
                start, over, end = (action // 4 + n * (down * self.columns + right) for n in range(3))
                if "x" not in (self.cells[start], self.cells[over], self.cells[end]):
                    pegs = 1 << start | 1 << over
                    found.append((action, (pegs | 1 << end, pegs)))
        return found

    def initial(self) -> int:
        return sum(1 << cell for cell, sign in enumerate(self.cells) if sign == "o")

    def legal_actions(self, state: int) -> Sequence[Action]:
        return [action for action, (changed, pegs) in self.jumps.items() if state & changed == pegs]

    def apply(self, state: int, action: Action) -> int:
        changed, pegs = self.jumps.get(action, (0, 1))
        if state & changed != pegs:
            raise IllegalAction("pegs.jump", action=action)
        return state ^ changed

    def is_goal(self, state: int) -> bool:
        return state.bit_count() == 1

    def cost(self, state: int, action: Action) -> int:
        return 1

    def observe(self, state: int) -> list[str]:
        """The rows, as in a level."""
        signs = [sign if sign == "x" else ".o"[state >> cell & 1] for cell, sign in enumerate(self.cells)]
        return ["".join(signs[at : at + self.columns]) for at in range(0, len(signs), self.columns)]

    def action_name(self, action: Action) -> str:
        y, x = divmod(action // 4, self.columns)
        return f"{x + 1},{y + 1}-{WAYS[action % 4]}"

    def parse_action(self, text: str) -> Action:
        match = re.fullmatch(rf"([1-{SIDE}]),([1-{SIDE}])-({'|'.join(WAYS)})", text.strip())
        if match is None or int(match[1]) > self.columns or int(match[2]) > self.rows:
            raise IllegalAction("pegs.name", given=text[:20])
        cell = (int(match[2]) - 1) * self.columns + int(match[1]) - 1
        return 4 * cell + WAYS.index(match[3])
