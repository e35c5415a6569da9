"""A line where nothing is compiled: the construction's, made shorter by beams for a moment."""

from __future__ import annotations

from winnable.contract.core import Answer, Budget, Search
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve.solver import solve_beam

SHORTENING_SECONDS = 0.35
"""For construction and beams together, where any line will do."""


def first_line(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The first answer, for `AnswersFirst`."""
    most = SHORTENING_SECONDS if state.left is None else float("inf")
    return solve_beam(puzzle, state, budget.part(most=most), seed)
