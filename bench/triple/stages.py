"""Every stage of triple's solvers by itself, with what proves its answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from winnable.contract.core import Action, Budget, Solver, Status, finish
from winnable.contract.provenance import ClosedSet, Reading
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve import solver
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.closed_sets import find_closed_set
from winnable.games.triple.solve.kernel_search import BeamSearch, ExactSearch, Weights
from winnable.games.triple.solve.plan import plan_of
from winnable.search.meter import Meter
from winnable.search.slices import Outcome

BEAM_WIDTH = 5
"""That of the first beam of the portfolio: most of these boards have more states of one depth."""
BEAM_SOLVER_MEMORY = 4
"""MiB; the solver of beams alone goes on with wider and wider ones until they fill it."""
MEMORY = 1 << 28
UNLIMITED = 10**9
PIECE = 20
"""Positions that a search makes before it is asked how far it is."""


class Answer(NamedTuple):
    """A verdict, and what proves it: the line of `solved`; of `unsolvable` the closed set, where the stage
    has one."""

    status: Status
    line: tuple[Action, ...] = ()
    closed_set: ClosedSet | None = None


Stage: TypeAlias = Callable[[Triple, Picked], Answer]
"""Answers for a state that is neither won nor full."""


def _solver(solve: Solver, memory_mb: int = 1024) -> Stage:
    def answer(puzzle: Triple, state: Picked) -> Answer:
        result = finish(solve(puzzle, state, Budget(memory_mb=memory_mb), 0))
        return Answer(result.status, result.actions)

    return answer


def _exact(backward: bool) -> Stage:
    def answer(puzzle: Triple, state: Picked) -> Answer:
        plan = plan_of(puzzle)
        tables = plan.backward if backward else plan.forward
        search = ExactSearch(plan, tables, state, solver.EXACT_WEIGHTS)
        outcome = finish(search.run(Meter(Budget()), UNLIMITED, MEMORY))
        return Answer(_VERDICTS[outcome], search.line() if outcome == "solved" else ())

    return answer


def _breadth(reading: Reading) -> Stage:
    def answer(puzzle: Triple, state: Picked) -> Answer:
        plan = plan_of(puzzle)
        tables = plan.backward if reading == "backward" else plan.forward
        search = BreadthSearch(plan, tables, state)
        outcome = finish(search.run(Meter(Budget()), UNLIMITED, MEMORY))
        closed_set = ClosedSet(reading, search.positions) if outcome == "exhausted" else None
        return Answer(_VERDICTS[outcome], search.line() if outcome == "solved" else (), closed_set)

    return answer


def _beam(backward: bool, weights: Weights) -> Stage:
    def answer(puzzle: Triple, state: Picked) -> Answer:
        plan = plan_of(puzzle)
        tables = plan.backward if backward else plan.forward
        return _of_beam(BeamSearch(plan, tables, state, BEAM_WIDTH, weights, 0))

    return answer


def _beam_from_breadth(puzzle: Triple, state: Picked) -> Answer:
    """A beam that starts with all positions of the depth halfway."""
    plan = plan_of(puzzle)
    wide = BreadthSearch(plan, plan.backward, state)
    half = (puzzle.num_actions - state.bit_count()) // 2
    while wide.depth < half:
        if finish(wide.run(Meter(Budget()), PIECE, MEMORY)) != "stopped":
            return Answer("budget")
    starts, weights = wide.paths(half), solver.BACKWARD_WEIGHTS[0]
    return _of_beam(BeamSearch(plan, plan.backward, state, BEAM_WIDTH, weights, 0, starts))


def _of_beam(search: BeamSearch) -> Answer:
    won = finish(search.run(Meter(Budget()))) == "solved"
    return Answer("solved", search.line()) if won else Answer("budget")


def _closed_set(puzzle: Triple, state: Picked) -> Answer:
    found = finish(find_closed_set(puzzle, state, Budget()))
    return Answer("budget") if found is None else Answer("unsolvable", closed_set=found)


def _one_kind_left_out(reading: Reading) -> Stage:
    """Each kind in turn, until what is left cannot be won: then neither can the board."""

    def answer(puzzle: Triple, state: Picked) -> Answer:
        plan = plan_of(puzzle)
        there = {kind for tile, kind in enumerate(puzzle.kinds) if not state >> tile & 1}
        for kind in sorted(there) if len(there) > 1 else ():
            part = finish(plan.part(there - {kind}, Meter(Budget())))
            search = BreadthSearch(part, part.backward if reading == "backward" else part.forward, state)
            if finish(search.run(Meter(Budget()), UNLIMITED, MEMORY)) == "exhausted":
                rest = tuple(sorted(there - {kind}))
                return Answer("unsolvable", closed_set=ClosedSet(reading, search.positions, rest))
        return Answer("budget")

    return answer


_VERDICTS: dict[Outcome, Status] = {"solved": "solved", "exhausted": "unsolvable", "stopped": "budget"}

STAGES: dict[str, Stage] = {
    "auto": _solver(solver.solve_auto),
    "exact": _solver(solver.solve_exact),
    "beam": _solver(solver.solve_beam, BEAM_SOLVER_MEMORY),
    "depth-first": _solver(solver.solve_depth_first),
    "exact forward": _exact(backward=False),
    "exact backward": _exact(backward=True),
    "breadth first forward": _breadth("forward"),
    "breadth first backward": _breadth("backward"),
    **{f"beam forward {weights}": _beam(False, weights) for weights in solver.FORWARD_WEIGHTS},
    **{f"beam backward {weights}": _beam(True, weights) for weights in solver.BACKWARD_WEIGHTS},
    "beam backward from all halfway": _beam_from_breadth,
    "closed set": _closed_set,
    "one kind left out, forward": _one_kind_left_out("forward"),
    "one kind left out, backward": _one_kind_left_out("backward"),
}
"""The first four are the game's solvers, the others are what these and `refute` are made of."""
