"""The solver `optimal`: the fewest turns with a proof, or a line and a lower bound when the budget ends.

The depth-first search of deepening.py comes from below, limit by limit; a line of `upper_line` comes from
above, and is the answer when the two meet. When the search has looked at far more boards than there are, a
table of all of them settles it: only so is a board found to be `unsolvable` that each colour alone allows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from winnable.core import Action, Budget, SolveResult, replay
from winnable.games.rotate import tables
from winnable.games.rotate.bounds import cluster_bound
from winnable.games.rotate.deepening import MOST_PLIES, Deepening
from winnable.games.rotate.deepening_kernels import EXHAUSTED, FOUND, OPEN
from winnable.games.rotate.level import Level
from winnable.games.rotate.rules import Rotate, State
from winnable.games.rotate.solver import solve_beam
from winnable.games.rotate.turns import MOST_CELLS
from winnable.jit import notice_if_compiling
from winnable.search.meter import Meter

SLICE = 1 << 14
"""Boards that the search looks at between two looks at the budget: a few milliseconds."""
SLACKS = (0, 2, None)
"""Each limit is searched narrowly first: a line that is found there saves the rest of the dearest limit."""
ALONE = 20_000_000
"""Boards that the search may look at before a line from above is asked for: some seconds."""
SMALL = 25
"""Cells; for larger boards the line from above is asked for at once."""
UPPER_SHARE, UPPER_STATES = 0.2, 600
"""Of the time, and of boards expanded, for the line from above."""
DATABASE_SHARE = 0.3
"""Of the time, for databases that are not there yet."""
VISITS_PER_ENTRY = 100
"""Boards that the search looks at in the time in which the table makes one entry."""
BYTES_PER_ENTRY = 80
"""Of a table, while it grows."""
NO_LIMIT = 1 << 30
NEVER = NO_LIMIT + 1


def solve_optimal(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """The fewest turns, rules `clusters`, boards of at most MOST_CELLS cells. For others it is a line, the
    best that `upper_line` knows, and the bound of clusters."""
    meter = Meter(budget)
    if puzzle.is_goal(state):
        return meter.result("solved", (), cost=0, lower_bound=0)
    if state.left == 0:
        return meter.result("unsolvable")
    task = _Task(puzzle, state, budget, seed)
    task.run()
    return task.result()


def upper_line(puzzle: Rotate, state: State, budget: Budget, seed: int) -> tuple[Action, ...] | None:
    """A short line, soon."""
    return solve_beam(puzzle, state, budget, seed).actions or None


class _Task:
    """lower: no line has fewer turns (NEVER: there is no line). line: the shortest known."""

    def __init__(self, puzzle: Rotate, state: State, budget: Budget, seed: int) -> None:
        self._puzzle, self._state, self._seed = puzzle, state, seed
        self._most = NO_LIMIT if state.left is None else state.left
        self._meter = Meter(budget)
        self._asked = False
        self.line: tuple[Action, ...] | None = None
        self.lower = cluster_bound(puzzle, state.cells)

    def run(self) -> None:
        notice_if_compiling()
        searchable = self._puzzle.level.rules == "clusters" and len(self._state.cells) <= MOST_CELLS
        if not searchable or len(self._state.cells) > SMALL:
            self._ask_above()
        if searchable and self._is_open:
            self._search()

    def result(self) -> SolveResult:
        """The readable rules have the last word on every line."""
        if self.lower > self._most:
            return self._meter.result("unsolvable")
        if self.line is None:
            return self._meter.result("budget", lower_bound=self.lower)
        assert self._puzzle.is_goal(replay(self._puzzle, self.line, self._state)), "a line to nowhere"
        return self._meter.result("solved", self.line, cost=len(self.line), lower_bound=self.lower)

    @property
    def _is_open(self) -> bool:
        return self.lower <= self._most and (self.line is None or self.lower < len(self.line))

    def _search(self) -> None:
        cells, budget = self._state.cells, self._meter.budget
        databases = budget.part(DATABASE_SHARE)
        search = Deepening(
            cells, self._puzzle.columns, budget.memory_mb * 2**20 // 2,
            lambda: databases.allows("databases", self._meter.expanded, self._meter.generated),
        )  # fmt: skip
        if search.needed is None:
            self.lower = NEVER
            return
        self.lower = max(self.lower, search.needed)
        while self._is_open and self.lower <= MOST_PLIES:
            status = EXHAUSTED
            for slack in SLACKS:
                if status == EXHAUSTED:
                    status = self._search_to(search, slack)
            if status == OPEN:
                return
            if status == FOUND:
                self.line = search.line()
            else:
                self.lower += 1

    def _search_to(self, search: Deepening, slack: int | None) -> int:
        """Lines of `self.lower` turns: FOUND, EXHAUSTED, or OPEN when something else ended the search."""
        search.start(self.lower, slack)
        while self._meter.allows("optimal"):
            expanded, visited = search.expanded, search.visited
            status = search.search(min(SLICE, self._meter.expanded_left))
            self._meter.expanded += search.expanded - expanded
            self._meter.generated += search.visited - visited
            if status != OPEN:
                return status
            if self._is_settled_otherwise(search):
                break
        return OPEN

    def _is_settled_otherwise(self, search: Deepening) -> bool:
        """Now and then: by a line from above, or by a table of all boards."""
        if not self._asked and search.visited >= ALONE:
            self._ask_above()
        return not self._is_open or (self._table_is_cheaper(search) and self._look_up())

    def _ask_above(self) -> None:
        self._asked = True
        budget = self._meter.budget.part(UPPER_SHARE)
        budget = replace(budget, expanded=min(UPPER_STATES, self._meter.expanded_left), on_progress=None)
        line = upper_line(self._puzzle, self._state, budget, self._seed)
        if line is not None and len(line) <= self._most:
            self.line = line

    def _table_is_cheaper(self, search: Deepening) -> bool:
        if len(self._state.cells) > tables.MOST_CELLS:
            return False
        entries = tables.boards(self._counts()) // 4
        memory = self._meter.budget.memory_mb * 2**20 // 2
        return search.visited >= VISITS_PER_ENTRY * entries and BYTES_PER_ENTRY * entries <= memory

    def _look_up(self) -> bool:
        rows, columns = self._puzzle.rows, self._puzzle.columns
        table = tables.DistanceTable(rows, columns, self._counts(), lambda: self._meter.allows("table"))
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
    search = Deepening(level.cells, level.columns, 2**20)
    search.start(search.needed or 1)
    search.search(SLICE)
    tables.DistanceTable(level.rows, level.columns, (3, 3, 3)).distance(level.cells)
