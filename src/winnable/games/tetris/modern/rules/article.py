"""The rules `article`: the article's game for people, at 60 frames a second.

The program's loop goes round at most 200 times a second. Each round it takes the keys that went down: left
and right move the piece by a column, up turns it; nothing repeats. Then, while down is held, a counter goes
up by 10. When it is now 50 or more, the piece falls by a row and the counter starts again at 0; otherwise it
goes up by 1. So a row takes 51 rounds, or 5 with down held. A piece that cannot fall locks at once.

Here a frame has 3 or 4 rounds: 10 in every three frames. Keys that go down act in the first of them: left,
right, turn (the key `cw`). Hard drop, hold and the other turns do nothing. Each of the 19 turned pieces is as
likely as any other. Forms and centres are those of `flight.py`; a turn that fails still counts; and by a slip
in the program's table of turns an O turns to an upright I, and never back. The board has 21 rows, of which
the highest is neither seen nor cleared. Each row is a point. The game is over when the next piece cannot
appear.

Not kept: near the floor the program lets a turn put cells below the lowest row, and they come out in the
highest one (a negative index). Here such a turn fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from winnable.games.tetris.modern.rules import bag, board
from winnable.games.tetris.modern.rules.level import WIDTH, Level
from winnable.games.tetris.modern.rules.scoring import Clear, Tally
from winnable.games.tetris.modern.rules.srs import Cell
from winnable.games.tetris.modern.rules.state import CW, LEFT, NOTHING, RIGHT, SOFT, Events, Seen, State
from winnable.games.tetris.rules.flight import FORMS, Position, appears, is_free, turned
from winnable.games.tetris.rules.pieces import NAMES, TURNED, row_bits

HEIGHT = 21
TICKS_A_FALL = 50
TICKS_WITH_DOWN = 10
ROUNDS_A_ROW, ROUNDS_WITH_DOWN = 51, 5
_NEVER_CLEARED = HEIGHT - 1


class Flying(NamedTuple):
    """The piece in play.

    here:   its form, leftmost column and lowest row
    wanted: the form that the program believes it has: turns that failed count
    ticks:  the counter towards the next row
    """

    here: Position
    wanted: int
    ticks: int = 0

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the piece, (x, y)."""
        form, column, row = self.here
        return FORMS[form].shape.cells(column, row)


@lru_cache(maxsize=256)
def bits_of(rows: tuple[str, ...]) -> tuple[int, ...]:
    """The rows as bits; bit 0 is the leftmost column."""
    return tuple(map(row_bits, rows))


def _fits(rows: tuple[str, ...], here: Position) -> bool:
    return is_free(bits_of(rows), WIDTH, here)


def _lower(here: Position) -> Position:
    return here._replace(row=here.row - 1)


class ArticleRules:
    """One level under the article's rules."""

    def __init__(self, level: Level) -> None:
        self._level = level

    def initial(self) -> State[Flying]:
        """The state before the first frame."""
        return State(self._level.rows, self._appearing(0), dealt=1)

    def step(self, state: State[Flying], keys: int) -> State[Flying]:
        """One frame: the keys that went down act, then 3 or 4 rounds of the clock."""
        pressed = keys & ~state.keys
        rounds = (state.frames + 1) * 10 // 3 - state.frames * 10 // 3
        state = state._replace(keys=keys, frames=state.frames + 1, events=NOTHING)
        state = self._steered(state, pressed)
        for _ in range(rounds):
            state = self._round(state, bool(keys & SOFT))
            if state.status != "playing":
                break
        return state

    def _steered(self, state: State[Flying], pressed: int) -> State[Flying]:
        before = state.active.here
        for key, by in ((LEFT, -1), (RIGHT, 1)):
            moved = state.active.here._replace(column=state.active.here.column + by)
            if pressed & key and _fits(state.rows, moved):
                state = state._replace(active=state.active._replace(here=moved))
        moves = state.active.here != before
        turns = False
        if pressed & CW:
            here, wanted = state.active.here, FORMS[state.active.wanted].onward
            turns = _fits(state.rows, after := turned(here, wanted))
            state = state._replace(active=state.active._replace(here=after if turns else here, wanted=wanted))
        return state._replace(events=Events(moved=moves, turned=turns)) if moves or turns else state

    def _round(self, state: State[Flying], is_down: bool) -> State[Flying]:
        active = state.active
        ticks = active.ticks + (TICKS_WITH_DOWN if is_down else 0)
        if ticks < TICKS_A_FALL:
            return state._replace(active=active._replace(ticks=ticks + 1))
        lower = _lower(active.here)
        if _fits(state.rows, lower):
            return state._replace(active=active._replace(here=lower, ticks=0))
        return self._locked(state)

    def _locked(self, state: State[Flying]) -> State[Flying]:
        cells = state.active.cells
        filled = board.put(state.rows, cells, self.active(state).piece)
        cleared = tuple(row for row in board.full_rows(filled) if row != _NEVER_CLEARED)
        rows = board.without(filled, cleared)
        lines = state.tally.lines + len(cleared)
        following = self._appearing(state.dealt)
        won = self._level.goal is not None and lines >= self._level.goal
        is_over = not won and not _fits(rows, following.here)
        clear = Clear(len(cleared)).name
        return state._replace(
            rows=rows,
            active=following,
            dealt=state.dealt + 1,
            tally=Tally(score=lines, lines=lines),
            placed=state.placed + 1,
            last=clear or state.last,
            status="won" if won else "block out" if is_over else "playing",
            events=state.events._replace(locked=cells, cleared=cleared, clear=clear),
        )

    def _appearing(self, number: int) -> Flying:
        form = bag.form_of(self._level.dice, number)
        return Flying(appears(form, WIDTH, HEIGHT), form)

    def active(self, state: State[Flying]) -> Seen:
        """The piece in play."""
        piece, turn = TURNED[state.active.here.form]
        return Seen(NAMES[piece], turn)

    def cells(self, state: State[Flying]) -> Sequence[Cell]:
        """The cells of the piece in play."""
        return state.active.cells

    def ghost(self, state: State[Flying]) -> Sequence[Cell]:
        """The cells straight below, where the piece would lie."""
        here = state.active.here
        while _fits(state.rows, _lower(here)):
            here = _lower(here)
        return state.active._replace(here=here).cells

    def following(self, state: State[Flying]) -> Sequence[Seen]:
        """The one next piece, turned as it will appear."""
        piece, turn = TURNED[bag.form_of(self._level.dice, state.dealt)]
        return (Seen(NAMES[piece], turn),)

    def level(self, state: State[Flying]) -> int:
        """Gravity's level, which never rises."""
        return 1
