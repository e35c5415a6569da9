"""Players of 2048. Their modules are read when one is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from winnable.contract.chance import Turn
from winnable.contract.core import Player, WinnableError
from winnable.games.game2048.article.player import ARTICLE_PLAYERS
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.inert.late import late_modules, later
from winnable.play.playing import RandomPlayer

if TYPE_CHECKING:
    from winnable.games.game2048.exact import small as exact
    from winnable.games.game2048.players import expectimax, rollouts
else:
    (exact,) = late_modules("winnable.games.game2048.exact", "small")
    expectimax, rollouts = late_modules("winnable.games.game2048.players", "expectimax", "rollouts")

Make: TypeAlias = Callable[[Any, int], Player]

SEARCHES = {"search-1ms": 8.0, "search-10ms": 11.5, "search-50ms": 13.5}
"""How far these look (bits, see `Expectimax`); their names say how long a move takes."""


def _searching(bits: float, puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    return expectimax.Searching(puzzle, seed, bits=bits)


def _auto(puzzle: Seeded2048, seed: int = 0) -> Player[Turn[State]]:
    """The best one that knows the level and is quick."""
    with suppress(WinnableError):
        return exact.Exact(puzzle, seed)
    return PLAYERS["search-1ms" if expectimax.knows(puzzle.level) else "rollouts"](puzzle, seed)


PLAYERS: Mapping[str, Make] = {
    "auto": _auto,
    **{name: partial(_searching, bits) for name, bits in SEARCHES.items()},
    "network": later(lambda: expectimax.OnePly),
    "exact": later(lambda: exact.Exact),
    "rollouts": later(lambda: rollouts.Rollouts),
    **ARTICLE_PLAYERS,
    "random": RandomPlayer,
}
