"""Numbers by chance are numpy's, bit for bit."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.inert import plain
from winnable.optimize.state import rng_to_json

seeds = st.integers(0, 2**200)
DRAWS = 10_000


@given(seeds, st.lists(st.integers(0, 2**40), max_size=3))
def test_seeds_are_hashed_and_spawned(seed: int, key: list[int]) -> None:
    ours, theirs = plain.random.SeedSequence(seed, spawn_key=key), np.random.SeedSequence(seed, spawn_key=key)
    for _ in range(2):
        assert ours.generate_state(5).tolist() == theirs.generate_state(5).tolist()
        words = ours.generate_state(3, plain.uint64), theirs.generate_state(3, np.uint64)
        assert words[0].tolist() == words[1].tolist()
        (_, ours), (_, theirs) = ours.spawn(2), theirs.spawn(2)


@pytest.mark.parametrize("seed", [0, 5, 2**90])
def test_ten_thousand_draws(seed: int) -> None:
    ours, theirs = plain.random.default_rng(seed), np.random.default_rng(seed)
    assert ours.random(DRAWS).tolist() == theirs.random(DRAWS).tolist()
    for low, high in ((0, 7), (-5, 3 * 2**30), (0, 2**32), (1, 2**63), (-(2**63), 2**62 + 5)):
        assert ours.integers(low, high, DRAWS).tolist() == theirs.integers(low, high, DRAWS).tolist()
    assert ours.permutation(DRAWS).tolist() == theirs.permutation(DRAWS).tolist()


@given(seeds, st.lists(st.integers(1, 2**40), min_size=1, max_size=9), st.integers(0, 2**64 - 2))
def test_draws_of_all_kinds_in_turn(seed: int, bounds: list[int], low: int) -> None:
    def drawn(library: Any) -> list[Any]:
        rng: Any = library.random.default_rng(seed)
        shares = library.array(bounds) / sum(bounds)
        return [
            rng.random(),
            rng.integers(3),
            rng.random((2, 3)).tolist(),
            rng.integers(bounds[0], size=(2, 2), endpoint=True).tolist(),
            rng.integers(library.array(bounds)).tolist(),
            rng.integers(low, 2**64, 5, library.uint64).tolist(),
            rng.permutation(library.array(bounds)).tolist(),
            rng.choice(len(bounds), size=4, p=shares).tolist(),
            rng_to_json(rng),
        ]

    assert drawn(plain) == drawn(np)


def test_normal_numbers_are_normal() -> None:
    drawn = sorted(plain.random.default_rng(1).standard_normal(DRAWS).tolist())
    assert max(abs(NormalDist().cdf(one) - place / DRAWS) for place, one in enumerate(drawn)) < 0.02
