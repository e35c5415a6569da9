"""Many deals of backwards.py by kernels: thousands a second."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import gcd

from winnable.compiled.mersenne_kernels import first_state, uniform_draws
from winnable.games.triple.levels import deal_kernels
from winnable.games.triple.levels.backwards import Board, Deal
from winnable.games.triple.levels.deal_kernels import Dealt
from winnable.games.triple.levels.layout import Place
from winnable.games.triple.rules.level import SIDE, Tile
from winnable.inert.arrays import I32, np


class MassDealer:
    """Seed -> the deal that `backwards.deal_backwards` makes of it, with its line checked."""

    def __init__(self, board: Board) -> None:
        assert all(low.layer <= high.layer for low, high in pairwise(board.places)), "from the bottom up"
        self._squares = squares_of(board.places)
        self._triples, self._slots = np.array(board.triples, np.int64), board.slots
        self._kinds = len(board.triples)
        self._tiles = np.array(
            [Tile(kind, *place) for place in board.places for kind in range(self._kinds)], object
        )
        self._count = 3 * sum(board.triples)
        self._start = first_state()

    def deal(self, seed: int) -> Deal:
        """The deal of this seed, whose line is checked."""
        dealt = self.dealt(seed)
        assert self.wins(dealt), "a line that does not win"
        tiles = self._tiles.take(dealt.places * self._kinds + dealt.kinds)
        return Deal(tuple(tiles.tolist()), tuple(dealt.line.tolist()))

    def dealt(self, seed: int) -> Dealt:
        """The same as arrays, not checked."""
        dealt = Dealt(*(np.empty(self._count, np.int32) for _ in range(3)))
        draws = np.empty(len(self._squares) - 1 + 2 * self._count)
        uniform_draws(self._start, seed, draws)
        deal_kernels.deal_backwards(self._squares, draws, self._triples, self._slots, dealt)
        return dealt

    def wins(self, dealt: Dealt) -> bool:
        """Whether its line wins by the rules."""
        return bool(deal_kernels.line_wins(self._squares, dealt, self._slots))


def squares_of(places: Sequence[Place]) -> I32:
    """int32[places, squares of a tile]: on which squares each lies, of the coarsest grid that fits them all.
    Two overlap where they have a square in common."""
    step = gcd(SIDE, *(place.x for place in places), *(place.y for place in places))
    number: dict[tuple[int, int], int] = {}
    return np.array(
        [
            [
                number.setdefault((x, y), len(number))
                for x in range(place.x, place.x + SIDE, step)
                for y in range(place.y, place.y + SIDE, step)
            ]
            for place in places
        ],
        np.int32,
    )


def warm() -> None:
    """Compiles every kernel."""
    MassDealer(Board([Place(0, 0, layer) for layer in range(3)], [1], 3)).deal(0)
