"""Solves the positions of a game as it is played: what one search has seen, the next one goes on from."""

from __future__ import annotations

import sys
import time
from threading import Lock
from typing import TYPE_CHECKING
from weakref import ref

from winnable.contract.core import Answer, Budget, Search
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.search.memory import gives_back
from winnable.search.meter import POLL_SECONDS, Meter

if TYPE_CHECKING:
    from winnable.games.triple.solve.breadth_search import BreadthSearch
    from winnable.games.triple.solve.solver import StagedSolve

SHARED, SHARED_FROM = 0.25, 0.1
"""Of a position's time the part for what it shares with others, and from how many seconds on."""
PATIENCE = 0.2
"""Seconds that a search waits for the one before it, which a click ends within some milliseconds."""


class LiveSolver:
    """A solver for the positions of one game. As `solve_auto`, but the breadth-first search goes on where
    that of an earlier position has ended, so that which line is found also depends on what was asked before.
    """

    def __init__(self) -> None:
        self.left: tuple[Picked, BreadthSearch] | None = None
        """The position asked about last, and the search that could not tell in its time; see `_Shelf`."""
        self._lock = Lock()

    def __call__(self, puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
        from winnable.games.triple.solve.solver import new_solve, portfolio  # it compiles: only when needed

        solve = yield from new_solve(puzzle, state, budget, seed)
        patience = time.monotonic() + PATIENCE
        while not self._lock.acquire(timeout=POLL_SECONDS):
            if time.monotonic() > patience or not (yield from solve.meter.allows("next")):
                return (yield from solve.first_result(portfolio(solve)))
        try:
            yield from self._take(solve)
            result = yield from solve.first_result(portfolio(solve))
            if result.status == "budget":
                self._leave(solve)
            return result
        except GeneratorExit:  # whoever drives this goes on with it no more, perhaps with the next position
            self._leave(solve)
            raise
        finally:
            self._lock.release()

    def _take(self, solve: StagedSolve) -> Search[None]:
        """What was left goes on as the solve's, if it can; else it is let go, as it takes memory."""
        left = _SHELF.take(self)
        if left is not None and left[0] & ~solve.state == 0:
            solve.breadth_search = left[1]  # even where the solve is dropped meanwhile
            if not (yield from left[1].go_on_from(solve.state, solve.meter)):
                solve.breadth_search = None

    def _leave(self, solve: StagedSolve) -> None:
        if solve.breadth_search is not None:
            _SHELF.put(self, (solve.state, solve.breadth_search))


class SolverAfter:
    """A solver for the positions one click after a given one. As `solve_auto`, but those that take long share
    a breadth-first search of the position before, up to the last click."""

    def __init__(self, before: Picked) -> None:
        self._before = before
        self._search: BreadthSearch | None = None

    def __call__(self, puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
        from winnable.games.triple.solve.solver import new_solve, portfolio

        solve = yield from new_solve(puzzle, state, budget, seed)
        if budget.seconds >= SHARED_FROM:
            solve.breadth_search = yield from self._shared(solve)
        return (yield from solve.first_result(portfolio(solve)))

    def _shared(self, solve: StagedSolve) -> Search[BreadthSearch | None]:
        """Gone on with for a part of the solve's time."""
        from winnable.games.triple.solve.breadth_search import BreadthSearch
        from winnable.games.triple.solve.plan import MAX_CLOSED_TILES

        plan, budget = solve.plan, solve.meter.budget
        if self._search is None:
            if solve.left >= MAX_CLOSED_TILES:
                return None
            self._search = BreadthSearch(plan, plan.backward, self._before, short=1)
        yield from self._search.run(Meter(budget.part(SHARED)), sys.maxsize, budget.memory_mb << 18)
        return (yield from self._search.gone_on_from(solve.state, solve.meter))


class _Shelf:
    """Room for one search in the process, the latest of all levels: it may take half of a solver's memory."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner = ref(LiveSolver())

    def take(self, owner: LiveSolver) -> tuple[Picked, BreadthSearch] | None:
        """What the owner left there; what another did is let go."""
        with self._lock:
            left = owner.left
            self._clear(owner)
            return left

    def put(self, owner: LiveSolver, left: tuple[Picked, BreadthSearch]) -> None:
        with self._lock:
            self._clear(owner)
            owner.left = left

    def clear(self) -> None:
        with self._lock:
            self._clear(LiveSolver())

    def _clear(self, owner: LiveSolver) -> None:
        if (before := self._owner()) is not None:
            before.left = None
        self._owner = ref(owner)


_SHELF = _Shelf()
gives_back(_SHELF.clear, "triple")
