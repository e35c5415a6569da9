"""What a search has used of its budget."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from winnable.contract.core import (
    Action,
    Answer,
    Best,
    Budget,
    Limit,
    Puzzle,
    S,
    Search,
    Status,
    costs_along,
)

POLL_SECONDS = 0.004


class Meter:
    """Counts for one search, or for all stages of one."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.expanded = 0
        self.generated = 0
        self._next_poll = float("-inf")

    @property
    def expanded_left(self) -> int:
        """Nodes that may still be expanded within the budget."""
        return max(0, self.budget.expanded - self.expanded)

    @property
    def memory_limit(self) -> Limit:
        """What ends a search whose tables cannot grow any more."""
        return Limit("memory", self.budget.memory_mb)

    def allows(self, stage: str, **values: Any) -> Search[bool]:
        """Tells how far the search is, and returns whether it may go on."""
        return self.budget.allows(stage, self.expanded, self.generated, **values)

    @property
    def is_due(self) -> bool:
        """Whether `allows` is to be asked, every POLL_SECONDS: at the price of a clock reading."""
        now = time.monotonic()
        if now < self._next_poll and self.expanded < self.budget.expanded:
            return False
        self._next_poll = now + POLL_SECONDS
        return True

    def settled(self, puzzle: Puzzle[S], state: S) -> Answer | None:
        """The result where there is nothing to search: the state is won, or no action is left."""
        if puzzle.is_goal(state):
            return self.result("solved", cost=0, lower_bound=0)
        return None if puzzle.legal_actions(state) else self.result("unsolvable")

    def check(self, puzzle: Puzzle[S], state: S, line: Sequence[Action]) -> Search[int]:
        """What a line costs that wins, as `check_line`: on a large board that takes long."""
        cost = 0
        for one in costs_along(puzzle, line, state):
            cost += one
            if self.is_due:
                yield from self.allows("check")
        return cost

    def solved(
        self, puzzle: Puzzle[S], state: S, line: tuple[Action, ...], lower_bound: int | None = None
    ) -> Search[Answer]:
        """The answer of a line that wins, which the readable rules replay."""
        cost = yield from self.check(puzzle, state, line)
        return self.result("solved", line, cost, lower_bound)

    def result(
        self,
        status: Status,
        actions: tuple[Action, ...] = (),
        cost: int | None = None,
        lower_bound: int | None = None,
        limit: Limit | None = None,
        best: Best | None = None,
    ) -> Answer:
        """The answer, with all that was used. A line is optimal when it costs no more than the lower bound.
        `limit`: of an undecided search that ended by itself, before the budget did."""
        if status == "budget" and limit is None:
            limit = self.budget.limit(self.expanded) or Limit("method")
        return Answer(
            status,
            actions,
            cost,
            lower_bound,
            optimal=cost is not None and cost == lower_bound,
            expanded=self.expanded,
            generated=self.generated,
            seconds=self.budget.elapsed,
            limit=limit,
            best=best,
        )
