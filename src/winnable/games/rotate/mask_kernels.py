"""Masks, sets of cells as the bits of a uint64: turning, ranking, hanging together. See turns.py."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.bit_kernels import trailing_zeros
from winnable.jit import kernel

Masks: TypeAlias = NDArray[np.uint64]
Ints: TypeAlias = NDArray[np.int64]
Ranks: TypeAlias = NDArray[np.int32]

U = np.uint64
ONE = U(1)


@kernel
def turn_mask(
    mask: np.uint64, block: np.uint64, corner: int, side: int, start: int, columns: int, tables: Masks
) -> np.uint64:
    """The mask after a turn of that block."""
    within, turned = (ONE << U(side)) - ONE, U(0)
    bits = mask >> U(corner)
    for _ in range(side):
        turned |= tables[start + np.int64(bits & within)]
        bits >>= U(columns)
        start += 1 << side
    return (mask & ~block) | (turned << U(corner))


@kernel
def rank(mask: np.uint64, low_bits: int, lows: Ranks, bases: Ranks, size: int) -> int:
    """The place of the mask among all masks of as many cells, in ascending order.

    lows: int32, for each pattern of the low bits its place among those of as many ones. bases: int32
    [sizes, patterns of the other bits], how many masks of that size have smaller ones.
    """
    return bases[size, np.int64(mask >> U(low_bits))] + lows[np.int64(mask & ((ONE << U(low_bits)) - ONE))]


@kernel
def next_mask(mask: np.uint64) -> np.uint64:
    """The next larger one of as many ones (Gosper, HAKMEM 175)."""
    lowest = mask & (~mask + ONE)
    ripple = mask + lowest
    return ripple | ((mask ^ ripple) >> U(2 + trailing_zeros(mask)))


@kernel
def is_connected(mask: np.uint64, columns: int, not_first: np.uint64, not_last: np.uint64) -> bool:
    """Whether its cells are one cluster. not_first, not_last: all cells but those of that column."""
    reached, before = mask & (~mask + ONE), U(0)
    while reached != before:
        before = reached
        beside = ((reached << ONE) & not_first) | ((reached >> ONE) & not_last)
        reached |= (beside | (reached << U(columns)) | (reached >> U(columns))) & mask
    return reached == mask
