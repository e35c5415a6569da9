"""What both rules of modern tetris share: the keys, the state, and what happened in its last frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from winnable.games.tetris.modern.rules.scoring import Tally
from winnable.games.tetris.modern.rules.srs import Cell

LEFT, RIGHT, SOFT, HARD, CW, CCW, HALF, HOLD = (1 << bit for bit in range(8))
"""Bits of the keys that are down in a frame."""
KEY_NAMES = ("left", "right", "soft", "hard", "cw", "ccw", "half", "hold")
ALL_KEYS = 255

Status: TypeAlias = Literal["playing", "won", "block out", "lock out"]
"""`block out`: the next piece could not appear; `lock out`: a piece locked wholly above the visible rows."""
A = TypeVar("A")


class Events(NamedTuple):
    """What happened in a frame, for sound and animation.

    dropped: rows that a hard drop fell (0: from where it stood); -1: there was none
    locked:  the cells of the piece that locked
    cleared: the rows that went, from the lowest, as they were before
    clear:   `Clear.name` of the lock
    chained: the clear was back-to-back
    emptied: the board was emptied, because a game of zen is never over
    """

    moved: bool = False
    turned: bool = False
    held: bool = False
    dropped: int = -1
    locked: tuple[Cell, ...] = ()
    cleared: tuple[int, ...] = ()
    clear: str = ""
    combo: int = -1
    chained: bool = False
    perfect: bool = False
    level_up: bool = False
    emptied: bool = False


NOTHING = Events()


class State(NamedTuple, Generic[A]):
    """Between two frames.

    rows:      from the lowest, a letter or `.` for each cell; the last one is not empty
    active:    the piece in play, as the rules keep it; meaningless once the game has ended
    dealt:     how many pieces of the seed have appeared
    keys:      that were down in the last frame
    placed:    how many pieces have locked
    last:      name of the last clear or spin
    hold:      the piece that is held; empty: none
    has_held:  the piece in play came by a hold, so there is no other before it locks
    direction: where the piece is steered: -1, 0 or 1; charge: for how many frames already
    """

    rows: tuple[str, ...]
    active: A
    dealt: int
    keys: int = 0
    tally: Tally = Tally()
    placed: int = 0
    frames: int = 0
    status: Status = "playing"
    events: Events = NOTHING
    last: str = ""
    hold: str = ""
    has_held: bool = False
    direction: int = 0
    charge: int = 0


class Seen(NamedTuple):
    """A piece and how many quarter turns clockwise it has made."""

    piece: str
    turn: int


class Rules(Protocol[A]):
    """One level under one set of rules: a deterministic machine that goes on by frames of 1/60 second."""

    def initial(self) -> State[A]:
        """The state before the first frame."""
        ...

    def step(self, state: State[A], keys: int) -> State[A]:
        """Play one frame; the state's game has not ended."""
        ...

    def active(self, state: State[A]) -> Seen:
        """The piece in play."""
        ...

    def cells(self, state: State[A]) -> Sequence[Cell]:
        """The cells of the piece in play."""
        ...

    def ghost(self, state: State[A]) -> Sequence[Cell]:
        """The cells where a hard drop would put it."""
        ...

    def following(self, state: State[A]) -> Sequence[Seen]:
        """The next pieces, as far as they are seen."""
        ...

    def level(self, state: State[A]) -> int:
        """The level of gravity and score."""
        ...
