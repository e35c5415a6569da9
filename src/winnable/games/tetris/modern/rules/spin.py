"""T-spins by the three-corner rule of the Tetris Guideline."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.games.tetris.modern.rules.scoring import Spin
from winnable.games.tetris.modern.rules.srs import fits

CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
"""Clockwise. A T that has made n quarter turns points between the corners n and n + 1."""
_IN_PLACE = ((0, 0),)
LAST_TEST = 4
"""Of the five places that a quarter turn tries: for T, two rows away (known as T-spin triple and Fin)."""


def t_spin(rows: Sequence[str], turn: int, x: int, y: int, test: int) -> Spin:
    """The spin of a T that locks here, when its last move was a turn whose test number `test`, from 0,
    succeeded.


    At least three corners around the centre must be filled; walls and floor count. It is a mini unless both
    corners in front are filled, or the turn took its last test.
    """
    filled = [not fits(rows, _IN_PLACE, x + dx, y + dy) for dx, dy in CORNERS]
    if sum(filled) < 3:
        return ""
    is_full = filled[turn] and filled[(turn + 1) % 4]
    return "full" if is_full or test == LAST_TEST else "mini"
