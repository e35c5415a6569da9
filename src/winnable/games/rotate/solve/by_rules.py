"""Where there is no numpy: depth-first search over the readable rules."""

from __future__ import annotations

from winnable.contract.core import Answer, Budget, Search
from winnable.games.rotate.rules.bounds import cluster_bound
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.search.depth_first import proved_by_bound


def solve(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The line need not be short: only the bound says that it is the shortest."""
    return proved_by_bound(puzzle, state, budget, cluster_bound(puzzle, state.cells))
