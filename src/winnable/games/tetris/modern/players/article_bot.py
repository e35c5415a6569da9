"""A player of tetris at the article's real-time game: the piece turns, shifts and falls by itself.

As in the article's automatic game, each row of the way takes one turn and one shift at most, the turn first;
so the piece comes to rest where `flight.py` says. There a row takes a tick; here it takes what it takes a
person, a quarter of a second, and the clock makes it faster. In a hurry down is held all the way, where the
piece then comes to rest in the same place: a tenth of the frames.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from winnable.contract.chance import Turn
from winnable.contract.core import Action, IllegalAction, LevelError, Player, finish
from winnable.games.tetris.modern.rules.article import HEIGHT, Flying, bits_of
from winnable.games.tetris.modern.rules.bag import form_of
from winnable.games.tetris.modern.rules.level import WIDTH, Level
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.srs import Cell
from winnable.games.tetris.modern.rules.state import CW, LEFT, RIGHT, SOFT
from winnable.games.tetris.rules.flight import FORMS, turn_order
from winnable.games.tetris.rules.level import Level as Tetris
from winnable.games.tetris.rules.puzzle import SeededTetris, State

HURRY_ABOVE = 16
"""Times as fast as a person: from there on shells let it hurry, and their clock goes as much slower."""
Line = list[tuple[AnyState, int]]
"""Frames to come: the state that each is for, and its keys."""


class Route(NamedTuple):
    """What to do with the piece in play.

    cells: where it comes to rest
    path:  what to press for it, in order
    keys:  frame by frame
    """

    cells: tuple[Cell, ...]
    path: tuple[str, ...]
    keys: tuple[Action, ...]


class ArticleBot:
    """A `core.Player` of the puzzle `Modern`, rules `article`."""

    def __init__(self, level: Level, player: Callable[[Any, int], Player]) -> None:
        """player: of tetris, as `Game.players` has them. Raises LevelError for other rules."""
        if level.rules != "article":
            raise LevelError(f"rules: this bot plays by 'article', not {level.rules!r}")
        self._dice, self._rules = level.dice, Modern(level).rules
        self._player = player(SeededTetris(Tetris(height=HEIGHT, rules="article")), 0)
        self._line: Line = []
        self.hurries = False

    def next_keys(self, state: AnyState) -> Action:
        """The keys of this frame. Plans only when the state is not the one that was planned for."""
        if not (self._line and self._line[-1][0] == state):
            self._line = self._planned(state)[0][::-1]
        return self._line.pop()[1]

    choose = next_keys

    def plan(self, state: AnyState) -> Route:
        """Plan the piece in play. Raises IllegalAction when the game has ended."""
        line, cells, turns, offset = self._planned(state)
        path = ["cw"] * turns + ["left" if offset < 0 else "right"] * abs(offset)
        return Route(cells, tuple(path), tuple(keys for _, keys in line))

    def _planned(self, state: AnyState) -> tuple[Line, tuple[Cell, ...], int, int]:
        """The frames, the cells where the piece comes to rest, turns, and columns to the right."""
        if state.status != "playing":
            raise IllegalAction(f"the game has ended: {state.status}")
        active: Flying = state.active
        seen = State(bits_of(state.rows), active.wanted, form_of(self._dice, state.dealt))
        action = finish(self._player.choose(Turn(seen, state.tally.lines, state.placed)))
        turns, column = divmod(action, WIDTH)
        target = FORMS[turn_order(active.wanted)[turns]]
        offset = column + target.left - active.here.column - FORMS[active.here.form].left
        line, cells = self._steered(state, turns, offset, 0)
        if self.hurries:
            quick, there = self._steered(state, turns, offset, SOFT)
            if there == cells:
                line = quick
        return line, cells, turns, offset

    def _steered(self, state: AnyState, turns: int, offset: int, held: int) -> tuple[Line, tuple[Cell, ...]]:
        """The frames until the piece locks, with these keys held, and its cells then."""
        line: Line = []
        row, has_turned, has_shifted = HEIGHT, False, False
        side, left = RIGHT if offset > 0 else LEFT, abs(offset)
        while True:
            flying: Flying = state.active
            here = flying.here
            if (now := here.row + FORMS[here.form].below) != row:
                row, has_turned, has_shifted = now, False, False
            keys = held
            if turns and not has_turned:
                if not state.keys & CW:
                    keys, turns, has_turned = keys | CW, turns - 1, True
            elif left and not has_shifted and not state.keys & side:
                keys, left, has_shifted = keys | side, left - 1, True
            line.append((state, keys))
            state = self._rules.step(state, keys)
            if state.events.locked or state.status != "playing":
                return line, state.events.locked
