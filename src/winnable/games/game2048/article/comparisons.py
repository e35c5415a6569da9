"""What the article sets side by side: its search one and two levels deep; with an expectimax beside it."""

from __future__ import annotations

from collections.abc import Mapping

from winnable.contract.game import Comparison

_LEVEL = "2048/2-the-articles-1024"
COMPARISONS: Mapping[str, Comparison] = {
    "depths": Comparison(
        levels=[_LEVEL],
        by=[f"{method}(depth={depth})" for method in ("article", "article-expectimax") for depth in (1, 2)],
        games=50,
        seconds=60,
        told={(_LEVEL, "article"): {"win_rate": 0.5}},
    )
}
