"""Splitting on the game of known hazard: unbiased, honest about its error, bounded."""

from __future__ import annotations

import numpy as np
import pytest

from bench.tuning.pile_walk import PileWalk
from tests.tuning.one_by_one import OneByOne
from tests.tuning.test_survival import SlowWalk
from winnable.contract.core import finish
from winnable.tuning.splitting import Splitting, SplittingPlan, common_level, split


def plan(top: int, **changes: int) -> SplittingPlan:
    arguments = {"base_steps": 2000, "most_steps": 10**9, "copies": 200, "runs": 8, "warmup": 300} | changes
    return SplittingPlan(levels=tuple(range(4, top)), **arguments)


def split_walk(top: int, seed: int, **changes: int) -> Splitting:
    return split(PileWalk(top), plan(top, **changes), np.random.default_rng(seed))


def test_a_thousand_runs_are_unbiased_and_their_intervals_cover() -> None:
    found = split_walk(12, 1, runs=1000)
    hazards, exact = np.array(found.hazards), PileWalk(12).hazard
    assert abs(hazards.mean() - exact) < 3 * hazards.std(ddof=1) / 1000**0.5
    assert found.interval[0] < exact < found.interval[1]
    groups = [Splitting(tuple(map(float, group)), 0, True).interval for group in hazards.reshape(125, 8)]
    covered = sum(low <= exact <= high for low, high in groups)
    assert covered / 125 >= 0.88


def test_few_copies_are_unbiased_too_though_runs_end_with_nothing() -> None:
    found = split_walk(9, 2, runs=1000, copies=8, base_steps=300)
    hazards = np.array(found.hazards)
    assert (hazards == 0).any()
    assert abs(hazards.mean() - PileWalk(9).hazard) < 3 * hazards.std(ddof=1) / 1000**0.5


@pytest.mark.parametrize("levels", [(2, 3, 4, 5, 6), (5,), (3, 6, 7, 20, 30)])
def test_any_levels_will_do(levels: tuple[int, ...]) -> None:
    """Rows are jumped over; levels above the top are reached by dying."""
    choice = SplittingPlan(levels, base_steps=4000, most_steps=10**9, copies=200, runs=100, warmup=200)
    found = split(PileWalk(7), choice, np.random.default_rng(3))
    assert abs(found.hazard - PileWalk(7).hazard) < 3.5 * found.error * found.hazard


def test_games_that_die_before_a_climb_begins_count() -> None:
    choice = SplittingPlan((2,), base_steps=4000, most_steps=10**9, copies=50, runs=50, warmup=100)
    found = split(PileWalk(2), choice, np.random.default_rng(3))
    assert abs(found.hazard - PileWalk(2).hazard) < 3.5 * found.error * found.hazard


def test_it_needs_only_start_step_and_level() -> None:
    choice = SplittingPlan((3, 4, 5), base_steps=1000, most_steps=10**7, copies=40, runs=4, warmup=100)
    found = split(OneByOne(SlowWalk(6)), choice, np.random.default_rng(0))
    assert abs(found.hazard - PileWalk(6).hazard) < 5 * found.error * found.hazard


def test_the_same_seed_gives_the_same_estimate() -> None:
    assert split_walk(10, 4) == split_walk(10, 4)
    assert split_walk(10, 4) != split_walk(10, 5)


def test_it_never_takes_more_than_most_steps() -> None:
    free = split_walk(14, 6)
    assert free.finished
    for most in (18_400, 20_000, free.steps // 2, free.steps - 1):
        found = split_walk(14, 6, most_steps=most)
        assert not found.finished
        assert found.steps <= most
        assert found.interval == (0.0, float("inf"))


def test_players_that_no_run_saw_dying_have_no_interval() -> None:
    found = split_walk(60, 1, copies=2)
    assert found.hazard == 0
    assert found.error == float("inf")
    assert found.interval == (0.0, float("inf"))


def test_plans_that_make_no_sense_are_refused() -> None:
    for name, value in (("copies", 0), ("runs", 1), ("warmup", -1), ("base_steps", 0), ("most_steps", 5)):
        with pytest.raises(ValueError, match=name):
            plan(8, **{name: value})
    with pytest.raises(ValueError, match="levels"):
        SplittingPlan((4, 4), base_steps=10, most_steps=10**6)
    with pytest.raises(ValueError, match="first level must be higher"):
        split(PileWalk(5), SplittingPlan((0, 1), base_steps=10, most_steps=10**6), np.random.default_rng(0))


def test_a_common_first_level() -> None:
    level = finish(common_level(PileWalk(14), np.random.default_rng(0), steps=20_000))
    assert 1 <= level <= 4
