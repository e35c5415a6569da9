"""What can be told about one board within a number of boards looked at: its par and its good first turns.

The same board gives the same answers on every machine, unless the budget ends before.
"""

from __future__ import annotations

from dataclasses import replace

from winnable import __version__
from winnable.contract.core import Action, Answer, Budget, Search
from winnable.contract.provenance import Certificate
from winnable.games.rotate.rules.bounds import PROVABLE, cluster_bound
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve.exact import solve_optimal
from winnable.games.rotate.solve.solver import solve_beam
from winnable.search.meter import Meter

EFFORT = 2_000_000
"""Boards that the search for the fewest turns may expand: a second or two."""
BEAM_CELLS = 100_000
"""For these, cells of all boards that the beam may expand."""


class Examination:
    """One board, without regard to the level's `turns`: `puzzle` has none."""

    def __init__(self, level: Level, effort: int = EFFORT, budget: Budget | None = None) -> None:
        self.level, self._effort, self._budget = level, effort, budget or Budget()
        self.puzzle = Rotate(Level(level.board, level.rules))
        self._result: Answer | None = None

    @property
    def _solver(self) -> str:
        small = len(self.level.cells) <= PROVABLE and self.level.rules == "clusters"
        return "optimal" if small else "beam"

    def solve(self) -> Search[Answer]:
        """Finds `result`, which is asked for after it, as is all that follows from it."""
        puzzle, start = self.puzzle, self.puzzle.initial()
        if self._solver == "optimal":
            found = yield from solve_optimal(puzzle, start, self._budget.counting(self._effort), 0)
        else:
            states = max(1, BEAM_CELLS // len(start.cells))
            found = yield from solve_beam(puzzle, start, self._budget.counting(states), 0)
            if not found.optimal:
                found = replace(found, lower_bound=cluster_bound(puzzle, start.cells))
        self._result = found
        return found

    @property
    def result(self) -> Answer:
        """The solver's answer, once `solve` has run."""
        assert self._result is not None
        return self._result

    @property
    def par(self) -> int | None:
        """The fewest turns; where they are not proved (see `is_proved`) the fewest known. None: no line is
        known."""
        return self.result.cost

    @property
    def is_proved(self) -> bool:
        """Whether the line is proved to be the shortest."""
        return self.result.optimal

    def good_first_turns(self, most: int) -> Search[list[Action] | None]:
        """The turns after which par - 1 suffice, ascending, or `most` of them. None: par is not proved, or
        this is not within the effort. Turns of the whole board are no good: nothing comes of them."""
        if not self.is_proved:
            return None
        puzzle, found, meter = self.puzzle, list[Action](), Meter(self._budget)
        assert self.par
        for action in range(puzzle.num_actions):
            if meter.is_due:
                yield from meter.allows("next")
            after = State(puzzle.apply(puzzle.initial(), action).cells, self.par - 1)
            status = "solved"
            if not puzzle.is_goal(after):
                budget = self._budget.counting(self._effort)
                status = (yield from solve_optimal(puzzle, after, budget, 0)).status
            if status == "budget" or self._budget.limit(0) is not None:
                return None
            if status == "solved":
                found.append(action)
                if len(found) == most:
                    break
        return found

    def certificate(self) -> Certificate:
        """The certificate of a board that has a line."""
        result, name = self.result, f"rotate/{self._solver}"
        return Certificate("solved", name, __version__, result.actions, result.cost, result.lower_bound)
