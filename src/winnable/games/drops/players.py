"""Players of drops."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from winnable.core import Action, Player
from winnable.games.drops.rules import Drops, State


class Random:
    """Any legal click."""

    def __init__(self, puzzle: Drops, seed: int = 0) -> None:
        self._puzzle, self._rng = puzzle, random.Random(seed)

    def choose(self, state: State) -> Action:
        legal = self._puzzle.legal_actions(state)
        return legal[int(self._rng.random() * len(legal))]


PLAYERS: Mapping[str, Callable[[Any, int], Player[Any]]] = {"random": Random}
