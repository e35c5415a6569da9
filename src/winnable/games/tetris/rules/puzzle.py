"""Rules of tetris as research plays it: one placement of a piece after the other, until there is no room.

`simplified` (MDPTetris; C. Thiery, B. Scherrer 2009): any turn and column that fit sideways; the piece comes
straight down. If it then reaches above the board the game is over, and rows that it fills are not cleared.

`travel`: `travel.py`. The piece appears in the topmost rows and must find its way. When it cannot appear, the
game is over.

`article`: `flight.py`. The game is over when a cell of the row `top` is filled, or the next piece cannot
appear. The highest row is never cleared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from winnable.contract.chance import Dice, Seeded, Turn
from winnable.contract.core import Action, IllegalAction
from winnable.games.tetris.rules import flight, travel
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES, SHAPES, TURNED, Shape, collides

MAX_TURNS = 4
NONE = -1
_NAME = re.compile(r"([0-3])\s*[:@ ]\s*([0-9]{1,2})")


class State(NamedTuple):
    wall: tuple[int, ...]
    """Rows from the lowest, as bits (bit 0: leftmost column); the last one is not empty."""
    piece: int
    """To be set down: its place in `pieces.NAMES`; under the article's rules, with its turns, in `TURNED`."""
    following: int
    """The next one, where it is seen; else -1."""
    over: bool = False


class Afterstate(NamedTuple):
    """The piece is set down, and the full rows are gone."""

    wall: tuple[int, ...]
    following: int
    over: bool


class Landing(NamedTuple):
    """Where a piece came to rest."""

    shape: Shape
    column: int
    row: int
    """Of its lowest cells."""


def settle(wall: Sequence[int], shape: Shape, column: int, row: int) -> int:
    """The lowest row that the piece gets to, straight down from this one."""
    while row > 0 and not collides(wall, shape, column, row - 1):
        row -= 1
    return row


def add(wall: Sequence[int], landing: Landing) -> list[int]:
    """The wall with the piece on it, and no row cleared."""
    shape, column, row = landing
    rows = [*wall, *[0] * (row + shape.height - len(wall))]
    for index, cells in enumerate(shape.rows):
        rows[row + index] |= cells << column
    return rows


class Tetris:
    """One level as a `ChanceGame[State, Afterstate]`. The reward is the number of rows that are cleared.

    Action `turns * width + column`: after so many turns of the piece from how it appears, its leftmost cells
    are in this column. Turns are quarters clockwise; under `travel` and `article` their programs'
    (`travel.py`, `flight.py`).
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.width, self.height = level.width, level.height
        self.full = (1 << level.width) - 1
        self.is_article, self.is_travel = level.rules == "article", level.rules == "travel"
        self.sees_next = level.preview or self.is_article
        self.pieces = len(TURNED) if self.is_article else len(NAMES)
        self.shapes = tuple(self._shapes(piece) for piece in range(self.pieces))
        """Of each piece, after so many turns."""
        self.actions = tuple(self._actions(shapes) for shapes in self.shapes)
        """Of each piece: those that fit sideways."""

    def _shapes(self, piece: int) -> tuple[Shape, ...]:
        if self.is_travel:
            return tuple(turned.shape for turned in travel.TURNS[piece])
        if not self.is_article:
            return SHAPES[piece]
        return tuple(flight.FORMS[form].shape for form in flight.turn_order(piece))

    def _actions(self, shapes: Sequence[Shape]) -> tuple[Action, ...]:
        return tuple(
            turns * self.width + column
            for turns, shape in enumerate(shapes)
            for column in range(self.width - shape.width + 1)
        )

    @property
    def num_actions(self) -> int:
        """Four turns in each column."""
        return MAX_TURNS * self.width

    def initial(self, dice: Dice) -> State:
        """The level's wall with its first piece, and the next where that is seen."""
        piece = dice.below(self.pieces)
        return self._begun(self.level.rows, piece, dice.below(self.pieces) if self.sees_next else NONE)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """The placements that the piece gets to."""
        if state.over:
            return ()
        actions = self.actions[state.piece]
        if not self.is_travel:
            return actions
        reached = self._reached(state)
        return tuple(action for action in actions if divmod(action, self.width) in reached)

    def landing(self, state: State, action: Action) -> Landing:
        """The landing of the piece. Raises IllegalAction."""
        if action not in self.legal_actions(state):
            raise IllegalAction("action.here", given=action)
        turns, column = divmod(action, self.width)
        if self.is_article:
            *_, rests = self.flight(state, action)
            return Landing(flight.FORMS[rests.form].shape, rests.column, rests.row)
        shape = self.shapes[state.piece][turns]
        above = self._reached(state)[turns, column] if self.is_travel else len(state.wall)
        return Landing(shape, column, settle(state.wall, shape, column, above))

    def flight(self, state: State, action: Action) -> Sequence[flight.Position]:
        """The flight under the article's rules: every position on the way, the last one at rest."""
        turns, column = divmod(action, self.width)
        target = flight.FORMS[flight.turn_order(state.piece)[turns]]
        offset = column + target.left - self.width // 2
        return tuple(flight.fly(state.wall, self.width, self.height, state.piece, turns, offset))

    def afterstate(self, state: State, action: Action) -> tuple[Afterstate, int]:
        """The wall after the placement, and the rows cleared. Raises IllegalAction."""
        return self.after_landing(state, self.landing(state, action))

    def after_landing(self, state: State, landing: Landing) -> tuple[Afterstate, int]:
        """The wall after a landing that is known, and the rows cleared."""
        wall = add(state.wall, landing)
        if not self.is_article and len(wall) > self.height:
            return Afterstate(tuple(wall), state.following, True), 0
        never_cleared = self.height - 1 if self.is_article else NONE
        rows = [row for index, row in enumerate(wall) if row != self.full or index == never_cleared]
        lines = len(wall) - len(rows)
        while rows and not rows[-1]:
            rows.pop()
        over = self.is_article and len(rows) > self.level.ceiling and rows[self.level.ceiling] > 0
        return Afterstate(tuple(rows), state.following, over), lines

    def outcomes(self, afterstate: Afterstate) -> Sequence[tuple[float, State]]:
        """Each piece that may come, all equally likely."""
        if afterstate.over:
            return [(1.0, self._next(afterstate, NONE))]
        return [(1 / self.pieces, self._next(afterstate, piece)) for piece in range(self.pieces)]

    def sample(self, afterstate: Afterstate, dice: Dice) -> State:
        """The next state, by the dice."""
        return self._next(afterstate, NONE if afterstate.over else dice.below(self.pieces))

    def _next(self, afterstate: Afterstate, drawn: int) -> State:
        wall, following, over = afterstate
        if over:
            return State(wall, NONE, NONE, True)
        if self.sees_next:
            return self._begun(wall, following, drawn)
        return self._begun(wall, drawn, NONE)

    def _begun(self, wall: tuple[int, ...], piece: int, following: int) -> State:
        """The game is over when the piece cannot appear."""
        if self.is_article:
            here = flight.appears(piece, self.width, self.height)
            return State(wall, piece, following, not flight.is_free(wall, self.width, here))
        state = State(wall, piece, following)
        return state._replace(over=self.is_travel and not self._reached(state))

    def _reached(self, state: State) -> dict[tuple[int, int], int]:
        return travel.reached(state.wall, self.width, self.height, state.piece)

    def action_name(self, action: Action) -> str:
        """The placement as `turns:column`, columns from 1."""
        turns, column = divmod(action, self.width)
        return f"{turns}:{column + 1}"


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player sees: everything but the pieces to come."""

    width: int
    height: int
    wall: tuple[str, ...]
    """Rows from the top, those above are empty; `x` is filled."""
    piece: str
    """A letter of `pieces.NAMES`; empty when the game is over."""
    shapes: tuple[tuple[str, ...], ...]
    """The piece after each number of turns, rows from the top like the wall's."""
    landings: tuple[tuple[int, ...], ...]
    """For each legal action, the cells in which the piece comes to rest: row * width + column, rows from the
    lowest."""
    following: str
    """The next piece, empty when it is not seen."""
    following_shape: tuple[str, ...]
    """As it appears."""
    lines: int
    placed: int
    """Pieces."""
    rules: str
    top: int
    """The row in which, or from which on, a filled cell ends the game."""
    status: str
    """`playing` or `over`."""


class _Given:
    """Dice whose first rolls are known."""

    def __init__(self, rolls: Iterable[int], then: Dice) -> None:
        self._rolls, self._then = iter(rolls), then

    def below(self, sides: int) -> int:
        roll = next(self._rolls, None)
        return self._then.below(sides) if roll is None else roll


class SeededTetris(Seeded[State, Afterstate]):
    """A level with its dice, as a puzzle; also `Named` and `Observed`."""

    game: Tetris

    def __init__(self, level: Level) -> None:
        super().__init__(Tetris(level), level.dice)
        self.level = level
        self._pieces = tuple(map(NAMES.index, level.pieces))

    def dice(self, turn: int) -> Dice:
        """The dice of that turn; the level's first pieces are given."""
        seen = turn + self.game.sees_next
        return _Given(self._pieces[seen if turn else 0 : seen + 1], super().dice(turn))

    def action_name(self, action: Action) -> str:
        """The placement as `turns:column`, columns from 1."""
        return self.game.action_name(action)

    def parse_action(self, text: str) -> Action:
        """Read `turns:column`, columns from 1. Raises IllegalAction."""
        match = _NAME.fullmatch(text.strip())
        if match is None or not 1 <= int(match[2]) <= self.game.width:
            raise IllegalAction("tetris.placement", given=text[:40])
        return int(match[1]) * self.game.width + int(match[2]) - 1

    def observe(self, state: Turn[State]) -> Observation:
        """Everything but the pieces to come."""
        game, inner = self.game, state.state
        return Observation(
            width=game.width,
            height=game.height,
            wall=_drawn(inner.wall, game.width),
            piece=self._name(inner.piece),
            shapes=() if inner.piece == NONE else tuple(map(_drawn_shape, game.shapes[inner.piece])),
            landings=tuple(self._cells(inner, action) for action in game.legal_actions(inner)),
            following=self._name(inner.following),
            following_shape=() if inner.following == NONE else _drawn_shape(game.shapes[inner.following][0]),
            lines=state.score,
            placed=state.turn,
            rules=self.level.rules,
            top=self.level.ceiling,
            status="over" if inner.over else "playing",
        )

    def _cells(self, state: State, action: Action) -> tuple[int, ...]:
        shape, left, low = self.game.landing(state, action)
        return tuple(row * self.game.width + column for column, row in shape.cells(left, low))

    def queue(self, state: State) -> str:
        """The pieces that are seen, as letters."""
        return self._name(state.piece) + self._name(state.following)

    def _name(self, piece: int) -> str:
        if piece == NONE:
            return ""
        return NAMES[TURNED[piece][0] if self.game.is_article else piece]


def _drawn(rows: Sequence[int], width: int) -> tuple[str, ...]:
    return tuple(
        "".join("x" if row >> column & 1 else "." for column in range(width)) for row in reversed(rows)
    )


def _drawn_shape(shape: Shape) -> tuple[str, ...]:
    return _drawn(shape.rows, shape.width)
