"""What the article sets side by side: its two methods by the board's side, and the length L of a line."""

from __future__ import annotations

from collections.abc import Mapping

from winnable.contract.game import Comparison

_FIVE = "rotate:rows=5,columns=5"
COMPARISONS: Mapping[str, Comparison] = {
    "sides": Comparison(
        levels=[f"rotate:rows={side},columns={side}" for side in range(4, 11)],
        by=["genetic(length=0)", "pruned-search"],
        games=4,
        seconds=2,
    ),
    "lengths": Comparison(
        levels=[_FIVE],
        by=["genetic(length=6)", "genetic(length=8)", "genetic(length=10)"],
        games=4,
        seconds=10,
        told={(_FIVE, "genetic"): {"win_rate": 1, "mean_length": 6, "mean_seconds": 10}},
    ),
}
