"""Players and levels on one scale: a player of skill s wins a level of difficulty d with chance

    1 / (1 + 10 ** ((d - s) / 400))

(G. Rasch, Probabilistic Models for Some Intelligence and Attainment Tests, 1960, in the points of A. Elo's
ratings). So a level's difficulty is the skill at which half of the games are won.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log
from typing import NamedTuple

from winnable.inert.arrays import F64, np

POINT = log(10) / 400
"""Of the logarithm of odds."""
FARTHEST = 6000.0
"""Points from the nearest player or level; nobody wins or loses there."""
CHI_95 = 3.841458820694124
"""The quantile of 0.95 of the chi-squared distribution with one degree of freedom."""


class Played(NamedTuple):
    """How a player of this skill did on one level."""

    skill: float
    won: int
    games: int


class Difficulty(NamedTuple):
    """points: the likeliest; infinite when all or none of the games were won. low, high: its 95 % interval,
    by the likelihood ratio; infinite where nothing speaks against it."""

    points: float
    low: float
    high: float


def win_chance(skill: float | F64, difficulty: float | F64) -> F64:
    """The chance to win of each pair, by broadcasting."""
    return np.asarray(1 / (1 + np.exp((np.asarray(difficulty) - np.asarray(skill)) * POINT)))


def difficulty(played: Sequence[Played]) -> Difficulty:
    """The difficulty of the level on which these games were played. Raises ValueError without a game."""
    skills, won, games = np.array([one for one in played if one.games], np.float64).reshape(-1, 3).T
    if not games.sum():
        raise ValueError("played: no games")
    lowest, highest = float(skills.min()) - FARTHEST, float(skills.max()) + FARTHEST

    def surplus(points: float) -> float:
        """Games that are expected to be won beyond those that were; it falls."""
        return float((games * win_chance(skills, points) - won).sum())

    def likelihood(points: float) -> float:
        odds = (skills - points) * POINT  # logarithms: a chance of almost 1 would be rounded to 1
        return -float((won * np.logaddexp(0, -odds) + (games - won) * np.logaddexp(0, odds)).sum())

    best = _root(surplus, lowest, highest)
    floor = likelihood(best) - CHI_95 / 2
    none, every = not won.sum(), won.sum() == games.sum()
    low = -inf if every else _root(lambda points: floor - likelihood(points), lowest, best)
    high = inf if none else _root(lambda points: likelihood(points) - floor, best, highest)
    return Difficulty(inf if none else -inf if every else best, low, high)


def share_of_luck(played: Sequence[Played]) -> float | None:
    """How much of what decides between winning and losing is not who plays, 0 to 1: of games by any of these
    players alike, the mean variance of each player's games over that of all games (one less the correlation
    ratio; R. Fisher, Statistical Methods for Research Workers, 1925, ch. 8). None: all or none were won."""
    chances = np.array([one.won / one.games for one in played if one.games], np.float64)
    mean = float(chances.mean()) if chances.size else 0.0
    return float((chances * (1 - chances)).mean() / (mean * (1 - mean))) if 0 < mean < 1 else None


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, to a thousandth."""
    while high - low > 1e-3:
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
