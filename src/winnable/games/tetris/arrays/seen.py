"""What a person sees of a game of tetris, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from winnable.contract.abilities import Field
from winnable.contract.chance import Turn
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State
from winnable.inert.arrays import NDArray, np


class TetrisArrays:
    """board: int8 [height, width], rows from the top, 1 is filled; what stands out at the top is cut off
    piece: int8 [1], the one to be set down, by its place in `pieces.NAMES`, IOTSZJL; under the article's
           rules, where pieces appear turned, in `pieces.TURNED`; -1: the game is over
    next:  int8 [1], likewise the one after it; -1: it is not seen
    """

    def __init__(self, puzzle: SeededTetris) -> None:
        game = puzzle.game
        self._height, self._columns = game.height, np.arange(game.width)
        piece = Field((1,), "int8", NONE, game.pieces - 1)
        self.fields: Mapping[str, Field] = {
            "board": Field((game.height, game.width), "int8", 0, 1),
            "piece": piece,
            "next": piece,
        }

    def fill(self, state: Turn[State], into: Mapping[str, NDArray[Any]]) -> None:
        """Write the state into arrays of these fields."""
        wall, piece, following, _ = state.state
        rows = np.zeros(self._height, np.int64)
        shown = wall[: self._height]
        rows[: len(shown)] = shown
        into["board"][:] = rows[::-1, None] >> self._columns & 1
        into["piece"][0] = NONE if state.state.over else piece
        into["next"][0] = NONE if state.state.over else following
