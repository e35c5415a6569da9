"""The article's table (its section 4.1): the greedy player on random boards of 12 to 30 layers."""

from __future__ import annotations

from collections.abc import Mapping

from winnable.contract.game import Comparison

PUBLISHED: dict[int, tuple[float, float]] = {
    12: (0.36, 0.7954),
    13: (0.27, 0.734),
    14: (0.27, 0.7116),
    15: (0.06, 0.5726),
    16: (0.07, 0.5022),
    17: (0.07, 0.5395),
    18: (0.02, 0.4365),
    19: (0.03, 0.4277),
    20: (0.01, 0.4217),
    21: (0.02, 0.3964),
    22: (0, 0.3537),
    23: (0, 0.3250),
    24: (0, 0.3499),
    25: (0, 0.3340),
    26: (0, 0.2993),
    27: (0, 0.3217),
    28: (0, 0.3094),
    29: (0.01, 0.3317),
    30: (0, 0.3299),
}
"""Layers -> (win rate, completion) in the article, 100 games each."""

_LEVELS = {layers: f"triple:layers={layers}" for layers in PUBLISHED}
COMPARISONS: Mapping[str, Comparison] = {
    "layers": Comparison(
        levels=list(_LEVELS.values()),
        by=["greedy"],
        games=100,
        seconds=10,
        seed=0,
        told={
            (_LEVELS[layers], "greedy"): {"win_rate": win_rate, "mean_completion": completion}
            for layers, (win_rate, completion) in PUBLISHED.items()
        },
    )
}
