"""2048 in the studio: what moves are worth, and the report of what they cost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from tests.kinds import of_kind
from tests.waiting import PATIENCE
from tests.web.studio_harness import Event, Page
from winnable.analysis.costs import Cost, cost_of, worst
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Budget, Search, finish
from winnable.contract.game import Game
from winnable.games.game2048.game import GAME, Game2048
from winnable.games.game2048.levels.text import parse_board
from winnable.games.game2048.measure.outlook import outlook
from winnable.games.game2048.rules.puzzle import NAMES, Seeded2048
from winnable.levels import find
from winnable.web import deck, reports
from winnable.web.catalog import game_infos

LEVEL = "-,rows=2,columns=3,dice=1"
OTHERS = [f"-,rows=2,columns=3,dice={dice}" for dice in (2, 3, 4, 5, 6)]
"""The studio remembers what it found out about a level: each test has its own."""


@pytest.fixture(autouse=True)
def nobody_looks_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a report tells, it found out itself."""
    monkeypatch.setattr(deck, "LOOK_BACK_SECONDS", 0)


def played_out(page: Page, level: str) -> Event:
    state = page.new(level, game="2048")
    while state["legal"]:
        state = page.ask("act", "state", action=state["legal"][-1])
    return state


def report(page: Page) -> list[Event]:
    """All that it answers."""
    page.send("report")
    answers = [page.wait("costs", "error")]
    while not answers[-1]["done"]:
        answers.append(page.wait("costs", "error"))
    return answers


class Judge:
    """Says that each action is worth its number; from `stuck_at` actions on it waits to be cancelled."""

    def __init__(self, stuck_at: int | None = None) -> None:
        self.stuck_at = stuck_at
        self.asked: list[int] = []
        self.waits = threading.Event()

    def __call__(self, puzzle: Seeded2048, state: Turn[Any], budget: Budget, seed: int) -> Search[Outlook]:
        self.asked.append(state.turn)
        while state.turn == self.stuck_at and (yield from budget.allows("waiting", 0, 0)):
            self.waits.set()
        return Outlook(values=tuple((action, float(action)) for action in puzzle.legal_actions(state)))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Judge], Judge]:
    """Puts a judge in the place of the game's own."""

    def by(judge: Judge) -> Judge:
        class Judged(Game2048):
            def outlook(
                self, puzzle: Seeded2048, state: Turn[Any], budget: Budget, seed: int
            ) -> Search[Outlook]:
                return judge(puzzle, state, budget, seed)

        monkeypatch.setattr(find, "load_game", Mock(return_value=of_kind(GAME, Judged)))
        return judge

    return by


def test_the_lamp_says_what_each_move_is_worth(page: Page) -> None:
    page.new(LEVEL, game="2048")
    puzzle = Seeded2048(parse_board(LEVEL))
    found = finish(outlook(puzzle, puzzle.initial(), Budget(), 0))
    lamp = page.wait("lamp", where=lambda event: not event["searching"])
    assert lamp["outlook"]["values"] == [[action, value] for action, value in found.values]
    assert lamp["outlook"]["score"] == found.score


def test_a_report_says_what_each_move_cost(page: Page) -> None:
    end = played_out(page, LEVEL)
    answers = report(page)
    assert {answer["line"] for answer in answers} == {end["line"]}
    assert [answer["done"] for answer in answers[:-1]] == [False] * (len(answers) - 1)
    costs = [cost for answer in answers for cost in answer["costs"]]
    assert [cost["ply"] for cost in costs] == list(reversed(range(end["ply"])))
    puzzle = Seeded2048(parse_board(LEVEL))
    state, expected = puzzle.initial(), list[Cost]()
    for ply in range(end["ply"]):
        action = puzzle.legal_actions(state)[-1]
        expected.append(cost_of(ply, action, finish(outlook(puzzle, state, Budget(), 0)).values))
        told = costs[-1 - ply]
        assert (told["cost"], told["value"]) == (expected[-1].cost, expected[-1].value)
        assert (told["name"], told["best"]) == (NAMES[action], NAMES[expected[-1].best])
        state = puzzle.apply(state, action)
    mistakes = worst(expected)
    assert mistakes
    assert answers[-1]["worst"] == [cost.ply for cost in mistakes]
    assert (answers[-1]["by"], answers[-1]["rewards"]) == ("exact", True)


def test_a_report_is_cancelled_and_goes_on_with_what_it_knows(
    page: Page, judged: Callable[[Judge], Judge]
) -> None:
    judge = judged(Judge(stuck_at=3))
    end = played_out(page, OTHERS[0])
    judge.waits.clear()
    page.send("report")
    assert judge.waits.wait(PATIENCE)
    page.send("cancel")
    answers = [page.wait("costs")]
    while not answers[-1]["done"]:
        answers.append(page.wait("costs"))
    known = [cost["ply"] for answer in answers for cost in answer["costs"]]
    assert known == list(range(end["ply"] - 1, 3, -1))
    judge.stuck_at = None
    judge.asked.clear()
    assert sum(len(answer["costs"]) for answer in report(page)) == end["ply"]
    assert judge.asked == [3, 2, 1, 0]


def test_a_report_ends_with_its_time(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "REPORT_SECONDS", 0)
    played_out(page, OTHERS[1])
    answers = report(page)
    assert answers[-1] == {**answers[0], "costs": [], "worst": [], "done": True, "limit": "time"}


def test_what_is_known_when_the_time_ends_is_told(page: Page, judged: Callable[[Judge], Judge]) -> None:
    """The judge is cut short at the last action but one, after it has something to say."""
    judged(Judge(stuck_at=3))
    end = played_out(page, OTHERS[4])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reports, "REPORT_SECONDS", 1)
        answers = report(page)
    known = [cost["ply"] for answer in answers for cost in answer["costs"]]
    assert known == list(range(end["ply"] - 1, 2, -1))
    assert answers[-1]["limit"] == "time"


def test_what_nobody_can_weigh_is_left_out(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Game2048):
        outlook = Mock(return_value=Outlook())

    monkeypatch.setattr(find, "load_game", Mock(return_value=of_kind(GAME, Silent)))
    played_out(page, OTHERS[2])
    assert report(page)[-1]["costs"] == []


def test_without_a_goal_and_values_there_is_no_report(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "load_game", Mock(return_value=of_kind(GAME, Game)))
    page.new(OTHERS[3], game="2048")
    assert page.ask("report", "costs")["code"] == "report.none"


def test_a_game_of_tetris_is_weighed_by_how_long_a_controller_survives(page: Page) -> None:
    end = page.new("-,height=6,width=4,dice=2", game="tetris")
    while end["legal"]:
        end = page.ask("act", "state", action=end["legal"][0])
    answers = report(page)
    assert (answers[-1]["by"], answers[-1]["rewards"]) == ("dt-20", False)
    costs = [cost for answer in answers for cost in answer["costs"]]
    assert len(costs) == end["ply"]
    assert all(0 <= cost["cost"] <= cost["value"] <= 1 for cost in costs)
    shares = {cost["ply"]: cost["cost"] / cost["value"] for cost in costs if cost["value"]}
    assert answers[-1]["worst"]
    assert [shares[ply] for ply in answers[-1]["worst"]] == sorted(
        (shares[ply] for ply in answers[-1]["worst"]), reverse=True
    )


def test_the_page_knows_which_games_weigh_actions() -> None:
    weighs = {info.name: info.weighs for info in game_infos()}
    assert (weighs["tetris"], weighs["2048"], weighs["triple"]) == (True, True, False)
