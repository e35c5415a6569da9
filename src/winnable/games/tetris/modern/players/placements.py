"""Where a piece can come to rest, and what to press for it: readable, by the rules' own moves.

A path is a row of taps: a move by one column, a turn, or a soft drop all the way to the ground. A hard drop
ends each. Soft drops take long, so one counts as `SOFT_COST` taps. So pieces get under overhangs (tucks) and
spin; what would need a move in the middle of a fall is left out.

Where gravity is so fast that a piece cannot be steered in the air, paths are `grounded`: soft drop is held
from the start, and the piece falls to the ground after each tap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import NamedTuple

from winnable.games.tetris.modern.rules.piece import NOT_TURNED, Active, fallen, shifted, turned
from winnable.games.tetris.modern.rules.scoring import Spin
from winnable.games.tetris.modern.rules.spin import t_spin
from winnable.games.tetris.modern.rules.srs import CLOCKWISE, COUNTER, HALF, Cell, shape

TAPS = ("cw", "half", "ccw", "left", "right", "soft")
"""In the order that they are tried: turns first, as a turn and then a move fit into one frame."""
_MOVES = {"left": -1, "right": 1}
_TURNS = {"cw": CLOCKWISE, "half": HALF, "ccw": COUNTER}
SOFT_COST = 10


class Placement(NamedTuple):
    """A piece at rest. x, y: of its centre; turn: the least of those that give the same cells."""

    piece: str
    turn: int
    x: int
    y: int
    spin: Spin = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the piece, (x, y)."""
        return tuple((self.x + x, self.y + y) for x, y in shape(self.piece, self.turn))


class Way(NamedTuple):
    """To a placement. cost: in taps"""

    cost: int
    taps: tuple[str, ...]


@cache
def same_cells(piece: str, turn: int) -> tuple[int, int, int]:
    """The least turn of the same shape, and how far its centre lies from this one's: (turn, x, y)."""
    cells = shape(piece, turn)
    for least in range(turn + 1):
        x, y = min(cells)[0] - min(shape(piece, least))[0], min(cells)[1] - min(shape(piece, least))[1]
        if sorted((x + dx, y + dy) for dx, dy in shape(piece, least)) == sorted(cells):
            return least, x, y
    raise AssertionError("a shape is the same as itself")


def spin_of(rows: Sequence[str], active: Active) -> Spin:
    """The spin that it is if the piece locks where it is."""
    if active.piece != "T" or active.test == NOT_TURNED:
        return ""
    return t_spin(rows, active.turn, active.x, active.y, active.test)


def at_rest(rows: Sequence[str], active: Active) -> Placement:
    """The placement to which a hard drop leads."""
    down = fallen(rows, active)
    turn, x, y = same_cells(down.piece, down.turn)
    return Placement(down.piece, turn, down.x + x, down.y + y, spin_of(rows, down))


def placements(rows: Sequence[str], active: Active, grounded: bool = False) -> dict[Placement, Way]:
    """Every placement that paths lead to, each with the cheapest. rows: from the lowest; the piece fits."""
    start = fallen(rows, active) if grounded else active
    found: dict[Placement, Way] = {}
    done: set[tuple[int, int, int, Spin]] = set()
    waiting: list[tuple[int, int, tuple[str, ...], Active]] = [(0, 0, (), start)]
    pushed = 0
    while waiting:
        cost, _, taps, here = heappop(waiting)
        key = (here.turn, here.x, here.y, spin_of(rows, here))
        if key in done:
            continue
        done.add(key)
        found.setdefault(at_rest(rows, here), Way(cost, taps))
        for tap, there in _neighbours(rows, here, grounded):
            pushed += 1
            heappush(waiting, (cost + (SOFT_COST if tap == "soft" else 1), pushed, (*taps, tap), there))
    return found


def _neighbours(rows: Sequence[str], here: Active, grounded: bool) -> Iterator[tuple[str, Active]]:
    for tap in TAPS:
        there = tapped(rows, here, tap)
        if there is not here:
            yield tap, fallen(rows, there) if grounded else there


def tapped(rows: Sequence[str], here: Active, tap: str) -> Active:
    """The piece after this tap; itself when it cannot move."""
    if tap == "soft":
        return fallen(rows, here)
    if tap in _MOVES:
        return shifted(rows, here, _MOVES[tap], 1)
    return here if here.piece == "O" else turned(rows, here, _TURNS[tap])
