"""Weights of controllers as the tuner sees them: bounded, repeatable, and ranked as they play."""

import pickle
from dataclasses import replace
from math import log

import pytest

from winnable.contract.core import WinnableError, finish
from winnable.games.tetris.measure.tunables import DEATHS, TUNABLES, FeatureWeights
from winnable.games.tetris.players.controllers import DANGER
from winnable.games.tetris.players.features import FEATURES, PUBLISHED
from winnable.optimize.cma_es import CMAES
from winnable.tuning.loop import tune

NINE, ALL, OURS = (TUNABLES[name] for name in ("features-9", "features-11", "features-50"))
HOPELESS = tuple(-weight for weight in NINE.start)


@pytest.mark.parametrize("name", TUNABLES)
def test_evaluations_are_bounded_and_repeatable(name: str) -> None:
    tunable = TUNABLES[name]
    for steps in (0.5, 100, 5000, 40_000, 100_000):
        judgement = finish(tunable.evaluate(tunable.start, 5, steps))
        assert 1 <= judgement.cost <= max(1, steps)
        assert judgement == finish(pickle.loads(pickle.dumps(tunable)).evaluate(tunable.start, 5, steps))
    assert judgement != finish(tunable.evaluate(tunable.start, 6, 100_000))
    assert {gene.removesuffix(DANGER) for gene in tunable.genes} <= set(FEATURES)
    assert all(
        low <= start <= high
        for low, start, high in zip(tunable.low, tunable.start, tunable.high, strict=True)
    )


def test_more_genes_of_weight_0_change_nothing() -> None:
    assert len(NINE.genes) == 9
    assert ALL.genes == tuple(PUBLISHED)
    assert len(OURS.genes) == 50
    assert sorted(weight for weight in ALL.start if weight) == sorted(NINE.start)
    same = {finish(tunable.evaluate(tunable.start, 3, 20_000)) for tunable in (NINE, ALL)}
    assert len(same) == 1


def test_the_hopeless_cost_little_and_lose() -> None:
    bad, good = finish(NINE.evaluate(HOPELESS, 1, 400_000)), finish(NINE.evaluate(NINE.start, 1, 400_000))
    assert bad.cost < 20 * DEATHS
    assert bad.loss > -4
    assert good.loss < log(1e-6), "splitting saw deaths that playing does not"
    assert good.error is not None
    assert good.error < 1.5


def test_low_boards_are_judged_by_their_deaths() -> None:
    assert isinstance(NINE, FeatureWeights)
    low = replace(NINE, height=6)
    judgement = finish(low.evaluate(low.start, 1, 400_000))
    assert judgement.cost < 10_000
    assert judgement.error == pytest.approx((DEATHS - 1 + 0.5) ** -0.5)


def test_genomes_must_be_finite_and_whole() -> None:
    for genome in (NINE.start[1:], (float("inf"), *NINE.start[1:])):
        with pytest.raises(WinnableError, match="genome"):
            finish(NINE.evaluate(genome, 0, 100))


def test_a_search_gets_from_bad_weights_to_better_ones() -> None:
    """On 10 × 8 cells, from weights that hardly clear a line."""
    assert isinstance(NINE, FeatureWeights)
    low = replace(NINE, height=8)
    optimizer = CMAES(low.low, low.high, mean=(0.0,) * 9, seed=1, max_evaluations=300)
    found = finish(tune(low, optimizer, seed=1, evaluations=300, steps=2000.0))
    before, after = (
        finish(low.evaluate(genome, 99, 50_000)) for genome in ((0.0,) * 9, found.recommendation)
    )
    assert after.loss < before.loss - 1
