"""What the terminal's adviser keeps of a game: it knows what the studio would know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from tests.kinds import of_kind
from tests.web import toy_game
from winnable.cli.advice import Adviser, adviser
from winnable.contract.abilities import ProvesFewest
from winnable.contract.core import Answer, Budget, Solver
from winnable.contract.game import Game
from winnable.levels.files import NamedLevel
from winnable.play.session import Session

WAYS: dict[str, dict[int, str]] = {
    "start": {0: "a", 1: "short", 2: "trap"},
    "a": {0: "b"},
    "b": {0: "c"},
    "c": {0: "end"},
    "short": {0: "end"},
    "trap": {0: "dead"},
    "dead": {},
    "end": {},
}
LINES = {"start": (0, 0, 0, 0), "a": (0, 0, 0), "short": (0,)}
"""What the solver says; all else is lost."""


class Ways:
    num_actions = 3

    def __init__(self, level: Any) -> None:
        pass

    def initial(self) -> str:
        return "start"

    def legal_actions(self, state: str) -> Sequence[int]:
        return [*WAYS[state]]

    def apply(self, state: str, action: int) -> str:
        return WAYS[state][action]

    def is_goal(self, state: str) -> bool:
        return state == "end"

    def cost(self, state: str, action: int) -> int:
        return 1


class Asked(Game, ProvesFewest):
    solvers: ClassVar = {}

    def live_solver(self, puzzle: Any) -> Solver:
        return self.solve

    def solve(self, puzzle: Any, state: str, budget: Budget, seed: int) -> Answer:
        ASKED.append(state)
        return Answer("solved", LINES[state]) if state in LINES else Answer("unsolvable")


ASKED: list[str] = []


@pytest.fixture
def session() -> Session:
    ASKED.clear()
    game = replace(of_kind(toy_game.GAME, Asked), puzzle=Ways)
    return Session(NamedLevel(game, toy_game.Level(9), "ways"))


@pytest.fixture
def advice(session: Session) -> Adviser:
    return adviser(session, None, None, 5)


def test_a_shorter_line_that_is_found_later_is_kept_for_the_whole_game(
    session: Session, advice: Adviser
) -> None:
    assert "4 actions" in advice.verdict()
    session.act(1)
    assert "1 action" in advice.verdict()
    session.undo()
    assert "2 actions" in advice.verdict()
    assert advice.hint().action == 1
    assert ASKED == ["start"]


def test_a_line_that_is_found_late_in_a_game_wins_from_its_start(session: Session, advice: Adviser) -> None:
    session.act(0)
    assert "3 actions" in advice.verdict()
    session.go_to(0)
    assert "4 actions" in advice.verdict()
    assert ASKED == ["a"]


def test_what_is_lost_stays_lost_without_search(session: Session, advice: Adviser) -> None:
    session.act(2)
    assert "LOST" in advice.verdict()
    assert advice.hint().action is None
    session.act(0)
    assert "LOST" in advice.verdict()
    session.go_to(0)
    assert "4 actions" in advice.verdict()
    assert ASKED == ["trap", "start"]
