"""The piece in play under the guideline's rules, and how it moves. What cannot move is returned as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from winnable.games.tetris.modern.rules.level import HEIGHT
from winnable.games.tetris.modern.rules.srs import HALF, Cell, fits, kicks, shape

LOCK_RESETS = 15
NOT_TURNED = -1


class Active(NamedTuple):
    """The piece in play.

    x, y:   of its centre
    fall:   how far it has fallen towards the next row, in parts of `rows_a_frame`'s denominator
    timer:  frames that it has stood, since the last reset
    resets: how many there were since it got to its lowest row
    lowest: that row, of its centre
    test:   which test the last turn succeeded with, from 0, if nothing moved the piece since; else NOT_TURNED
    """

    piece: str
    turn: int
    x: int
    y: int
    fall: int = 0
    timer: int = 0
    resets: int = 0
    lowest: int = HEIGHT
    test: int = NOT_TURNED

    @property
    def shape(self) -> tuple[Cell, ...]:
        """The piece's cells about its centre."""
        return shape(self.piece, self.turn)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the piece, (x, y)."""
        return tuple((self.x + x, self.y + y) for x, y in self.shape)


def turned(rows: Sequence[str], active: Active, by: int) -> Active:
    """The piece after `by` quarter turns clockwise; itself when every place that is tried is taken."""
    turn = (active.turn + by) % 4
    cells = shape(active.piece, turn)
    for test, (dx, dy) in enumerate(kicks(active.piece, active.turn, by)):
        x, y = active.x + dx, active.y + dy
        if fits(rows, cells, x, y):
            # The exception of the last test is SRS's own; a half turn's places are not SRS.
            return active._replace(turn=turn, x=x, y=y, test=0 if by == HALF else test)
    return active


def shifted(rows: Sequence[str], active: Active, direction: int, distance: int) -> Active:
    """The piece moved sideways, as far as nothing is in the way; itself when it cannot move."""
    cells, x, y = active.shape, active.x, active.y
    while distance > 0 and fits(rows, cells, x + direction, y):
        x += direction
        distance -= 1
    return active if x == active.x else active._replace(x=x, test=NOT_TURNED)


def fallen(rows: Sequence[str], active: Active, distance: int = HEIGHT) -> Active:
    """The piece moved down, as far as nothing is in the way; itself when it cannot move."""
    cells, x, y = active.shape, active.x, active.y
    while distance > 0 and fits(rows, cells, x, y - 1):
        y -= 1
        distance -= 1
    return active if y == active.y else active._replace(y=y, test=NOT_TURNED)


def delayed(active: Active) -> Active:
    """The piece after a move or turn: the lock delay starts again, as often as it may, or anew in a lower
    row."""
    if active.y < active.lowest:
        return active._replace(timer=0, resets=0, lowest=active.y)
    has_landed = active.timer > 0 or active.resets > 0
    if has_landed and active.resets < LOCK_RESETS:
        return active._replace(timer=0, resets=active.resets + 1)
    return active
