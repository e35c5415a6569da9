"""How alike two figures rank the same things."""

from __future__ import annotations

from winnable.inert.arrays import F64, np


def rank_correlation(first: F64, second: F64) -> float:
    """C. Spearman's (Am. J. Psychol. 15, 1904), with the mean rank for equal values; 0 where one of the two
    is the same for all."""
    one, other = _ranks(first), _ranks(second)
    spread = float(one.std() * other.std())
    return float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread else 0.0


def _ranks(values: F64) -> F64:
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[group])
