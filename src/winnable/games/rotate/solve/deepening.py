"""Iterative deepening from one board, rules `clusters`: room and databases for deepening_kernels.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb

from winnable.contract.core import Action, Search
from winnable.games.rotate.rules.blocks import Cells
from winnable.games.rotate.solve import deepening_kernels as kernels
from winnable.games.rotate.solve import mask_kernels
from winnable.games.rotate.solve.pattern_kernels import UNKNOWN
from winnable.games.rotate.solve.patterns import MOST_CELLS, always, database, ranking_of
from winnable.games.rotate.solve.turns import all_turns, turns_of
from winnable.inert.arrays import NDArray, np
from winnable.search.slices import SliceEnd

MOST_PLIES = 64
"""Far more than a search can go through."""
MOST_MASKS = (1 << 31) - 2
"""Of one size: ranks are kept as int32."""
MOST_SLOTS = 1 << 20
"""Masks of one size whose sets of turns are kept."""
NARROW = [plies * 5 // 2 + 1 for plies in range(MOST_PLIES + 1)]
"""By turns left, what the colours of most boards on shortest lines need together, or less."""
COPIED = 1 << 23
"""Bytes of databases that are copied between two looks at the budget."""
WIDE = [(1 << 63) - 1] * (MOST_PLIES + 1)
SLICE_ENDS: tuple[SliceEnd, ...] = ("paused", "solved", "exhausted")
"""By what a slice returns: OPEN, FOUND, EXHAUSTED of deepening_kernels.py."""


def deepening(
    cells: Cells, columns: int, memory: int, allows: Callable[[], Search[bool]] = always
) -> Search[Deepening]:
    """A `Deepening` with its databases.

    memory: bytes that these may take; a colour whose database would take more is only asked whether it is one
    cluster. allows: asked every few milliseconds while they are built; those not ready are left out.
    """
    counts = [cells.count(colour) for colour in set(cells)]
    databases = yield from _databases(len(cells) // columns, columns, counts, memory, allows)
    distances = np.empty(sum(map(len, databases.values())), np.uint8)
    end = 0
    for one in databases.values():
        for first in range(0, len(one), COPIED):
            part = one[first : first + COPIED]
            distances[end : end + len(part)] = part
            end += len(part)
            yield from allows()
    lengths = {count: len(one) for count, one in databases.items()}
    return Deepening(cells, columns, lengths, distances)


class Deepening:
    """Lines of a given number of turns from one board of at most turns.MOST_CELLS cells.

    counts:    int64 [2]: boards that were gone on from, and that were looked at
    databases: how long they are, by number of cells
    distances: all of them, one after the other
    """

    def __init__(
        self, cells: Cells, columns: int, databases: Mapping[int, int], distances: NDArray[np.uint8]
    ) -> None:
        self._turns = turns = turns_of(len(cells) // columns, columns)
        self._colours = colours = sorted(set(cells), key=lambda colour: (cells.count(colour), colour))
        counts = [cells.count(colour) for colour in colours]
        lengths, sizes = list(databases.values()), list(databases)
        slots = [min(1 << (length - 1).bit_length(), MOST_SLOTS) for length in lengths]
        none = mask_kernels.Ranking(0, np.zeros(1, np.int32), np.zeros((1, 1), np.int32))
        self._tables = kernels.PatternTables(
            ranking_of(turns.cells, sizes) if databases else none,
            sizes=np.array(
                [sizes.index(count) if count in databases else kernels.WITHOUT for count in counts], np.int64
            ),
            starts=np.cumsum([0, *lengths]),
            distances=distances,
            slots=np.array(
                [(sum(slots[:index]), count - 1) for index, count in enumerate(slots)], np.int64
            ).reshape(-1, 2),
            tags=np.zeros(sum(slots), np.int32),
            nearer=np.zeros((sum(slots), turns.words), np.uint64),
            no_farther=np.zeros((sum(slots), turns.words), np.uint64),
        )
        plies, count = MOST_PLIES + 1, len(colours)
        self._ply = self._limit = 0
        self.counts = np.zeros(2, np.int64)
        self._plies = kernels.Plies(
            turn=np.zeros(plies, np.int64),
            masks=np.zeros((plies, count), np.uint64),
            ranks=np.zeros((plies, count), np.int64),
            needs=np.zeros((plies, count), np.int64),
            sets=np.zeros((plies, count, turns.words), np.uint64),
            allowed=np.zeros((plies, turns.words), np.uint64),
            block_at=np.zeros(plies, np.int64),
            rest=np.zeros((plies, turns.words), np.uint64),
            touched=np.zeros((plies, count + 1), np.int64),
        )
        self._most_needs = np.array(WIDE)
        self.begin(cells)

    def begin(self, cells: Cells) -> None:
        """Begin anew from this board, which has as many cells of each colour."""
        for index, colour in enumerate(self._colours):
            mask = sum(1 << cell for cell, other in enumerate(cells) if other == colour)
            self._note(index, np.uint64(mask))

    @property
    def needed(self) -> int | None:
        """The turns that the colour needs which needs the most for itself; None when one never becomes one
        cluster."""
        most = int(self._plies.needs[0].max())
        return None if most == UNKNOWN else most

    @property
    def visited(self) -> int:
        """Boards that were looked at."""
        return int(self.counts[1])

    def start(self, limit: int, slack: int | None = None) -> None:
        """Search lines of `limit` turns from now on: at least `needed`, at most MOST_PLIES. slack: only those
        whose colours together never need more than so much over NARROW; most often that is enough to find
        one, and soon. Without it the search is exhaustive."""
        self._ply, self._limit = 0, limit
        self._plies.allowed[0] = all_turns(self._turns)
        self._plies.block_at[0] = -1
        self._most_needs = np.array(WIDE if slack is None else NARROW) + (slack or 0)

    def search(self, visits: int) -> SliceEnd:
        """Looks at so many boards more."""
        status, self._ply, visited, expanded = kernels.deepen(
            self._turns, self._tables, self._plies, self._ply, self._limit, self._most_needs, visits
        )
        self.counts += expanded, visited
        return SLICE_ENDS[status]

    def line(self) -> tuple[Action, ...]:
        """The one that was found."""
        turns = self._plies.turn[: self._limit]
        return tuple(map(int, self._turns.actions[turns]))

    def _note(self, colour: int, mask: np.uint64) -> None:
        """Where the cells of the colour are at the start."""
        tables, size = self._tables, int(self._tables.sizes[colour])
        place = 0 if size == kernels.WITHOUT else mask_kernels.rank(tables.ranking, mask, size)
        self._plies.masks[0, colour], self._plies.ranks[0, colour] = mask, place
        self._plies.needs[0, colour] = kernels.turns_needed(self._turns, tables, mask, place, size)


def _databases(
    rows: int, columns: int, counts: Sequence[int], memory: int, allows: Callable[[], Search[bool]]
) -> Search[dict[int, NDArray[np.uint8]]]:
    """Number of cells -> its database, the small ones first."""
    found: dict[int, NDArray[np.uint8]] = {}
    if rows * columns > MOST_CELLS:
        return found
    for count in sorted(set(counts), key=lambda count: comb(rows * columns, count)):
        masks = comb(rows * columns, count)
        memory -= masks
        if memory < 0 or masks > MOST_MASKS:
            break
        distances = yield from database(rows, columns, count, allows)
        if distances is None:
            break
        found[count] = distances
    return found
