"""Each request of the protocol, on the toy game whose answers are known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bench.studio.process import talk
from tests.waiting import wait_until
from tests.web import toy_game
from tests.web.studio_harness import Event, Page, Studio
from winnable.web import opening, watched

METHODS = ["plain", "slow", "failing", "endless"]


def test_hello_names_the_games_with_their_parameters(studio: Studio) -> None:
    with talk(f"127.0.0.1:{studio.port}") as socket:
        hello = json.loads(socket.recv())
    games = {game["name"]: game for game in hello["games"]}
    assert set(games) == {"triple", "drops", "tetris", "rotate", "2048", "toy"}
    toy = games["toy"]
    assert toy["params"] == [
        {
            "name": "start",
            "default": 5,
            "minimum": 1,
            "maximum": 100,
            "step": 1,
            "choices": None,
            "only": {},
            "whole": True,
        },
        {
            "name": "method",
            "default": "plain",
            "minimum": None,
            "maximum": None,
            "step": 1,
            "choices": METHODS,
            "only": {},
            "whole": True,
        },
    ]
    assert toy["solvers"] == [{"name": name, "settings": []} for name in ("auto", "stuck", "broken")]
    assert [player["name"] for player in toy["players"]] == ["ones", "broken-player"]
    assert all(level["name"].startswith("triple/") for level in games["triple"]["levels"])


def test_a_move_is_demonstrated_on_the_first_level_only(page: Page) -> None:
    state = page.new("drops/01-first-drops")
    demo = page.ask("demo", "demo")
    assert (demo["session"], state["helped"]) == (state["session"], False)
    assert demo["view"] != state["view"]
    after = page.ask("act", "state", action=demo["action"])
    assert (demo["view"], demo["legal"], demo["frames"]) == (after["view"], after["legal"], after["frames"])
    assert not after["helped"]
    assert page.ask("demo", "error")["code"] == "none"
    page.new("drops/02-crosswise")
    assert page.ask("demo", "error")["code"] == "none"


@pytest.mark.parametrize(
    ("level", "fields", "level_id"),
    [
        ("toy:start=7#3", {}, "toy:start=7#3"),
        ("toy:start=5#3", {}, "toy:#3"),
        ("4", {"game": "toy"}, None),
        ("triple/1-first-steps", {}, "triple/1-first-steps"),
    ],
)
def test_new(page: Page, level: str, fields: dict[str, str], level_id: str | None) -> None:
    state = page.new(level, **fields)
    assert state["type"] == "state", state
    assert level_id is None or state["level_id"] == level_id
    assert (state["ply"], state["length"], state["last_action"]) == (0, 0, None)
    assert page.lamp()["verdict"] == "winnable"


def test_a_game_to_its_win(page: Page) -> None:
    state = page.new("toy:start=3#1")
    assert (state["view"], state["legal"], state["standing"]) == ({"left": 3}, [0, 1, 2], "playing")
    assert page.lamp()["remaining"] == 3
    state = page.ask("act", "state", action=1)
    assert (state["view"], state["ply"], state["last_action"]) == ({"left": 1}, 1, 1)
    lamp = page.lamp()
    assert (lamp["ply"], lamp["verdict"], lamp["remaining"]) == (1, "winnable", 1)
    hint = page.ask("hint", "hint")
    assert (hint["action"], hint["name"], hint["ply"]) == (0, "one", 1)
    state = page.ask("act", "state", action=0)
    assert (state["standing"], state["legal"]) == ("won", [])
    assert page.ask("hint", "hint")["action"] is None
    assert page.ask("step", "state", by="ones")["code"] == "game.over"


def test_a_hint_tells_no_more_than_was_asked_for(page: Page) -> None:
    page.new("triple/1-first-steps")
    page.lamp()
    told = [page.ask("hint", "hint", rung=rung) for rung in ("verdict", "area", "action", "line")]
    assert [hint["found"] for hint in told] == [True] * 4
    verdict, area, action, line = told
    assert (verdict["action"], verdict["area"], verdict["line"]) == (None, None, [])
    assert area["action"] is None
    assert area["area"]["left"] < area["area"]["right"]
    assert area["area"]["name"] in ("upper-left", "upper-right", "lower-left", "lower-right")
    assert (action["area"], action["line"]) == (None, [])
    assert line["line"][0] == action["action"]
    assert len(line["line"]) == len(line["names"]) == page.ask("hint", "hint")["ply"] + 18
    page.new("2048/1-2048")
    area = page.ask("hint", "hint", rung="area")
    assert area["action"] is None
    assert area["area"]["name"] in ("2048.sideways", "2048.upright")
    page.new("toy:#1")  # it says nothing of where to look
    page.lamp()
    assert page.ask("hint", "hint", rung="area")["action"] is not None


def test_undo_and_redo(page: Page) -> None:
    page.new("toy:#1")
    for _ in range(3):
        page.ask("act", "state", action=0)
    state = page.ask("goto", "state", ply=1)
    assert (state["ply"], state["length"], state["view"]) == (1, 3, {"left": 4})
    assert page.ask("goto", "state", ply=3)["view"] == {"left": 2}
    assert "ply" in page.ask("goto", "state", ply=4)["message"]
    page.ask("goto", "state", ply=1)
    assert page.ask("act", "state", action=1)["length"] == 2


def test_a_lost_game_and_its_report(page: Page) -> None:
    """The lamp says lost before the game is over, and the report names the action."""
    page.new("toy:#1")
    for action in (0, 0):
        page.ask("act", "state", action=action)
    page.lamp()
    state = page.ask("act", "state", action=2)
    assert state["standing"] == "playing"
    lamp = page.wait("lamp", where=lambda event: event["ply"] == 3 and not event["searching"])
    assert (lamp["verdict"], lamp["remaining"]) == ("lost", None)
    assert page.ask("hint", "hint")["verdict"] == "lost"
    assert "lost" in page.ask("step", "state", by="auto")["message"]
    assert page.ask("step", "state", by="ones")["ply"] == 4
    assert page.lamp()["verdict"] == "lost"
    page.send("report")
    timeline = page.wait("timeline", where=lambda event: event["done"])
    assert (timeline["length"], timeline["known"]) == (4, {"winnable": 2, "lost": 3})
    assert (timeline["first"], timeline["last"], timeline["name"]) == (2, 2, "lose")


def test_a_report_without_any_lamp_before(page: Page) -> None:
    """From a file nothing is known: the report asks the solver."""
    saved = {"format": "winnable.session/1", "level_id": "x", "actions": [0, 2, 0, 0], "ply": 1}
    page.ask(
        "load", "state", content=json.dumps({**saved, "level": {"format": "winnable.toy/1", "start": 50}})
    )
    page.send("report")
    timeline = page.wait("timeline", where=lambda event: event["done"])
    assert (timeline["length"], timeline["known"]) == (4, {"winnable": 1, "lost": 2})
    assert (timeline["first"], timeline["last"], timeline["name"]) == (1, 1, "lose")


@pytest.mark.usefixtures("closed")
def test_the_lamp_searches_and_the_hint_waits_for_it(page: Page) -> None:
    page.new("toy:start=31#1")
    assert page.wait("lamp")["searching"]
    page.send("hint")
    state = page.ask("act", "state", action=0)
    assert state["ply"] == 1
    toy_game.OPEN.set()
    hint = page.wait("hint")
    assert (hint["ply"], hint["action"]) == (1, 0)


@pytest.mark.usefixtures("closed")
def test_steps(page: Page) -> None:
    page.new("toy:start=32#1")
    assert page.ask("step", "state", by="ones")["ply"] == 1
    page.send("step", by="auto")  # nothing is known: it searches first
    page.send("step", by="auto")
    assert "under way" in page.error()
    assert page.ask("act", "state", action=0)["ply"] == 2  # the player does not wait for it
    assert page.error() == "cancelled"
    toy_game.OPEN.set()
    state: Event = {}
    for ply in range(3, 33):
        state = page.ask("step", "state", by="auto")
        assert (state["type"], state["ply"]) == ("state", ply)
    assert state["standing"] == "won"


def test_solve_and_its_result(page: Page) -> None:
    page.new("toy:start=6#1")
    page.ask("act", "state", action=1)
    result = page.ask("solve", "result", solver="auto")
    answer = result["answer"]
    assert (answer["status"], result["ply"], answer["actions"]) == ("solved", 1, [0, 0, 0, 0])
    result = page.ask("solve", "result", solver="stuck", seconds=0.2)["answer"]
    assert (result["status"], result["limit"]["kind"]) == ("budget", "time")


def test_making_a_level_ends_when_it_is_cancelled(studio: Studio, page: Page) -> None:
    for give_up in (lambda: page.send("cancel"), lambda: page.send("new", level="4", game="toy")):
        page.send("new", level="toy:method=endless#1")
        wait_until(lambda: studio.jobs.counts()[1] == 1, "making")
        give_up()
        assert page.error() == "cancelled"
        wait_until(lambda: studio.jobs.counts()[1] == 0, "its end")


def test_a_level_that_is_not_made_in_time_is_refused(
    studio: Studio, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MAKING_SECONDS", 0.05)
    page.send("new", level="toy:method=endless#1")
    assert "could not be made in time" in page.error()


def test_solve_tells_its_progress_and_can_be_cancelled(page: Page) -> None:
    page.new("toy:#1")
    page.send("solve", solver="stuck", seconds=60)
    progress = page.wait("progress", where=lambda event: event["expanded"] > 0)
    assert (progress["method"], progress["stage"]) == ("stuck", "counting")
    page.send("cancel")
    result = page.wait("result")["answer"]
    assert (result["status"], result["limit"]["kind"]) == ("budget", "cancelled")
    page.send("cancel")  # nothing to cancel: nothing happens
    assert page.ask("act", "state", action=0)["ply"] == 1


def test_a_second_solve_takes_the_place_of_the_first(page: Page) -> None:
    page.new("toy:#1")
    page.send("solve", solver="stuck", seconds=60)
    page.send("solve", solver="auto", seconds=60)
    first, second = page.wait("result"), page.wait("result")
    assert (first["solver"], first["answer"]["limit"]["kind"]) == ("stuck", "cancelled")
    assert (second["solver"], second["answer"]["status"]) == ("auto", "solved")


@pytest.mark.usefixtures("closed")
def test_making_a_level_does_not_stop_anything(page: Page) -> None:
    page.new("toy:#1")
    page.send("new", level="toy:method=slow#1")
    page.send("cancel")
    assert page.error() == "cancelled"
    assert page.ask("act", "state", action=0)["ply"] == 1  # the old board is still there
    page.send("new", level="toy:method=slow#2")
    page.send("act", action=1)  # meant for the new board: it waits for it
    toy_game.OPEN.set()
    states = [page.wait("state"), page.wait("state")]
    assert [(state["level_id"], state["ply"]) for state in states] == [
        ("toy:method=slow#2", 0),
        ("toy:method=slow#2", 1),
    ]


@pytest.mark.usefixtures("closed")
def test_a_newer_level_takes_the_place_of_one_in_the_making(page: Page) -> None:
    page.send("new", level="toy:method=slow#1")
    page.send("new", level="toy:#2")
    assert page.error() == "cancelled"
    assert page.wait("state")["level_id"] == "toy:#2"
    toy_game.OPEN.set()
    assert page.ask("act", "state", action=0)["level_id"] == "toy:#2"


@pytest.mark.usefixtures("closed")
def test_requests_after_a_level_that_could_not_be_opened_are_refused(page: Page) -> None:
    page.new("toy:#1")
    page.send("new", level="toy:method=failing#1")
    page.send("act", action=0)
    page.ask("no such request")  # answered at once: by now the click has arrived and waits
    toy_game.OPEN.set()
    assert page.error() == "method: this one fails"
    refused = page.wait("error")
    assert refused["request"] == "act"
    assert page.ask("act", "state", action=0)["ply"] == 1


def untold(page: Page) -> list[str]:
    """The types of what has come until now."""
    page.send("save", what="level")
    types: list[str] = []
    while (event := page.next())["type"] != "file":
        types.append(event["type"])
    return types


@pytest.mark.usefixtures("closed")
def test_who_joins_or_leaves_disturbs_nobody(studio: Studio, page: Page) -> None:
    session = page.new("toy:start=61#1")["session"]
    assert page.wait("lamp")["searching"]
    with studio.page() as other:
        other.ask("open", "state", session=session)
        assert other.wait("lamp")["searching"]
        assert "lamp" not in untold(page), "the search goes on"
        page.send("hint")
        page.new("toy:start=62#2")
        assert page.wait("lamp")["searching"]
        toy_game.OPEN.set()
        assert other.lamp()["verdict"] == "winnable"
        assert "hint" not in untold(page), "it was about a board that is no more looked at"


def test_after_a_lost_board_nothing_is_searched(page: Page) -> None:
    page.new("toy:start=63#1")
    page.ask("act", "state", action=2)
    page.wait("lamp", where=lambda event: event["ply"] == 1 and not event["searching"])
    page.ask("act", "state", action=0)
    lamp = page.wait("lamp")
    assert (lamp["ply"], lamp["verdict"], lamp["searching"]) == (2, "lost", False)


@pytest.mark.usefixtures("closed")
def test_nothing_is_searched_for_boards_that_nobody_looks_at(studio: Studio, page: Page) -> None:
    for seed in range(4):
        page.new(f"toy:start=7{seed}#1")
        assert page.wait("lamp")["searching"]
    wait_until(lambda: studio.jobs.counts() == (0, 1), lambda: f"one search, not {studio.jobs.counts()}")


@pytest.mark.parametrize(("most", "winnable"), [(1000, 5), (4, 3)])
def test_what_is_known_of_a_long_line_is_not_looked_up(
    page: Page, monkeypatch: pytest.MonkeyPatch, most: int, winnable: int
) -> None:
    """But of the beginning all stays known, and the board tells about it."""
    monkeypatch.setattr(watched, "MOST_KNOWN", most)
    page.new("toy:start=9#7")
    for _ in range(5):
        page.ask("act", "state", action=0)
    page.wait("lamp", where=lambda event: event["known"]["winnable"] == 5)
    page.ask("goto", "state", ply=2)
    assert page.ask("act", "state", action=2)["known"]["winnable"] == 2
    lost = page.wait("lamp", where=lambda event: not event["searching"])
    assert (lost["ply"], lost["known"]) == (3, {"winnable": 2, "lost": 3})
    back = page.ask("goto", "state", ply=2, action=0)
    assert (back["length"], back["known"]) == (5, {"winnable": winnable, "lost": None})


def test_all_pages_at_a_desk_hear_what_a_report_found(studio: Studio, page: Page) -> None:
    page.new("toy:start=50#1")
    session = page.ask("act", "state", action=2)["session"]
    page.ask("goto", "state", ply=0)
    with studio.page() as other:
        other.ask("open", "state", session=session)
        page.send("report")
        page.wait("timeline", where=lambda event: event["done"])
        other.wait("lamp", where=lambda event: event["known"] == {"winnable": 0, "lost": 1})


@pytest.mark.parametrize("what", ["session", "level"])
def test_save_and_load(page: Page, what: str) -> None:
    page.new("toy:start=8#1")
    page.ask("act", "state", action=1)
    file = page.ask("save", "file", what=what)
    assert file["name"] == ("toy-start=8-1.session.json" if what == "session" else "toy-start=8-1.json")
    state = page.ask("load", "state", content=file["content"])
    assert state["view"] == ({"left": 6} if what == "session" else {"left": 8})


def test_a_certificate_lights_the_lamp_at_once(page: Page) -> None:
    """A line proves itself; a claim that there is none does not, nor does a line that does not win."""

    def load(start: int, certificate: dict[str, Any]) -> dict[str, Any]:
        certificate |= {"solver": "x", "version": "1"}
        level = {"format": "winnable.toy/1", "start": start, "certificate": certificate}
        page.ask("load", "state", content=json.dumps(level))
        return page.wait("lamp")

    toy_game.OPEN.clear()
    try:
        lamp = load(41, {"status": "solved", "actions": [1] * 20 + [0]})
        assert (lamp["verdict"], lamp["remaining"], lamp["searching"]) == ("winnable", 21, False)
        assert load(42, {"status": "unsolvable"})["searching"]
        assert load(43, {"status": "solved", "actions": [0]})["searching"]
        assert load(44, {"status": "solved", "actions": [9]})["searching"]
    finally:
        toy_game.OPEN.set()


def test_open_and_forget(studio: Studio, page: Page) -> None:
    session = page.new("toy:start=9#1")["session"]
    page.ask("act", "state", action=1)
    with studio.page() as other:
        state = other.ask("open", "state", session=session)
        assert state["view"] == {"left": 7}
    page.new("toy:#2")
    assert page.ask("open", "state", session=session)["ply"] == 1
    assert session in [entry["session"] for entry in page.wait("sessions")["sessions"]]
    page.new("toy:#2")
    page.wait("sessions")
    listed = page.ask("forget", "sessions", session=session)["sessions"]
    assert session not in [entry["session"] for entry in listed]
    assert "not kept" in page.ask("open", "state", session=session)["message"]


def test_two_tabs_share_a_session(studio: Studio, page: Page) -> None:
    session = page.new("toy:start=9#1")["session"]
    page.lamp()
    with studio.page() as other:
        assert other.ask("open", "state", session=session)["ply"] == 0
        other.send("act", action=0)
        assert page.wait("state")["ply"] == 1
        page.send("act", action=1)
        assert other.wait("state", where=lambda event: event["ply"] == 2)["view"] == {"left": 6}
        other.send("goto", ply=0)
        assert page.wait("state", where=lambda event: event["ply"] == 0)["length"] == 2
    assert page.ask("act", "state", action=0)["ply"] == 1


def test_an_untouched_game_is_not_kept_when_another_is_begun(page: Page) -> None:
    untouched = page.new("toy:#1")["session"]
    page.wait("sessions")
    page.new("toy:#2")
    assert untouched not in [entry["session"] for entry in page.wait("sessions")["sessions"]]


@pytest.mark.usefixtures("closed")
def test_a_reloaded_page_has_its_verdicts_again(studio: Studio) -> None:
    toy_game.OPEN.set()
    with studio.page() as page:
        session = page.new("toy:start=37#1")["session"]
        page.lamp()
    toy_game.OPEN.clear()
    with studio.page() as page:
        page.ask("open", "state", session=session)
        assert page.wait("lamp")["verdict"] == "winnable"


def query_only(studio: Studio, on: bool) -> None:
    studio.store._run(lambda database: database.execute(f"PRAGMA query_only = {on:d}"))  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def failing_store(studio: Studio) -> Iterator[None]:
    query_only(studio, True)
    yield
    query_only(studio, False)


@pytest.mark.usefixtures("failing_store")
def test_play_goes_on_when_nothing_can_be_kept(studio: Studio, page: Page) -> None:
    """Said once, not at each click, until it works again."""
    page.send("new", level="toy:#1")
    assert page.wait("state")["ply"] == 0
    assert "autosave" in page.error()
    for ply in range(1, 4):
        assert page.ask("act", "state", action=0)["ply"] == ply
    query_only(studio, False)
    assert page.ask("goto", "state", ply=0)["ply"] == 0
    query_only(studio, True)
    page.send("goto", ply=3)
    assert "autosave" in page.error(), "it had worked again"


def test_a_broken_solver_or_player_is_one_error(page: Page, caplog: pytest.LogCaptureFixture) -> None:
    page.new("toy:#1")
    for request, fields in (
        ("solve", {"solver": "broken"}),
        ("step", {"by": "broken"}),
        ("step", {"by": "broken-player"}),
    ):
        if request == "step" and fields["by"] == "broken":
            continue  # the line at hand needs no solver
        error = page.ask(request, "result", "state", **fields)
        assert (error["type"], error["request"]) == ("error", request)
        assert "internal" in error["message"]
    assert "ZeroDivisionError" in caplog.text
    assert page.ask("act", "state", action=0)["ply"] == 1
