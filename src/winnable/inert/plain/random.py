"""Numbers by chance, but for normal ones bit for bit those of numpy's `random`: PCG64 (M. E. O'Neill, PCG: A
family of simple fast space-efficient statistically good algorithms, 2014), seeded by a hash of the same
author's (`seed_seq`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from statistics import NormalDist
from typing import Any

from winnable.inert.plain.arrays import array, made, ndarray, ufunc
from winnable.inert.plain.functions import cumsum, searchsorted
from winnable.inert.plain.scalars import UINT64, dtype, float64, int64, uint32

_WORD32, _WORD64, _WORD128 = 2**32 - 1, 2**64 - 1, 2**128 - 1
_POOL = 4
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_dtype = dtype


class SeedSequence:
    """Seeds that differ in all bits from whole numbers that need not."""

    def __init__(self, entropy: int, *, spawn_key: Sequence[int] = (), n_children_spawned: int = 0) -> None:
        """entropy: at least 0"""
        self.entropy, self.spawn_key, self.n_children_spawned = entropy, tuple(spawn_key), n_children_spawned
        words = _words(entropy)
        if self.spawn_key:
            words += [0] * (_POOL - len(words))
        words += [word for key in self.spawn_key for word in _words(key)]
        hashed = _hashing(0x43B0D7E5, 0x931E8875)
        pool = [hashed(word) for word in (words + [0] * _POOL)[:_POOL]]
        for source in range(_POOL):
            for place in range(_POOL):
                if place != source:
                    pool[place] = _mixed(pool[place], hashed(pool[source]))
        for word in words[_POOL:]:
            pool = [_mixed(one, hashed(word)) for one in pool]
        self.pool = pool

    def generate_state(self, n_words: int, dtype: Any = uint32) -> ndarray:
        """n_words: of 32 bits, or of 64 where this is the type"""
        found = _dtype(dtype)
        hashed, size = _hashing(0x8B51F9DD, 0x58F38DED), found.itemsize // 4
        words = [hashed(self.pool[i % _POOL]) for i in range(n_words * size)]
        return made(
            (n_words,),
            found,
            (words[i] | (words[i + size - 1] << 32) * (size - 1) for i in range(0, len(words), size)),
        )

    def spawn(self, n_children: int) -> list[SeedSequence]:
        """Others, each time others."""
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        keys = range(first, self.n_children_spawned)
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, key)) for key in keys]


def _words(number: int) -> list[int]:
    """Of 32 bits, the lowest first."""
    if number < 0:
        raise ValueError("expected non-negative integer")
    return [number >> place & _WORD32 for place in range(0, max(1, number.bit_length()), 32)]


def _hashing(constant: int, multiplier: int) -> Callable[[int], int]:
    """A hash of words that is another one at each call."""

    def hashed(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * multiplier & _WORD32
        word = word * constant & _WORD32
        return word ^ word >> 16

    return hashed


def _mixed(one: int, other: int) -> int:
    mixed = one * 0xCA01F9DD - other * 0x4973F715 & _WORD32
    return mixed ^ mixed >> 16


class PCG64:
    """A generator of words."""

    def __init__(self, seed: int | SeedSequence = 0) -> None:
        sequence = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        high, low, *more = sequence.generate_state(4, UINT64).values()
        self._increment = (more[0] << 64 | more[1]) << 1 & _WORD128 | 1
        self._state = self._increment
        self._state = self._state + (high << 64 | low) & _WORD128
        self._step()
        self._has_half, self._half = False, 0
        """Whether of the last word only the lower half was drawn, and its upper one."""

    def _step(self) -> None:
        self._state = self._state * _MULTIPLIER + self._increment & _WORD128

    def word(self) -> int:
        """64 bits."""
        self._step()
        mixed, turns = (self._state >> 64 ^ self._state) & _WORD64, self._state >> 122
        return mixed >> turns | mixed << (-turns & 63) & _WORD64

    def half(self) -> int:
        """32 bits."""
        self._has_half = not self._has_half
        if not self._has_half:
            return self._half
        word = self.word()
        self._half = word >> 32
        return word & _WORD32

    def below(self, sides: int) -> int:
        """0 to sides - 1, sides at most 2**64, each equally likely (D. Lemire, Fast random integer generation
        in an interval, 2019)."""
        if sides == 1:
            return 0
        bits, draw = (32, self.half) if sides <= 2**32 else (64, self.word)
        product, rest = draw() * sides, (1 << bits) % sides
        while product & (1 << bits) - 1 < rest:
            product = draw() * sides
        return product >> bits

    def at_most(self, most: int) -> int:
        """0 to most, below 2**32, each equally likely, as shuffling draws them."""
        mask = (1 << most.bit_length()) - 1
        while (drawn := self.half() & mask) > most:
            pass
        return drawn

    @property
    def state(self) -> dict[str, Any]:
        return {
            "bit_generator": "PCG64",
            "state": {"state": self._state, "inc": self._increment},
            "has_uint32": int(self._has_half),
            "uinteger": self._half,
        }

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        self._state, self._increment = value["state"]["state"], value["state"]["inc"]
        self._has_half, self._half = bool(value["has_uint32"]), value["uinteger"]


class Generator:
    """Draws numbers, alone or as arrays."""

    def __init__(self, bit_generator: PCG64) -> None:
        self.bit_generator = bit_generator

    def random(self, size: Any = None) -> Any:
        """At least 0, below 1."""
        return self._drawn(lambda: (self.bit_generator.word() >> 11) * 2.0**-53, size, float64)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = int64, endpoint: bool = False
    ) -> Any:
        """From low on and below high, or up to it; high None: below low. low, high may be arrays."""
        low, high = (0, low) if high is None else (low, high)
        below, found = self.bit_generator.below, _dtype(dtype)
        if isinstance(low, int) and isinstance(high, int):
            sides = high - low + endpoint
            if sides < 1:
                raise ValueError("low >= high")
            return self._drawn(lambda: low + below(sides), size, found)
        assert size is None
        return ufunc(lambda one, other: one + below(other - one + endpoint), lambda types: found)(low, high)

    def shuffle(self, values: Any) -> None:
        """In place, along the first axis."""
        for last in range(len(values) - 1, 0, -1):
            other = self.bit_generator.at_most(last)
            values[last], values[other] = values[other], values[last]

    def permutation(self, values: Any) -> ndarray:
        """A shuffled copy; of a number, of those below it."""
        found = array(range(values) if isinstance(values, int) else values)
        self.shuffle(found)
        return found

    def choice(self, n: int, size: Any, p: Any) -> ndarray:
        """Numbers below n, with these chances."""
        sums = cumsum(p)
        return searchsorted(sums / sums[-1], self.random(size), side="right")

    def standard_normal(self, size: Any = None) -> Any:
        """Of mean 0 and deviation 1, by the inverse of their distribution: these are not numpy's numbers."""
        word, normal = self.bit_generator.word, NormalDist()
        return self._drawn(lambda: normal.inv_cdf(((word() >> 12) + 0.5) * 2.0**-52), size, float64)

    def _drawn(self, draw: Callable[[], Any], size: Any, found: Any) -> Any:
        if size is None:
            return draw()
        shape = (size,) if isinstance(size, int) else size
        return made(shape, found, (draw() for _ in range(prod(shape))))


def default_rng(seed: int | SeedSequence) -> Generator:
    """The generator of this seed."""
    return Generator(PCG64(seed))
