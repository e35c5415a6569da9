"""What a lock is worth: points, lines to send, combos and back-to-back.

Points are those of the Tetris Guideline (2009) as the tetris wiki lists them, perfect clears included.
`attack` is what would be sent in a game of two: the usual table of guideline games (T-spins twice their
lines, back-to-back +1, a perfect clear 10 whatever else it is), with the combos of NullpoMino's games of two.
That a mini double sends 1 is from TETR.IO.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Spin: TypeAlias = Literal["", "mini", "full"]

_POINTS: dict[Spin, tuple[int, ...]] = {
    "": (0, 100, 300, 500, 800),
    "mini": (100, 200, 400),
    "full": (400, 800, 1200, 1600),
}
"""By lines. A mini of three lines cannot be: full rows fill both corners in front of the T."""
_ATTACK: dict[Spin, tuple[int, ...]] = {"": (0, 0, 1, 2, 4), "mini": (0, 0, 1), "full": (0, 2, 4, 6)}
_COMBO_ATTACK = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5)
_PERFECT_POINTS = (0, 800, 1200, 1800, 2000)
_PERFECT_BACK_TO_BACK_TETRIS = 3200
_PERFECT_ATTACK = 10
_COMBO_POINTS = 50
_NAMES = ("", "single", "double", "triple", "tetris")
SOFT_DROP_POINTS = 1
"""For each row."""
HARD_DROP_POINTS = 2


class Clear(NamedTuple):
    """What a piece did when it locked. perfect: no cell is left on the board."""

    lines: int
    spin: Spin = ""
    perfect: bool = False

    @property
    def name(self) -> str:
        """The clear's name, like `double`, `t-spin`, `t-spin mini single`; empty when it did nothing."""
        spin = {"": "", "mini": "t-spin mini", "full": "t-spin"}[self.spin]
        return f"{spin} {_NAMES[self.lines]}".strip()

    @property
    def is_difficult(self) -> bool:
        """Whether back-to-back goes on: a tetris, or lines by a spin."""
        return self.lines > 0 and (self.lines == 4 or self.spin != "")


class Tally(NamedTuple):
    """What a player has so far.

    combo:        locks in a row that cleared lines, less one; -1: the last one cleared none
    back_to_back: difficult clears in a row (a tetris, or a spin with lines); only a clear that is not
                  difficult ends the row
    """

    score: int = 0
    lines: int = 0
    attack: int = 0
    combo: int = -1
    back_to_back: int = 0


def award(tally: Tally, clear: Clear, level: int) -> Tally:
    """The tally after a lock at this level, which is the one before its lines count."""
    points = _POINTS[clear.spin][clear.lines]
    if clear.lines == 0:
        return tally._replace(score=tally.score + points * level, combo=-1)
    combo = tally.combo + 1
    sent = _ATTACK[clear.spin][clear.lines] + _COMBO_ATTACK[min(combo, len(_COMBO_ATTACK) - 1)]
    is_chained = clear.is_difficult and tally.back_to_back > 0
    if is_chained:
        points += points // 2
        sent += 1
    points += _COMBO_POINTS * combo
    if clear.perfect:
        is_tetris = is_chained and clear.lines == 4
        points += _PERFECT_BACK_TO_BACK_TETRIS if is_tetris else _PERFECT_POINTS[clear.lines]
        sent = _PERFECT_ATTACK
    return Tally(
        score=tally.score + points * level,
        lines=tally.lines + clear.lines,
        attack=tally.attack + sent,
        combo=combo,
        back_to_back=tally.back_to_back + 1 if clear.is_difficult else 0,
    )
