"""Dice for kernels: one uint64 that a draw moves on."""

from __future__ import annotations

from typing import Any, Final

from winnable.compiled.jit import kernel
from winnable.inert.arrays import U64, U, np

FACTOR: Final = 4294883355
"""Of MWC64X."""


def new_dice(seed: int) -> U64:
    """uint64 [1], for `draw`."""
    low, high = (int(word) for word in np.random.SeedSequence(seed).generate_state(2, np.uint32))
    return np.array([high % (FACTOR - 1) << 32 | low | 1], np.uint64)


@kernel
def draw(dice: U64, sides: int) -> int:
    """0 to sides - 1. dice is advanced by multiplying with carry (MWC64X, D. B. Thomas, after G. Marsaglia
    and A. Zaman, Ann. Appl. Probab. 1, 1991): its products never overflow, of which plain Python would warn.
    """
    x, carry = dice[0] & U(0xFFFFFFFF), dice[0] >> U(32)
    dice[0] = x * U(FACTOR) + carry
    drawn: Any = np.int64(((x ^ carry) * U(sides)) >> U(32))
    return drawn
