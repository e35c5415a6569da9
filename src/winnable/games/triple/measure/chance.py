"""How surely a person wins from a position of triple in which faces are hidden: an estimate.

Of this very level: the games are played on it as it is dealt, by a player who sees no more than a person. A
person cannot tell it from other deals with the same faces in sight, but what is measured and made to order is
the deal, and the mean of others is another number: it lies nearer to what is usual on such boards.
"""

from __future__ import annotations

from collections.abc import Iterator

from winnable.contract.abilities import Chance
from winnable.contract.core import Budget, Progress
from winnable.games.triple.players.fair_players import Quick
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.plan import MAX_CLOSED_TILES, find_plan
from winnable.search.meter import Meter
from winnable.stats.intervals import wilson_interval

PLAYER = "careful"
"""The best one that plays hundreds of games in a second: those who imagine deals take seconds for a game."""
GAMES, AT_ONCE = 400, 40
"""With which the share is known to 5 points; so many between two estimates."""


def chance(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Iterator[Chance | Progress]:
    """From the start, the same games as `winnable measure --by careful` plays with this seed. Nothing where
    no face is hidden, the game is over, or there are more than MAX_CLOSED_TILES tiles."""
    seen = puzzle.observe(state)
    if seen.status != "playing" or puzzle.num_actions > MAX_CLOSED_TILES:
        return
    if all(tile.kind is not None for tile in seen.tiles):
        return
    meter, won = Meter(budget), 0
    yield from find_plan(puzzle, meter)
    player = Quick(puzzle, PLAYER, seed)
    for games, wins in enumerate(player.play_from(state, GAMES), 1):
        won, meter.expanded, meter.generated = won + wins, games, games
        if meter.is_due and not (yield from meter.allows("chance")):
            return
        if games % AT_ONCE == 0:
            yield Chance(PLAYER, won, games, *wilson_interval(won, games))
