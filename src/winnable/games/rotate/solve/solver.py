"""Solvers of rotate that prove nothing, by name; `optimal` is in exact.py, the article's in
article/solver.py."""

from __future__ import annotations

from winnable.contract.core import (
    Action,
    Answer,
    Best,
    Budget,
    Limit,
    Progress,
    Search,
    finish,
)
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve import beam, constructive
from winnable.games.rotate.solve.pairs import solve_pairs
from winnable.search.meter import Meter

TRIES = 16
"""Of the constructive solver at the most, on boards of up to 450 cells; else fewer."""
TRIED_CELLS = 7200
"""In all tries together: about a second's work at 30 × 30."""
WARM_BOARDS = (
    Level(((1, 1, 1, 2, 2), (1, 1, 1, 2, 2), (3, 3, 3, 2, 2), (3, 3, 4, 4, 4), (2, 3, 4, 4, 4))),
    Level(((0, 1, 2, 3), (4, 5, 6, 7), (3, 2, 1, 0), (7, 6, 5, 4)), "pairs"),
)
"""One so near its end that a beam measures gaps, and one of pairs."""


def solve_beam(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """A line of the construction, soon; then the shortest that beams of growing width find (see beam.py, and
    pairs.py for boards of pairs). It proves no line to be the shortest."""
    if puzzle.level.rules == "pairs":
        return (yield from solve_pairs(puzzle, state, budget, seed))
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    if not (yield from meter.allows("constructive")):
        return meter.result("budget", lower_bound=1)
    first = yield from next(constructive.tries(puzzle, state.cells, seed, meter))
    if first is None:
        return meter.result("unsolvable")
    most = len(first) - 1 if state.left is None else min(len(first) - 1, state.left)
    line = first
    for found in beam.rounds(puzzle, state.cells, meter, most=most, seed=seed):
        if isinstance(found, Progress):
            yield found
        else:
            line = found.line or first
    return (yield from _by_line(puzzle, state, meter, line))


def solve_constructive(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The shortest line of some tries of constructive.py. It finishes every board but those of 2 × 2 and 2 ×
    3 cells that nothing finishes. A try counts as one expanded node, a turn of its line as one generated."""
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    shortest: tuple[Action, ...] | None = None
    wanted = min(TRIES, max(2, TRIED_CELLS // len(state.cells)))
    tries = constructive.tries(puzzle, state.cells, seed, meter)
    while meter.expanded < wanted and (yield from meter.allows("constructive")):
        line = yield from next(tries)
        if line is None:
            return meter.result("unsolvable")
        meter.expanded, meter.generated = meter.expanded + 1, meter.generated + len(line)
        if shortest is None or len(line) < len(shortest):
            shortest = line
    return (yield from _by_line(puzzle, state, meter, shortest or ()))


def _by_line(puzzle: Rotate, state: State, meter: Meter, line: tuple[Action, ...]) -> Search[Answer]:
    """Solved by the line, if the turns last for it. An empty one is none."""
    if not line:
        return meter.result("budget", lower_bound=1)
    if state.left is not None and state.left < len(line):
        yield from meter.check(puzzle, State(state.cells, None), line)
        best = Best(line, "turns", len(line))
        return meter.result("budget", (), None, 1, Limit("supply", state.left), best)
    return (yield from meter.solved(puzzle, state, line, lower_bound=1))


def warm() -> None:
    """Compiles every kernel that these solvers use."""
    for board in WARM_BOARDS:
        puzzle = Rotate(board)
        for solve in (solve_beam, solve_constructive):
            finish(solve(puzzle, puzzle.initial(), Budget(expanded=20), 0))
