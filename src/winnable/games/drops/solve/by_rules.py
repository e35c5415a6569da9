"""Where there is no numpy: depth-first search over the readable rules."""

from __future__ import annotations

from dataclasses import replace

from winnable.contract.core import Budget, Search, SolveResult
from winnable.games.drops.rules.bounds import explain
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.search.depth_first import depth_first_search


def solve(puzzle: Drops, state: State, budget: Budget, seed: int) -> Search[SolveResult]:
    """The line need not be short: only the bound says that it is the shortest."""
    found = yield from depth_first_search(puzzle, state, budget)
    lower = None if found.status == "unsolvable" else explain(puzzle, state).bound
    return replace(found, lower_bound=lower, optimal=found.status == "solved" and found.cost == lower)
