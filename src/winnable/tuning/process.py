"""What can be measured for survival: a player in a game that goes on until it dies and then starts anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
States: TypeAlias = NDArray[Any]
"""[copies, ...]: an array whose rows are states, copied by indexing."""

X = TypeVar("X")

NO_FLOOR, NO_CEILING = -(2**62), 2**62
"""Levels that no state passes."""


class SurvivalProcess(Protocol[X]):
    """One player in one game. Chance comes only from `rng`; states are values that nothing changes."""

    def start(self, rng: np.random.Generator) -> X: ...
    def step(self, state: X, rng: np.random.Generator) -> tuple[X, bool, float]:
        """The next state, whether the player died of this step, and the step's reward."""
        ...

    def level(self, state: X) -> int:
        """How near to death, such as the height of the pile; only splitting asks."""
        ...


class Leap(NamedTuple):
    """Where each copy came to; the state of a copy that died is never looked at."""

    states: States
    died: Bools
    steps: Ints
    reward: Floats


class Herd(Protocol):
    """Many copies of one process at once: what kernels and arrays are good at. `OneByOne` makes one of any
    `SurvivalProcess`."""

    def start(self, copies: int, rng: np.random.Generator) -> States: ...
    def level(self, states: States) -> Ints: ...
    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        """Plays each copy for at least one step, until it dies, its level is < low or >= high, or it has
        taken `limit` (>= 1) steps. The arguments, one entry a copy, stay as they are."""
        ...


class OneByOne(Generic[X]):
    """A herd of any process, played copy by copy."""

    def __init__(self, process: SurvivalProcess[X]) -> None:
        self._process = process

    def start(self, copies: int, rng: np.random.Generator) -> States:
        return _objects([self._process.start(rng) for _ in range(copies)])

    def level(self, states: States) -> Ints:
        return np.array([self._process.level(state) for state in states], np.int64)

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        ends = [
            self._run(state, int(low[copy]), int(high[copy]), int(limit[copy]), rng)
            for copy, state in enumerate(states)
        ]
        return Leap(
            _objects([end[0] for end in ends]),
            np.array([end[1] for end in ends], np.bool_),
            np.array([end[2] for end in ends], np.int64),
            np.array([end[3] for end in ends], np.float64),
        )

    def _run(
        self, state: X, low: int, high: int, limit: int, rng: np.random.Generator
    ) -> tuple[X, bool, int, float]:
        unbounded, total = low <= NO_FLOOR and high >= NO_CEILING, 0.0
        for steps in range(1, limit + 1):
            state, died, reward = self._process.step(state, rng)
            total += reward
            if died or not (unbounded or low <= self._process.level(state) < high):
                return state, died, steps, total
        return state, False, limit, total


def leap_in_step(
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


def _objects(values: list[Any]) -> States:
    """An array of values whatever they are, lists and arrays included."""
    array = np.empty(len(values), object)
    for index, value in enumerate(values):
        array[index] = value
    return array
