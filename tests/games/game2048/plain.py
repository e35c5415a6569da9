"""Exact play by the readable rules alone: recursion over boards as they are, each solved once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State


def plain_values(level: Level, chance: bool = False) -> Callable[[State], float]:
    """State -> the best mean of the score to come; chance: the best chance to reach the level's goal."""
    game = Game2048(level)

    @cache
    def value(state: State) -> float:
        if chance and game.is_reached(state):
            return 1.0
        best = 0.0
        for action in game.legal_actions(state):
            after, reward = game.afterstate(state, action)
            best = max(best, value_after(after) + (0 if chance else reward))
        return best

    @cache
    def value_after(after: State) -> float:
        return sum(share * value(state) for share, state in game.outcomes(after))

    return value


def mean_of(level: Level, value: Callable[[State], float]) -> float:
    """Of games from two random tiles."""
    game, empty = Game2048(level), (0,) * (level.rows * level.columns)
    return sum(
        first * second * value(state)
        for first, board in game.outcomes(empty)
        for second, state in game.outcomes(board)
    )
