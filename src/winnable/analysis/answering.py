"""Whether an action was a mistake: proved where the game has a goal, else by what the actions are worth."""

from __future__ import annotations

from dataclasses import dataclass

from winnable.analysis import ByProof, Companion
from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.costs import worst
from winnable.analysis.verdicts import Point
from winnable.contract.core import Action, Budget, Search, collected


@dataclass(frozen=True, slots=True)
class Judged:
    """right:  None: that could not be found out
    better: an action that is no mistake; None: none is known
    """

    right: bool | None
    better: Action | None


def judge(companion: Companion, point: Point, budget: Budget, each: float) -> Search[Judged]:
    """The action that leads from the state before the point to it. each: seconds of a search at the most"""
    if isinstance(companion, ByProof):
        return _by_proof(companion, point, budget, each)
    return _by_outlook(companion, point, budget.part(most=each))


def _by_proof(companion: ByProof, point: Point, budget: Budget, each: float) -> Search[Judged]:
    """Any that still wins is right."""
    before = point._replace(ply=point.ply - 1)
    verdict = yield from companion.decide(point, budget.part(most=each))
    if verdict == "winnable":
        return Judged(True, None)
    won_before = (yield from companion.decide(before, budget.part(most=each))) == "winnable"
    better = companion.hint(before.state) if won_before else None
    return Judged(False if verdict == "lost" and won_before else None, better)


def _by_outlook(companion: ByOutlook, point: Point, budget: Budget) -> Search[Judged]:
    """Right is what `costs.worst` does not call a mistake."""
    last = Point(point.states[point.ply - 1 : point.ply + 1], point.actions[point.ply - 1 : point.ply], 0)
    costs = yield from collected(companion.costs(last, budget))
    return Judged(not worst(costs), costs[0].best) if costs else Judged(None, None)
