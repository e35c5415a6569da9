"""The argument for a lower bound holds: against the solver, against its kernels, and cell by cell."""

import pytest
from hypothesis import given, settings

from tests.games.drops.boards import SEEDS, clicks, levels
from tests.games.drops.brute_force import least_clicks_open
from winnable.contract.core import Budget, finish
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.bounds import Group, Line, explain
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.games.drops.solve.exact import ExactSearch
from winnable.games.drops.solve.solver import solve_optimal
from winnable.search.meter import Meter


def test_each_number_of_the_argument() -> None:
    """(1,1) and (3,1) are linked by their row, (3,1) and (3,3) by their column; (2,2) stands alone."""
    puzzle = Drops(parse_board("3020/0100/0040"))
    why = explain(puzzle, puzzle.initial())
    assert why.groups == (Group(3, 9, 3 + 2 + 2 + 3, 1, 4), Group(1, 1, 4, 4, 4))
    assert why.rows == (Line(0, 0, 2, 3), Line(1, 1, 1, 2), Line(2, 0, 1, 2))
    assert why.columns == (Line(0, 0, 1, 2), Line(1, 1, 1, 2), Line(2, 0, 2, 3))
    assert (why.bound, why.open) == (8, False)


def test_an_open_board_is_one_group() -> None:
    puzzle = Drops(parse_board("3020/0100/0040,open"))
    why = explain(puzzle, puzzle.initial())
    assert why.groups == (Group(4, 10, 14, 1, 8),)
    assert (why.bound, why.open) == (8, True)


def test_the_fullest_cell_counts_where_the_loss_says_nothing() -> None:
    puzzle = Drops(parse_board("3333/3333/3333/3333"))
    why = explain(puzzle, puzzle.initial())
    assert why.groups == (Group(16, 48, 24, 2, 2),)


@pytest.mark.parametrize("code", ["44/44", "44/44,open"])
def test_an_empty_board_needs_nothing(code: str) -> None:
    puzzle = Drops(parse_board(code))
    why = explain(puzzle, State(bytes(4), None))
    assert (why.groups, why.rows, why.columns, why.bound) == ((), (), (), 0)


@given(levels(side=4), SEEDS)
@settings(max_examples=60)
def test_no_line_is_shorter_than_the_bound(level: Level, seed: int) -> None:
    puzzle = Drops(level)
    for state in [puzzle.initial(), *(state for state, _ in clicks(puzzle, seed)[::3])]:
        result = finish(solve_optimal(puzzle, state, Budget(expanded=3_000), 0))
        if result.status == "solved":
            assert explain(puzzle, state).bound <= len(result.actions)


@given(levels(side=7))
def test_the_solver_knows_at_least_as_much(level: Level) -> None:
    """It begins with this bound, or with a better one."""
    puzzle = Drops(level)
    why = explain(puzzle, puzzle.initial())
    if level.open:
        assert why.bound == least_clicks_open(level.cells, level.columns)
        return
    search = ExactSearch(level, 2**20)
    parts, meter = search.components(level.cells), Meter(Budget())
    assert len(parts) == len(why.groups)
    assert why.bound <= sum(finish(search.lower_bound(part, meter)) for part in parts)


@given(levels(side=6), SEEDS)
def test_clicks_are_cells_less_water_and_what_was_lost(level: Level, seed: int) -> None:
    """The identity that the argument stands on, counted over whole games: a click that sets off a chain of
    b bursts takes one unit, and every burst turns 5 units into 4 droplets."""
    puzzle = Drops(level)
    state = puzzle.initial()
    cells, water = len(state.cells) - state.cells.count(0), sum(state.cells)
    made = lost = 0
    for before, cell in clicks(puzzle, seed):
        frames = puzzle.trace(before, cell)
        bursts = frames[-1].bursts
        landed = sum(frames[-1].cells) - sum(before.cells) - 1 + 5 * bursts
        made, lost = made + 1, lost + 4 * bursts - landed
        state = puzzle.apply(before, cell)
        if puzzle.is_goal(state):
            assert made == cells - water + lost


@given(levels(side=32))
@settings(max_examples=20)
def test_groups_share_no_line_and_cover_the_board(level: Level) -> None:
    puzzle = Drops(level)
    why = explain(puzzle, puzzle.initial())
    for lines in (why.rows, why.columns):
        assert len({line.index for line in lines}) == len(lines)
        assert sum(line.cells for line in lines) == sum(group.cells for group in why.groups)
    assert sum(group.water for group in why.groups) == sum(level.cells)
