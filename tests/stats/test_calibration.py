"""Curves from figures to pass rates, on people who are simulated: what is true is known."""

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from winnable.inert.arrays import F64
from winnable.stats.calibration import Curve, Estimate, Tries, predicting
from winnable.stats.ranks import rank_correlation
from winnable.stats.skill import POINT

SKILL, TENFOLD = 1500.0, 600.0
"""Of the people; their odds are a tenth where a level is so much harder."""


def played(rng: np.random.Generator, figures: F64, each: int, spread: float = 0, groups: int = 1) -> Tries:
    """spread: standard deviation of what our figures do not know, in logarithms of odds. A group is 300
    points better than the one before."""
    level = np.tile(np.arange(figures.size), groups)
    group = np.repeat(np.arange(groups), figures.size)
    unknown = rng.normal(0, spread, figures.size)[level]
    odds = (SKILL + 300 * group - figures[level]) * log(10) / TENFOLD + unknown
    tries = np.full(level.size, each)
    return Tries(level, group, tries, rng.binomial(tries, 1 / (1 + np.exp(-odds))))


def covers(found: Estimate, truth: float) -> bool:
    return (found.low is None or found.low <= truth) and (found.high is None or truth <= found.high)


@pytest.mark.parametrize(("spread", "groups"), [(0.0, 1), (0.8, 1), (0.0, 2)])
def test_the_intervals_cover_the_truth_as_often_as_they_say(spread: float, groups: int) -> None:
    rng, runs, hits = np.random.default_rng(1), 100, np.zeros(3)
    for _ in range(runs):
        figures = rng.normal(1400, 400, 25)
        curve = Curve(played(rng, figures, 30, spread, groups), figures)
        hits += (
            covers(curve.skill(0), SKILL),
            covers(curve.slope, log(10) / TENFOLD),
            covers(curve.rate(1800, 0), 1 / (1 + 10 ** (300 / TENFOLD))),
        )
    # with a spread the curve of the mean is a little flatter than that of each level
    assert ((0.9 if not spread else 0.85) <= hits / runs).all()
    assert (hits / runs <= 0.995).all() or groups > 1


def test_a_known_curve_is_found_again() -> None:
    rng = np.random.default_rng(2)
    figures = rng.uniform(600, 2400, 300)
    curve = Curve(played(rng, figures, 200, groups=2), figures)
    assert curve.skill(0).value == pytest.approx(SKILL, abs=20)
    assert curve.skill(1).value == pytest.approx(SKILL + 300, abs=20)
    assert log(10) / curve.slope.value == pytest.approx(TENFOLD, rel=0.05)
    assert curve.scatter == pytest.approx(1, abs=0.3)
    assert curve.rate(SKILL, 0).value == pytest.approx(0.5, abs=0.02)


def test_levels_that_scatter_are_told_and_widen_the_intervals() -> None:
    rng = np.random.default_rng(3)
    figures = rng.uniform(600, 2400, 60)
    told = [Curve(played(np.random.default_rng(4), figures, 100, spread), figures) for spread in (0, 1.5)]
    widths = [(found.high or 0) - (found.low or 0) for found in (curve.skill(0) for curve in told)]
    assert told[0].scatter < 2 < 5 < told[1].scatter
    assert widths[1] > 2 * widths[0]


def test_a_figure_that_says_nothing_has_a_slope_that_may_be_none_and_no_bounded_skill() -> None:
    rng = np.random.default_rng(5)
    figures = rng.normal(1400, 400, 30)
    curve = Curve(played(rng, rng.permutation(figures), 50), figures)
    assert curve.slope.low is not None
    assert curve.slope.high is not None
    assert curve.slope.low < 0 < curve.slope.high
    assert None in curve.skill(0)[1:]


def test_what_nothing_bounds_is_refused_or_open() -> None:
    one = np.array([0, 1, 2])
    figures = np.array([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="each group"):
        Curve(Tries(one, one * 0, one * 0 + 9, one * 0), figures)
    with pytest.raises(ValueError, match="not all the same"):
        Curve(Tries(one, one * 0, one * 0 + 9, one), figures * 0)
    sharp = Curve(Tries(one, one * 0, one * 0 + 9, np.array([9, 9, 0])), figures)
    assert sharp.slope.high is None
    assert sharp.slope.low is not None
    assert sharp.slope.low > 0


def features(rng: np.random.Generator, figures: F64) -> tuple[F64, NDArray[np.float64]]:
    return figures + rng.normal(0, 100, figures.size), rng.normal(0, 1, figures.size)


def test_a_feature_that_tells_is_told_from_one_that_does_not() -> None:
    rng, tell, useless = np.random.default_rng(6), 0, 0
    for _ in range(12):
        figures = rng.normal(1400, 400, 40)
        tries = played(rng, figures, 30, 0.3)
        good, bad = (predicting(tries, one) for one in features(rng, figures))
        tell, useless = tell + good.tells, useless + (not bad.tells)
        assert good.log_loss < good.log_loss_alike
        assert good.ranks.high is not None
        assert good.ranks.high < 0
    assert tell == 12
    assert useless >= 10


def test_ranks_are_spearmans() -> None:
    assert rank_correlation(np.array([1.0, 5, 3]), np.array([10.0, 12, 11])) == pytest.approx(1)
    assert rank_correlation(np.array([1.0, 2, 2, 3]), np.array([1.0, 3, 2, 4])) == pytest.approx(
        0.9487, abs=1e-4
    )
    assert rank_correlation(np.array([1.0, 1]), np.array([1.0, 2])) == 0


def test_the_scale_is_that_of_skill() -> None:
    """By our own scale the odds are tenfold at 400 points."""
    assert log(10) / POINT == pytest.approx(400)
