"""How hard a level with a known shortest line is for a person: one figure for all games that prove lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct

Word: TypeAlias = Literal["easy", "medium", "tricky", "hard", "fiendish"]
WORDS: tuple[Word, ...] = get_args(Word)


class Rating(Struct, frozen=True):
    """How hard a level is for a person.

    word:   `fact.word.WORD` in the catalogues
    figure: what the word is from, on the scale of its game: larger is harder
    low, high: its 95 % interval, where it is from games; None: open, or it is not from games
    luck:   share of it, see `winnable.stats.skill.share_of_luck`; None likewise
    """

    word: Word
    figure: float
    low: float | None = None
    high: float | None = None
    luck: float | None = None


class LastRating:
    """The rating of the level whose facts were told last: whoever asks for the one asks for the other next.
    Any thread may keep one and ask for one."""

    def __init__(self) -> None:
        self._kept: tuple[bytes, Rating | None] | None = None

    def keep(self, level: Any, found: Rating | None) -> None:
        """In the place of the one before."""
        self._kept = msgspec.json.encode(level), found

    def of(self, level: Any) -> tuple[Rating | None] | None:
        """The rating of this level, which may be None; None: another one was kept."""
        kept = self._kept
        return (kept[1],) if kept is not None and kept[0] == msgspec.json.encode(level) else None


def difficulty(par: int, choices: int, good: int, astray: int = 0) -> float:
    """par (1 + log2(choices / good)) + astray.

    The actions of a shortest line; the bits that tell a good first action from the `choices` there are, taken
    for each action of the line as if all hid as well; and how many actions the obvious loses. It grows with
    par, with fewer good actions and with what the obvious loses.
    """
    return par * (1 + log2(choices / good)) + astray


def rating(figure: float, words: Sequence[tuple[float, Word]]) -> Rating:
    """Its word is that of the first entry that the figure does not exceed, else `fiendish`."""
    for most, word in words:
        if figure <= most:
            return Rating(word, figure)
    return Rating("fiendish", figure)
