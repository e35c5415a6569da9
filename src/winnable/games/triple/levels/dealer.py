"""Deals backwards onto one board again and again."""

from __future__ import annotations

import random
from math import inf
from typing import TYPE_CHECKING

from winnable.contract.core import Budget, Search
from winnable.games.triple.levels.backwards import Board, Deal, deal_backwards

if TYPE_CHECKING:
    from winnable.games.triple.levels.mass_deals import MassDealer

READABLE_DEALS = 200
"""So many take as long as to load what compiles."""
MOST_FACES = 300_000
"""Places × kinds: the kernels' deals keep a tile for each."""


class Dealer:
    """Deals backwards onto one board again and again: seed -> deal. The first deals are made by
    `deal_backwards`, the others by kernels that make the same ones."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._readable = READABLE_DEALS if len(board.places) * len(board.triples) <= MOST_FACES else inf
        self._deals = 0
        self._mass: MassDealer | None = None

    def deal(self, seed: int, budget: Budget | None = None) -> Search[Deal]:
        """Raises GaveUp."""
        self._deals += 1
        if self._deals <= self._readable:
            return (yield from deal_backwards(self.board, random.Random(seed).random, budget))
        if self._mass is None:
            from winnable.games.triple.levels.mass_deals import MassDealer

            self._mass = MassDealer(self.board)
        return self._mass.deal(seed)
