"""Players of 2048. What compiles is imported when the player is made."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeAlias

from winnable.chance import Turn
from winnable.core import Action, Player, WinnableError
from winnable.games.game2048.article_player import ARTICLE_PLAYERS
from winnable.games.game2048.rules import Seeded2048, State

Make: TypeAlias = Callable[[Any, int], Player[Any]]

SEARCHES = {"search-1ms": 8.0, "search-10ms": 11.5, "search-50ms": 13.5}
"""How far these look (bits, see `expectimax.Search`); their names say how long a move takes."""


class Random:
    """Any move."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0) -> None:
        self._puzzle, self._rng = puzzle, random.Random(seed)

    def choose(self, state: Turn[State]) -> Action:
        legal = self._puzzle.legal_actions(state)
        return legal[int(self._rng.random() * len(legal))]


def _lazy(module: str, name: str, **settings: Any) -> Make:
    def make(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
        player = getattr(import_module(f"winnable.games.game2048.{module}"), name)
        made: Player[Turn[State]] = player(puzzle, seed, **settings)
        return made

    return make


def _auto(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    """The best one that knows the level and is quick."""
    with suppress(WinnableError):
        return PLAYERS["exact"](puzzle, seed)
    known = import_module("winnable.games.game2048.expectimax").knows(puzzle.level)
    return PLAYERS["search-1ms" if known else "rollouts"](puzzle, seed)


PLAYERS: Mapping[str, Make] = {
    "auto": _auto,
    **{name: _lazy("expectimax", "Searching", bits=bits) for name, bits in SEARCHES.items()},
    "exact": _lazy("exact", "Exact"),
    "rollouts": _lazy("rollouts", "Rollouts"),
    **ARTICLE_PLAYERS,
    "random": Random,
}
