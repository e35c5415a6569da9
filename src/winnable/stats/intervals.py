"""Confidence intervals for what was sampled."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""The standard normal quantile of 0.975."""


def wilson_interval(hits: int, n: int, z: float = Z95) -> tuple[float, float]:
    """Score interval of a share (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927); sensible at 0 and n hits too.

    Raises ValueError unless 0 <= hits <= n and n > 0.
    """
    if n <= 0 or not 0 <= hits <= n:
        raise ValueError(f"hits, n: {hits} of {n} is no share")
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == n else middle + half
    return low, high
