"""Pattern databases: for each mask of so many cells, the fewest turns until it is one cluster.

Layer by layer from the connected masks. A layer is one walk over all masks in ascending order, in slices.
"""

from __future__ import annotations

from winnable.compiled.bit_kernels import count_ones
from winnable.compiled.jit import borrowing_kernel, kernel
from winnable.games.rotate.solve.mask_kernels import (
    Ints,
    Ranking,
    Ranks,
    is_connected,
    next_mask,
    rank,
    turn_mask,
)
from winnable.games.rotate.solve.turns import Turns
from winnable.inert.arrays import NDArray, U, np

UNKNOWN = 255
"""Not reached."""


@kernel
def fill_lows(lows: Ranks, seen: Ints) -> None:
    """Fills `Ranking.lows`. seen: int64 [bits + 1], zeros at first"""
    for mask in range(len(lows)):
        ones = count_ones(U(mask))
        lows[mask] = seen[ones]
        seen[ones] += 1


@kernel
def fill_bases(bases: Ranks, ways: Ints) -> None:
    """Fills a row of `Ranking.bases`. ways: int64 [bits + 1], how many masks go on from a pattern of so many
    ones"""
    smaller = 0
    for high in range(len(bases)):
        bases[high] = smaller
        smaller += ways[count_ones(U(high))]


@borrowing_kernel
def mark_connected(
    turns: Turns, distances: NDArray[np.uint8], first: int, mask: np.uint64, masks: int
) -> tuple[np.uint64, int]:
    """Sets 0 for the connected ones of so many masks from `mask` on, which has the rank `first`. Returns the
    mask after them, and how many were connected."""
    found = 0
    for place in range(first, first + masks):
        if is_connected(turns, mask):
            distances[place] = 0
            found += 1
        if place + 1 < len(distances):
            mask = next_mask(mask)
    return mask, found


@borrowing_kernel
def add_layer(
    turns: Turns,
    ranking: Ranking,
    distances: NDArray[np.uint8],
    first: int,
    mask: np.uint64,
    masks: int,
    depth: int,
    backward: bool,
) -> tuple[np.uint64, int]:
    """Sets `depth + 1` for masks one turn from those of `depth`, walking as `mark_connected`. Either each
    mask of that depth looks at all others next to it, or (`backward`) each unknown one stops at the first of
    that depth next to it: cheaper once the layer is large."""
    wanted, found = (UNKNOWN if backward else depth), 0
    for place in range(first, first + masks):
        if distances[place] == wanted:
            for turn in range(len(turns.places)):
                block = turns.blocks[turn // 3]
                within = mask & block
                if within == U(0) or within == block:
                    continue
                other = rank(ranking, turn_mask(turns, mask, block, turn), 0)
                if backward:
                    if distances[other] == depth:
                        distances[place] = depth + 1
                        found += 1
                        break
                elif distances[other] == UNKNOWN:
                    distances[other] = depth + 1
                    found += 1
        if place + 1 < len(distances):
            mask = next_mask(mask)
    return mask, found
