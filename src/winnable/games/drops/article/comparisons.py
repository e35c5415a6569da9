"""What the article sets side by side: its four methods, and the weight k of A."""

from __future__ import annotations

from collections.abc import Mapping

from winnable.contract.game import Comparison

_HARDEST = "drops/article-30-all-ones"
COMPARISONS: Mapping[str, Comparison] = {
    "methods": Comparison(
        levels=["drops/article-02-pond", "drops/article-11-lattice", "drops/article-12-sluice", _HARDEST],
        by=["bfs", "a-star", "a", "genetic"],
        games=1,
        seconds=60,
        told={(_HARDEST, "a"): {"mean_seconds": 14}, (_HARDEST, "genetic"): {"mean_seconds": 60}},
    ),
    "weights": Comparison(
        levels=[_HARDEST], by=[f"a(k={k})" for k in (0, 1, 1.5, 2, 2.5, 3)], games=1, seconds=30
    ),
}
