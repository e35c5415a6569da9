"""`chance.SeededDice` and `chance.following_seed` in kernels: Philox 4 × 64 with ten rounds, its source named
there, as numpy counts.

64-bit products and sums that overflow are made in a place of their own, as plain Python would warn of them.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from winnable.compiled.compiler import ir, types
from winnable.compiled.jit import ENABLED, intrinsic, kernel
from winnable.inert.arrays import U, np
from winnable.inert.late import late

Raw: TypeAlias = "tuple[np.uint64, np.uint64, np.uint64, np.uint64]"
MASK: Final = 2**64 - 1
ROUNDS: Final = 10
FIRST: Any = late(lambda: U(0xD2E7470EE14C6C93))
SECOND: Any = late(lambda: U(0xCA5A826395121157))
FIRST_KEYS: Any = late(lambda: tuple(U(0x9E3779B97F4A7C15 * step & MASK) for step in range(ROUNDS)))
"""What is added to the seed in each round."""
SECOND_KEYS: Any = late(lambda: tuple(U(0xBB67AE8584CAA73B * step & MASK) for step in range(ROUNDS)))

if ENABLED:

    def _declare_high_product(typing_context: Any, x: Any, y: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            wide: Any = ir.IntType(128)
            one, other = (builder.zext(argument, wide) for argument in arguments)
            shifted = builder.lshr(builder.mul(one, other), ir.Constant(wide, 64))
            return builder.trunc(shifted, ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), generate

    _high_product: Any = intrinsic(_declare_high_product)

    @kernel
    def high_product(x: np.uint64, y: np.uint64) -> np.uint64:
        """The upper half of a product of two uint64."""
        return _high_product(x, y)

    @kernel
    def low_product(x: np.uint64, y: np.uint64) -> np.uint64:
        """The lower half of a product of two uint64."""
        return x * y

    @kernel
    def low_sum(x: np.uint64, y: np.uint64) -> np.uint64:
        """The sum of two uint64 modulo 2^64."""
        return x + y
else:

    def high_product(x: np.uint64, y: np.uint64) -> np.uint64:
        """The upper half of a product of two uint64."""
        return U(int(x) * int(y) >> 64)

    def low_product(x: np.uint64, y: np.uint64) -> np.uint64:
        """The lower half of a product of two uint64."""
        return U(int(x) * int(y) & MASK)

    def low_sum(x: np.uint64, y: np.uint64) -> np.uint64:
        """The sum of two uint64 modulo 2^64."""
        return U(int(x) + int(y) & MASK)


@kernel
def seeded_rolls(seed: int, turn: int) -> Raw:
    """The first four rolls of the dice of this turn, for `below`."""
    key, a, b, c, d = U(seed), U(1), U(turn), U(0), U(0)
    for step in range(ROUNDS):
        high, low = high_product(FIRST, a), low_product(FIRST, a)
        high_other, low_other = high_product(SECOND, c), low_product(SECOND, c)
        a, b = high_other ^ b ^ low_sum(key, FIRST_KEYS[step]), low_other
        c, d = high ^ d ^ SECOND_KEYS[step], low
    return a, b, c, d


@kernel
def below(roll: np.uint64, sides: int) -> int:
    """0 to sides - 1."""
    drawn: Any = np.int64(high_product(roll, U(sides)))
    return drawn


@kernel
def following_seed(seed: int) -> int:
    """The seed of the game that follows, see `chance.following_seed`."""
    product = low_product(U(seed), U(6364136223846793005))
    following: Any = np.int64(low_sum(product, U(1442695040888963407)) & U(2**53 - 1))
    return following
