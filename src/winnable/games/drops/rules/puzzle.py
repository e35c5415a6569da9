"""Rules of drops (十滴水, Ten Drops, Splash Back): add drops until chain reactions have emptied the board.

A click costs one drop and adds it to a cell; `chain.py` says what follows. With `drops` given there are only
so many clicks (`budget` mode). Or they come out of a tank that gains: with `every` one drop for so many
bursts of the game (`tank` mode, the article); in a flash game one for every third burst of a chain (what is
over is lost with the next click) and one for clearing the board (the original Flash game).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from winnable.contract.core import Action, IllegalAction
from winnable.games.drops.rules.chain import RULE_SETS, Frame, end_of_chain, run_chain
from winnable.games.drops.rules.level import FULL, TANK, Level, RuleName

BURSTS_PER_DROP = 3
"""Of one chain in a flash game: as many bursts give one drop back."""

_NAME = re.compile(r"\(?\s*([0-9]{1,3})(?:\s*,\s*|\s+)([0-9]{1,3})\s*\)?")


class State(NamedTuple):
    cells: bytes
    """Row-major, one byte for each cell: how many drops rest there, 0 to 4."""
    left: int | None
    """Clicks that are left, or what is in the tank; None: as many as it takes."""
    bursts: int = 0
    """Since the tank last gained a drop, with `every`; else 0."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player sees: everything."""

    rows: int
    columns: int
    cells: tuple[int, ...]
    """Row-major."""
    left: int | None
    mode: str
    """`budget`, `tank` or `flash`."""
    bursts: int
    """Towards the next drop of a tank."""
    every: int | None
    """So many of them give it."""
    rules: str
    open: bool
    round: int | None
    """Of a flash game, from 1."""
    par: int | None
    """The fewest clicks that empty the whole level, when its certificate says so."""
    status: str
    """`playing`, `won` or `lost` (no click is left; whether those that are left suffice is for a solver)."""


class Drops:
    """One level of drops as a `Puzzle[State]`, also `Named`, `Observed` and `Stepped`.

    Action `row * columns + column` is a click on that cell.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.rows, self.columns = level.rows, level.columns
        self.rule_set = RULE_SETS[level.rules]

    @property
    def num_actions(self) -> int:
        """One action for each cell."""
        return self.rows * self.columns

    def initial(self) -> State:
        """The board of the level, with all its drops at hand."""
        drops = self.level.drops
        return State(self.level.cells, TANK if drops is None and self.level.flash else drops)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """The cells that can be clicked: those with drops, or all where the level is open."""
        if state.left == 0 or self.is_goal(state):
            return []
        return [cell for cell, drops in enumerate(state.cells) if drops or self.level.open]

    def apply(self, state: State, action: Action) -> State:
        """The state after a click and its chain. Raises IllegalAction."""
        self._check(state, action)
        frame = _last_frame(state.cells, self.columns, action, self.level.rules)
        return State(frame.cells, *self._tank_after(state, frame))

    def trace(self, state: State, action: Action) -> tuple[Frame, ...]:
        """The board after each step of the chain; the last one is what `apply` leads to."""
        return self.step(state, action)[1]

    def step(self, state: State, action: Action) -> tuple[State, tuple[Frame, ...]]:
        self._check(state, action)
        frames = tuple(run_chain(state.cells, self.columns, action, self.rule_set))
        return State(frames[-1].cells, *self._tank_after(state, frames[-1])), frames

    def is_goal(self, state: State) -> bool:
        """Whether no cell holds drops."""
        return not any(state.cells)

    def cost(self, state: State, action: Action) -> int:
        """A click costs one, whatever it sets off."""
        return 1

    def observe(self, state: State) -> Observation:
        """The observation of a state: all of it."""
        won = self.is_goal(state)
        certificate = self.level.certificate
        proved = certificate is not None and certificate.cost == certificate.lower_bound
        return Observation(
            self.rows,
            self.columns,
            tuple(state.cells),
            state.left,
            "flash" if self.level.flash else "tank" if self.level.every else "budget",
            state.bursts,
            self.level.every,
            self.level.rules,
            self.level.open,
            self.level.flash.round if self.level.flash else None,
            certificate.cost if certificate is not None and proved else None,
            "won" if won else "lost" if state.left == 0 else "playing",
        )

    def action_name(self, action: Action) -> str:
        """The cell by the article's custom: `(x,y)`, from (1,1) at the top left; x goes right and y down."""
        row, column = divmod(action, self.columns)
        return f"({column + 1},{row + 1})"

    def parse_action(self, text: str) -> Action:
        """Inverse of `action_name`, with or without parentheses and comma. Raises IllegalAction."""
        match = _NAME.fullmatch(text.strip())
        if match is None:
            raise IllegalAction("drops.cell", given=text[:40])
        column, row = int(match[1]), int(match[2])
        if not (1 <= column <= self.columns and 1 <= row <= self.rows):
            raise IllegalAction("drops.off", column=column, row=row, columns=self.columns, rows=self.rows)
        return (row - 1) * self.columns + column - 1

    def _check(self, state: State, action: Action) -> None:
        if not 0 <= action < self.num_actions:
            raise IllegalAction("drops.number", given=action, cells=self.num_actions)
        if self.is_goal(state):
            raise IllegalAction("drops.won")
        if state.left == 0:
            raise IllegalAction("drops.left")
        if not (state.cells[action] or self.level.open):
            raise IllegalAction("drops.dry", given=self.action_name(action))

    def _tank_after(self, state: State, frame: Frame) -> tuple[int | None, int]:
        """What is left, and the bursts towards the next drop."""
        if state.left is None:
            return None, 0
        left = state.left - 1
        if self.level.flash:
            return left + frame.bursts // BURSTS_PER_DROP + (not any(frame.cells)), 0
        if self.level.every is None:
            return left, 0
        gained, bursts = divmod(state.bursts + frame.bursts, self.level.every)
        return left + gained, bursts


@lru_cache(1 << 14)
def _last_frame(cells: bytes, columns: int, action: Action, rules: RuleName) -> Frame:
    """`end_of_chain`, remembered: what is analysed is played again and again."""
    return end_of_chain(cells, columns, action, RULE_SETS[rules])


def tank_needed(puzzle: Drops, state: State, line: Sequence[Action]) -> int:
    """The drops that must be left in this state for the whole line, what bursts give back counted."""
    state, needed = state._replace(left=len(line)), 0
    for click in line:
        assert state.left is not None
        needed = max(needed, 1 + len(line) - state.left)
        state = puzzle.apply(state, click)
    return needed


def lasts(puzzle: Drops, state: State, line: Sequence[Action]) -> bool:
    """Whether the drops that are left suffice for the line."""
    return state.left is None or tank_needed(puzzle, state, line) <= state.left


def need(cells: Sequence[int]) -> int:
    """The drops that all cells together lack to burst: no board takes more clicks on non-empty cells."""
    return sum(FULL + 1 - drops for drops in cells if drops)
