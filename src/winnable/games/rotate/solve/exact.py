"""The solver `optimal`: the fewest turns with a proof, or a line and a lower bound when the budget ends.

The depth-first search of deepening.py comes from below, limit by limit; a line of the beam comes from
above, and is the answer when the two meet. When the search has looked at far more boards than there are, a
table of all of them settles it: only so is a board found to be `unsolvable` that each colour alone allows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from winnable.contract.core import Action, Answer, Best, Budget, Limit, Search, finish
from winnable.games.rotate.rules.bounds import cluster_bound
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve import beam, tables
from winnable.games.rotate.solve.deepening import MOST_PLIES, Deepening, deepening
from winnable.games.rotate.solve.solver import solve_beam
from winnable.search.meter import Meter
from winnable.search.slices import Outcome, SliceEnd, Slices

SLICE = 1 << 14
"""Boards that the search looks at between two looks at the budget, a few milliseconds: always as many, as all
that may settle it otherwise is asked after so many boards."""
SLACKS = (0, 2, None)
"""Each limit is searched narrowly first: a line that is found there saves the rest of the dearest limit."""
MOST_SEARCHED = 36
"""Cells of the largest boards that are searched. For larger ones only a line is looked for."""
FIRST_STATES, FIRST_SHARE = 300, 0.2
"""Boards that the beam may expand before the search begins, and the share of the time for that: a line is
known soon, and when it meets the bound the last limit, the dearest, need not be searched."""
LARGE, LARGE_STATES, LARGE_SHARE = 25, 200_000, 0.4
"""Boards of more cells are seldom settled in seconds: there a good line is worth more."""
ALONE, MORE_STATES = 5_000_000, 100_000
"""After so many boards looked at the beam may expand more."""
DATABASE_SHARE = 0.3
"""Of the time, for databases that are not there yet."""
VISITS_PER_ENTRY = 100
"""Boards that the search looks at in the time in which the table makes one entry."""
BYTES_PER_ENTRY = 80
"""Of a table, while it grows."""
NO_LIMIT = 1 << 30
NEVER = NO_LIMIT + 1


def solve_optimal(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The fewest turns, on boards of at most MOST_SEARCHED cells under the rules `clusters`; on others the
    line of `beam`, and the bound of clusters."""
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    if puzzle.level.rules == "pairs" or len(state.cells) > MOST_SEARCHED:
        return (yield from _unsearched(puzzle, state, budget, seed))
    task = _Task(puzzle, state, budget, seed)
    yield from task.run()
    return (yield from task.result())


def _unsearched(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """What the beam finds, with the bound of clusters."""
    found = yield from solve_beam(puzzle, state, budget, seed)
    if found.status == "unsolvable":
        return found
    lower = max(cluster_bound(puzzle, state.cells), found.lower_bound or 0)
    if state.left is not None and lower > state.left:
        return replace(found, status="unsolvable", lower_bound=None)
    return replace(found, lower_bound=lower, optimal=lower == found.cost)


class _Task:
    """lower: no line has fewer turns (NEVER: there is no line). line: the shortest known."""

    def __init__(self, puzzle: Rotate, state: State, budget: Budget, seed: int) -> None:
        self._puzzle, self._state, self._seed = puzzle, state, seed
        self._most = NO_LIMIT if state.left is None else state.left
        self._meter = Meter(budget)
        self._asked = False
        self._limit: Limit | None = None
        self._best: Best | None = None
        """A line of more turns than the level gives."""
        self.line: tuple[Action, ...] | None = None
        self.lower = cluster_bound(puzzle, state.cells)

    def run(self) -> Search[None]:
        if len(self._state.cells) <= LARGE:
            yield from self._ask_above(FIRST_STATES, FIRST_SHARE)
        else:
            yield from self._ask_above(LARGE_STATES, LARGE_SHARE)
            self._asked = True
        if self._is_open:
            yield from self._search()

    def result(self) -> Search[Answer]:
        if self.lower > self._most:
            return self._meter.result("unsolvable")
        if self.line is None:
            return self._meter.result("budget", lower_bound=self.lower, limit=self._limit, best=self._best)
        return (yield from self._meter.solved(self._puzzle, self._state, self.line, self.lower))

    @property
    def _is_open(self) -> bool:
        return self.lower <= self._most and (self.line is None or self.lower < len(self.line))

    def _search(self) -> Search[None]:
        cells, budget = self._state.cells, self._meter.budget
        databases = budget.part(DATABASE_SHARE)
        search = yield from deepening(
            cells, self._puzzle.columns, budget.memory_mb * 2**20 // 2,
            lambda: databases.allows("databases", self._meter.expanded, self._meter.generated),
        )  # fmt: skip
        if search.needed is None:
            self.lower = NEVER
            return
        self.lower = max(self.lower, search.needed)
        slices = Slices(search.counts, first=SLICE)
        while self._is_open and self.lower <= MOST_PLIES:
            outcome: Outcome = "exhausted"
            for slack in SLACKS:
                if outcome == "exhausted":
                    outcome = yield from self._search_to(search, slices, slack)
            if outcome == "stopped":
                return
            if outcome == "solved":
                self.line = search.line()
            else:
                self.lower += 1

    def _search_to(self, search: Deepening, slices: Slices, slack: int | None) -> Search[Outcome]:
        """Lines of `self.lower` turns. stopped: by the budget, or as something else settles it."""

        def go_on(boards: int) -> Search[SliceEnd]:
            standing = search.search(boards)
            if standing != "paused":
                return standing
            slices.count(self._meter)
            return "stopped" if (yield from self._is_settled_otherwise(search)) else "paused"

        search.start(self.lower, slack)
        return (yield from slices.run(go_on, self._meter, "optimal"))

    def _is_settled_otherwise(self, search: Deepening) -> Search[bool]:
        """Now and then: by a line from above, or by a table of all boards."""
        if not self._asked and search.visited >= ALONE:
            self._asked = True
            yield from self._ask_above(MORE_STATES, FIRST_SHARE)
        return not self._is_open or (self._table_is_cheaper(search) and (yield from self._look_up()))

    def _ask_above(self, states: int, share: float) -> Search[None]:
        budget = self._meter.budget.part(share)
        budget = replace(budget, expanded=min(states, self._meter.expanded_left))
        found = yield from solve_beam(self._puzzle, self._state, budget, self._seed)
        self._meter.expanded += found.expanded
        self._meter.generated += found.generated
        if found.status == "unsolvable":
            self.lower = NEVER
        elif found.best is not None:
            self._limit, self._best = found.limit, found.best
        elif found.cost is not None and (self.line is None or found.cost < len(self.line)):
            self.line = found.actions

    def _table_is_cheaper(self, search: Deepening) -> bool:
        if len(self._state.cells) > tables.MOST_CELLS:
            return False
        entries = tables.boards(self._counts()) // 4
        memory = self._meter.budget.memory_mb * 2**20 // 2
        return search.visited >= VISITS_PER_ENTRY * entries and BYTES_PER_ENTRY * entries <= memory

    def _look_up(self) -> Search[bool]:
        rows, columns = self._puzzle.rows, self._puzzle.columns
        allows = partial(self._meter.allows, "table")
        table = yield from tables.distance_table(rows, columns, self._counts(), allows)
        if not table.complete:
            return False
        distance = table.distance(self._state.cells)
        self.lower = NEVER if distance is None else distance
        if self._is_open:
            self.line = table.line(self._state.cells)
        return True

    def _counts(self) -> list[int]:
        return sorted(Counter(self._state.cells).values())


def warm() -> None:
    """Compiles every kernel that the solver uses."""
    level = Level(((1, 2, 3), (3, 1, 2), (2, 3, 1)))
    search = finish(deepening(level.cells, level.columns, 2**20))
    search.start(search.needed or 1)
    search.search(SLICE)
    beam.warm()
    finish(solve_beam(Rotate(level), Rotate(level).initial(), Budget(expanded=FIRST_STATES), 0))
    finish(tables.distance_table(level.rows, level.columns, (3, 3, 3))).distance(level.cells)
