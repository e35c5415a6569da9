"""How hard a level with a known shortest line is for a person: one figure for all games that prove lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2


def difficulty(par: int, choices: int, good: int, astray: int = 0) -> float:
    """par (1 + log2(choices / good)) + astray.

    The actions of a shortest line; the bits that tell a good first action from the `choices` there are, taken
    for each action of the line as if all hid as well; and how many actions the obvious loses. It grows with
    par, with fewer good actions and with what the obvious loses.
    """
    return par * (1 + log2(choices / good)) + astray


def in_words(figure: float, words: Sequence[tuple[float, str]]) -> str:
    """The figure and its word: of the first entry that it does not exceed, else `fiendish`."""
    word = next((word for most, word in words if figure <= most), "fiendish")
    return f"{figure:.1f}, {word}"
