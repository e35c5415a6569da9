"""What a state of a game without a goal promises, from copies of it that a player plays on at the same pace.

So all of them are as far when the time is up, and none is left out because it goes on too long.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Protocol

from winnable.contract.chance import Outlook
from winnable.contract.core import Budget, Progress, Search
from winnable.search.meter import Meter
from winnable.stats.intervals import wilson_interval
from winnable.stats.quantiles import student_975


class Copy(Protocol):
    """A game that its player plays on."""

    @property
    def score(self) -> float:
        """The rewards so far."""
        ...

    @property
    def over(self) -> bool: ...
    def step(self) -> None:
        """One action, of a game that is not over."""
        ...


def play_on(copies: Sequence[Copy], budget: Budget, by: str, most: int) -> Search[Outlook]:
    """Until all are over, each took `most` steps, or the budget ends; one step each at the least, whatever
    the budget. At least two copies."""
    going, steps, meter = [copy for copy in copies if not copy.over], 0, Meter(budget)
    while going and steps < most:
        if steps and not (yield from meter.allows("outlook")):
            break
        for copy in going:
            copy.step()
            if meter.is_due:
                yield Progress("outlook", meter.expanded, meter.generated, budget.elapsed)
        going, steps = [copy for copy in going if not copy.over], steps + 1
        meter.expanded = meter.generated = steps * len(copies)
    scores = [copy.score for copy in copies]
    mean, half = fmean(scores), student_975(len(scores) - 1) * stdev(scores) / len(scores) ** 0.5
    low = max(0.0, mean - half)
    if not going:
        return Outlook(mean, low, mean + half, by=by)
    ended = len(copies) - len(going)
    risk_low, risk_high = wilson_interval(ended, len(copies))
    risk = ended / len(copies)
    return Outlook(mean, low, mean + half, risk, by=by, within=steps, risk_low=risk_low, risk_high=risk_high)
