"""Whether an action was a mistake: proved where the game has a goal, else by what the actions are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from winnable.analysis.by_outlook import ByOutlook, Look
from winnable.analysis.by_proof import ByProof
from winnable.analysis.costs import worst
from winnable.analysis.verdicts import Point
from winnable.contract.chance import Outlook
from winnable.contract.core import Action, Budget


@dataclass(frozen=True, slots=True)
class Answer:
    """right:  None: that could not be found out
    better: an action that is no mistake; None: none is known
    """

    right: bool | None
    better: Action | None


def judge(
    companion: ByProof | ByOutlook,
    point: Point,
    budget: Callable[[], Budget],
    run: Callable[[Callable[[], Outlook]], Outlook] = lambda work: work(),
) -> Answer:
    """The action that leads from the state before the point to it. budget: for each search; run: as `Means`
    has it."""
    if isinstance(companion, ByProof):
        return _by_proof(companion, point, budget)
    return _by_outlook(companion, point, lambda look: run(lambda: look(budget())))


def _by_proof(companion: ByProof, point: Point, budget: Callable[[], Budget]) -> Answer:
    """Of the action that leads from the state before the point to it. Any that still wins is right."""
    before = point._replace(ply=point.ply - 1)
    verdict = companion.decide(point, budget())
    if verdict == "winnable":
        return Answer(True, None)
    won_before = companion.decide(before, budget()) == "winnable"
    better = companion.hint(before.state) if won_before else None
    return Answer(False if verdict == "lost" and won_before else None, better)


def _by_outlook(companion: ByOutlook, point: Point, ask: Callable[[Look], Outlook]) -> Answer:
    """Likewise; right is what `costs.worst` does not call a mistake."""
    last = Point(point.states[point.ply - 1 : point.ply + 1], point.actions[point.ply - 1 : point.ply], 0)
    cost = next(companion.costs(last, ask), None)
    if cost is None:
        return Answer(None, None)
    return Answer(not worst([cost]), cost.best)
