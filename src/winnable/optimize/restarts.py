"""When a search begins anew within one budget, and how large its population is meanwhile."""

from __future__ import annotations

from typing import Any

from winnable.optimize.base import Floats
from winnable.optimize.state import StateReader
from winnable.optimize.success_history import LEAST_POPULATION

FIRST_SEARCH = 1000
"""Evaluations per gene of the first of several searches."""

LONGER = 10
"""When each search ends, in multiples of when the one before ended."""

ALIKE = 1e-12
"""A population has converged when its losses differ by no more than this share of the best, or of 1."""


class Schedule:
    """The course of a search and of its restarts.

    A shrinking population finds little before its end, and nothing after it. So the budget is given to a
    short search, to one ten times as long, and so on, the last of which ends with the budget: an easy
    function is solved early, a hard one gets nine tenths of the budget. Budgets below 2 · 1000 evaluations
    per gene go to one search. A search that has converged before its end makes way for the next one; the last
    one begins anew until the budget is used up. Searches share nothing but the best genome. To restart rather
    than to keep a converged population is ARRDE's way (package minionpy); the schedule is ours.

    size: of the population at first
    start, end: at which evaluations the present search began and is to end
    """

    def __init__(self, size: int, genes: int, budget: int, restarts: bool) -> None:
        self._genes, self._budget, self._restarts = genes, budget, restarts
        self.size = size
        self.start, self.end = 0, self._end_after(0)

    def _end_after(self, end: int) -> int:
        """The end of the search that comes after one that was to end then."""
        following = LONGER * end if end else FIRST_SEARCH * self._genes
        return following if self._restarts and 2 * following <= self._budget else self._budget

    def progress(self, evaluations: int) -> float:
        """The progress of the present search, in 0 ... 1."""
        return min((evaluations - self.start) / max(self.end - self.start, 1), 1.0)

    def size_after(self, evaluations: int) -> int:
        """The size of the population: [L] equation 10."""
        fall = (self.size - LEAST_POPULATION) * self.progress(evaluations)
        return max(round(self.size - fall), LEAST_POPULATION)

    def is_over(self, evaluations: int, losses: Floats) -> bool:
        """Whether it is time for the next search; losses: float [population]."""
        if not self._restarts or evaluations >= self._budget:
            return False
        least, greatest = float(losses.min()), float(losses.max())
        return evaluations >= self.end or greatest - least <= ALIKE * max(1.0, abs(least))

    def is_long(self) -> bool:
        """Whether the present search is longer than a budget that is not shared out."""
        return self.end - self.start > 2 * FIRST_SEARCH * self._genes

    def restart(self, evaluations: int) -> None:
        """Begins the next search at so many evaluations."""
        self.start, self.end = evaluations, self._end_after(self.end)

    def to_json(self) -> dict[str, Any]:
        """Its fields as JSON values, for `load_json`."""
        return {"start": self.start, "end": self.end}

    def load_json(self, value: Any) -> Schedule:
        """Filled and returned; this one is new. Raises ValueError that names the field."""
        reader = StateReader(value, "state: schedule")
        self.start = reader.integer("start")
        self.end = reader.integer("end", 1, self._budget)
        return self
