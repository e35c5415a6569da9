"""A game with a known hazard: a pile that grows and shrinks by chance, and kills when it reaches the top.

It stands in for Tetris where the truth must be known: the hazard falls to about half with every row (in the
mean by 1.87), as it does for a good Tetris player, and a hidden mood (calm or rough) makes climbs of the same
height differ, so that what a splitting run copies is not all alike. Rows may be jumped over.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from winnable.tuning.process import Bools, Floats, Ints, Leap, States

OUTCOMES = 64
"""Chances are multiples of 1/64, so that a step is one look-up."""

MOVES = (
    {1: 14, 2: 1, -1: 33, -2: 12},
    {1: 20, 2: 3, -1: 22, -2: 10},
)
"""How many of the outcomes move the pile by how many rows, calm and rough; in the others it stays."""

FLIPS = (1, 8)
"""How many of the outcomes change the mood (the pile then stays)."""


class PileWalk:
    """A `Herd`; state = 2 · rows + mood. A step's reward is 1."""

    def __init__(self, top: int) -> None:
        """top: at this height the player is dead; at least 2."""
        if top < 2:
            raise ValueError(f"top: {top} is less than 2")
        self.top = top
        self._next = np.array([_outcomes(state, top) for state in range(2 * top)], np.int64)

    def start(self, copies: int, rng: np.random.Generator) -> States:
        return np.zeros(copies, np.int64)

    def level(self, states: States) -> Ints:
        return states >> 1

    def step(self, states: States, rng: np.random.Generator) -> tuple[States, Bools, Floats]:
        after = self._next[states, rng.integers(OUTCOMES, size=len(states), dtype=np.uint8)]
        return after, after >= 2 * self.top, np.ones(len(states))

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        return _leap_in_step(self.step, self.level, states, low, high, limit, rng)

    @property
    def hazard(self) -> float:
        """Deaths per step in the long run: 1 / E[steps of a game], where E solves E = 1 + P E over the living
        states."""
        living = 2 * self.top
        moves: NDArray[np.float64] = np.zeros((living, living + 1))
        for state, outcomes in enumerate(self._next):
            np.add.at(moves[state], outcomes, 1 / OUTCOMES)
        return 1 / float(np.linalg.solve(np.eye(living) - moves[:, :living], np.ones(living))[0])


def _leap_in_step(
    step: Callable[[States, np.random.Generator], tuple[States, Bools, Floats]],
    level: Callable[[States], Ints],
    states: States,
    low: Ints,
    high: Ints,
    limit: Ints,
    rng: np.random.Generator,
) -> Leap:
    """`Herd.leap` for a `step` that moves all copies at once. `level` may be asked about the dead too."""
    copies = len(states)
    end = Leap(states.copy(), np.zeros(copies, np.bool_), limit.copy(), np.zeros(copies))
    moving, now, step_number = np.arange(copies), states, 0
    while moving.size:
        step_number += 1
        now, died, reward = step(now, rng)
        end.reward[moving] += reward
        levels = level(now)
        stops = died | (levels < low) | (levels >= high) | (limit <= step_number)
        if stops.any():
            stopped = moving[stops]
            end.states[stopped], end.died[stopped], end.steps[stopped] = now[stops], died[stops], step_number
            goes = ~stops
            moving, now, low, high, limit = moving[goes], now[goes], low[goes], high[goes], limit[goes]
    return end


def _outcomes(state: int, top: int) -> list[int]:
    rows, mood = divmod(state, 2)
    after = [2 * rows + 1 - mood] * FLIPS[mood]
    for move, count in MOVES[mood].items():
        moved = max(rows + move, 0)
        after += [2 * top if moved >= top else 2 * moved + mood] * count
    return after + [state] * (OUTCOMES - len(after))
