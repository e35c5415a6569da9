"""How a game stands: what each move is worth, by the first judge that knows the board, and the chance to make
the goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import fmean
from typing import TypeAlias

from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Action, Budget, Found, Search, WinnableError, searching
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.measure.chance import GAMES, WEIGHED, chance
from winnable.games.game2048.players import expectimax, rollouts
from winnable.games.game2048.players.by_name import SEARCHES
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.inert.arrays import np

Judge: TypeAlias = Callable[[Seeded2048, Turn[State], Budget, int], Found[Outlook | None]]
"""(puzzle, state, budget, seed) -> what the state promises; None: the judge does not know such boards."""

PLAYER = "search-1ms"
"""Of boards of 4 × 4."""
ROUNDS, RUNS = 20, 50
"""Rounds of so many random games for each move: from the beginning of a 4 × 4 game they take a processor some
50 ms."""


def outlook(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """What each move is worth, see `Foresees`."""
    return _outlook(puzzle, state, budget, seed, GAMES)


def weigh(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """What each move is worth, see `Weighs`: as `outlook`, by fewer games, as many states of one game are
    asked about."""
    return _outlook(puzzle, state, budget, seed, WEIGHED)


def _outlook(
    puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int, games: int
) -> Search[Outlook]:
    found = None
    for judge in JUDGES:
        found = found or (yield from searching(judge(puzzle, state, budget, seed)))
    found = found or Outlook()
    if puzzle.reached(state) is not False or not puzzle.legal_actions(state):
        return found
    return replace(found, goal=(yield from chance(puzzle, state.state, budget, seed, games)))


def by_exact_play(
    puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int
) -> Search[Outlook | None]:
    """Knows small boards that are solved at once, or whose table is there; not levels that end at their goal,
    where exact play is after the chance to reach it. What it says is the best player's mean."""
    if puzzle.level.ends or puzzle.level.rows * puzzle.level.columns > exact.MOST_CELLS:
        return None
    try:
        solution = yield from exact.solution_of(puzzle.level)
        values = yield from solution.values(state.state, budget)
    except WinnableError:  # no table, a board that it cannot tell of, or the budget ended
        return None
    return Outlook(score=max(values.values(), default=0.0), values=tuple(values.items()), by="exact")


def by_search(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook | None]:
    """Knows boards of 4 × 4. What it says is what the player `auto` goes by, in a millisecond or two.
    Networks know no goal: where that ends the game, their values are good for nothing but to be compared."""
    if not expectimax.knows(puzzle.level):
        return None
    values = yield from expectimax.Searching(puzzle, bits=SEARCHES[PLAYER]).values(state)
    score = None if puzzle.level.ends else max(values.values(), default=0.0)
    return Outlook(score=score, values=tuple(values.items()), by=PLAYER)


def by_rollouts(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """Knows all boards. The values are the means of the rounds that the budget lets begin, of which there is
    one at least: the same seed gives the same values as long as it lets all begin. They are what a random
    player gets, which says nothing about a good player's score."""
    found: list[dict[Action, float]] = []
    for drawn in np.random.SeedSequence(seed).generate_state(ROUNDS):
        found.append(rollouts.values(puzzle.game, state.state, int(drawn), RUNS))
        games = len(found) * RUNS
        if not (yield from budget.allows("outlook", games, games)):
            break
    values = ((action, fmean(one[action] for one in found)) for action in found[0])
    return Outlook(values=tuple(values), by="random")


JUDGES: tuple[Judge, ...] = (by_exact_play, by_search, by_rollouts)
"""The best first."""
