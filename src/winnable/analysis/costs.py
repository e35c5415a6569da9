"""What actions cost: how much more the best one was worth than the one played; in a game with a goal, how
many actions more the shortest line has after it, or, where none is longer than another, how much room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal, TypeAlias

from winnable.contract.chance import Values
from winnable.contract.core import Action
from winnable.stats.intervals import wilson_interval

MOST = 3
NARROW, CLEARLY = 0.4, 0.2
"""Of the legal actions: who keeps more of those that win has not turned the game; what is clearly more."""
HARDLY = 0.25
"""Of the legal actions: where no more still won, the game was as good as lost before."""
SHARE = 0.1
"""Of what was still to come: an action that costs less is no mistake. Random games are hardly surer."""


Measure: TypeAlias = Literal["completion", "remaining", "expected", "kept", "chance"]


@dataclass(frozen=True, slots=True)
class Room:
    """So many of the `legal` actions still win."""

    wins: int
    legal: int

    @property
    def share(self) -> float:
        return self.wins / self.legal if self.legal else 0.0


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the action after the state `ply` did to the room that the player has. The state after it can still
    be won, so that it is a crossroads; or no action wins there any more: then this one lost the game.

    better: another action that left clearly more room; None: none is known
    """

    ply: int
    before: Room
    after: Room
    better: Action | None = None

    @property
    def loss(self) -> float:
        return self.before.share - self.after.share

    @property
    def says_little(self) -> bool:
        """Of the one that lost the game: hardly any other would have kept it, or nothing came after it."""
        return self.before.share <= HARDLY or not self.after.legal

    def is_slip(self, losing: Narrowing) -> bool:
        """Whether it cost more room than the one that lost the game, and needlessly."""
        return self.better is not None and self.loss > losing.loss


@dataclass(frozen=True, slots=True)
class Review:
    """What a finished game shows.

    turning: the plies before the actions that mattered most, MOST of them at most, the worst first: the one
             that lost the game, unless it was as good as lost by another
    course:  a figure for each of its states; None where it is not known
    measure: what that is: how much of the level is done, 0 to 1; how many actions are needed at the least;
             the reward to be expected in all; or, where that is in no unit that the game counts in, which
             share of it the actions so far have kept, 0 to 1; or the chance to make the goal
    narrowings: of the turning ones, those that left much less room, and the one that lost the game, if the
                room before it is known
    """

    turning: Sequence[int]
    course: Sequence[float | None]
    measure: Measure
    narrowings: Sequence[Narrowing] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """ply:   the state before the action
    best:  the best action there
    cost:  its value less that of the action played, >= 0
    value: of the best action; in a game with a goal how many actions the shortest line has
    """

    ply: int
    best: Action
    cost: float
    value: float


def cost_of(ply: int, action: Action, values: Values, games: int | None = None) -> Cost:
    """Of an action that is one of those with a value. games: that the values are shares of. Then what may be
    chance costs nothing: only where the intervals of two shares do not overlap is the best action better."""
    worth = dict(values)
    best = max(worth, key=lambda other: worth[other])
    if games is not None:
        low, _ = wilson_interval(round(worth[best] * games), games)
        _, high = wilson_interval(round(worth[action] * games), games)
        if low <= high:
            return Cost(ply, action, 0.0, worth[action])
    return Cost(ply, best, worth[best] - worth[action], worth[best])


def worst(costs: Iterable[Cost], by_share: bool = False, share: float = SHARE) -> list[Cost]:
    """The MOST that cost most, or the greatest share of the value, the worst first, of those that are
    mistakes. share: of the value, from which on it is one"""
    mistakes = [cost for cost in costs if cost.cost > 0 and cost.cost >= share * cost.value]
    return sorted(mistakes, key=lambda cost: (-_share(cost) if by_share else -cost.cost, cost.ply))[:MOST]


def narrowest(narrowings: Iterable[Narrowing]) -> list[Narrowing]:
    """Those that took most of the room and still left some, MOST at most, the worst first."""
    turning = [narrowing for narrowing in narrowings if narrowing.after.wins and narrowing.loss >= NARROW]
    return sorted(turning, key=lambda narrowing: (-narrowing.loss, narrowing.ply))[:MOST]


def _share(cost: Cost) -> float:
    return cost.cost / cost.value if cost.value > 0 else inf
