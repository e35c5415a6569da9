"""What the terminal's adviser keeps of a game: it knows what the studio would know."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from tests.kinds import of_kind
from tests.web import toy_game
from winnable.abilities import ProvesFewest
from winnable.cli.advice import Adviser, adviser
from winnable.core import Budget, SolveResult
from winnable.game import Game
from winnable.library import NamedLevel
from winnable.session import Session

ASKED: list[int] = []
LINES = {9: (1, 1, 0, 0, 0, 0, 0), 8: (1, 1, 1, 1)}
"""The first is no good one, and leads past the state that the second is about."""


def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> SolveResult:
    ASKED.append(state)
    return SolveResult("solved", LINES[state]) if state in LINES else SolveResult("unsolvable")


class Clumsy(Game, ProvesFewest):
    solvers: ClassVar = {"auto": solve}


@pytest.fixture
def session() -> Session:
    ASKED.clear()
    return Session(NamedLevel(of_kind(toy_game.GAME, Clumsy), toy_game.Level(9), "toy:start=9#1"))


@pytest.fixture
def advice(session: Session) -> Adviser:
    return adviser(session, None, None, 5)


def test_a_shorter_line_that_is_found_later_is_kept_for_the_whole_game(
    session: Session, advice: Adviser
) -> None:
    assert "7 actions" in advice.verdict()
    session.act(0)
    assert "4 actions" in advice.verdict()
    session.undo()
    assert "5 actions" in advice.verdict(), "one, and on along the short one"
    assert advice.hint().action == 0
    assert ASKED == [9, 8]


def test_a_line_that_is_found_late_in_a_game_wins_from_its_start(session: Session, advice: Adviser) -> None:
    session.act(0)
    assert "4 actions" in advice.verdict()
    session.go_to(0)
    assert "5 actions" in advice.verdict()
    assert ASKED == [8]


def test_what_is_lost_stays_lost_without_search(session: Session, advice: Adviser) -> None:
    session.act(2)
    assert "LOST" in advice.verdict()
    assert advice.hint().action is None
    session.act(0)
    assert "LOST" in advice.verdict()
    session.go_to(0)
    assert "7 actions" in advice.verdict()
    assert ASKED == [-1, 9]
