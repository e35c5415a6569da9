"""Rows of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from winnable.contract.core import WinnableError
from winnable.stats.intervals import wilson_interval


class CheckFailed(WinnableError):
    """What was measured is wrong, not what was asked for: the rows are shown, and the exit code is 1."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One measured figure.

    value:          in `unit` ("" for shares)
    ci_low, ci_high: 95 % confidence interval; None where nothing was sampled
    n:              how many items the figure rests on
    seed:           of the first item
    reference:      the figure it stands beside, published elsewhere
    """

    name: str
    value: float
    unit: str = ""
    ci_low: float | None = None
    ci_high: float | None = None
    n: int = 1
    seed: int | None = None
    reference: float | None = None


def rate_row(name: str, hits: int, n: int, seed: int | None = None, reference: float | None = None) -> Row:
    """The share hits / n with Wilson's interval."""
    low, high = wilson_interval(hits, n)
    return Row(name, hits / n, "", low, high, n, seed, reference)


def mean_row(
    name: str,
    values: Sequence[float],
    unit: str = "",
    seed: int | None = None,
    reference: float | None = None,
) -> Row:
    """The mean of `values` with its bootstrap interval."""
    low, high = bootstrap_interval(values)
    return Row(name, float(np.mean(values)), unit, low, high, len(values), seed, reference)


def bootstrap_interval(
    values: Sequence[float], resamples: int = 2000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of the mean (B. Efron, Ann. Stat. 7, 1979): the quantiles of the means of
    `resamples` samples drawn from `values` with replacement. Raises ValueError for no values."""
    if not len(values):
        raise ValueError("values: none are given")
    sample = np.asarray(values, np.float64)
    rng = np.random.default_rng(seed)
    means = np.array([sample[rng.integers(sample.size, size=sample.size)].mean() for _ in range(resamples)])
    tail = (1 - level) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return float(low), float(high)
