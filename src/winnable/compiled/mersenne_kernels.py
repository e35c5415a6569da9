"""The values of Python's `random.Random(seed).random()` in kernels: the Mersenne Twister MT19937 (M.
Matsumoto and T. Nishimura, ACM Trans. Model. Comput. Simul. 8, 1998), seeded by an array as in their program
of 2002.

Words of 32 bits are kept as uint64, so that no product overflows, of which plain Python would warn.
"""

from __future__ import annotations

from typing import Final

from winnable.compiled.jit import kernel
from winnable.inert.arrays import F64, U64, U, np

WORDS: Final = 624
MIDDLE: Final = 397


@kernel
def first_state() -> U64:
    """uint64[WORDS], for `uniform_draws`: the state from which every seed starts."""
    start = np.zeros(WORDS, np.uint64)
    start[0] = U(19650218)
    for i in range(1, WORDS):
        start[i] = (U(1812433253) * (start[i - 1] ^ start[i - 1] >> U(30)) + U(i)) & U(0xFFFFFFFF)
    return start


@kernel
def uniform_draws(start: U64, seed: int, draws: F64) -> None:
    """Fills `draws` with the first values of `random.Random(seed).random()`; 0 <= seed < 2**63."""
    mt = start.copy()
    seed_state(mt, U(seed))
    used = WORDS
    for place in range(draws.size):
        if used == WORDS:
            twist(mt)
            used = 0
        high, low = tempered(mt[used]) >> U(5), tempered(mt[used + 1]) >> U(6)
        used += 2
        draws[place] = (np.int64(high) * 67108864.0 + np.int64(low)) * (1.0 / 9007199254740992.0)


@kernel
def seed_state(mt: U64, seed: np.uint64) -> None:
    """Seeds the first state."""
    low, high = seed & U(0xFFFFFFFF), seed >> U(32)
    last, key = mt[0], 0
    for step in range(1, WORDS + 1):
        i = step if step < WORDS else 1
        word = low if key == 0 else high
        last = ((mt[i] ^ (last ^ last >> U(30)) * U(1664525)) + word + U(key)) & U(0xFFFFFFFF)
        mt[i] = last
        key = 1 - key if high != U(0) else 0
    for step in range(2, WORDS + 1):
        i = step if step < WORDS else 1
        last = ((mt[i] ^ (last ^ last >> U(30)) * U(1566083941)) + U(0x100000000 - i)) & U(0xFFFFFFFF)
        mt[i] = last
    mt[0] = U(0x80000000)


@kernel
def twist(mt: U64) -> None:
    """The next WORDS words."""
    for i in range(WORDS - MIDDLE):
        mt[i] = twisted(mt[i], mt[i + 1], mt[i + MIDDLE])
    for i in range(WORDS - MIDDLE, WORDS - 1):
        mt[i] = twisted(mt[i], mt[i + 1], mt[i + MIDDLE - WORDS])
    mt[WORDS - 1] = twisted(mt[WORDS - 1], mt[0], mt[MIDDLE - 1])


@kernel
def twisted(word: np.uint64, after: np.uint64, far: np.uint64) -> np.uint64:
    """The word that comes in the place of `word`, by the one after it and one far off."""
    y = (word & U(0x80000000)) | (after & U(0x7FFFFFFF))
    return far ^ y >> U(1) ^ (y & U(1)) * U(0x9908B0DF)


@kernel
def tempered(y: np.uint64) -> np.uint64:
    """The output that a word of the state is turned into."""
    y ^= y >> U(11)
    y ^= y << U(7) & U(0x9D2C5680)
    y ^= y << U(15) & U(0xEFC60000)
    return y ^ y >> U(18)
