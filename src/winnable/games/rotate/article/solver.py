"""The article's methods for rotate, by name: `genetic`, `pruned-search`, and `improved-genetic` beside them.

Where the article's text and its own example differ, or leave something open, we read it so:

- It calls the third field of a turn its radius, with vertices counted from 0; the turns of its printed
  solution are blocks by their side, with vertices counted from 1. `notation.py` reads both; a radius is half
  a side. The angle is 1 to 3 where it is told and in the example, 0 to 2 where genes are drawn.
- It defines a cluster as more than one cell, but its count takes single cells as clusters too, and a board is
  finished when there are as many as colours. So it is in our rules.
- The length L of the sequences is to be trained for each board; the one example has 6 for 25 cells, which is
  the default. `length=0` asks for runs one after another, with L = 6, 7, 8, 10, 12 for 25 cells and in
  proportion for others. They end after five runs, or with the first that finishes the board.
- F counts after all L turns. A line of which fewer finish the board ends there.
- The search with pruning is only named; search.py says what ours is.

The clock ends each after 5 minutes, as the authors' limit was. Then the result has the sequence of the
greatest F that was met, by which the article compares its methods.
"""

from __future__ import annotations

from typing import TypeVar

from winnable.contract.core import Action, Answer, Best, Budget, Limit, Search, finish
from winnable.games.rotate.article.genetic import Evolution, Maker, as_written, fitness, improved
from winnable.games.rotate.article.search import PrunedSearch
from winnable.games.rotate.article.settings import GeneticSettings, ImprovedSettings, SearchSettings
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve.constructive import construct
from winnable.search.meter import Meter

LENGTHS = (6, 7, 8, 10, 12)
"""Of sequences, for 25 cells."""
SMALL = 6
"""Boards of up to so many cells may have no line."""
G = TypeVar("G", GeneticSettings, ImprovedSettings)


def solve_genetic(
    puzzle: Rotate, state: State, budget: Budget, seed: int, settings: GeneticSettings
) -> Search[Answer]:
    """Run the article's genetic algorithm, as written."""
    return _Attempt(puzzle, state, budget, settings.seconds).evolve(as_written, seed, settings)


def solve_improved_genetic(
    puzzle: Rotate, state: State, budget: Budget, seed: int, settings: ImprovedSettings
) -> Search[Answer]:
    """Run the genetic algorithm with better operators."""
    return _Attempt(puzzle, state, budget, settings.seconds).evolve(improved, seed, settings)


def solve_pruned_search(
    puzzle: Rotate, state: State, budget: Budget, seed: int, settings: SearchSettings
) -> Search[Answer]:
    """Iterative deepening with pruning: its line is the shortest. `seed` has no effect."""
    return _Attempt(puzzle, state, budget, settings.seconds).search(settings.depth)


class _Attempt:
    """One call of a solver."""

    def __init__(self, puzzle: Rotate, state: State, budget: Budget, seconds: float) -> None:
        self._puzzle, self._state = puzzle, state
        is_shorter = seconds < budget.seconds - budget.elapsed
        self._meter = Meter(budget.part(most=seconds) if is_shorter else budget)

    def evolve(self, make: Maker[G], seed: int, settings: G) -> Search[Answer]:
        """Run after run until one finishes the board."""
        if (ended := self._ended()) is not None:
            return ended
        best: Evolution | None = None
        limit: Limit | None = None
        for run, length in enumerate([settings.length] if settings.length else self._lengths()):
            length = length if self._state.left is None else min(length, self._state.left)
            genetic = make(self._puzzle, length, seed * len(LENGTHS) + run, settings)
            evolution = Evolution(self._puzzle, self._state, genetic, length)
            goes_on = yield from evolution.run(self._meter)
            if best is None or evolution.fitness > best.fitness:
                best = evolution
            if not goes_on:
                limit = None
                break
            so_far = yield from self._best(best.line())
            if so_far.target in (so_far.value, best.fitness):  # also where it finished before its last turns
                return (yield from self._solved(so_far.actions, 1))
            stalled = genetic.generations_without_gain >= settings.stalled
            kind = "stalled" if stalled else "generations"
            limit = Limit(kind, settings.stalled if stalled else settings.generations)
        assert best is not None
        line = best.line() if best.fitness >= 0 else ()
        return self._meter.result("budget", (), None, 1, limit, (yield from self._best(line)))

    def search(self, depth: int) -> Search[Answer]:
        """depth: of the longest line; 0: any."""
        if (ended := self._ended()) is not None:
            return ended
        left = self._state.left
        most = min((number for number in (depth or None, left) if number is not None), default=None)
        search = PrunedSearch(self._puzzle, self._state)
        line = yield from search.run(self._meter, most)
        if line is not None:
            return (yield from self._solved(line, search.depth))
        if left is not None and search.depth > left:
            return self._meter.result("unsolvable")
        limit = Limit("depth", depth) if depth and search.depth > depth else None
        best = yield from self._best(search.best)
        return self._meter.result("budget", (), None, search.depth, limit, best)

    def _lengths(self) -> list[int]:
        cells = len(self._state.cells)
        return [max(1, round(length * cells / 25)) for length in LENGTHS]

    def _ended(self) -> Answer | None:
        """The result where there is nothing to search."""
        puzzle, state, meter = self._puzzle, self._state, self._meter
        settled, small = meter.settled(puzzle, state), len(state.cells) <= SMALL
        if settled is None and small and construct(state.cells, puzzle.rows, puzzle.columns) is None:
            return meter.result("unsolvable")
        return settled

    def _best(self, line: tuple[Action, ...]) -> Search[Best]:
        """The article's F after these turns."""
        state, puzzle = self._state, self._puzzle
        for action in line:
            if self._meter.is_due:
                yield from self._meter.allows("check")
            state = puzzle.apply(state, action)
        return Best(line, "F", fitness(state.cells, puzzle.columns), len(state.cells) - puzzle.colours)

    def _solved(self, line: tuple[Action, ...], lower: int) -> Search[Answer]:
        return self._meter.solved(self._puzzle, self._state, line, lower)


def warm() -> None:
    """Compiles every kernel: one turn finishes the board, and each method finds it."""
    puzzle, budget = Rotate(Level(((1, 2, 1), (1, 1, 2)))), Budget(expanded=500)
    finish(solve_genetic(puzzle, puzzle.initial(), budget, 0, GeneticSettings()))
    finish(solve_pruned_search(puzzle, puzzle.initial(), budget, 0, SearchSettings()))
