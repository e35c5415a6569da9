"""Solves the positions of a game as it is played: what one search has seen, the next one goes on from."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING
from weakref import ref

from winnable.contract.core import Budget, SolveResult
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.search.memory import gives_back

if TYPE_CHECKING:
    from winnable.games.triple.solve.breadth_search import BreadthSearch

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

    def __call__(self, puzzle: Triple, state: Picked, budget: Budget, seed: int) -> SolveResult:
        from winnable.games.triple.solve.solver import Task, portfolio  # it compiles: only when it is needed

        task = Task(puzzle, state, budget, seed)
        if not self._lock.acquire(timeout=PATIENCE):
            return task.first_result(portfolio(task))
        try:
            left = _SHELF.take(self)
            if left is not None and left[0] & ~state == 0 and left[1].go_on_from(state):
                task.breadth_search = left[1]
            del left  # of no use any more, it would take its memory beside the new one
            result = task.first_result(portfolio(task))
            if result.status == "budget" and task.breadth_search is not None:
                _SHELF.put(self, (state, task.breadth_search))
            return result
        finally:
            self._lock.release()


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
