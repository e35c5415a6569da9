"""Where there is no numpy: depth-first search over the readable rules."""

from __future__ import annotations

from winnable.contract.core import Answer, Budget, Search
from winnable.games.drops.rules.bounds import explain
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.search.depth_first import proved_by_bound


def solve(puzzle: Drops, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The line need not be short: only the bound says that it is the shortest."""
    return proved_by_bound(puzzle, state, budget, explain(puzzle, state).bound)
