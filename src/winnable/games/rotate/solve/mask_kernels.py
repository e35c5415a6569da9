"""Masks, sets of cells as the bits of a uint64: turning, ranking, hanging together."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from winnable.compiled.bit_kernels import trailing_zeros
from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.rotate.solve.turns import Turns
from winnable.inert.arrays import I32, I64, U64, U, np
from winnable.inert.late import late

Masks: TypeAlias = U64
Ints: TypeAlias = I64
Ranks: TypeAlias = I32

ONE = late(lambda: U(1))


class Ranking(NamedTuple):
    """What the place of a mask among all masks of as many cells follows from.

    lows:  for each pattern of the low bits its place among those of as many ones
    bases: int32 [sizes, patterns of the other bits], how many masks of that size have smaller ones
    """

    low_bits: int
    lows: Ranks
    bases: Ranks


@inlined_kernel
def turn_mask(turns: Turns, mask: np.uint64, block: np.uint64, turn: int) -> np.uint64:
    """The mask after that turn, which is one of `block`."""
    corner, side, start = turns.places[turn, 0], turns.places[turn, 1], int(turns.places[turn, 2])
    within, turned = (ONE << U(side)) - ONE, U(0)
    bits = mask >> U(corner)
    for _ in range(side):
        turned |= turns.tables[start + np.int64(bits & within)]
        bits >>= U(turns.columns)
        start += 1 << side
    return (mask & ~block) | (turned << U(corner))


@borrowing_kernel
def rank(ranking: Ranking, mask: np.uint64, size: int) -> int:
    """The place of the mask, in ascending order; size: the number of its size in `bases`."""
    low = np.int64(mask & ((ONE << U(ranking.low_bits)) - ONE))
    return ranking.bases[size, np.int64(mask >> U(ranking.low_bits))] + ranking.lows[low]


@borrowing_kernel
def next_mask(mask: np.uint64) -> np.uint64:
    """The next larger one of as many ones (Gosper, HAKMEM 175)."""
    lowest = mask & (~mask + ONE)
    ripple = mask + lowest
    return ripple | ((mask ^ ripple) >> U(2 + trailing_zeros(mask)))


@borrowing_kernel
def is_connected(turns: Turns, mask: np.uint64) -> bool:
    """Whether the mask's cells are one cluster."""
    reached, before = mask & (~mask + ONE), U(0)
    while reached != before:
        before = reached
        beside = ((reached << ONE) & turns.not_first) | ((reached >> ONE) & turns.not_last)
        reached |= (beside | (reached << U(turns.columns)) | (reached >> U(turns.columns))) & mask
    return reached == mask
