"""The dice of turns are numpy's Philox."""

from __future__ import annotations

import random

import numpy as np

from winnable.contract.chance import SeededDice

DRAWS = 10_000


def test_dice_roll_what_numpy_rolls() -> None:
    rng = random.Random(5)
    for turn in [0, 1, 2**53, *(rng.randrange(10**6) for _ in range(DRAWS // 10 - 3))]:
        seed = rng.choice([turn, rng.randrange(2**53), rng.randrange(2**128)])
        ours, theirs = SeededDice(seed, turn), np.random.Philox(key=seed, counter=turn << 64)
        assert [ours.below(2**64) for _ in range(10)] == theirs.random_raw(10).tolist(), (seed, turn)
        assert 0 <= ours.below(6) < 6
