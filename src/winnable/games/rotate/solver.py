"""Solvers of rotate by name."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from winnable.core import Budget, SolveResult
from winnable.games.rotate.clusters import cluster_numbers
from winnable.games.rotate.rules import Rotate, State
from winnable.search.beam import beam_search


def _scatter(puzzle: Rotate, state: State) -> float:
    """Clusters, less a little for each pair of neighbours alike."""
    cells, columns = state.cells, puzzle.columns
    alike = sum(a == b for a, b in zip(cells, cells[columns:], strict=False))
    alike += sum(a == b for place, (a, b) in enumerate(pairwise(cells), 1) if place % columns)
    return max(cluster_numbers(cells, columns)) - 0.2 * alike


def solve_beam(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """A plain beam over all turns. `seed` has no effect."""
    return beam_search(puzzle, state, budget, 30, partial(_scatter, puzzle))
