"""Tiles that decide nothing."""

from __future__ import annotations

from collections import Counter

from winnable.contract.core import Action
from winnable.games.triple.rules.puzzle import Triple

ALIKE = 3


def dead_tiles(puzzle: Triple) -> list[Action]:
    """Those of the kinds of which no tile lies over another; ascending.

    A level can be won exactly if it can without them. A line that wins does so without their clicks, too:
    they uncover nothing, and with fewer tiles in the tray all else vanishes as before. And after a line that
    wins all others they are taken kind by kind, with an empty tray.
    """
    kinds = puzzle.level.kinds
    if puzzle.level.slots < ALIKE:
        return []
    busy = {kinds[above] for covers in puzzle.covers for above in covers}
    busy |= {kind for kind, count in Counter(kinds).items() if count % ALIKE}
    return [tile for tile, kind in enumerate(kinds) if kind not in busy]
