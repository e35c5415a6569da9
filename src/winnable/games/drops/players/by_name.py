"""Players of drops: one that bursts as much as it can, one that clicks at random, and those that look as
people do (`seeing.py`). None needs a compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from winnable.contract.core import Action, Player, Progress, Search
from winnable.games.drops.players.seeing import STYLES, Seeing
from winnable.games.drops.rules.chain import run_chain
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.play.playing import RandomPlayer

FRAMES = 64
"""Of a chain, between two steps of the search for a click: some milliseconds on the largest boards."""


class Greedy:
    """The click whose chain bursts most cells; without a full cell, one on the fullest. Of equals, the first.

    A full cell that bursts in the chain of one tried before is not tried itself. So on a board of many full
    cells, where chains are long, there are few of them to play.
    """

    def __init__(self, puzzle: Drops, seed: int = 0) -> None:
        """`seed` has no effect."""
        self._puzzle = puzzle

    def choose(self, state: State) -> Search[Action]:
        """The click of this player in the state."""
        best, most, columns, rules = -1, 0, self._puzzle.columns, self._puzzle.rule_set
        tried: set[int] = set()
        for cell, drops in enumerate(state.cells):
            if drops == FULL and cell not in tried:
                burst = set[int]()
                for number, frame in enumerate(run_chain(state.cells, columns, cell, rules)):
                    if number % FRAMES == 0:
                        yield Progress("greedy", len(tried), len(tried), 0.0)
                    burst.update(frame.burst)  # each cell does so once, as empty ones catch no droplets
                tried |= burst
                if len(burst) > most:
                    best, most = cell, len(burst)
        return state.cells.index(max(state.cells)) if best < 0 else best


def _seeing(name: str) -> Callable[[Any, int], Player]:
    return lambda puzzle, seed: Seeing(puzzle, STYLES[name], seed)


SKILLS: Mapping[str, float] = {"random": 1010, "glance": 1630, "look": 2000, "ahead-2": 2290, "ahead-3": 2300}
"""Those that play as people look -> their skill (see `winnable.stats.skill`), as printed by
`winnable bench drops-skills`; `look` is said to have so many points."""
PLAYERS: Mapping[str, Callable[[Any, int], Player]] = {
    "greedy": Greedy,
    "random": RandomPlayer,
    **{name: _seeing(name) for name in STYLES},
}
