"""Pattern databases by number of cells, built when first needed and kept while rotate is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb
from threading import Lock

from winnable.contract.core import Budget, Search
from winnable.games.rotate.solve.mask_kernels import Ranking
from winnable.games.rotate.solve.pattern_kernels import (
    UNKNOWN,
    add_layer,
    fill_bases,
    fill_lows,
    mark_connected,
)
from winnable.games.rotate.solve.turns import Turns, turns_of
from winnable.inert.arrays import NDArray, np
from winnable.search.memory import gives_back

MOST_CELLS = 40
"""Of a board, for ranking: its tables have an entry for each pattern of half the cells."""
SLICE = 1 << 16
"""Masks between two looks at the budget."""
KEPT_BYTES = 256 * 2**20
"""Of databases that stay in memory."""

_kept: dict[tuple[int, int, int], NDArray[np.uint8]] = {}
_lock = Lock()
gives_back(_kept.clear, "rotate")


@cache
def low_ranks(cells: int) -> tuple[int, NDArray[np.int32]]:
    """The number of low bits on a board of so many cells, and their ranks (see mask_kernels.rank)."""
    low_bits = (cells + 1) // 2
    ranks = np.empty(1 << low_bits, np.int32)
    fill_lows(ranks, np.zeros(low_bits + 1, np.int64))
    return low_bits, ranks


@cache
def rank_bases(cells: int, size: int) -> NDArray[np.int32]:
    """The bases, int32 [patterns of the high bits], of masks of `size` cells."""
    low_bits, _ = low_ranks(cells)
    high_bits = cells - low_bits
    ways = [comb(low_bits, size - ones) if size >= ones else 0 for ones in range(high_bits + 1)]
    bases = np.empty(1 << high_bits, np.int32)
    fill_bases(bases, np.array(ways, np.int64))
    return bases


def ranking_of(cells: int, sizes: Sequence[int]) -> Ranking:
    """The ranking of masks of these sizes, at least one, on a board of so many cells."""
    return Ranking(*low_ranks(cells), np.stack([rank_bases(cells, size) for size in sizes]))


gives_back(low_ranks.cache_clear, "rotate")
gives_back(rank_bases.cache_clear, "rotate")  # 36 MiB for a board of 36 cells


def always() -> Search[bool]:
    """Allows a database that nothing ends before it is built."""
    return Budget().allows("databases", 0, 0)


def database(
    rows: int, columns: int, size: int, allows: Callable[[], Search[bool]] = always
) -> Search[NDArray[np.uint8] | None]:
    """A pattern database, uint8 [masks of `size` cells, by rank]: the fewest turns until such a mask is one
    cluster, UNKNOWN where none do. None when `allows`, which is asked every few milliseconds, says no before
    it is built."""
    key = (rows, columns, size)
    with _lock:
        if key in _kept:
            return _kept[key]
    built = yield from _build(turns_of(rows, columns), size, allows)
    if built is not None:
        with _lock:
            if sum(kept.nbytes for kept in _kept.values()) + built.nbytes <= KEPT_BYTES:
                _kept[key] = built
    return built


def _build(turns: Turns, size: int, allows: Callable[[], Search[bool]]) -> Search[NDArray[np.uint8] | None]:
    ranking = ranking_of(turns.cells, [size])
    distances = np.empty(comb(turns.cells, size), np.uint8)

    def walk(step: Callable[[int, np.uint64, int], tuple[np.uint64, int]]) -> Search[int | None]:
        mask, found = np.uint64((1 << size) - 1), 0
        for first in range(0, len(distances), SLICE):
            if not (yield from allows()):
                return None
            mask, more = step(first, mask, min(SLICE, len(distances) - first))
            mask = np.uint64(mask)
            found += more
        return found

    def first_step(first: int, mask: np.uint64, masks: int) -> tuple[np.uint64, int]:
        distances[first : first + masks] = UNKNOWN
        return mark_connected(turns, distances, first, mask, masks)

    def layer_step(first: int, mask: np.uint64, masks: int) -> tuple[np.uint64, int]:
        return add_layer(turns, ranking, distances, first, mask, masks, depth, backward)

    layer = yield from walk(first_step)
    unknown, depth = len(distances), 0
    while layer:
        unknown -= layer
        looks = min(len(turns.places), len(distances) / layer)
        backward = unknown * looks < layer * len(turns.places)
        layer = yield from walk(layer_step)
        depth += 1
    return distances if layer == 0 else None
