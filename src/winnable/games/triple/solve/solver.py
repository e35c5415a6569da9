"""Solvers of triple: any state -> a line that wins, a proof that there is none, or "the budget ran out".

All of them take states that the rules can reach. A solution clicks every tile that is left exactly once,
so every line is optimal and the number of tiles left is a lower bound of any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import Self, TypeAlias

from winnable.contract.core import Action, Answer, Best, Budget, Limit, Search, finish, replay
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve import breadth_kernels, exact_kernels, kernels
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.kernel_search import BeamSearch, ExactSearch, Weights, widest_beam
from winnable.games.triple.solve.kernels import Tables
from winnable.games.triple.solve.plan import MAX_CLOSED_TILES, find_plan, plan_of
from winnable.inert.arrays import I32, np
from winnable.search.depth_first import proved_by_bound
from winnable.search.lanes import Rounds, first_in_turn
from winnable.search.meter import Meter
from winnable.search.slices import Outcome

EXACT_WEIGHTS: Weights = (2, 4, 8, 1)
BACKWARD_WEIGHTS: tuple[Weights, ...] = ((4, 1, 8, 2), (2, 4, 2, 1), (2, 2, 8, 1))
FORWARD_WEIGHTS: tuple[Weights, ...] = ((2, 0, 0, 0), (2, 4, 8, 1))
"""Sets of score weights, tried on dealt layouts of the real game. A board that one misses, another often
solves. Forward, a beam does best to look at nothing but what its states have uncovered."""


GLANCE = 2
"""Nodes for each tile that is left: what the first exhaustive searches may expand."""
NARROWEST = 5
"""The width of the first beam."""
QUICK_POSITIONS, QUICK_NODES = 100_000, 4_000
"""Of the breadth-first and the exhaustive search among the cheap attempts."""
FIRST_WIDTH = 60
"""Of the beams after the cheap attempts."""
FIRST_POSITIONS = 500_000
"""Of the breadth-first search beside them, which decides more as it goes on than wider beams do."""
POSITIONS_PER_BEAM = 1000
"""Of the breadth-first search, for each one that a beam from its neck is wide: which takes about as long."""
WIDEST_FROM_NECK = 3840
WIDEST_NECK = 16
"""Positions for each one that the beam keeps."""
PATHS = 2_000
"""Of these, read off in one step."""
WIDER = 4
"""Each round's beams are so many times as wide as those before, its other searches so many times as long."""
SIDE_BEAM = 16
"""The first beam of a round is so many times as wide as the others."""
FIRST_PIECE = 20_000
"""Positions that the breadth-first search makes before its neck is looked for."""
SMALL_TRAY = 5
"""Up to so many slots little can be picked, and searching forward is worth more time."""
FORWARD_SHARE, SMALL_TRAY_SHARE, BACKWARD_TIMES = 8, 2, 3
"""Of a round's nodes the exhaustive search forward has one in so many; the one backward, where it takes over
from the breadth-first search, so many times as many."""
FIRST_ROUND, LONGER, POSITIONS_PER_NODE = 2_000, 2, 8
"""Of the solver `exact`: nodes of its first round, how many times as long each other one is, and positions of
the breadth-first search for each node."""

Stage: TypeAlias = Search[Answer | None]
"""Finds the final result of a solve, or None."""


class StagedSolve:
    """One solve: its stages share the counts, the memory and what the exact searches found out.

    The breadth-first search may take half of the memory, each table
    of an exact one an eighth, a beam a quarter.

    breadth_search: as far as `breadth` has come; None before it begins
    """

    def __init__(self, puzzle: Triple, state: Picked, budget: Budget, seed: int) -> None:
        self.puzzle = puzzle
        self.state = state
        self.meter = Meter(budget)
        self.seed = seed
        self.left = puzzle.num_actions - state.bit_count()
        self.plan = plan_of(puzzle)
        self._memory = budget.memory_mb << 20
        self.widest = widest_beam(self.plan, self.left, self._memory // 4)
        self._exact: dict[bool, ExactSearch] = {}
        self.breadth_search: BreadthSearch | None = None
        self._neck, self._positions_at_neck = 0, 0
        self._furthest: list[tuple[Action, ...]] = [()]
        """The longest begin of a game that a forward beam came to; one for all copies."""

    def counted_by(self, meter: Meter) -> Self:
        """The same solve, what it takes counted elsewhere."""
        counted = copy(self)
        counted.meter = meter
        return counted

    def exact(self, *, backward: bool, nodes: int) -> Stage:
        """Goes on with the exhaustive search of this direction for so many nodes."""
        search = self._exact.get(backward)
        if search is None:
            search = self._exact[backward] = ExactSearch(
                self.plan, self._tables(backward), self.state, EXACT_WEIGHTS
            )
        outcome = yield from search.run(self.meter, nodes, self._memory // 8)
        return (yield from self._result(outcome, search))

    def breadth(self, nodes: int) -> Stage:
        """Goes on with the backward search that passes nothing over, for so many positions: a small part
        of the time of `exact` for each, and hardly more of them; but it cannot forget any."""
        if self.breadth_search is None:
            if self.left > MAX_CLOSED_TILES:
                return None
            self.breadth_search = BreadthSearch(self.plan, self.plan.backward, self.state)
        search = self.breadth_search
        outcome = yield from search.run(self.meter, nodes, self._memory // 2)
        return (yield from self._result(outcome, search))

    def breadth_by_necks(self, nodes: int) -> Stage:
        """Goes on as `breadth` does, but where few positions are left before they get more again, a beam
        starts with all of these. Past such a neck, lines are often easy to find; a beam from the root hardly
        gets there, as nothing tells it which of the many positions before lead through."""
        while nodes > 0 and (yield from self.meter.allows("next")):
            search = self.breadth_search
            piece = min(nodes, max(FIRST_PIECE, 0 if search is None else search.positions // 8))
            nodes -= piece
            result = (yield from self.breadth(piece)) or (yield from self._beam_from_neck())
            if result is not None or self.too_broad:
                return result
        return None

    def _beam_from_neck(self) -> Stage:
        search = self.breadth_search
        if search is None or 2 * search.positions < 3 * self._positions_at_neck:
            return None
        width = min(search.positions // POSITIONS_PER_BEAM, WIDEST_FROM_NECK, self.widest)
        neck = search.neck(self._neck, min(WIDEST_NECK * width, self.widest))
        if neck is None:
            return None
        self._neck, self._positions_at_neck = neck, search.positions
        starts = yield from self._paths(search, neck)
        return (yield from self.beam(width, BACKWARD_WEIGHTS[0], backward=True, starts=starts))

    def _paths(self, search: BreadthSearch, depth: int) -> Search[I32]:
        starts = np.empty((search.width(depth), depth), np.int32)
        for first in range(0, len(starts), PATHS):
            starts[first : first + PATHS] = search.paths(depth, first, first + PATHS)
            yield from self.meter.allows(search.stage)
        return starts

    @property
    def full(self) -> bool:
        """Whether no exhaustive search can go on in this memory."""
        return self.too_broad and len(self._exact) == 2 and all(one.full for one in self._exact.values())

    @property
    def too_broad(self) -> bool:
        """Whether `breadth` cannot go on."""
        return self.breadth_search is None or self.breadth_search.full

    def beam(self, width: int, weights: Weights, *, backward: bool, starts: I32 | None = None) -> Stage:
        """One beam of this width from the state, or from `starts`; None where it fails."""
        width, tables = min(width, self.widest), self._tables(backward)
        search = BeamSearch(self.plan, tables, self.state, width, weights, self.seed, starts)
        outcome = yield from search.run(self.meter)
        if outcome == "solved" or not backward:
            line = search.line()
            if outcome == "solved":
                return (yield from self._solved(line))
            self._furthest[0] = max(self._furthest[0], line, key=len)
        return None

    def first_result(self, stages: Iterator[Stage]) -> Search[Answer]:
        """The first result of the stages while the budget lasts. Answers ended games itself."""
        if self.puzzle.is_goal(self.state):
            return (yield from self._solved(()))
        if self.puzzle.is_full(self.state):
            return self.meter.result("unsolvable")
        while (yield from self.meter.allows("next")):
            stage = next(stages, None)
            if stage is None:  # neither a beam nor an exhaustive search has room for more
                return self.out_of_budget(self.meter.memory_limit)
            result = yield from stage
            if result is not None:
                return result
        return self.out_of_budget()

    def release(self) -> Search[None]:
        """Gives most memory back step by step, as it goes on no more."""
        if self.breadth_search is not None:
            yield from self.breadth_search.release(self.meter)

    def out_of_budget(self, limit: Limit | None = None) -> Answer:
        """The answer "budget", with the longest begin of a game that a beam came to."""
        line = self._furthest[0]
        assert not self.puzzle.is_full(replay(self.puzzle, line, self.state))
        best = Best(line, "tiles-left", self.left - len(line), 0) if line else None
        return self.meter.result("budget", lower_bound=self.left, limit=limit, best=best)

    def _result(self, outcome: Outcome, search: ExactSearch | BreadthSearch) -> Stage:
        if outcome == "solved":
            return (yield from self._solved(search.line()))
        return self.meter.result("unsolvable") if outcome == "exhausted" else None

    def _tables(self, backward: bool) -> Tables:
        return self.plan.backward if backward else self.plan.forward

    def _solved(self, line: tuple[Action, ...]) -> Search[Answer]:
        return self.meter.solved(self.puzzle, self.state, line, lower_bound=self.left)


def new_solve(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[StagedSolve]:
    """Makes the level's plan before, if there is none."""
    yield from find_plan(puzzle, Meter(budget))
    return StagedSolve(puzzle, state, budget, seed)


def solve_auto(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
    """The default: cheap attempts first, then wider and wider beams between longer and longer exact runs."""
    return _staged(portfolio, puzzle, state, budget, seed)


def solve_exact(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
    """Exhaustive searches of both directions in turn, until one of them knows."""
    return _staged(_exact_rounds, puzzle, state, budget, seed)


def solve_beam(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
    """Beams of growing width in both directions; never `unsolvable` but for a game that is over.

    Ends with `budget` when the widest beam that fits into the memory has failed too.
    """
    return _staged(_beam_rounds, puzzle, state, budget, seed)


def _staged(
    stages: Callable[[StagedSolve], Iterator[Stage]], puzzle: Triple, state: Picked, budget: Budget, seed: int
) -> Search[Answer]:
    solve = yield from new_solve(puzzle, state, budget, seed)
    found = yield from solve.first_result(stages(solve))
    yield from solve.release()
    return found


def solve_depth_first(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
    """The readable search of search/depth_first.py over the readable rules."""
    left, size = puzzle.num_actions - state.bit_count(), sys.getsizeof(1 << puzzle.num_actions)
    return proved_by_bound(puzzle, state, budget, left, size)


def portfolio(solve: StagedSolve) -> Iterator[Stage]:
    """What is cheap one by one; then beams and exhaustive searches, in lanes."""
    yield solve.exact(backward=False, nodes=GLANCE * solve.left)
    yield solve.exact(backward=True, nodes=GLANCE * solve.left)
    yield solve.beam(NARROWEST, FORWARD_WEIGHTS[1], backward=False)
    yield solve.breadth(QUICK_POSITIONS)
    yield solve.exact(backward=False, nodes=QUICK_NODES)
    yield _in_lanes(solve)


def _in_lanes(solve: StagedSolve) -> Stage:
    return first_in_turn((partial(_wider_beams, solve), partial(_longer_searches, solve)), solve.meter)


def _wider_beams(solve: StagedSolve, meter: Meter) -> Rounds:
    solve, width = solve.counted_by(meter), FIRST_WIDTH
    while width // WIDER < solve.widest:
        side = width // SIDE_BEAM
        yield (
            (yield from solve.beam(width, BACKWARD_WEIGHTS[0], backward=True))
            or (yield from solve.beam(side, FORWARD_WEIGHTS[0], backward=False))
            or (yield from solve.beam(side, BACKWARD_WEIGHTS[1], backward=True))
            or (yield from solve.beam(side, BACKWARD_WEIGHTS[2], backward=True))
        )
        width *= WIDER


def _longer_searches(solve: StagedSolve, meter: Meter) -> Rounds:
    solve, nodes, positions = solve.counted_by(meter), FIRST_WIDTH * solve.left, FIRST_POSITIONS
    forward = SMALL_TRAY_SHARE if solve.puzzle.slots <= SMALL_TRAY else FORWARD_SHARE
    while not solve.full:
        yield (
            (yield from solve.breadth_by_necks(positions))
            or (yield from solve.exact(backward=False, nodes=nodes // forward))
            or (
                (yield from solve.exact(backward=True, nodes=BACKWARD_TIMES * nodes))
                if solve.too_broad
                else None
            )
        )
        nodes *= WIDER
        positions *= WIDER


def _exact_rounds(solve: StagedSolve) -> Iterator[Stage]:
    nodes = FIRST_ROUND
    while not solve.full:
        yield solve.breadth(POSITIONS_PER_NODE * nodes)
        yield solve.exact(backward=False, nodes=nodes // 2)
        if solve.too_broad:
            yield solve.exact(backward=True, nodes=nodes)
        nodes *= LONGER


def _beam_rounds(solve: StagedSolve) -> Iterator[Stage]:
    width = NARROWEST
    while width // WIDER < solve.widest:
        for weights in FORWARD_WEIGHTS:
            yield solve.beam(width, weights, backward=False)
        for weights in BACKWARD_WEIGHTS:
            yield solve.beam(width, weights, backward=True)
        width *= WIDER


def warm() -> None:
    """Compiles every kernel."""
    tiles = tuple(Tile(0, 8 * column, 0, 0) for column in range(3))
    puzzle = Triple(Level(tiles))
    solve = StagedSolve(puzzle, puzzle.initial(), Budget(), 0)
    finish(solve.exact(backward=False, nodes=9))
    finish(solve.breadth(9))
    finish(solve.beam(NARROWEST, FORWARD_WEIGHTS[0], backward=False))
    hashes, sets = kernels.pack(0, 1), kernels.pack(0, 1).reshape(1, 1)
    exact_kernels.move_entries(hashes, sets, hashes, sets)
    breadth_kernels.enter_rows(np.zeros(2, np.uint64), np.zeros((1, 2), np.uint64), 0, 1)
