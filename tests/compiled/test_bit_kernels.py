"""Bits are picked the same with one instruction and without."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from winnable.compiled import bit_kernels
from winnable.compiled.dice_kernels import U

WORDS = st.integers(0, 2**64 - 1)
GATHERS = (bit_kernels.gather_bits, bit_kernels.gather_by_runs)
PICKS = (bit_kernels.nth_one, bit_kernels.nth_one_by_steps)


def ones(x: int) -> list[int]:
    return [place for place in range(64) if x >> place & 1]


@pytest.mark.parametrize("gather", GATHERS)
@given(x=WORDS, mask=st.integers(0, 2**64 - 2))
@example(x=2**64 - 1, mask=2**64 - 2)
@example(x=2**63, mask=2**63)
def test_gathering(gather: Callable[[np.uint64, np.uint64], np.uint64], x: int, mask: int) -> None:
    assert gather(U(x), U(mask)) == sum((x >> place & 1) << n for n, place in enumerate(ones(mask)))


@pytest.mark.parametrize("pick", PICKS)
@given(x=WORDS.filter(bool), n=st.integers(0, 63))
def test_the_nth_one(pick: Callable[[np.uint64, int], np.uint64], x: int, n: int) -> None:
    places = ones(x)
    assert pick(U(x), n % len(places)) == 1 << places[n % len(places)]
