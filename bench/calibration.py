"""Whether what `winnable calibrate` says of people holds, by people who are simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log

import numpy as np

from bench.report import Row, mean_row, rate_row
from winnable.inert.arrays import F64
from winnable.stats.calibration import Curve, Estimate, Tries, predicting

LEVELS, EACH, MIDDLE, SPREAD = 30, 20, 1400.0, 400.0
"""Of a simulated set: levels, tries of each, mean and deviation of the figures."""
SKILL, TENFOLD = 1500.0, 600.0
"""Of the people; how much harder a level is at which their odds are a tenth."""
HARDER = 1900.0
"""The level whose rate is told."""
UNKNOWN = {"our scale knows all": 0.0, "levels scatter": 1.0}
"""Standard deviation of what it does not know of a level, in logarithms of odds."""


def rows(
    games: int = 300, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: sets that are simulated. How often each interval holds the truth (goal: 95 %), how often the
    figure is shown to predict levels left out, and how often a feature is that is nothing but chance (goal:
    2.5 % at the most). Where levels scatter, the truth is that of
    the mean of all levels with the figure."""
    for done, (kind, unknown) in enumerate(UNKNOWN.items()):
        rng = np.random.default_rng((seed, done))
        hits, tells, scatter = np.zeros((2, games), np.bool_), np.zeros((2, games), np.bool_), list[float]()
        for number in range(games):
            figures = rng.normal(MIDDLE, SPREAD, LEVELS)
            tries = _played(rng, figures, unknown)
            curve = Curve(tries, figures)
            found = (curve.skill(0), curve.rate(HARDER, 0))
            truths = (SKILL, mean_rate(HARDER, unknown))
            hits[:, number] = [_covers(one, truth) for one, truth in zip(found, truths, strict=True)]
            tells[:, number] = [predicting(tries, one).tells for one in (figures, rng.normal(size=LEVELS))]
            scatter.append(curve.scatter)
            if progress is not None:
                progress(done * games + number + 1, len(UNKNOWN) * games)
        names = ("skill", "rate of a harder level")
        for name, held in zip(names, hits, strict=True):
            yield rate_row(f"{kind}: interval holds the {name}", int(held.sum()), games, seed, 0.95)
        yield rate_row(f"{kind}: the figure is shown to predict", int(tells[0].sum()), games, seed)
        yield rate_row(f"{kind}: chance is shown to predict", int(tells[1].sum()), games, seed, 0.025)
        yield mean_row(f"{kind}: scatter", scatter, "×", seed)


def mean_rate(figure: float, unknown: float) -> float:
    """Of levels with this figure, over what is not known of them."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    odds = (SKILL - figure) * log(10) / TENFOLD + unknown * nodes
    return float((weights / (1 + np.exp(-odds))).sum() / weights.sum())


def _played(rng: np.random.Generator, figures: F64, unknown: float) -> Tries:
    odds = (SKILL - figures) * log(10) / TENFOLD + rng.normal(0, unknown, figures.size)
    tries, levels = np.full(figures.size, EACH), np.arange(figures.size)
    return Tries(levels, levels * 0, tries, rng.binomial(tries, 1 / (1 + np.exp(-odds))))


def _covers(found: Estimate, truth: float) -> bool:
    return (found.low is None or found.low <= truth) and (found.high is None or truth <= found.high)
