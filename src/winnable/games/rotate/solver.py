"""Solvers of rotate by name."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from winnable.core import Action, Budget, SolveResult
from winnable.games.rotate import beam, constructive
from winnable.games.rotate.clusters import cluster_numbers
from winnable.games.rotate.rules import Rotate, State
from winnable.jit import notice_if_compiling
from winnable.search.beam import beam_search
from winnable.search.meter import Meter

TRIES = 16
"""Of the constructive solver at the most, on boards of up to 450 cells; else fewer."""
TRIED_CELLS = 7200
"""In all tries together: about a second's work at 30 × 30."""


def _scatter(puzzle: Rotate, state: State) -> float:
    """Clusters, less a little for each pair of neighbours alike."""
    cells, columns = state.cells, puzzle.columns
    alike = sum(a == b for a, b in zip(cells, cells[columns:], strict=False))
    alike += sum(a == b for place, (a, b) in enumerate(pairwise(cells), 1) if place % columns)
    return max(cluster_numbers(cells, columns)) - 0.2 * alike


def solve_beam(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """The shortest line that beams of growing width find (see beam.py). It proves nothing."""
    if puzzle.level.rules == "pairs":
        return beam_search(puzzle, state, budget, 30, partial(_scatter, puzzle))
    meter = Meter(budget)
    if puzzle.is_goal(state):
        return meter.result("solved", (), 0, 0)
    if state.left == 0:
        return meter.result("unsolvable")
    *_, last = beam.rounds(puzzle, state.cells, meter, most=state.left, seed=seed)
    if last.line is None:
        return meter.result("budget")
    return meter.result("solved", last.line, len(last.line), 1)


def solve_constructive(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """The shortest line of some tries of constructive.py. It finishes every board but those of 2 × 2 and 2 ×
    3 cells that nothing finishes. A try counts as one expanded node, a turn of its line as one generated."""
    notice_if_compiling()
    meter = Meter(budget)
    if puzzle.is_goal(state):
        return meter.result("solved", cost=0, lower_bound=0)
    if state.left == 0:
        return meter.result("unsolvable")
    shortest: tuple[Action, ...] | None = None
    wanted = min(TRIES, max(2, TRIED_CELLS // len(state.cells)))
    tries = constructive.tries(puzzle, state.cells, seed)
    while meter.expanded < wanted and meter.allows("constructive"):
        line = next(tries)
        if line is None:
            return meter.result("unsolvable")
        meter.expanded, meter.generated = meter.expanded + 1, meter.generated + len(line)
        if shortest is None or len(line) < len(shortest):
            shortest = line
    if shortest is None or (state.left is not None and state.left < len(shortest)):
        return meter.result("budget", lower_bound=1)
    return meter.result("solved", shortest, len(shortest), lower_bound=1)
