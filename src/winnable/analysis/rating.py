"""How hard levels are for a person: of those that ship, from a file beside their game; else worked out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from winnable.analysis.engine import engine
from winnable.contract.abilities import Rates
from winnable.contract.core import Budget, Search, finish
from winnable.contract.game import Game
from winnable.levels.files import NamedLevel, read_beside, shipped_levels
from winnable.stats.difficulty import Rating

FILE = "ratings.json"
"""In the game's folder: `GAME/NAME` -> Rating, as `scripts/rate_levels.py` writes it."""
SEED = 0


def rating_of(named: NamedLevel, budget: Budget) -> Search[Rating | None]:
    """None: it cannot be told, or not within the budget."""
    found, game = shipped_ratings(named.game.name).get(named.id), named.game
    if found is not None or not isinstance(game, Rates):
        return found
    return (yield from engine().run(lambda: game.rate(named.level, budget.part(), SEED), budget, game))


@cache
def shipped_ratings(game: str) -> Mapping[str, Rating]:
    """By the names of the levels; empty where there is no file, or none that can be read."""
    return read_beside(game, FILE, dict[str, Rating]) or {}


def rate_shipped(game: Game) -> dict[str, Rating]:
    """Of all levels that ship with the game and can be told, worked out anew."""
    if not isinstance(game, Rates):
        return {}
    rated = {name: finish(game.rate(level, Budget(), SEED)) for name, level in shipped_levels(game)}
    return {name: rating for name, rating in rated.items() if rating is not None}
