"""What `check` says of a level: par, good first clicks, rivals, the figure; and the levels that ship."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.drops.boards import RULES, rows
from tests.games.drops.brute_force import fewest, good_first_clicks
from tests.games.drops.levels.test_generator import greedy_clicks
from winnable.contract.core import Budget, finish, replay
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.measure.difficulty import EFFORT, facts
from winnable.games.drops.measure.examination import Examination
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, need
from winnable.games.drops.solve import all_ones

small_rows = rows(3).filter(lambda board: need([int(cell) for row in board for cell in row]) < 20)


@given(small_rows, st.sampled_from(RULES))
def test_par_and_good_first_clicks_are_those_of_brute_force(board: tuple[str, ...], rules: RuleName) -> None:
    level = Level(board, rules=rules)
    puzzle = Drops(level)
    examination = Examination(level, EFFORT, need(level.cells))
    par = fewest(puzzle, puzzle.initial())
    assert finish(examination.prove()) == par
    assert (examination.par, examination.lower_bound, len(examination.line)) == (par, par, par)
    assert finish(examination.good_first_clicks(99)) == good_first_clicks(level)
    assert puzzle.is_goal(replay(puzzle, examination.certificate().actions))


@given(rows(6), st.sampled_from(RULES))
def test_greedy_plays_as_the_player_does(board: tuple[str, ...], rules: RuleName) -> None:
    level = Level(board, rules=rules)
    assert finish(Examination(level, 1, 1).greedy()) == greedy_clicks(Drops(level))


@settings(max_examples=20)
@given(rows(4), st.sampled_from(RULES))
def test_a_takes_as_many_clicks_as_the_seeds_solver(board: tuple[str, ...], rules: RuleName) -> None:
    level = Level(board, rules=rules)
    puzzle = Drops(level)
    clicks = finish(Examination(level, 1, 1).a())
    assert clicks == finish(GAME.solvers["a"](puzzle, puzzle.initial(), Budget(), 0)).cost


def test_more_clicks_than_the_highest_of_interest_are_not_counted() -> None:
    level = parse_board("1111/1111/1111")
    par = all_ones.fewest(3, 4)
    for highest in (3, par - 1):
        assert finish(Examination(level, EFFORT, highest).prove()) == highest + 1


def test_a_spent_effort_leaves_a_bound() -> None:
    """No proof of so many clicks is so short."""
    level = parse_board("212312/121221/112121/221112/121221/211121")
    examination = Examination(level, 1, need(level.cells))
    assert finish(examination.prove()) is None
    found = facts(level)
    low, high = (int(word) for word in found["par"].split() if word.isdigit())
    assert examination.lower_bound <= low < high < need(level.cells)
    assert "difficulty" not in found
    assert facts(Level(level.board, drops=5))["drops missing at the least"] == low - 5


@pytest.mark.parametrize("side", [8, 32])
def test_a_line_that_meets_the_bound_proves_par_without_a_search(side: int) -> None:
    assert facts(Level(("1" * side,) * side)) == {"clicks at par": all_ones.fewest(side, side)}


def test_a_large_board_gets_bounds_or_a_proof() -> None:
    level = finish(GAME.generate(GAME.params_type(rows=32, columns=32, density=130), 1))
    assert facts(level)["par"].startswith("between ")
    easy = facts(finish(GAME.generate(GAME.params_type(rows=32, columns=32), 1)))
    assert easy["clicks at par"] == 1
    assert "one click empties it" in easy["no puzzle because"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("44/43", "one click empties it"),
        ("4004/0440", "every first click is a good one"),
        ("030/304", "the greedy player needs no more than par"),
        ("12/34,drops=10", "it cannot be lost"),
    ],
)
def test_it_says_why_a_level_is_no_puzzle(code: str, reason: str) -> None:
    assert reason in facts(parse_board(code))["no puzzle because"]


def test_a_hard_level_has_no_such_reason_and_its_key_move_is_named() -> None:
    found = facts(parse_board("12/34,drops=9"))
    assert "it cannot be lost" not in found.get("no puzzle because", "")
    level = finish(GAME.generate(GAME.params_type(rows=4, columns=4, par_min=3, par_max=4, keys=1), 1))
    puzzle, found = Drops(level), facts(level)
    assert found["good first clicks"] == 1
    assert level.certificate is not None
    assert puzzle.parse_action(found["the one key move"]) == level.certificate.actions[0]


def test_drops_beyond_par_may_be_too_few() -> None:
    assert facts(parse_board("1,drops=3"))["drops beyond par"] == -1
    assert facts(parse_board("1,drops=9"))["drops beyond par"] == 5


def test_where_nothing_can_be_proved_nothing_is_said() -> None:
    level = parse_board("123/321,flash=1.1")
    assert facts(level) == {}
    assert GAME.facts(level, Budget())["units of water"] == 12


def test_where_empty_cells_may_be_clicked_it_is_as_hard_as_without() -> None:
    closed = facts(parse_board("123/321"))
    assert facts(parse_board("123/321,drops=9,every=3,open")) == {
        "fewest clicks, none on empty cells": closed["clicks at par"],
        "difficulty": closed["difficulty"],
    }
