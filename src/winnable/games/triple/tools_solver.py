"""Solves the variant `tools`: without any tool if that is possible, else by trying them all."""

from __future__ import annotations

import sys
from dataclasses import replace

from winnable.core import Budget, Solver, SolveResult
from winnable.games.triple.tools import ToolsState, TripleWithTools, plain_position
from winnable.search.depth_first import depth_first_search


def solve_with_tools(
    plain: Solver, puzzle: TripleWithTools, state: ToolsState, budget: Budget, seed: int
) -> SolveResult:
    """The `plain` solver gets half of the time; a line of it is a line here. The rest goes to an exhaustive
    search with the tools, whose `unsolvable` alone is a proof for the variant."""
    position, picked = plain_position(puzzle, state)
    without = plain(position, picked, budget.part(0.5), seed)
    if without.status == "solved":
        return without
    state_bytes = sys.getsizeof(state) + sys.getsizeof(1 << puzzle.num_actions)
    result = depth_first_search(puzzle, state, budget, state_bytes)
    return replace(
        result, expanded=result.expanded + without.expanded, generated=result.generated + without.generated
    )
