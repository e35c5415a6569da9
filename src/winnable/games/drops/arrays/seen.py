"""What a person sees of a board of drops, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from winnable.contract.abilities import Field
from winnable.games.drops.rules.level import FULL, MAX_EVERY
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.inert.arrays import NDArray, np

MOST_LEFT = 2**31 - 1


class DropsArrays:
    """board:  int8 [rows, columns], drops that rest in each cell
    left:   int32 [1], clicks that are left; -1: as many as it takes
    bursts: int16 [1], towards the next drop of a tank
    """

    def __init__(self, puzzle: Drops) -> None:
        self.fields: Mapping[str, Field] = {
            "board": Field((puzzle.rows, puzzle.columns), "int8", 0, FULL),
            "left": Field((1,), "int32", -1, MOST_LEFT),
            "bursts": Field((1,), "int16", 0, MAX_EVERY - 1),
        }

    def fill(self, state: State, into: Mapping[str, NDArray[Any]]) -> None:
        """Writes what a person sees of the state into the arrays of `fields`."""
        into["board"].ravel()[:] = np.frombuffer(state.cells, np.int8)
        into["left"][0] = -1 if state.left is None else min(state.left, MOST_LEFT)
        into["bursts"][0] = state.bursts
