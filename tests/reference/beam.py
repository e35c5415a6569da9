"""Beam search, for any puzzle."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from winnable.contract.core import Action, Answer, Budget, Puzzle, finish
from winnable.search.depth_first import ENTRY_BYTES
from winnable.search.meter import Meter

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Node(Generic[S]):
    state: S
    parent: _Node[S] | None
    action: Action
    cost: int


def beam_search(
    puzzle: Puzzle[S],
    state: S,
    budget: Budget,
    width: int,
    heuristic: Callable[[S], float],
    state_bytes: int | None = None,
) -> Answer:
    """Goes down level by level; of each level only the `width` states with the lowest heuristic go on.

    The heuristic needs no properties; among equals the state that was generated first goes on. States are
    compared exactly, and one that went on never does so again. `unsolvable` is returned only when no state
    was ever dropped for the width; a beam that dropped some and then runs empty knows nothing: `budget`. So
    is a search whose states fill `budget.memory_mb` (see `depth_first_search` for `state_bytes`).
    """
    meter = Meter(budget)
    if puzzle.is_goal(state):
        return meter.result("solved", (), cost=0, lower_bound=0)
    size = (sys.getsizeof(state) if state_bytes is None else state_bytes) + 2 * ENTRY_BYTES
    capacity = max(1, budget.memory_mb * 2**20 // size)
    level: list[_Node[S]] = [_Node(state, None, -1, 0)]
    entered = {state}
    dropped = False
    while level:
        successors: dict[S, _Node[S]] = {}
        for node in level:
            if len(entered) + len(successors) > capacity:
                return meter.result("budget", limit=meter.memory_limit)
            if meter.is_due and not finish(meter.allows("beam")):
                return meter.result("budget")
            meter.expanded += 1
            for action in puzzle.legal_actions(node.state):
                after = puzzle.apply(node.state, action)
                meter.generated += 1
                if after in entered or after in successors:
                    continue
                cost = node.cost + puzzle.cost(node.state, action)
                successor = successors[after] = _Node(after, node, action, cost)
                if puzzle.is_goal(after):
                    return meter.result("solved", _line(successor), cost)
        level = list(successors.values())
        if len(level) > width:
            dropped = True
            level = sorted(level, key=lambda node: heuristic(node.state))[:width]
        entered.update(node.state for node in level)
    return meter.result("budget" if dropped else "unsolvable")


def _line(node: _Node[S]) -> tuple[Action, ...]:
    actions: list[Action] = []
    while node.parent is not None:
        actions.append(node.action)
        node = node.parent
    return tuple(reversed(actions))
