"""How hard a board of 2048 is for a person: how far its goal is from where careless play ends.

Chance follows the moves, so the new tiles of one day are no harder than those of another: what is told is
about the board and its goal, and is the same whatever the level's dice.
"""

from __future__ import annotations

import random

from winnable.contract.chance import RandomDice
from winnable.contract.core import Budget, Search
from winnable.games.game2048.players.first import RandomGame
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.stats.difficulty import Rating, Word, rating

GAMES, AT_ONCE = 40, 100
"""Games, and moves between two looks at the budget."""
GOAL = 2048
"""Of the original game, where a level has none."""
WORDS: tuple[tuple[float, Word], ...] = ((2, "easy"), (5, "medium"), (10, "tricky"), (20, "hard"))
"""Up to which figure each word goes: 1024 and 2048 on the usual board are at 4 and 8."""


def rate(level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
    """The figure is the number of moves that the goal takes, by that which a random player gets to make in
    the mean. None: the budget ended."""
    game, dice = Seeded2048(level).game, RandomDice(random.Random(seed))
    needed, moves = 0.0, 0
    for games in range(GAMES):
        state = game.initial(dice)
        legal = game.legal_actions(state)
        needed += _moves_to(level.goal or GOAL, state, level.fours)
        copy = RandomGame(game, state, legal[dice.below(len(legal))], dice.rng)
        while not copy.over:
            if not moves % AT_ONCE and not (yield from budget.allows("rating", moves, games)):
                return None
            copy.step()
            moves += 1
    return rating(needed / moves, WORDS)


def _moves_to(goal: int, state: State, fours: int) -> float:
    """What new tiles must bring, and the moves that join all those at hand."""
    tiles = [1 << exponent for exponent in state if exponent]
    if max(tiles) >= goal:
        return 0.0
    return max(0.0, goal - sum(tiles)) / (2 + 2 * fours / 100) + len(tiles) - 1
