"""Solves the positions of a game as it is played: what one search has seen, the next one goes on from."""

from __future__ import annotations

from threading import Lock
from weakref import WeakKeyDictionary

from winnable.core import Budget, SolveResult
from winnable.games.triple.breadth_search import BreadthSearch
from winnable.games.triple.rules import Picked, Triple
from winnable.games.triple.solver import Task, portfolio

PATIENCE = 0.2
"""Seconds that a search waits for the one before it, which a click ends within some milliseconds."""


class _Game:
    """Of one level: the position asked about last, and the search that could not tell in its time."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.state: Picked = 0
        self.search: BreadthSearch | None = None

    def search_from(self, state: Picked) -> BreadthSearch | None:
        """Where the game has gone on from that position, and as far as the search allows it."""
        later = self.search is not None and self.state & ~state == 0
        return self.search if later and self.search and self.search.go_on_from(state) else None


_games: WeakKeyDictionary[Triple, _Game] = WeakKeyDictionary()


def solve_live(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> SolveResult:
    """As `solve_auto`, but the breadth-first search goes on where that of an earlier position of the game has
    ended, so that which line is found also depends on what was asked before. Only the latest such search is
    kept, of all levels together."""
    task, game = Task(puzzle, state, budget, seed), _games.setdefault(puzzle, _Game())
    if not game.lock.acquire(timeout=PATIENCE):
        return task.first_result(portfolio(task))
    try:
        task.breadth_search = game.search_from(state)
        for other in list(_games.values()):
            other.search = None
        result = task.first_result(portfolio(task))
        if result.status == "budget":
            game.state, game.search = state, task.breadth_search
        return result
    finally:
        game.lock.release()
