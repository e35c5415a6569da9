"""Players of drops that look as people may: at a few of the fullest cells, a few clicks ahead, with slips.

They see the whole board, as nothing is hidden, but work out no chain that they do not look at. How many
clicks people look at is our guess; `winnable calibrate` would say how far it holds.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from winnable.contract.core import Action, LevelError, Progress, Search
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.rules.puzzle import Drops, State

MOST_CELLS = 144
"""A chain on larger boards takes long, and each click is looked at by its whole chain."""


class Style(NamedTuple):
    """looks: clicks that are looked at for each ply; plies: that are looked ahead; slips: share of the clicks
    that are made without a look"""

    looks: int
    plies: int
    slips: float = 0.0


STYLES: Mapping[str, Style] = {
    "glance": Style(3, 1, 1 / 6),
    "look": Style(8, 1),
    "ahead-2": Style(6, 2),
    "ahead-3": Style(5, 3),
}


class Seeing:
    """The click after which the board, so many plies on, lacks the least until all its cells burst; of equals
    any, and of cells that hold as much any are looked at. The same seed, the same game."""

    def __init__(self, puzzle: Drops, style: Style, seed: int = 0) -> None:
        """Raises LevelError for more than MOST_CELLS cells."""
        if puzzle.num_actions > MOST_CELLS:
            raise LevelError("params.range", field="cells", given=puzzle.num_actions, low=1, high=MOST_CELLS)
        self._puzzle, self._style, self._draw = puzzle, style, random.Random(seed).random

    def choose(self, state: State) -> Search[Action]:
        """The click of this player in the state."""
        legal = self._puzzle.legal_actions(state)
        if self._draw() < self._style.slips:
            return legal[int(self._draw() * len(legal))]
        return (yield from self._best(state, self._style.plies))[1]

    def _best(self, state: State, plies: int) -> Search[tuple[float, Action]]:
        """(what the board lacks then, the click)"""
        puzzle, found = self._puzzle, list[tuple[float, float, Action]]()
        legal = puzzle.legal_actions(state)
        for _, _, click in sorted((-state.cells[cell], self._draw(), cell) for cell in legal)[
            : self._style.looks
        ]:
            yield Progress("greedy", len(found), len(found), 0.0)
            after = puzzle.apply(state, click)
            if puzzle.is_goal(after):
                lacking: float = -plies  # the sooner the better
            elif not puzzle.legal_actions(after):
                lacking = inf
            elif plies == 1:
                lacking = sum(FULL + 1 - drops for drops in after.cells if drops)
            else:
                lacking = (yield from self._best(after, plies - 1))[0]
            found.append((lacking, self._draw(), click))
        lacking, _, click = min(found)
        return lacking, click
