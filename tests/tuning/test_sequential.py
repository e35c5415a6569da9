"""Error rates and intervals of the sequential tests, by simulation; the final choice; seeds."""

from __future__ import annotations

import math
from math import exp, inf

import numpy as np
import pytest

from bench.tuning.death_race import DeathRace
from winnable.contract.core import WinnableError, finish
from winnable.contract.tunable import Judgement
from winnable.stats.sequential import LossRace, Verdict
from winnable.tuning.choice import choose
from winnable.tuning.loop import TuningError
from winnable.tuning.seeds import INCUMBENT, RECOMMENDED, evaluation_seed


def death_race(ratio: float, seed: int, most: int = 2000) -> DeathRace:
    race, rng = DeathRace(ratio=0.7), np.random.default_rng(seed)
    for hit in rng.random(most) < ratio / (1 + ratio):
        if race.tell(int(hit), int(not hit)) != "undecided":
            break
    return race


@pytest.mark.parametrize(("ratio", "wrong"), [(1.0, "accept"), (0.7, "reject"), (1.3, "accept")])
def test_deaths_decide_with_the_given_error_rates(ratio: float, wrong: str) -> None:
    verdicts = [death_race(ratio, seed).verdict for seed in range(600)]
    assert sum(verdict.decision == wrong for verdict in verdicts) / 600 <= 0.05 + 3 * 0.0089
    assert all(verdict.decision != "undecided" for verdict in verdicts)
    assert sum(not verdict.low <= ratio <= verdict.high for verdict in verdicts) / 600 <= 0.05


def test_a_death_race_at_its_start_and_after_its_end() -> None:
    race = DeathRace()
    assert race.verdict == Verdict("undecided", 1.0, 0.0, inf, 0)
    assert race.tell(0, 200) == "accept"
    assert race.tell(10_000, 0) == "accept", "the first decision stands"
    assert DeathRace().tell(30, 0) == "reject"
    one_sided = DeathRace()
    one_sided.tell(0, 5)
    assert one_sided.verdict.low == 0.0
    assert 0 < one_sided.verdict.high < inf


def loss_race(ratio: float, deaths: int, seed: int, most: int = 60) -> Verdict:
    """Log hazards as runs of `deaths` deaths give them."""
    race, rng = LossRace(worthwhile=0.8), np.random.default_rng(seed)
    losses = -np.log(rng.gamma(deaths, 1, (most, 2)))
    for challenger, incumbent in losses:
        if race.tell(challenger + np.log(ratio), incumbent) != "undecided":
            break
    return race.verdict


@pytest.mark.parametrize("deaths", [1, 4])
def test_losses_decide_with_the_given_error_rate(deaths: int) -> None:
    for ratio, wrong in ((1.0, "accept"), (0.8, "reject"), (0.3, "reject")):
        verdicts = [loss_race(ratio, deaths, seed) for seed in range(300)]
        assert sum(verdict.decision == wrong for verdict in verdicts) / 300 <= 0.05
        assert sum(not verdict.low <= ratio <= verdict.high for verdict in verdicts) / 300 <= 0.05
        if ratio == 0.3:
            assert sum(verdict.decision == "accept" for verdict in verdicts) / 300 >= 0.95


def test_a_loss_race_at_its_start_and_without_noise() -> None:
    race = LossRace()
    assert race.tell(-1.0, 0.0) == "undecided"
    assert (race.verdict.low, race.verdict.high) == (0.0, inf)
    for _ in range(8):
        race.tell(-1.0, 0.0)
    assert race.decision == "accept"
    assert race.verdict.ratio == pytest.approx(exp(-1))
    equal = LossRace()
    for _ in range(9):
        equal.tell(2.0, 2.0)
    assert equal.decision == "reject"


def test_bad_rates_are_refused() -> None:
    for bad in ({"ratio": 1.0}, {"alpha": 0.0}, {"beta": 0.5}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            DeathRace(**bad)
    for bad in ({"worthwhile": 0.0}, {"miss_rate": 0.5}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            LossRace(**bad)


class Noisy:
    """The loss is the weight, and noise."""

    name, genes, low, high, start = "noisy", ("w",), (-5.0,), (5.0,), (0.0,)

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Judgement:
        return Judgement(genome[0] + float(np.random.default_rng(seed).normal(0, 0.5)), 0.5, steps)


def test_the_final_choice() -> None:
    told: list[int] = []
    better = finish(
        choose(
            Noisy(), (-0.8,), seed=1, steps=10, on_pair=lambda pairs, verdict: told.append(verdict.evidence)
        )
    )
    assert better.decision == "accept"
    assert better.low < exp(-0.8) < better.high < 1
    assert told == list(range(1, better.evidence + 1))
    assert finish(choose(Noisy(), (0.8,), seed=1, steps=10)).decision == "reject"
    undecided = finish(choose(Noisy(), (-0.1,), seed=1, steps=10, pairs=8))
    assert undecided.decision == "undecided"
    assert undecided.low < 1 < undecided.high < inf
    assert finish(choose(Noisy(), (0.0,), seed=1, steps=10, incumbent=(2.0,))).decision == "accept"
    for bad in (math.nan, inf):
        with pytest.raises(TuningError, match="noisy, final choice, the recommended weights, attempt 0: its"):
            finish(choose(Noisy(), (bad,), seed=1, steps=10))
    with pytest.raises(WinnableError, match="pairs"):
        finish(choose(Noisy(), (0.0,), seed=1, steps=10, pairs=1))


def test_seeds_are_all_different_and_stay_what_they_are() -> None:
    seeds = [evaluation_seed(r, c, a) for r in (0, 1, 2**32, 2**32 + 1) for c in range(40) for a in range(10)]
    seeds += [evaluation_seed(0, who, attempt) for who in (RECOMMENDED, INCUMBENT) for attempt in range(10)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert evaluation_seed(5, 17, 2) == 6_447_456_805_493_894_530
    for name, arguments in (("run", (-1, 0, 0)), ("candidate", (0, 2**32, 0)), ("attempt", (0, 0, -1))):
        with pytest.raises(ValueError, match=name):
            evaluation_seed(*arguments)
