"""The article's weights beside changed ones, on its training board and on the full one."""

from __future__ import annotations

from collections.abc import Mapping

from winnable.contract.game import Comparison

COMPARISONS: Mapping[str, Comparison] = {
    "weights": Comparison(
        levels=["tetris:rules=article,height=21,top=7", "tetris/7-the-articles-game"],
        by=["article", "article(space=9,one_short=0)", "random"],
        games=5,
        seconds=60,
    )
}
