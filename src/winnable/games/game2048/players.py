"""Players of 2048: one that plays on at random, the seed's, and a random one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from winnable.chance import Turn
from winnable.core import Action, Player
from winnable.games.game2048.rules import Seeded2048, State
from winnable.games.game2048.seed_player import SEED_PLAYERS


def _rollouts(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    made: Player[Turn[State]] = import_module("winnable.games.game2048.rollouts").Rollouts(puzzle, seed)
    return made


class Random:
    """Any move."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0) -> None:
        self._puzzle, self._rng = puzzle, random.Random(seed)

    def choose(self, state: Turn[State]) -> Action:
        legal = self._puzzle.legal_actions(state)
        return legal[int(self._rng.random() * len(legal))]


PLAYERS: Mapping[str, Callable[[Any, int], Player[Any]]] = {
    "rollouts": _rollouts,
    **SEED_PLAYERS,
    "random": Random,
}
