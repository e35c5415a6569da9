"""The construction for boards of ones, judged by the readable rules."""

import pytest

from tests.games.drops.boards import RULES
from winnable.contract.core import replay
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.all_ones import construct, fewest


def empties_the_board(rows: int, columns: int, rules: RuleName) -> bool:
    puzzle = Drops(Level(board=("1" * columns,) * rows, rules=rules))
    return puzzle.is_goal(replay(puzzle, construct(rows, columns)))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("n", range(2, 21))
def test_six_clicks_for_each_row_empty_the_square(n: int, rules: RuleName) -> None:
    assert len(construct(n, n)) == fewest(n, n) == 6 * n
    assert empties_the_board(n, n, rules)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (1, 9), (9, 1), (2, 7), (7, 4), (32, 32)])
def test_rectangles_are_emptied_too(rows: int, columns: int, rules: RuleName) -> None:
    assert len(construct(rows, columns)) == fewest(rows, columns)
    assert empties_the_board(rows, columns, rules)


def test_all_comes_down_in_the_chain_of_the_last_click() -> None:
    puzzle = Drops(Level(board=("1" * 7,) * 5))
    *before, last = construct(5, 7)
    state = replay(puzzle, before)
    assert all(state.cells)
    assert puzzle.trace(state, last)[-1].bursts == 35


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_no_line_is_shorter(rows: int, columns: int) -> None:
    """Breadth first over all clicks, up to one less than the construction needs."""
    puzzle = Drops(Level(board=("1" * columns,) * rows))
    states = {puzzle.initial()}
    for _ in range(fewest(rows, columns) - 1):
        states = {puzzle.apply(state, action) for state in states for action in puzzle.legal_actions(state)}
        assert not any(puzzle.is_goal(state) for state in states)
