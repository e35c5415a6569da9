"""Players of 2048. What compiles is imported when the player is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from winnable.contract.chance import Turn
from winnable.contract.core import Player, WinnableError
from winnable.games.game2048.article.player import ARTICLE_PLAYERS
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.play.playing import RandomPlayer

Make: TypeAlias = Callable[[Any, int], Player[Any]]

SEARCHES = {"search-1ms": 8.0, "search-10ms": 11.5, "search-50ms": 13.5}
"""How far these look (bits, see `Expectimax`); their names say how long a move takes."""


def _searching(bits: float, puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    from winnable.games.game2048.players.expectimax import Searching

    return Searching(puzzle, seed, bits=bits)


def _exact(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    from winnable.games.game2048.exact.small import Exact

    return Exact(puzzle, seed)


def _one_ply(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    from winnable.games.game2048.players.expectimax import OnePly

    return OnePly(puzzle, seed)


def _rollouts(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    from winnable.games.game2048.players.rollouts import Rollouts

    return Rollouts(puzzle, seed)


def _auto(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    """The best one that knows the level and is quick."""
    from winnable.games.game2048.players import expectimax

    with suppress(WinnableError):
        return _exact(puzzle, seed)
    return PLAYERS["search-1ms" if expectimax.knows(puzzle.level) else "rollouts"](puzzle, seed)


PLAYERS: Mapping[str, Make] = {
    "auto": _auto,
    **{name: partial(_searching, bits) for name, bits in SEARCHES.items()},
    "network": _one_ply,
    "exact": _exact,
    "rollouts": _rollouts,
    **ARTICLE_PLAYERS,
    "random": RandomPlayer,
}
