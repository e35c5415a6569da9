"""How fast pieces fall: the Tetris Guideline's formula, in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from winnable.games.tetris.modern.rules.level import LAST_LEVEL, LINES_A_LEVEL, Level

FRAMES_A_SECOND = 60


@cache
def rows_a_frame(level: int) -> Fraction:
    """The speed at a level, in rows a frame: at level n a row takes (0.8 - (n - 1) 0.007)^(n - 1) seconds."""
    seconds = Fraction(800 - 7 * (level - 1), 1000) ** (level - 1)
    return 1 / (FRAMES_A_SECOND * seconds)


def level_after(level: Level, lines: int) -> int:
    """The level of gravity and score when so many lines are cleared."""
    if level.mode != "marathon":
        return level.start_level
    return min(LAST_LEVEL, max(level.start_level, 1 + lines // LINES_A_LEVEL))
