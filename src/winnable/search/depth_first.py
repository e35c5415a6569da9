"""Depth-first search with a transposition set, for any puzzle."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from winnable.contract.core import Action, Answer, Budget, Puzzle, Search
from winnable.search.meter import Meter

S = TypeVar("S", bound=Hashable)

ENTRY_BYTES = 120
"""About what a set takes for an entry, beside the entry itself."""
ACTION_BYTES = 40
"""An action of those that are still to be tried: its place in a list, and a number."""


def proved_by_bound(
    puzzle: Puzzle[S], state: S, budget: Budget, lower_bound: int, state_bytes: int | None = None
) -> Search[Answer]:
    """The same search, whose line is optimal where it costs no more than a bound that the rules give."""
    found = yield from depth_first_search(puzzle, state, budget, state_bytes)
    lower = None if found.status == "unsolvable" else lower_bound
    return replace(found, lower_bound=lower, optimal=found.status == "solved" and found.cost == lower)


def depth_first_search(
    puzzle: Puzzle[S], state: S, budget: Budget, state_bytes: int | None = None
) -> Search[Answer]:
    """Searches all that can be reached from `state`, in ascending order of actions.

    Remembers every state that it entered (the states themselves, so that no two are ever confused) and enters
    none twice: whatever a second visit could find, the first one finds or found. `unsolvable` therefore means
    that every reachable state was seen. `state_bytes` is what one state takes in memory (by default what
    sys.getsizeof says of the first); the search ends with `budget` when its states and the actions of those
    on the path fill `budget.memory_mb`.

    The first line found is returned, which need not be a cheap one.
    """
    meter = Meter(budget)
    if puzzle.is_goal(state):
        return meter.result("solved", (), cost=0, lower_bound=0)
    size = (sys.getsizeof(state) if state_bytes is None else state_bytes) + ENTRY_BYTES
    entered = {state}
    actions = puzzle.legal_actions(state)
    path: list[tuple[S, Sequence[Action], Iterator[Action]]] = [(state, actions, iter(actions))]
    line: list[Action] = []
    used = size + ACTION_BYTES * len(actions)
    meter.expanded = 1
    while path:
        if used > budget.memory_mb * 2**20:
            return meter.result("budget", limit=meter.memory_limit)
        if meter.is_due and not (yield from meter.allows("depth-first")):
            return meter.result("budget")
        current, actions, untried = path[-1]
        action = next(untried, None)
        if action is None:
            path.pop()
            used -= ACTION_BYTES * len(actions)
            if line:
                line.pop()
            continue
        successor = puzzle.apply(current, action)
        meter.generated += 1
        if successor in entered:
            continue
        line.append(action)
        if puzzle.is_goal(successor):
            return (yield from meter.solved(puzzle, state, tuple(line)))
        entered.add(successor)
        actions = puzzle.legal_actions(successor)
        path.append((successor, actions, iter(actions)))
        used += size + ACTION_BYTES * len(actions)
        meter.expanded += 1
    return meter.result("unsolvable")
