"""The rules `guideline`: what players of modern tetris expect, as a machine of 60 frames a second.

A frame: hold, turn, steer; then a hard drop, or gravity and the lock delay. A new piece appears in the frame
in which the last one locks: neither a lock nor a clear takes time. Keys other than left, right and soft drop
act when they go down; turns that go down together add up.

Lock delay is the guideline's "extended placement": 30 frames from standing, which start again after a move or
turn, at most 15 times, until the piece's centre gets to a row lower than before.
"""

from __future__ import annotations

from collections.abc import Sequence

from winnable.games.tetris.modern.rules import bag, board
from winnable.games.tetris.modern.rules.gravity import level_after, rows_a_frame
from winnable.games.tetris.modern.rules.level import HEIGHT, VISIBLE, Handling, Level
from winnable.games.tetris.modern.rules.piece import NOT_TURNED, Active, delayed, fallen, shifted, turned
from winnable.games.tetris.modern.rules.scoring import (
    HARD_DROP_POINTS,
    SOFT_DROP_POINTS,
    Clear,
    award,
)
from winnable.games.tetris.modern.rules.spin import t_spin
from winnable.games.tetris.modern.rules.srs import CLOCKWISE, COUNTER, HALF, SPAWN, Cell, fits, shape
from winnable.games.tetris.modern.rules.state import (
    CCW,
    CW,
    HARD,
    HOLD,
    NOTHING,
    SOFT,
    Events,
    Seen,
    State,
    Status,
)
from winnable.games.tetris.modern.rules.state import HALF as HALF_KEY
from winnable.games.tetris.modern.rules.steering import columns, steer

LOCK_FRAMES = 30
SEEN = 5
"""Next pieces."""
_TURNS = ((CW, CLOCKWISE), (CCW, COUNTER), (HALF_KEY, HALF))


class Guideline:
    """One level under the guideline's rules."""

    def __init__(self, level: Level, handling: Handling) -> None:
        self._level = level
        self._handling = handling

    def initial(self) -> State[Active]:
        """The state before the first frame."""
        piece = self._piece(0)
        return self._entered(State(self._level.rows, Active(piece, 0, *SPAWN), dealt=1), piece)

    def step(self, state: State[Active], keys: int) -> State[Active]:
        """One frame: hold, turn, steer, then a hard drop or gravity and the lock delay."""
        pressed = keys & ~state.keys
        direction, charge = steer(state.direction, state.charge, keys, pressed)
        state = state._replace(
            keys=keys, frames=state.frames + 1, events=NOTHING, direction=direction, charge=charge
        )
        if pressed & HOLD and not state.has_held:
            state = self._held(state)
            if state.status != "playing":
                return state
        state = self._moved(state, pressed)
        if pressed & HARD:
            return self._locked(self._dropped(state))
        state = self._pulled(state)
        return self._locked(state) if state.active.timer > LOCK_FRAMES else state

    def _held(self, state: State[Active]) -> State[Active]:
        """The piece in play is put aside for the one held, or for the next one."""
        piece, dealt = state.hold, state.dealt
        if not piece:
            piece, dealt = self._piece(dealt), dealt + 1
        state = state._replace(hold=state.active.piece, has_held=True, dealt=dealt, events=Events(held=True))
        return self._entered(state, piece)

    def _moved(self, state: State[Active], pressed: int) -> State[Active]:
        """Turned and steered."""
        by = sum(turn for key, turn in _TURNS if pressed & key) % 4
        distance = columns(self._handling, state.charge) if state.direction else 0
        if not by and not distance:
            return state
        rows, before = state.rows, state.active
        active = turned(rows, before, by) if by else before
        moved = shifted(rows, active, state.direction, distance)
        if moved is before:
            return state
        events = state.events._replace(turned=active is not before, moved=moved is not active)
        return state._replace(active=delayed(moved), events=events)

    def _dropped(self, state: State[Active]) -> State[Active]:
        """On the ground, by a hard drop."""
        active = fallen(state.rows, state.active)
        distance = state.active.y - active.y
        score = state.tally.score + HARD_DROP_POINTS * distance
        return state._replace(
            active=active,
            tally=state.tally._replace(score=score),
            events=state.events._replace(dropped=distance),
        )

    def _pulled(self, state: State[Active]) -> State[Active]:
        """After a frame of gravity, or soft drop, and of the lock delay."""
        rows, active, tally = state.rows, state.active, state.tally
        stands = fallen(rows, active, 1) is active
        if not stands:
            distance, fall = self._pull(state)
            active = active._replace(fall=fall)
            if distance:
                lower = fallen(rows, active, distance)
                if state.keys & SOFT:
                    tally = tally._replace(score=tally.score + SOFT_DROP_POINTS * (active.y - lower.y))
                active = delayed(lower) if lower.y < lower.lowest else lower
                stands = fallen(rows, active, 1) is active
        if stands:
            active = active._replace(fall=0, timer=active.timer + 1)
        return state._replace(active=active, tally=tally)

    def _pull(self, state: State[Active]) -> tuple[int, int]:
        """How many rows the piece falls in this frame if it can, and its `fall` afterwards."""
        speed = rows_a_frame(self.level(state))
        factor = self._handling.soft if state.keys & SOFT else 1
        if factor == "instant":
            return HEIGHT, 0
        return divmod(state.active.fall + speed.numerator * factor, speed.denominator)

    def _locked(self, state: State[Active]) -> State[Active]:
        """The piece becomes part of the board, full rows go, and the next piece appears or the game ends."""
        active, cells = state.active, state.active.cells
        spin = ""
        if active.piece == "T" and active.test != NOT_TURNED:
            spin = t_spin(state.rows, active.turn, active.x, active.y, active.test)
        filled = board.put(state.rows, cells, active.piece)
        cleared = board.full_rows(filled)
        rows = board.without(filled, cleared)
        clear = Clear(len(cleared), spin, perfect=bool(cleared) and not rows)
        level = self.level(state)
        tally = award(state.tally, clear, level)
        state = state._replace(
            rows=rows,
            tally=tally,
            placed=state.placed + 1,
            last=clear.name or state.last,
            has_held=False,
            events=state.events._replace(
                locked=cells,
                cleared=cleared,
                clear=clear.name,
                combo=tally.combo,
                chained=tally.back_to_back > 1 and clear.is_difficult,
                perfect=clear.perfect,
                level_up=level_after(self._level, tally.lines) > level,
            ),
        )
        goal = self._level.goal
        if goal is not None and tally.lines >= goal:
            return state._replace(status="won")
        if all(y >= VISIBLE for _, y in cells):
            state = self._topped_out(state, "lock out")
            if state.status != "playing":
                return state
        return self._entered(state._replace(dealt=state.dealt + 1), self._piece(state.dealt))

    def _entered(self, state: State[Active], piece: str) -> State[Active]:
        """The piece appears, and falls at once by a row if it can."""
        x, y = SPAWN
        cells = shape(piece, 0)
        if not fits(state.rows, cells, x, y):
            state = self._topped_out(state, "block out")
        if fits(state.rows, cells, x, y - 1):
            y -= 1
        return state._replace(active=Active(piece, 0, x, y, lowest=y))

    def _topped_out(self, state: State[Active], how: Status) -> State[Active]:
        if self._level.mode != "zen":
            return state._replace(status=how)
        return state._replace(
            rows=(), tally=state.tally._replace(combo=-1), events=state.events._replace(emptied=True)
        )

    def _piece(self, number: int) -> str:
        return bag.piece_of(self._level.dice, number)

    def active(self, state: State[Active]) -> Seen:
        """The piece in play."""
        return Seen(state.active.piece, state.active.turn)

    def cells(self, state: State[Active]) -> Sequence[Cell]:
        """The cells of the piece in play."""
        return state.active.cells

    def ghost(self, state: State[Active]) -> Sequence[Cell]:
        """The cells to which a hard drop leads."""
        return fallen(state.rows, state.active).cells

    def following(self, state: State[Active]) -> Sequence[Seen]:
        """The next five pieces."""
        return tuple(Seen(self._piece(number), 0) for number in range(state.dealt, state.dealt + SEEN))

    def level(self, state: State[Active]) -> int:
        """The level of gravity and score."""
        return level_after(self._level, state.tally.lines)
