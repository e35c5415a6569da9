"""Iterative deepening from one board, rules `clusters`: room and databases for deepening_kernels.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from winnable.core import Action
from winnable.games.rotate import deepening_kernels as kernels
from winnable.games.rotate import mask_kernels
from winnable.games.rotate.blocks import Cells
from winnable.games.rotate.pattern_kernels import UNKNOWN
from winnable.games.rotate.patterns import MOST_CELLS, column_masks, database, low_ranks, rank_bases
from winnable.games.rotate.turns import all_turns, turns_of

MOST_PLIES = 64
"""Far more than a search can go through."""
MOST_MASKS = (1 << 31) - 2
"""Of one size: ranks are kept as int32."""
MOST_SLOTS = 1 << 20
"""Masks of one size whose sets of turns are kept."""
NARROW = np.arange(MOST_PLIES + 1) * 5 // 2 + 1
"""By turns left, what the colours of most boards on shortest lines need together, or less."""
WIDE = np.full(MOST_PLIES + 1, np.iinfo(np.int64).max)


class Deepening:
    """Lines of a given number of turns from one board of at most turns.MOST_CELLS cells.

    memory: bytes that databases may take; a colour whose database would take more is only asked whether it
    is one cluster. allows: asked every few milliseconds while they are built; those not ready are left out.
    """

    def __init__(
        self, cells: Cells, columns: int, memory: int, allows: Callable[[], bool] = lambda: True
    ) -> None:
        self._turns = turns = turns_of(len(cells) // columns, columns)
        colours = sorted(set(cells), key=lambda colour: (cells.count(colour), colour))
        counts = [cells.count(colour) for colour in colours]
        databases = _databases(turns.rows, columns, counts, memory, allows)
        sizes = list(databases)
        self._sizes = np.array(
            [sizes.index(count) if count in databases else kernels.WITHOUT for count in counts], np.int64
        )
        lengths = [len(distances) for distances in databases.values()]
        self._distances = np.concatenate([*databases.values(), np.empty(0, np.uint8)])
        self._starts = np.cumsum([0, *lengths])
        slots = [min(1 << (length - 1).bit_length(), MOST_SLOTS) for length in lengths]
        self._slots = np.array(
            [(sum(slots[:index]), count - 1) for index, count in enumerate(slots)], np.int64
        ).reshape(-1, 2)
        words = turns.words
        self._tags = np.zeros(sum(slots), np.int32)
        self._nearer = np.zeros((sum(slots), words), np.uint64)
        self._no_farther = np.zeros((sum(slots), words), np.uint64)
        if databases:
            self._low_bits, self._lows = low_ranks(turns.cells)
            self._bases = np.stack([rank_bases(turns.cells, size) for size in sizes])
        else:
            self._low_bits, self._lows, self._bases = 0, np.zeros(1, np.int32), np.zeros((1, 1), np.int32)
        plies, count = MOST_PLIES + 1, len(colours)
        self._at = np.zeros(4, np.int64)
        self._line = np.zeros(plies, np.int64)
        self._masks = np.zeros((plies, count), np.uint64)
        self._ranks = np.zeros((plies, count), np.int64)
        self._needs = np.zeros((plies, count), np.int64)
        self._sets = np.zeros((plies, count, words), np.uint64)
        self._allowed = np.zeros((plies, words), np.uint64)
        self._rest = np.zeros((plies, words), np.uint64)
        self._block_at = np.zeros(plies, np.int64)
        self._touched = np.zeros((plies, count + 1), np.int64)
        self._borders = column_masks(turns)
        self._most_needs = WIDE
        for index, colour in enumerate(colours):
            self._masks[0, index] = sum(1 << cell for cell, other in enumerate(cells) if other == colour)
            self._note_needs(index)

    @property
    def needed(self) -> int | None:
        """What the colour that needs most turns for itself needs; None when one never becomes one cluster."""
        most = int(self._needs[0].max())
        return None if most == UNKNOWN else most

    @property
    def visited(self) -> int:
        """Boards that were looked at."""
        return int(self._at[kernels.VISITED])

    @property
    def expanded(self) -> int:
        """Boards that were gone on from."""
        return int(self._at[kernels.EXPANDED])

    def start(self, limit: int, slack: int | None = None) -> None:
        """Lines of `limit` turns from now on: at least `needed`, at most MOST_PLIES. slack: only those whose
        colours together never need more than so much over NARROW; most often that is enough to find one, and
        soon. Without it the search is exhaustive."""
        self._at[kernels.PLY], self._at[kernels.LIMIT] = 0, limit
        self._allowed[0] = all_turns(self._turns)
        self._block_at[0] = -1
        self._most_needs = WIDE if slack is None else NARROW + slack

    def search(self, visits: int) -> int:
        """Looks at so many boards more: OPEN, FOUND or EXHAUSTED, of deepening_kernels."""
        turns = self._turns
        return kernels.deepen(
            self._at, self._line, self._masks, self._ranks, self._needs, self._sets, self._allowed,
            self._rest, self._block_at, self._touched, turns.after, self._most_needs, *self._borders, visits,
            self._sizes, self._starts, self._distances, self._slots, self._tags, self._nearer,
            self._no_farther, turns.columns, self._low_bits, self._lows, self._bases, turns.blocks,
            turns.places, turns.tables,
        )  # fmt: skip

    def line(self) -> tuple[Action, ...]:
        """The one that was found."""
        turns = self._line[: self._at[kernels.LIMIT]]
        return tuple(map(int, self._turns.actions[turns]))

    def _note_needs(self, colour: int) -> None:
        mask, size, place = self._masks[0, colour], int(self._sizes[colour]), 0
        if size != kernels.WITHOUT:
            place = mask_kernels.rank(mask, self._low_bits, self._lows, self._bases, size)
        self._ranks[0, colour] = place
        self._needs[0, colour] = kernels.turns_needed(
            mask, place, size, self._starts, self._distances, self._turns.columns, *self._borders
        )


def _databases(
    rows: int, columns: int, counts: Sequence[int], memory: int, allows: Callable[[], bool]
) -> dict[int, NDArray[np.uint8]]:
    """Number of cells -> its database, the small ones first."""
    found: dict[int, NDArray[np.uint8]] = {}
    if rows * columns > MOST_CELLS:
        return found
    for count in sorted(set(counts), key=lambda count: comb(rows * columns, count)):
        masks = comb(rows * columns, count)
        memory -= masks
        if memory < 0 or masks > MOST_MASKS:
            break
        distances = database(rows, columns, count, allows)
        if distances is None:
            break
        found[count] = distances
    return found
