"""What a person sees of a board of 2048, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from winnable.contract.abilities import Field
from winnable.contract.chance import Turn
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.inert.arrays import NDArray


class Arrays2048:
    """board: uint8 [rows, columns], exponents of two, 0 is an empty cell"""

    def __init__(self, puzzle: Seeded2048) -> None:
        shape = puzzle.game.rows, puzzle.game.columns
        # When a tile is made, the two that merge were not made at once, and so on down to tiles that appeared
        # or were there at first: all of these lie side by side.
        most = max(2, *puzzle.level.cells, 0) + shape[0] * shape[1] - 1
        self.fields: Mapping[str, Field] = {"board": Field(shape, "uint8", 0, most)}

    def fill(self, state: Turn[State], into: Mapping[str, NDArray[Any]]) -> None:
        """Writes what a person sees of the state into the arrays, see `fields`."""
        into["board"].ravel()[:] = state.state
