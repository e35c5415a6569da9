"""How surely the fast player of 2048 makes the tiles that it should hardly ever miss: games that end with the
last of these, so that there can be many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from bench.game2048.strength import (
    Game,
    begin,
    called,
    decided_by,
    play_on,
    player_of,
    tile_row,
)
from bench.kept_games import KeptGames
from bench.report import Row

PLAYER: Final = "search-1ms"
GOALS: Final = {11: 1.0, 12: 0.99}
"""Exponents, and the share of games that are to make them."""


def rows(
    games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """On 4 × 4, with dice from `seed` on, the shares of games that make the tiles. Games are kept as they
    stand; Ctrl-C ends it with those that are over."""

    def told(over: int) -> None:
        if progress is not None:
            progress(over, games)

    played, _ = games_to_the_last().played_until_stopped(range(seed, seed + games), told)
    if not played:
        return
    for exponent, goal in GOALS.items():
        yield tile_row(called(PLAYER), played, exponent, seed, goal)


def games_to_the_last() -> KeptGames[Game]:
    """Of the tiles."""
    play = partial(play_on, player_of(PLAYER), last=max(GOALS))
    return KeptGames("2048-tiles", [*decided_by(PLAYER), max(GOALS)], Game, begin, play)
