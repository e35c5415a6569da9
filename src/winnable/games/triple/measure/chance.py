"""How surely a person wins from a position of triple in which faces are hidden: an estimate."""

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
    """A person knows that kinds come in threes, and those seen so far, but not how many there are of each.
    Nothing where no face is hidden, the game is over, or there are more than MAX_CLOSED_TILES tiles."""
    seen = puzzle.observe(state)
    if seen.status != "playing" or puzzle.num_actions > MAX_CLOSED_TILES:
        return
    if all(tile.kind is not None for tile in seen.tiles):
        return
    meter, won = Meter(budget), 0
    yield from find_plan(puzzle, meter)
    player = Quick(puzzle, PLAYER, seed)
    for games in range(AT_ONCE, GAMES + 1, AT_ONCE):
        meter.expanded = meter.generated = games
        for wins in player.play_from(state, AT_ONCE):
            if meter.is_due and not (yield from meter.allows("chance")):
                return
            won += wins
        yield Chance(PLAYER, won, games, *wilson_interval(won, games))
