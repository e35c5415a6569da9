"""How surely a person wins from a position of triple in which faces are hidden: an estimate."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.contract.abilities import Chance
from winnable.contract.core import Budget
from winnable.games.triple.players.fair_players import Quick
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.plan import MAX_CLOSED_TILES
from winnable.stats.intervals import wilson_interval

PLAYER = "careful"
"""The best one that plays hundreds of games in a second: those who imagine deals take seconds for a game."""
GAMES, AT_ONCE = 400, 40
"""With which the share is known to 5 points; so many between two looks at the budget."""


def chance(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Iterator[Chance]:
    """A person knows that kinds come in threes, and those seen so far, but not how many there are of each.
    Nothing where no face is hidden, the game is over, or there are more than MAX_CLOSED_TILES tiles."""
    seen = puzzle.observe(state)
    if seen.status != "playing" or puzzle.num_actions > MAX_CLOSED_TILES:
        return
    if all(tile.kind is not None for tile in seen.tiles):
        return
    player, won = Quick(puzzle, PLAYER, seed), 0
    for games in range(AT_ONCE, GAMES + 1, AT_ONCE):
        if not budget.allows("chance", games, games):
            return
        won += player.win_from(state, AT_ONCE)
        yield Chance(PLAYER, won, games, *wilson_interval(won, games))
