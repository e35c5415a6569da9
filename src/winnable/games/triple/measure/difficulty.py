"""How hard a level of triple is for a person: how often players win that know no more than a person sees."""

from __future__ import annotations

from math import isinf

from msgspec.structs import replace

from winnable.contract.core import Budget, Search
from winnable.games.triple.players.by_name import SKILLS
from winnable.games.triple.players.fair_players import QUICK, Quick
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.plan import MAX_CLOSED_TILES, find_plan
from winnable.search.meter import Meter
from winnable.stats.difficulty import Rating, Word, rating
from winnable.stats.skill import Played, difficulty, share_of_luck

GAMES = 200
"""Of each player."""
WORDS: tuple[tuple[float, Word], ...] = ((800, "easy"), (1600, "medium"), (2000, "tricky"), (2400, "hard"))
"""Up to which skill each word goes: of the hardest easy level `matching` wins half of its games, of the
hardest tricky one `careful`."""


def rate(level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
    """The figure is the skill that wins half of the games (see `winnable.stats.skill`), or, where all or none
    were won, the end of its interval; `winnable measure` says the same of these players and as many games
    with this seed. Tools go unused. None: the budget ended, or there are very many tiles."""
    if len(level.tiles) > MAX_CLOSED_TILES:
        return None
    puzzle, played = Triple(replace(level, tools=None)), list[Played]()
    yield from find_plan(puzzle, Meter(budget))
    for name in QUICK:
        player, won = Quick(puzzle, name, seed), 0
        for game, wins in enumerate(player.play_from(puzzle.initial(), GAMES)):
            if game % player.at_once == 0 and not (yield from budget.allows("rating", game, game)):
                return None
            won += wins
        played.append(Played(SKILLS[name], won, GAMES))
    points, low, high = difficulty(played)
    found = rating(points if not isinf(points) else low if isinf(high) else high, WORDS)
    ends = (None if isinf(end) else end for end in (low, high))
    return Rating(found.word, found.figure, *ends, luck=share_of_luck(played))
