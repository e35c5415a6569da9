"""Random games, beside the rules and the compiled ones."""

from __future__ import annotations

import random
from typing import Any

import pytest

from winnable.contract.chance import Turn
from winnable.contract.core import Budget, finish
from winnable.games.game2048.players import first
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048


@pytest.mark.parametrize("sides", [(4, 4), (2, 3), (5, 3)])
def test_each_step_is_one_of_the_rules(sides: tuple[int, int]) -> None:
    puzzle = Seeded2048(Level(rows=sides[0], columns=sides[1]))
    game = puzzle.game
    state = puzzle.initial().state
    copy = first.RandomGame(game, state, game.legal_actions(state)[0], random.Random(1))
    score, steps = 0.0, 0
    while not copy.over:
        before = state
        copy.step()
        state, steps = copy.state, steps + 1
        reached = [
            (reward, after)
            for action in game.legal_actions(before)
            for board, reward in (game.afterstate(before, action),)
            for _, after in game.outcomes(board)
        ]
        assert (copy.score - score, state) in reached
        score = copy.score
    assert steps > 3
    assert not game.legal_actions(state)


def test_the_first_move_of_each_copy_is_the_one_that_its_value_is_of() -> None:
    """On a board where a single move merges two large tiles, it is worth much more."""
    level = Level(board=((1024, 1024, 2, 4), (4, 2, 8, 2), (2, 4, 2, 4), (4, 2, 4, 8)))
    puzzle = Seeded2048(level)
    start: Turn[Any] = puzzle.initial()
    values = dict(finish(first.first_outlook(puzzle, start, Budget(), 0)).values)
    assert set(values) == set(puzzle.legal_actions(start))
    assert all(value >= 2048 for value in values.values())


def test_a_goal_that_ends_the_game_ends_it() -> None:
    puzzle = Seeded2048(Level(board=((4, 4), (0, 0)), rows=2, columns=2, goal=8, ends=True))
    found = finish(first.first_outlook(puzzle, puzzle.initial(), Budget(), 0))
    assert found.within is None
    assert dict(found.values)[1] == 8.0


def test_a_game_that_is_over_promises_nothing() -> None:
    puzzle = Seeded2048(Level(rows=2, columns=2))
    found = finish(first.first_outlook(puzzle, Turn((1, 2, 2, 1), 0, 0), Budget(), 0))
    assert (found.score, found.high, found.values) == (0.0, 0.0, ())
