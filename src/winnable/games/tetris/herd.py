"""A controller as `tuning` measures it: many games at once, on bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np

from winnable.core import Action
from winnable.dice_kernels import new_dice
from winnable.games.tetris import ahead_kernels, kernels, play_kernels
from winnable.games.tetris.ahead import OF_PLACEMENTS, LooksAhead
from winnable.games.tetris.features import FEATURES
from winnable.games.tetris.rules import State, Tetris
from winnable.games.tetris.shape_kernels import ControlledRules, shape_table
from winnable.tuning.process import NO_CEILING, Ints, Leap, States

Ahead: TypeAlias = Literal["mean", "preview"]
"""What a controller that looks ahead knows of the next piece: nothing, or which it is."""


def weight_vector(weights: Mapping[str, float]) -> kernels.F64:
    """float64 [11], in the order of `features.FEATURES`."""
    return np.array([weights.get(name, 0.0) for name in FEATURES])


def split_weights(weights: kernels.F64) -> tuple[kernels.F64, kernels.F64]:
    """For the placement that is chosen and for the one that follows, see `ahead.py`."""
    return weights * np.array([name in OF_PLACEMENTS for name in FEATURES]), weights


class Controlled:
    """A `Herd`: walls, uint64 [copies, width + 2]. A step is a piece, its reward the rows it clears; the
    level is the height of the wall."""

    def __init__(
        self, width: int, height: int, weights: kernels.F64, rules: ControlledRules = "simplified"
    ) -> None:
        self.width, self.height, self.weights = width, height, weights
        self._shapes = shape_table(rules)
        self._room = kernels.new_room(width)

    def start(self, copies: int, rng: np.random.Generator) -> States:
        return np.tile(kernels.new_wall(self.width), (copies, 1))

    def level(self, states: States) -> Ints:
        every = np.bitwise_or.reduce(states[:, 1:-1], axis=1)
        return np.array([int(rows).bit_length() for rows in every], np.int64)

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        copies = len(states)
        end = Leap(states.copy(), np.zeros(copies, np.bool_), np.zeros(copies, np.int64), np.zeros(copies))
        dice = new_dice(int(rng.integers(2**63)))
        play_kernels.leap(
            end.states, self.height, dice, low, high, limit, self._shapes, self.weights, *self._room,
            end.died, end.steps, end.reward,
        )  # fmt: skip
        return end


class ControlledAhead(Controlled):
    """The same for one that looks ahead. A state is a wall and then the piece that comes next, which only one
    with preview looks at: uint64 [copies, width + 3]."""

    def __init__(
        self,
        width: int,
        height: int,
        weights: kernels.F64,
        ahead: Ahead,
        rules: ControlledRules = "simplified",
    ) -> None:
        super().__init__(width, height, weights, rules)
        self.ahead: Ahead = ahead
        self._split = split_weights(weights)
        self._rooms = ahead_kernels.new_rooms(width)

    def start(self, copies: int, rng: np.random.Generator) -> States:
        coming = rng.integers(play_kernels.PIECES, size=(copies, 1)).astype(np.uint64)
        return np.hstack([super().start(copies, rng), coming])

    def level(self, states: States) -> Ints:
        return super().level(states[:, :-1])

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        copies = len(states)
        end = Leap(states.copy(), np.zeros(copies, np.bool_), np.zeros(copies, np.int64), np.zeros(copies))
        dice = new_dice(int(rng.integers(2**63)))
        ahead_kernels.leap_ahead(
            end.states, self.ahead == "preview", self.height, dice, low, high, limit, self._shapes,
            *self._split, *self._rooms, end.died, end.steps, end.reward,
        )  # fmt: skip
        return end


def fast_choice(player: LooksAhead) -> Callable[[Tetris, State], Action]:
    """`player.choose` on bits, for the rules `simplified`."""
    shapes, split = shape_table(), split_weights(weight_vector(player.controller.weights))

    def choose(game: Tetris, state: State) -> Action:
        now, rooms = kernels.pack_wall(state.wall, game.width), ahead_kernels.new_rooms(game.width)
        action = ahead_kernels.choose_ahead(
            now, game.height, state.piece, state.following, shapes, *split, *rooms
        )
        return game.legal_actions(state)[0] if action == kernels.NOWHERE else int(action)

    return choose


def warm() -> None:
    """Compiles every kernel that a herd uses."""
    weights, rng = weight_vector(dict.fromkeys(FEATURES, -1.0)), np.random.default_rng(0)
    one, anywhere = np.full(1, 100), np.full(1, NO_CEILING)
    for herd in (Controlled(4, 6, weights), ControlledAhead(4, 6, weights, "mean")):
        herd.leap(herd.start(1, rng), -anywhere, anywhere, one, rng)
