"""What a person sees of a board of rotate, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from winnable.contract.abilities import Field
from winnable.games.rotate.rules.level import MAX_LABEL, MAX_TURNS
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.inert.arrays import NDArray


class RotateArrays:
    """board: int16 [rows, columns], the colour or label of each cell
    left:  int32 [1], turns that are left; -1: as many as it takes
    """

    def __init__(self, puzzle: Rotate) -> None:
        self.fields: Mapping[str, Field] = {
            "board": Field((puzzle.rows, puzzle.columns), "int16", 0, MAX_LABEL),
            "left": Field((1,), "int32", -1, MAX_TURNS),
        }

    def fill(self, state: State, into: Mapping[str, NDArray[Any]]) -> None:
        """Write the state into arrays of these fields."""
        into["board"].ravel()[:] = state.cells
        into["left"][0] = -1 if state.left is None else state.left
