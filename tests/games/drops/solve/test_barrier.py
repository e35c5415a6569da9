"""The barrier: its lemma in whole games, its minimum against all sets of cells, and against optimal lines."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.drops.boards import SEEDS, clicks, levels, rows, rule_names
from winnable.contract.core import Budget, finish
from winnable.games.drops.rules.level import FULL, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.exact import barrier
from winnable.games.drops.solve.solver import solve_optimal
from winnable.search.meter import Meter


def cost(level: Level, burst: set[int]) -> int:
    """What these cells cost at the least when they burst before all others."""
    total = sum(1 - level.cells[cell] for cell in burst)
    places = np.arange(len(level.cells)).reshape(level.rows, level.columns)
    for line in (*places.tolist(), *places.T.tolist()):
        filled = [cell for cell in line if level.cells[cell]]
        for together, run in itertools.groupby(filled, burst.__contains__):
            if together:
                total += 2 if len(list(run)) == 1 else 3
    return total


def barrier_of(level: Level) -> int:
    cells = np.frombuffer(level.cells, np.uint8).astype(np.uint16)
    return finish(barrier(cells, level.rows, level.columns, Meter(Budget())))


def full(side: int) -> st.SearchStrategy[tuple[str, ...]]:
    return rows(side, "1234") | rows(side, "12")


@given(levels(side=7), SEEDS)
def test_the_cells_that_burst_first_cost_what_they_cost(level: Level, seed: int) -> None:
    """At rest after each click of whole games, whose clicks may have gone to other cells too."""
    closed = Level(level.board, rules=level.rules)
    puzzle = Drops(closed)
    for made, (state, _) in enumerate(clicks(puzzle, seed)):
        burst = {cell for cell, drops in enumerate(closed.cells) if drops and not state.cells[cell]}
        assert cost(closed, burst) <= made


@given(full(3))
@settings(max_examples=40)
def test_it_is_no_higher_than_the_cheapest_sets(board: tuple[str, ...]) -> None:
    level = Level(board)
    n = len(level.cells)
    least = FULL + 1 - max(level.cells)
    highest = least
    for m in range(1, n + 1):
        highest = max(highest, min(cost(level, set(some)) for some in itertools.combinations(range(n), m)))
    assert least <= barrier_of(level) <= highest


@given(full(4), rule_names)
@settings(max_examples=60)
def test_no_line_is_shorter(board: tuple[str, ...], rules: RuleName) -> None:
    puzzle = Drops(Level(board, rules=rules))
    result = finish(solve_optimal(puzzle, puzzle.initial(), Budget(expanded=3_000), 0))
    if result.status == "solved":
        assert barrier_of(puzzle.level) <= len(result.actions)


def test_all_ones_cost_six_for_each_row_of_a_square() -> None:
    """Where the barrier is the whole board, it is the bound of droplets lost."""
    assert [barrier_of(Level(("1" * side,) * side)) for side in (1, 2, 3, 5, 8)] == [4, 12, 18, 30, 48]


def test_there_is_a_barrier_where_all_cells_together_cost_nothing() -> None:
    """16 × 16 cells with 384 units: cells - water + droplets lost at least is -32."""
    assert barrier_of(Level(("12" * 8, "21" * 8) * 8)) > 8


def test_it_says_nothing_of_boards_with_empty_cells() -> None:
    assert barrier_of(Level(("110", "111", "111"))) == 0
