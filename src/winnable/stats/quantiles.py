"""The quantiles that the intervals need, so that numpy is enough."""

from __future__ import annotations

from math import exp, lgamma, log, sqrt
from statistics import NormalDist

_EXACT = 1000
_STUDENT_975 = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip


def student_975(freedom: int) -> float:
    """Student's t: the quantile of 0.975. Above 30 degrees Cornish and Fisher's expansion (Abramowitz and
    Stegun 26.7.5), good to four decimals."""
    if freedom < 1:
        raise ValueError(f"freedom: {freedom} is less than 1")
    if freedom <= len(_STUDENT_975):
        return _STUDENT_975[freedom - 1]
    z = NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def gamma_quantile(shape: int, share: float) -> float:
    """x with P(Gamma(shape, 1) <= x) = share, which is P(Poisson(x) >= shape): by bisection up to a shape of
    1000, above it by Wilson and Hilferty's cube (PNAS 17, 1931), whose relative error is then below 1e-5."""
    if shape == 0:
        return 0.0
    z = NormalDist().inv_cdf(share)
    if shape > _EXACT:
        return shape * (1 - 1 / (9 * shape) + z / (3 * sqrt(shape))) ** 3
    low, high = 0.0, shape + 10 * sqrt(shape) + 10
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - _poisson_below(middle, shape) < share else (low, middle)
    return (low + high) / 2


def _poisson_below(mean: float, count: int) -> float:
    """P(Poisson(mean) < count)."""
    return min(1.0, sum(exp(i * log(mean) - mean - lgamma(i + 1)) for i in range(count)))
