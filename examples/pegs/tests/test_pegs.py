from winnable_pegs.game import GAME

from winnable.contract.core import Budget, finish
from winnable.testing import GameContract


class TestPegs(GameContract):
    name = "pegs"


def test_pegs_that_cannot_meet_are_lost() -> None:
    puzzle = GAME.puzzle(GAME.parse_board("oo../..../..oo"))
    found = finish(GAME.solvers["depth-first"](puzzle, puzzle.initial(), Budget(), 0))
    assert found.status == "unsolvable"
