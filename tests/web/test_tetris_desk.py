"""What the studio does for a game without a goal."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from tests.kinds import of_kind
from tests.waiting import PATIENCE
from tests.web.studio_harness import Page
from winnable.analysis import by_outlook
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Budget
from winnable.games.tetris.game import GAME, TetrisGame
from winnable.games.tetris.levels.text import parse_board
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.levels import find

LOW = "-,height=6,width=4,dice=3"


def played_out(page: Page) -> dict[str, Any]:
    state = page.new(LOW, game="tetris")
    while state["legal"]:
        state = page.ask("act", "state", action=state["legal"][0])
    return state


def test_the_same_dice_fall_each_time(page: Page) -> None:
    first, again = played_out(page), played_out(page)
    assert first["view"] == again["view"]
    assert first["standing"] == "over"
    assert first["view"]["status"] == "over"
    assert page.ask("goto", "state", ply=first["ply"] - 1)["standing"] == "playing"


def test_the_view_says_where_each_action_leads(page: Page) -> None:
    state = page.new(".xx./xxx.,height=10", game="tetris")
    puzzle = SeededTetris(parse_board(state["code"]))
    turn = puzzle.initial()
    for action, cells in zip(state["legal"], state["view"]["landings"], strict=True):
        landing = puzzle.game.landing(turn.state, action)
        assert len(cells) == 4
        assert min(cells) // 4 == landing.row
        assert min(cell % 4 for cell in cells) == landing.column


def test_a_hint_comes_from_a_player(page: Page) -> None:
    state = page.new(LOW, game="tetris")
    hint = page.ask("hint", "hint")
    assert hint["action"] in state["legal"]
    assert hint["verdict"] == "unknown"
    played_out(page)
    assert page.ask("hint", "hint")["action"] is None


def test_there_is_no_verdict_and_no_solver(page: Page) -> None:
    page.new(LOW, game="tetris")
    lamp = page.lamp()
    assert (lamp["verdict"], lamp["remaining"], lamp["par"]) == ("unknown", None, None)
    assert "tetris has none" in page.ask("solve", "result", solver="auto", seconds=1)["message"]
    judged = page.ask("judge", "judged", game="tetris", level=LOW)
    assert (judged["status"], judged["cost"], judged["done"]) == ("budget", None, True)
    assert "width" in page.ask("judge", "judged", game="tetris", level="-,width=99")["message"]
    assert "tetris has no 'nobody'" in page.ask("step", "state", by="nobody")["message"]


def test_players_of_the_list_play(page: Page) -> None:
    page.new("-,dice=3", game="tetris")
    for ply, name in enumerate(GAME.players, 1):
        assert page.ask("step", "state", by=name)["ply"] == ply


def foresee(monkeypatch: pytest.MonkeyPatch, outlook: Any) -> None:
    """In place of what the game foresees, on levels that no other test plays: their companion is kept."""

    class Foreseeing(TetrisGame):
        pass

    Foreseeing.outlook = staticmethod(outlook)
    monkeypatch.setattr(find, "load_game", Mock(return_value=of_kind(GAME, Foreseeing)))


def test_the_lamp_tells_what_the_state_promises(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Turn[Any]] = []

    def outlook(puzzle: SeededTetris, state: Turn[Any], budget: Budget, seed: int) -> Outlook:
        asked.append(state)
        return Outlook(score=100.0 + state.turn, low=90.0, high=110.0, risk=0.25)

    foresee(monkeypatch, outlook)
    state = page.new("-,dice=30", game="tetris")
    assert page.lamp()["outlook"] == {
        "score": 100.0, "low": 90.0, "high": 110.0, "risk": 0.25, "values": [],
        "by": "", "within": None, "risk_low": None, "risk_high": None, "goal": None,
    }  # fmt: skip
    page.ask("act", "state", action=state["legal"][0])
    assert page.lamp()["outlook"]["score"] == 101.0
    assert [turn.turn for turn in asked] == [0, 1]


@pytest.mark.parametrize(("seconds", "looks"), [(PATIENCE, 3), (0.0, 1)])
def test_the_lamp_looks_again_until_the_score_is_known_or_the_time_is_over(
    page: Page, monkeypatch: pytest.MonkeyPatch, seconds: float, looks: int
) -> None:
    found = [Outlook(risk=0.5), Outlook(risk=0.25), Outlook(score=100.0, risk=0.125)]
    outlook = Mock(side_effect=found)
    foresee(monkeypatch, outlook)
    monkeypatch.setattr(by_outlook, "LOOK_SECONDS", seconds)
    monkeypatch.setattr(by_outlook, "PAUSE_SECONDS", 0.0)
    page.new(f"-,dice=3{looks}", game="tetris")
    risks: list[float | None] = []
    while (lamp := page.wait("lamp"))["searching"]:
        risks.append(lamp["outlook"] and lamp["outlook"]["risk"])
    assert risks == [None, *(one.risk for one in found[:looks])]
    assert lamp["outlook"]["risk"] == found[looks - 1].risk
    assert outlook.call_count == looks


def test_a_game_is_saved_and_loaded(page: Page) -> None:
    end = played_out(page)
    content = page.ask("save", "file", what="session")["content"]
    loaded = page.ask("load", "state", content=content)
    assert loaded["view"] == end["view"]
    assert loaded["standing"] == "over"
    assert msgspec.json.decode(content)["format"] == "winnable.session/2"
