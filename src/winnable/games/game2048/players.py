"""Players of 2048. What compiles is imported when the player is made."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from winnable.chance import Turn
from winnable.core import Action, Player, WinnableError
from winnable.games.game2048.rules import Seeded2048, State
from winnable.games.game2048.seed_player import SEED_PLAYERS

Make: TypeAlias = Callable[[Any, int], Player[Any]]


class Random:
    """Any move."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0) -> None:
        self._puzzle, self._rng = puzzle, random.Random(seed)

    def choose(self, state: Turn[State]) -> Action:
        legal = self._puzzle.legal_actions(state)
        return legal[int(self._rng.random() * len(legal))]


def _lazy(module: str, name: str) -> Make:
    def make(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
        made: Player[Turn[State]] = getattr(import_module(f"winnable.games.game2048.{module}"), name)(
            puzzle, seed
        )
        return made

    return make


def _auto(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    """The best one that knows the level."""
    try:
        return PLAYERS["exact"](puzzle, seed)
    except WinnableError:
        return PLAYERS["rollouts"](puzzle, seed)


PLAYERS: Mapping[str, Make] = {
    "auto": _auto,
    "rollouts": _lazy("rollouts", "Rollouts"),
    "exact": _lazy("exact", "Exact"),
    **SEED_PLAYERS,
    "random": Random,
}
