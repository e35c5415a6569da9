"""What actions cost in a game without a goal: how much more the best one was worth than the one played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from winnable.contract.chance import Values
from winnable.contract.core import Action

MOST = 5
SHARE = 0.1
"""Of what was still to come: an action that costs less is no mistake. Random games are hardly surer."""


@dataclass(frozen=True, slots=True)
class Cost:
    """ply:   the state before the action
    best:  the best action there
    cost:  its value less that of the action played, >= 0
    value: of the best action
    """

    ply: int
    best: Action
    cost: float
    value: float


def cost_of(ply: int, action: Action, values: Values) -> Cost:
    """Of an action that is one of those with a value."""
    worth = dict(values)
    best = max(worth, key=lambda other: worth[other])
    return Cost(ply, best, worth[best] - worth[action], worth[best])


def worst(costs: Iterable[Cost], by_share: bool = False) -> list[Cost]:
    """The MOST that cost most, or the greatest share of the value, the worst first, of those that are
    mistakes."""
    mistakes = [cost for cost in costs if cost.cost > 0 and cost.cost >= SHARE * cost.value]
    return sorted(mistakes, key=lambda cost: (-_share(cost) if by_share else -cost.cost, cost.ply))[:MOST]


def _share(cost: Cost) -> float:
    return cost.cost / cost.value if cost.value > 0 else inf
