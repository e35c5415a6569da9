"""Modern tetris as a puzzle: an action is what keys are down in one frame of 1/60 second."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from winnable.contract.core import Action, IllegalAction
from winnable.games.tetris.modern.rules.article import ArticleRules
from winnable.games.tetris.modern.rules.guideline import Guideline
from winnable.games.tetris.modern.rules.level import VISIBLE, WIDTH, Handling, Level
from winnable.games.tetris.modern.rules.srs import Cell
from winnable.games.tetris.modern.rules.state import ALL_KEYS, KEY_NAMES, Events, Rules, Seen, State

AnyState: TypeAlias = State[Any]
"""Its piece in play is kept as the level's rules keep it."""
_EVERY_ACTION = tuple(range(ALL_KEYS + 1))
_NO_KEY = "-"


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player sees. Cells are (x, y): x to the right from 0, y up from 0; a piece may reach above the
    rows that are seen."""

    rows: tuple[str, ...]
    """The 20 that are seen, from the top; a letter, `X` or `.` for each cell."""
    piece: str
    """The one in play, a letter of `IOTSZJL`; empty when the game has ended."""
    turn: int
    """Quarter turns clockwise that it has made."""
    cells: tuple[Cell, ...]
    ghost: tuple[Cell, ...]
    hold: str
    can_hold: bool
    following: tuple[Seen, ...]
    score: int
    lines: int
    goal: int | None
    """Lines that win."""
    level: int
    attack: int
    combo: int
    back_to_back: int
    placed: int
    frames: int
    last: str
    """Name of the last clear or spin, like `t-spin double`."""
    events: Events
    status: str
    """`playing`, `won`, `block out` or `lock out`."""


class Modern:
    """A level, and the handling of its player's keys, as a Puzzle; also `Named` and `Observed`."""

    num_actions = ALL_KEYS + 1

    def __init__(self, level: Level, handling: Handling | None = None) -> None:
        self.level = level
        self.handling = Handling() if handling is None else handling
        self.rules: Rules[Any] = (
            ArticleRules(level) if level.rules == "article" else Guideline(level, self.handling)
        )

    def initial(self) -> AnyState:
        """The state before the first frame."""
        return self.rules.initial()

    def legal_actions(self, state: AnyState) -> Sequence[Action]:
        """Any keys, until the game has ended."""
        return _EVERY_ACTION if state.status == "playing" else ()

    def apply(self, state: AnyState, action: Action) -> AnyState:
        """Play one frame with these keys down. Raises IllegalAction."""
        self._check(state, action)
        return self.rules.step(state, action)

    def is_goal(self, state: AnyState) -> bool:
        """Whether the game is won."""
        return state.status == "won"

    def cost(self, state: AnyState, action: Action) -> int:
        """Each frame costs 1. Raises IllegalAction."""
        self._check(state, action)
        return 1

    def _check(self, state: AnyState, action: Action) -> None:
        if state.status != "playing":
            raise IllegalAction("modern.ended", status=state.status)
        if not 0 <= action <= ALL_KEYS:
            raise IllegalAction("modern.keys", given=action, most=ALL_KEYS)

    def action_name(self, action: Action) -> str:
        """The names of the keys, like `left+cw`; `-` for no key."""
        names = [name for bit, name in enumerate(KEY_NAMES) if action >> bit & 1]
        return "+".join(names) or _NO_KEY

    def parse_action(self, text: str) -> Action:
        """Read names of keys. Raises IllegalAction."""
        if text.strip() == _NO_KEY:
            return 0
        action = 0
        for name in re.split(r"[+\s]+", text.strip().lower()[:100]):
            if name not in KEY_NAMES:
                raise IllegalAction("modern.key", given=name[:40], known=list(KEY_NAMES))
            action |= 1 << KEY_NAMES.index(name)
        return action

    def observe(self, state: AnyState) -> Observation:
        """Everything that the page draws."""
        rules, is_on = self.rules, state.status == "playing"
        piece = rules.active(state) if is_on else Seen("", 0)
        seen = [*state.rows, *["." * WIDTH] * VISIBLE][:VISIBLE]
        return Observation(
            rows=tuple(reversed(seen)),
            piece=piece.piece,
            turn=piece.turn,
            cells=tuple(rules.cells(state)) if is_on else (),
            ghost=tuple(rules.ghost(state)) if is_on else (),
            hold=state.hold,
            can_hold=is_on and self.level.rules == "guideline" and not state.has_held,
            following=tuple(rules.following(state)),
            score=state.tally.score,
            lines=state.tally.lines,
            goal=self.level.goal,
            level=rules.level(state),
            attack=state.tally.attack,
            combo=state.tally.combo,
            back_to_back=state.tally.back_to_back,
            placed=state.placed,
            frames=state.frames,
            last=state.last,
            events=state.events,
            status=state.status,
        )
