"""What is kept of each end that a person reaches, and who had help."""

import json
from datetime import date, timedelta

import pytest

from tests.web.studio_harness import Event, Page, Studio
from winnable.contract import clock
from winnable.contract.registry import load_game
from winnable.levels.identity import daily, day_of
from winnable.play.session import Session
from winnable.store import results
from winnable.store.results import Result
from winnable.web import desk


def ends(studio: Studio, session: str) -> list[Result]:
    return [result for result in results.every(studio.store) if result.session == session]


def play(page: Page, *actions: int) -> Event:
    state: Event = {}
    for action in actions:
        state = page.ask("act", "state", action=action)
    return state


def test_a_win_is_kept_once_with_all_that_is_known_of_it(studio: Studio, page: Page) -> None:
    state = page.new("toy:start=3#8")
    play(page, 0, 1)
    (result,) = ends(studio, state["session"])
    assert (result.game, result.level_id, result.outcome, result.helped) == (
        "toy",
        "toy:start=3#8",
        "won",
        False,
    )
    assert (result.actions, result.score, result.day) == (2, None, None)
    assert result.content.startswith("toy@")
    assert result.seconds is not None
    page.ask("goto", "state", ply=0)
    page.ask("goto", "state", ply=2)
    page.ask("goto", "state", ply=1)
    play(page, 1)
    assert ends(studio, state["session"]) == [result], "the same end, come back to"


def test_each_end_of_a_game_is_one_result(studio: Studio, page: Page) -> None:
    session = page.new("toy:start=2#8")["session"]
    play(page, 2, 0, 0)
    page.ask("goto", "state", ply=0)
    play(page, 1)
    lost, won = ends(studio, session)
    assert (lost.outcome, lost.actions) == ("lost", 3)
    assert (won.outcome, won.actions) == ("won", 1)


def test_the_score_of_a_game_without_a_goal_is_kept(studio: Studio, page: Page) -> None:
    state = page.new("2048:rows=2,columns=2#3")
    while state["standing"] == "playing":
        state = page.ask("act", "state", action=state["legal"][0])
    (result,) = ends(studio, state["session"])
    assert result.outcome == "over"
    assert result.score == state["view"]["score"]


def test_a_goal_on_the_way_is_made_or_missed(studio: Studio, page: Page) -> None:
    made = page.new("2048:12/20,goal=8,ends,dice=1")
    while made["standing"] == "playing":
        made = page.ask("act", "state", action=made["legal"][0])
    missed = page.new("2048:12/20,goal=4096,dice=1")
    while missed["standing"] == "playing":
        missed = page.ask("act", "state", action=missed["legal"][0])
    (won,), (lost,) = ends(studio, made["session"]), ends(studio, missed["session"])
    assert (won.outcome, lost.outcome) == ("won", "lost")
    assert (won.score, lost.score) == (made["view"]["score"], missed["view"]["score"])


@pytest.mark.parametrize("request_type", ["hint", "solve", "step", "cheat"])
def test_help_is_told_and_kept(studio: Studio, page: Page, request_type: str) -> None:
    state = page.new("toy:start=64#1")
    assert not state["helped"]
    fields = {"solve": {"solver": "auto"}, "step": {"by": "ones"}}.get(request_type, {})
    if request_type == "cheat":
        assert page.ask("cheat", "state")["helped"]
    else:
        page.send(request_type, **fields)
        assert page.wait("helped", "error") == {"type": "helped", "session": state["session"]}
    if request_type == "step":
        page.wait("state")
    page.ask("goto", "state", ply=0)
    assert studio.store.load(state["session"]).helped
    play(page, 2, 0, 0)
    assert [result.helped for result in ends(studio, state["session"])] == [True]
    page.new("toy:start=2#1")
    assert page.ask("open", "state", session=state["session"])["helped"]


def test_what_a_player_plays_to_the_end_is_no_lone_win(studio: Studio, page: Page) -> None:
    session = page.new("toy:start=1#1")["session"]
    assert page.ask("step", "state", by="ones")["standing"] == "won"
    assert [result.helped for result in ends(studio, session)] == [True]


def test_a_saved_game_says_that_it_had_help(page: Page) -> None:
    page.new("toy:start=4#1")
    alone = page.ask("save", "file")["content"]
    assert "helped" not in json.loads(alone)
    assert not Session.load(alone.encode()).helped
    page.ask("hint", "hint")
    content = page.ask("save", "file")["content"]
    assert Session.load(content.encode()).helped
    assert page.ask("load", "state", content=content)["helped"]


def test_the_day_of_a_level() -> None:
    game = load_game("2048")
    today, other = daily(game), daily(game)._replace(seed=20200229)
    assert day_of(game, str(today)) == clock.today()
    assert day_of(game, str(other)) == date(2020, 2, 29)
    for none in (
        f"{today}+",
        "2048:rows=3#20200229",
        "2048:#20200230",
        "2048:#7",
        "2048/1",
        "2048:#002020022",
    ):
        assert day_of(game, none) is None


def test_only_the_level_of_today_is_a_days_result(studio: Studio) -> None:
    with studio.page() as page:
        game = load_game("toy")
        today = clock.today()
        for days, counts in ((0, True), (-1, False), (1, False)):
            day = today + timedelta(days=days)
            state = page.new(f"toy:start=9#{day:%Y%m%d}")
            assert day_of(game, state["level_id"]) == day
            play(page, 1, 1, 1, 1, 0)
            (result,) = ends(studio, state["session"])
            assert result.day == (str(day) if counts else None)


def test_the_page_asks_for_the_days(studio: Studio, page: Page) -> None:
    today = clock.today()
    state = page.new("toy:daily")
    assert page.new(f"toy:daily#{today:%Y%m%d}")["level_id"] == state["level_id"]
    assert page.ask("new", "error", level="toy:daily#20261301")["code"] == "daily.day"
    state = page.new(f"toy:daily#{today - timedelta(7):%Y%m%d}")
    play(page, 1, 1, 1, 1, 0)
    told = page.ask("days", "days")
    assert (told["today"], told["first"]) == (str(today), str(today - timedelta(365)))
    (toy,) = (one for one in told["games"] if one["game"] == "toy")
    ended = {"outcome": "won", "helped": False, "actions": 5, "score": None, "session": state["session"]}
    assert {"day": str(today - timedelta(7)), **ended} in toy["days"]


def test_time_away_is_no_play(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_THOUGHT", 0.0)
    with studio.page() as page:
        session = page.new("toy:start=1#1")["session"]
        play(page, 0)
    assert ends(studio, session)[0].seconds == 0.0
