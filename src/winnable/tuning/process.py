"""What can be measured for survival: a player in a game that goes on until it dies and then starts anew."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias

from winnable.inert.arrays import F64, I64, Bools, NDArray, np

Ints: TypeAlias = I64
Floats: TypeAlias = F64
States: TypeAlias = "NDArray[Any]"
"""[copies, ...]: an array whose rows are states, copied by indexing."""

NO_FLOOR, NO_CEILING = -(2**62), 2**62
"""Levels that no state passes."""


class Leap(NamedTuple):
    """Where each copy came to; the state of a copy that died is never looked at."""

    states: States
    died: Bools
    steps: Ints
    reward: Floats


class Herd(Protocol):
    """Many copies of one process at once: what kernels and arrays are good at."""

    def start(self, copies: int, rng: np.random.Generator) -> States:
        """Copies that begin anew."""
        ...

    def level(self, states: States) -> Ints:
        """How much danger each copy is in, as a whole number."""
        ...

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        """Plays each copy for at least one step, until it dies, its level is < low or >= high, or it has
        taken `limit` (>= 1) steps. The arguments, one entry a copy, stay as they are."""
        ...
