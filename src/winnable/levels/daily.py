"""Which day's level a level is."""

from __future__ import annotations

from datetime import date, datetime

from winnable.contract.game import Game
from winnable.levels.identity import Identity


def day_of(game: Game, level_id: str) -> date | None:
    """The day whose daily level of the game has this identity; None: it is none's."""
    seed = level_id.rpartition("#")[2]
    if len(seed) != 8 or not (seed.isascii() and seed.isdigit()):
        return None
    if level_id != str(Identity(game, game.daily, int(seed))):
        return None
    try:
        return datetime.strptime(seed, "%Y%m%d").date()
    except ValueError:
        return None
