"""Players of tetris: the published controllers, by the readable features, the seed's, and a random one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from winnable.chance import Turn
from winnable.core import Action, Player
from winnable.games.tetris.controllers import CONTROLLERS, Controller
from winnable.games.tetris.rules import SeededTetris, State
from winnable.games.tetris.seed_player import SeedPlayer


class Controlled:
    """Places pieces as a controller says."""

    def __init__(self, controller: Controller, puzzle: SeededTetris, seed: int = 0) -> None:
        """`seed` has no effect."""
        self._controller, self._game = controller, puzzle.game

    def choose(self, state: Turn[State]) -> Action:
        return self._controller.choose(self._game, state.state)


class Random:
    """Any placement."""

    def __init__(self, puzzle: SeededTetris, seed: int = 0) -> None:
        self._puzzle, self._rng = puzzle, random.Random(seed)

    def choose(self, state: Turn[State]) -> Action:
        legal = self._puzzle.legal_actions(state)
        return legal[int(self._rng.random() * len(legal))]


PLAYERS: Mapping[str, Callable[[Any, int], Player[Any]]] = {
    **{name: partial(Controlled, CONTROLLERS[name]) for name in reversed(CONTROLLERS)},
    "seed": SeedPlayer,
    "random": Random,
}
