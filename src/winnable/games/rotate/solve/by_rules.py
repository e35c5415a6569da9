"""Where there is no numpy: depth-first search over the readable rules."""

from __future__ import annotations

from dataclasses import replace

from winnable.contract.core import Budget, Search, SolveResult
from winnable.games.rotate.rules.bounds import cluster_bound
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.search.depth_first import depth_first_search


def solve(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[SolveResult]:
    """The line need not be short: only the bound says that it is the shortest."""
    found = yield from depth_first_search(puzzle, state, budget)
    lower = None if found.status == "unsolvable" else cluster_bound(puzzle, state.cells)
    return replace(found, lower_bound=lower, optimal=found.status == "solved" and found.cost == lower)
