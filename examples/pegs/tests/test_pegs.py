from winnable_pegs.game import GAME

from winnable.contract.core import Budget
from winnable.testing import GameContract


class TestPegs(GameContract):
    name = "pegs"


def test_pegs_that_cannot_meet_are_lost() -> None:
    puzzle = GAME.puzzle(GAME.parse_board("oo../..../..oo"))
    assert GAME.solvers["depth-first"](puzzle, puzzle.initial(), Budget(), 0).status == "unsolvable"
