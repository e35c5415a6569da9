"""A controller as `tuning` measures it: many games at once, on bits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from winnable.dice_kernels import new_dice
from winnable.games.tetris import kernels, play_kernels
from winnable.games.tetris.features import FEATURES
from winnable.games.tetris.shape_kernels import ControlledRules, shape_table
from winnable.tuning.process import NO_CEILING, Ints, Leap, States


def weight_vector(weights: Mapping[str, float]) -> kernels.F64:
    """float64 [11], in the order of `features.FEATURES`."""
    return np.array([weights.get(name, 0.0) for name in FEATURES])


class Controlled:
    """A `Herd`: walls, uint64 [copies, width + 2]. A step is a piece, its reward the rows it clears; the
    level is the height of the wall."""

    def __init__(
        self, width: int, height: int, weights: kernels.F64, rules: ControlledRules = "simplified"
    ) -> None:
        self.width, self.height, self.weights = width, height, weights
        self._shapes = shape_table(rules)
        self._room = (kernels.new_sums(), kernels.new_rows(), kernels.new_wall(width))

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


def warm() -> None:
    """Compiles every kernel that a herd uses."""
    herd, rng = Controlled(4, 6, weight_vector(dict.fromkeys(FEATURES, -1.0))), np.random.default_rng(0)
    one, anywhere = np.full(1, 100), np.full(1, NO_CEILING)
    herd.leap(herd.start(1, rng), -anywhere, anywhere, one, rng)
