"""The censored estimate, its interval, the rule to stop, and the horizon."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.tuning.pile_walk import PileWalk
from tests.tuning.one_by_one import OneByOne
from winnable.stats.quantiles import gamma_quantile, student_975
from winnable.tuning.process import NO_CEILING
from winnable.tuning.survival import Horizon, Survival, survive


class SlowWalk:
    """`PileWalk` as a process of one copy."""

    def __init__(self, top: int) -> None:
        self._walk = PileWalk(top)

    def start(self, rng: np.random.Generator) -> int:
        return 0

    def step(self, state: int, rng: np.random.Generator) -> tuple[int, bool, float]:
        after, died, reward = self._walk.step(np.array([state]), rng)
        return int(after[0]), bool(died[0]), float(reward[0])

    def level(self, state: int) -> int:
        return state // 2


def poisson_runs(hazard: float, k: int, limit: int, runs: int, seed: int) -> list[Survival]:
    """Runs of a player that dies at each step with the same chance."""
    return runs_of(np.random.default_rng(seed).geometric(hazard, (runs, k)), limit)


def runs_of(lives: NDArray[np.int64], limit: int) -> list[Survival]:
    """What runs would see whose games last so long, one row a run, k a row: "k deaths or `limit` steps"."""
    times, k = np.cumsum(lives, axis=1), lives.shape[1]
    deaths = (times <= limit).sum(axis=1)
    return [
        Survival(int(d), int(t[-1]) if d == k else limit, 0.0, None, bool(d == k))
        for d, t in zip(deaths, times, strict=True)
    ]


def test_the_exact_hazard_is_that_of_long_play() -> None:
    walk = PileWalk(6)
    rng = np.random.default_rng(1)
    states, deaths = walk.start(2000, rng), 0
    for _ in range(2000):
        states, died, _ = walk.step(states, rng)
        states[died] = 0
        deaths += int(died.sum())
    expected = walk.hazard * 2000 * 2000
    assert abs(deaths - expected) < 4 * expected**0.5 + 0.02 * expected


@pytest.mark.parametrize("games", [4.0, 8.0, 100.0])
@pytest.mark.parametrize("k", [4, 8])
def test_log_hazard_is_nearly_unbiased_for_both_reasons_to_stop(games: float, k: int) -> None:
    hazard = 1e-3
    runs = poisson_runs(hazard, k, int(games / hazard), 20_000, seed=int(games) + k)
    errors = np.array([run.log_hazard for run in runs]) - log(hazard)
    assert abs(errors.mean()) < 0.02 + 3 * errors.std() / len(runs) ** 0.5


def test_the_standard_error_is_that_of_the_runs() -> None:
    for games in (2.5, 100.0):
        runs = poisson_runs(1e-3, 8, int(games * 1000), 20_000, seed=3)
        stated = np.mean([run.error**2 for run in runs]) ** 0.5
        assert np.std([run.log_hazard for run in runs]) == pytest.approx(stated, rel=0.15)


@pytest.mark.parametrize("games", [0.2, 1.0, 4.0, 100.0])
def test_the_interval_covers(games: float) -> None:
    hazard, cache = 1e-4, dict[tuple[int, bool, int], tuple[float, float]]()
    runs = poisson_runs(hazard, 4, int(games / hazard), 3000, seed=5)
    covered = 0
    for run in runs:
        key = run.deaths, run.stopped, run.steps
        low, high = cache.setdefault(key, run.interval())
        covered += low <= hazard <= high
    assert covered / len(runs) >= 0.95 - 3 * (0.05 * 0.95 / len(runs)) ** 0.5
    if games == 100.0:
        assert covered / len(runs) <= 0.95 + 3 * (0.05 * 0.95 / len(runs)) ** 0.5


@pytest.mark.parametrize("games", [4, 100])
def test_a_thousand_runs_of_the_known_game_are_unbiased(games: int) -> None:
    walk, rng = PileWalk(8), np.random.default_rng(2)
    everywhere = np.full(8000, NO_CEILING)
    lives = walk.leap(walk.start(8000, rng), -everywhere, everywhere, everywhere, rng).steps
    runs = runs_of(lives.reshape(1000, 8), int(games / walk.hazard))
    errors = np.array([run.log_hazard for run in runs]) - log(walk.hazard)
    assert abs(errors.mean()) < 3 * errors.std() / 1000**0.5


def test_runs_that_are_played_agree_with_the_known_hazard() -> None:
    walk, errors = PileWalk(4), list[float]()
    for seed in range(150):
        run = survive(walk, np.random.default_rng(seed), deaths=4, steps=1500)
        assert run.steps <= 1500
        assert run.deaths <= 4
        assert run.reward == run.steps
        errors.append(run.log_hazard - log(walk.hazard))
    assert abs(np.mean(errors)) < 3 * float(np.std(errors)) / 150**0.5


def test_a_run_stops_at_k_deaths_or_t_steps() -> None:
    walk = PileWalk(3)
    by_deaths = survive(walk, np.random.default_rng(0), deaths=3, steps=10**9)
    assert (by_deaths.deaths, by_deaths.stopped, by_deaths.counted, by_deaths.state) == (3, True, 2, None)
    by_steps = survive(PileWalk(60), np.random.default_rng(0), deaths=3, steps=500)
    assert (by_steps.deaths, by_steps.stopped, by_steps.steps) == (0, False, 500)
    assert by_steps.log_hazard == log(0.5 / 500)
    assert by_steps.interval()[0] == 0.0
    assert walk.level(np.array([by_steps.state]))[0] < 60
    for argument in ("deaths", "steps"):
        with pytest.raises(ValueError, match=argument):
            survive(walk, np.random.default_rng(0), **{"deaths": 1, "steps": 1, argument: 0})


def test_one_by_one_plays_the_same_game() -> None:
    herd = OneByOne(SlowWalk(4))
    rng = np.random.default_rng(0)
    runs = [survive(herd, rng, deaths=4, steps=2000) for _ in range(150)]
    errors = np.array([run.log_hazard for run in runs]) - log(PileWalk(4).hazard)
    assert abs(errors.mean()) < 3 * errors.std() / len(runs) ** 0.5 + 0.02
    low, high, limit = (np.full(5, bound) for bound in (0, 1, 50))
    leap = herd.leap(herd.start(5, rng), low, high, limit, rng)
    alive = ~leap.died & (leap.steps < 50)
    assert (herd.level(leap.states[alive]) >= 1).all()


def test_the_horizon_follows_the_best_quarter_within_its_bounds() -> None:
    horizon = Horizon(first=100, most=5000)
    assert horizon.steps == 100
    horizon.tell([-log(life) for life in (10.0, 20.0, 30.0, 200.0)])
    assert horizon.steps == pytest.approx(800)
    horizon.tell([-800.0, float("inf")] * 4)
    assert horizon.steps == 5000
    again = Horizon(first=100, most=5000)
    again.load_state_dict(horizon.state_dict())
    assert again.steps == horizon.steps
    with pytest.raises(ValueError, match="most"):
        Horizon(first=10, most=5)


def test_the_horizon_grows_at_most_eightfold_for_those_that_never_die() -> None:
    horizon = Horizon(first=100, most=1e12)
    for _ in range(5):
        before = horizon.steps
        horizon.tell([log(0.5 / before)] * 500)
        assert horizon.steps <= 8.0001 * before


def test_quantiles() -> None:
    chi_square_975: NDArray[np.float64] = np.array([7.3778, 20.4832, 129.5612])
    shapes = (1, 5, 50)
    assert np.allclose([2 * gamma_quantile(n, 0.975) for n in shapes], chi_square_975, rtol=1e-4)
    assert gamma_quantile(1, 0.025) == pytest.approx(-log(0.975))
    assert gamma_quantile(1001, 0.975) == pytest.approx(gamma_quantile(1000, 0.975) + 1.031, rel=2e-5)
    assert student_975(7) == 2.3646
    assert student_975(40) == pytest.approx(2.0211, abs=1e-4)
