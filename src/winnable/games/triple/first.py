"""A line where nothing is compiled."""

from __future__ import annotations

from winnable.core import Budget, SolveResult
from winnable.games.triple.rules import Picked, Triple
from winnable.games.triple.solver import solve_auto


def first_line(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> SolveResult:
    """For `Game.first`, without tools."""
    return solve_auto(puzzle, state, budget, seed)
