"""The draws of kernels are those of the standard library."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winnable.compiled.mersenne_kernels import first_state, uniform_draws

START = first_state()


@given(st.one_of(st.integers(0, 2**33), st.integers(0, 2**63 - 1)))
def test_draws_are_those_of_the_standard_library(seed: int) -> None:
    draws = np.empty(700)
    uniform_draws(START, seed, draws)
    dice = random.Random(seed)
    assert draws.tolist() == [dice.random() for _ in range(draws.size)]
