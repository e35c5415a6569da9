"""Players of rotate: one that joins what it can, one that turns at random. Both need no compiler."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from winnable.contract.core import Action, Player
from winnable.games.rotate.rules.blocks import Cells
from winnable.games.rotate.rules.clusters import cluster_numbers, largest_clusters
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.play.playing import RandomPlayer

EFFORT = 20_000
"""Cells that Greedy looks at for one choice: all turns of a board to 6 × 6, of others some by chance."""


class Greedy:
    """The turn that leaves the fewest clusters; of equals the one with the largest, then one by chance.

    Where no turn is better than the board is now, any turn follows: so it does not stand still.
    """

    def __init__(self, puzzle: Rotate, seed: int = 0) -> None:
        self._puzzle, self._rng = puzzle, random.Random(seed)

    def choose(self, state: State) -> Action:
        """Rate as many turns as EFFORT allows and take the best, or any."""
        puzzle, looks = self._puzzle, EFFORT // len(state.cells)
        tried = range(puzzle.num_actions)
        if len(tried) > looks:
            tried = [int(self._rng.random() * len(tried)) for _ in range(looks)]
        rank, _, chosen = min(
            (self._rank(puzzle.apply(state, action).cells), self._rng.random(), action) for action in tried
        )
        return chosen if rank < self._rank(state.cells) else int(self._rng.random() * puzzle.num_actions)

    def _rank(self, cells: Cells) -> tuple[int, int]:
        numbers = cluster_numbers(cells, self._puzzle.columns)
        squares = sum(size * size for size in largest_clusters(cells, numbers).values())
        return max(numbers), -squares


PLAYERS: Mapping[str, Callable[[Any, int], Player]] = {"greedy": Greedy, "random": RandomPlayer}
