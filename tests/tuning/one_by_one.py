"""Any process as a herd: what the herds of kernels and arrays are held against."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from winnable.tuning.process import NO_CEILING, NO_FLOOR, Ints, Leap, States

X = TypeVar("X")


class SurvivalProcess(Protocol[X]):
    """One player in one game. Chance comes only from `rng`; states are values that nothing changes."""

    def start(self, rng: np.random.Generator) -> X: ...
    def step(self, state: X, rng: np.random.Generator) -> tuple[X, bool, float]:
        """The next state, whether the player died of this step, and the step's reward."""
        ...

    def level(self, state: X) -> int:
        """How near to death, such as the height of the pile; only splitting asks."""
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


def _objects(values: list[Any]) -> States:
    """An array of values whatever they are, lists and arrays included."""
    array = np.empty(len(values), object)
    for index, value in enumerate(values):
        array[index] = value
    return array
