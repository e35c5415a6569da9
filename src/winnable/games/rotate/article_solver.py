"""The article's methods for rotate, by name: `genetic`, `pruned-search`, and `improved-genetic` beside them.

Where the article's text and its own example differ, or leave something open, we read it so:

- It calls the third field of a turn its radius, with vertices counted from 0; the turns of its printed
  solution are blocks by their side, with vertices counted from 1. `notation.py` reads both; a radius is half
  a side. The angle is 1 to 3 where it is told and in the example, 0 to 2 where genes are drawn.
- It defines a cluster as more than one cell, but its count takes single cells as clusters too, and a board is
  finished when there are as many as colours. So it is in our rules.
- The length L of the sequences is to be trained for each board; the one example has 6 for 25 cells. Ours are
  runs as written, one after another, with L = 6, 7, 8, 10, 12 for 25 cells and in proportion for others. They
  end after five runs, or with the first that finishes the board.
- F counts after all L turns. A line of which fewer finish the board ends there.
- The search with pruning is only named; article_search.py says what ours is.

The clock ends each after 5 minutes, as the authors' limit was.
"""

from __future__ import annotations

from winnable.core import Action, Budget, SolveResult, replay
from winnable.games.rotate.article_genetic import Evolution, Maker, as_written, improved
from winnable.games.rotate.article_search import PrunedSearch
from winnable.games.rotate.constructive import construct
from winnable.games.rotate.level import Level
from winnable.games.rotate.rules import Rotate, State
from winnable.jit import notice_if_compiling
from winnable.search.meter import Meter

ARTICLE_SECONDS = 300.0
LENGTHS = (6, 7, 8, 10, 12)
"""Of sequences, for 25 cells."""
SMALL = 6
"""Boards of up to so many cells may have no line."""
MAKERS: dict[str, Maker] = {"genetic": as_written, "improved-genetic": improved}
NAMES = (*MAKERS, "pruned-search")


def solve_genetic(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """The article's genetic algorithm, as written."""
    return Attempt(puzzle, state, budget, seed).run("genetic")


def solve_improved_genetic(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """The same with better operators."""
    return Attempt(puzzle, state, budget, seed).run("improved-genetic")


def solve_pruned_search(puzzle: Rotate, state: State, budget: Budget, seed: int) -> SolveResult:
    """Iterative deepening with pruning: its line is the shortest. `seed` has no effect."""
    return Attempt(puzzle, state, budget, seed).run("pruned-search")


class Attempt:
    """One call of a solver. excess: the fewest clusters too many that it met, None before it met any."""

    def __init__(self, puzzle: Rotate, state: State, budget: Budget, seed: int) -> None:
        notice_if_compiling()
        part = budget.part(1)
        part.seconds = min(part.seconds, ARTICLE_SECONDS)
        self._puzzle, self._state, self._seed, self._meter = puzzle, state, seed, Meter(part)
        self.excess: int | None = None

    def run(self, name: str) -> SolveResult:
        """By the method of this name, one of NAMES."""
        if (ended := self._ended()) is not None:
            return ended
        return self._evolve(name, MAKERS[name]) if name in MAKERS else self._search(name)

    def _evolve(self, name: str, make: Maker) -> SolveResult:
        for run, length in enumerate(self._lengths()):
            evolution = Evolution(
                self._puzzle, self._state, make(self._puzzle, length, self._seed * len(LENGTHS) + run)
            )
            goes_on = evolution.run(self._meter, f"{name}: length {length}")
            if evolution.excess is not None and (self.excess is None or evolution.excess < self.excess):
                self.excess = evolution.excess
            if self.excess == 0:
                return self._solved(evolution.line(), 1)
            if not goes_on:
                break
        return self._meter.result("budget", lower_bound=1)

    def _search(self, name: str) -> SolveResult:
        search = PrunedSearch(self._puzzle, self._state)
        line = search.run(self._meter, name, self._state.left)
        self.excess = search.excess
        if line is not None:
            return self._solved(line, search.depth)
        if self._state.left is not None and search.depth > self._state.left:
            return self._meter.result("unsolvable")
        return self._meter.result("budget", lower_bound=search.depth)

    def _lengths(self) -> list[int]:
        cells, left = len(self._state.cells), self._state.left
        lengths = [max(1, round(length * cells / 25)) for length in LENGTHS]
        return lengths if left is None else [min(length, left) for length in lengths]

    def _ended(self) -> SolveResult | None:
        """The result where there is nothing to search."""
        puzzle, state, meter = self._puzzle, self._state, self._meter
        settled, small = meter.settled(puzzle, state), len(state.cells) <= SMALL
        if settled is None and small and construct(state.cells, puzzle.rows, puzzle.columns) is None:
            return meter.result("unsolvable")
        return settled

    def _solved(self, line: tuple[Action, ...], lower: int) -> SolveResult:
        """The readable rules have the last word on every line."""
        won = self._puzzle.is_goal(replay(self._puzzle, line, self._state))
        assert won, "a line that does not finish the board"
        return self._meter.result("solved", line, len(line), lower)


def warm() -> None:
    """Compiles every kernel: one turn finishes the board, and each method finds it."""
    puzzle = Rotate(Level(((1, 2, 1), (1, 1, 2))))
    for name in NAMES:
        Attempt(puzzle, puzzle.initial(), Budget(expanded=500), 0).run(name)
