"""Solves the positions of a game as it is played: what one search has seen, the next one goes on from."""

from __future__ import annotations

from threading import Lock
from weakref import WeakKeyDictionary, ref

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


_games: WeakKeyDictionary[Triple, _Game] = WeakKeyDictionary()
_latest = ref(_Game())


def solve_live(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> SolveResult:
    """As `solve_auto`, but the breadth-first search goes on where that of an earlier position of the game has
    ended, so that which line is found also depends on what was asked before. Only the latest such search is
    kept, of all levels together."""
    task, game = Task(puzzle, state, budget, seed), _games.setdefault(puzzle, _Game())
    if not game.lock.acquire(timeout=PATIENCE):
        return task.first_result(portfolio(task))
    try:
        _let_go_of_others(game)
        search, game.search = game.search, None
        if search is not None and game.state & ~state == 0 and search.go_on_from(state):
            task.breadth_search = search
        del search  # of no use any more, it would take its memory beside the new one
        result = task.first_result(portfolio(task))
        if result.status == "budget":
            _let_go_of_others(game)
            game.state, game.search = state, task.breadth_search
        return result
    finally:
        game.lock.release()


def _let_go_of_others(game: _Game) -> None:
    global _latest
    latest, _latest = _latest(), ref(game)
    if latest is not None and latest is not game:
        latest.search = None
