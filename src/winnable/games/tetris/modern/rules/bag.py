"""The pieces of a seed: the n-th one is a pure function of the seed and n."""

from __future__ import annotations

from functools import lru_cache

from winnable.contract.chance import SeededDice
from winnable.games.tetris.rules.pieces import NAMES, TURNED


@lru_cache(maxsize=4096)
def bag(seed: int, number: int) -> str:
    """All seven pieces in an order of which each is equally likely (R. Durstenfeld's form of the Fisher-Yates
    shuffle, 1964)."""
    dice = SeededDice(seed, number)
    pieces = list(NAMES)
    for last in range(len(pieces) - 1, 0, -1):
        chosen = dice.below(last + 1)
        pieces[last], pieces[chosen] = pieces[chosen], pieces[last]
    return "".join(pieces)


def piece_of(seed: int, number: int) -> str:
    """The piece after `number` others: one bag of seven after the other."""
    return bag(seed, number // len(NAMES))[number % len(NAMES)]


@lru_cache(maxsize=4096)
def form_of(seed: int, number: int) -> int:
    """The form after `number` others in the article's game: any of the 19 of `pieces.TURNED`, each equally
    likely."""
    return SeededDice(seed, number).below(len(TURNED))
