"""Depth-first search with a transposition set, for any puzzle."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator
from typing import TypeVar

from winnable.core import Action, Budget, Puzzle, SolveResult
from winnable.search.meter import Meter

S = TypeVar("S", bound=Hashable)

ENTRY_BYTES = 120
"""About what a set takes for an entry, beside the entry itself."""


def depth_first_search(
    puzzle: Puzzle[S], state: S, budget: Budget, state_bytes: int | None = None
) -> SolveResult:
    """Searches all that can be reached from `state`, in ascending order of actions.

    Remembers every state that it entered (the states themselves, so that no two are ever confused) and enters
    none twice: whatever a second visit could find, the first one finds or found. `unsolvable` therefore means
    that every reachable state was seen. `state_bytes` is what one state takes in memory (by default what
    sys.getsizeof says of the first); the search ends with `budget` when its states fill `budget.memory_mb`.

    The first line found is returned, which need not be a cheap one.
    """
    meter = Meter(budget)
    if puzzle.is_goal(state):
        return meter.result("solved", (), cost=0, lower_bound=0)
    size = (sys.getsizeof(state) if state_bytes is None else state_bytes) + ENTRY_BYTES
    capacity = max(1, budget.memory_mb * 2**20 // size)
    entered = {state}
    path: list[tuple[S, Iterator[Action]]] = [(state, iter(puzzle.legal_actions(state)))]
    line: list[Action] = []
    meter.expanded = 1
    while path:
        if len(entered) > capacity or not meter.allows_often("depth-first"):
            return meter.result("budget")
        current, actions = path[-1]
        action = next(actions, None)
        if action is None:
            path.pop()
            if line:
                line.pop()
            continue
        successor = puzzle.apply(current, action)
        meter.generated += 1
        if successor in entered:
            continue
        line.append(action)
        if puzzle.is_goal(successor):
            states = [before for before, _ in path]
            cost = sum(map(puzzle.cost, states, line))
            return meter.result("solved", tuple(line), cost)
        entered.add(successor)
        path.append((successor, iter(puzzle.legal_actions(successor))))
        meter.expanded += 1
    return meter.result("unsolvable")
