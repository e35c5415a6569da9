"""Two questions that change no game: why a position takes so many clicks, and what a drawing is worth."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.web import toy_game
from tests.web.studio_harness import Event, Page, Studio
from winnable.web.catalog import game_infos

HARD = (
    "2211112233/1133331212/1132122113/2321111113/3233311331/"
    "3211321312/2331231233/3113223121/1123132212/3332132331"
)
"""No program proves the fewest clicks for that within seconds."""


def judged(page: Page, ticket: int) -> Event:
    return page.wait("judged", where=lambda event: event["ticket"] == ticket and event["done"])


def judge(page: Page, level: str, game: str = "drops", ticket: int = 1, **fields: object) -> Event:
    page.send("judge", game=game, level=level, ticket=ticket, **fields)
    return judged(page, ticket)


def test_the_position_on_the_board_is_explained(page: Page) -> None:
    page.new("3020/0100/0040", game="drops")
    page.lamp()
    event = page.ask("explain", "explained")
    assert event["why"]["bound"] == 8
    assert [group["bound"] for group in event["why"]["groups"]] == [4, 4]
    assert (event["ply"], event["verdict"], event["remaining"], event["optimal"]) == (0, "winnable", 8, True)
    page.ask("act", "state", action=0)
    assert page.ask("explain", "explained")["why"]["bound"] == 7


def test_what_a_search_proved_is_counted(page: Page) -> None:
    """The lines lose so few droplets that only a search can tell."""
    page.new("3004/3120/1303/4421,drops=30", game="drops")
    page.wait("lamp", where=lambda event: not event["searching"])
    event = page.ask("explain", "explained")
    assert event["optimal"]
    assert event["why"]["bound"] < event["remaining"]
    assert event["generated"] > 0


def test_nothing_is_explained_without_a_game_or_an_explanation(page: Page) -> None:
    assert "no game yet" in page.ask("explain", "explained")["message"]
    page.new("toy:start=3#1")
    assert "explain" in page.ask("explain", "explained")["message"]


def test_the_page_knows_which_games_explain() -> None:
    explains = {info.name: info.explains for info in game_infos()}
    assert (explains["rotate"], explains["drops"], explains["triple"]) == (False, True, True)


@pytest.mark.parametrize(
    ("game", "level", "actions", "reason"),
    [
        (
            "triple",
            "3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0",
            (0, 3, 4),
            {"why": "tray", "marked": [1, 2], "values": {"room": 0, "more": 1}},
        ),
        (
            "drops",
            "303/204/404,drops=2",
            (6, 0),
            {"why": "lack_all", "marked": [], "values": {"lack": 4, "brought": 2, "clicks": 2, "left": 1}},
        ),
        ("toy", "#1", (0, 0, 2), None),
    ],
)
def test_a_report_says_why_the_game_was_lost(
    page: Page, game: str, level: str, actions: tuple[int, ...], reason: object
) -> None:
    """Of the position right after the losing action; before the report is done, nothing."""
    page.new(f"{game}:{level}" if level.startswith("#") else level, game=game)
    for action in actions:
        page.ask("act", "state", action=action)
    page.send("report")
    told = [page.wait("timeline")]
    while not told[-1]["done"]:
        told.append(page.wait("timeline"))
    assert told[-1]["reason"] == reason
    assert not any(event["reason"] for event in told[:-1])


@pytest.mark.parametrize(("level", "cost"), [("4", 1), ("1", 4), ("0300/0000/0003", 4), ("44/44", 1)])
def test_a_drawing_is_judged(page: Page, level: str, cost: int) -> None:
    event = judge(page, level)
    assert (event["status"], event["cost"], event["lower_bound"]) == ("solved", cost, cost)
    assert (event["optimal"], event["actions"]) == (True, cost)


def test_a_drawing_with_too_few_drops_is_lost(page: Page) -> None:
    assert judge(page, "0300/0000/0003,drops=3")["status"] == "unsolvable"


def test_a_hard_drawing_is_told_in_bounds_that_close_in(page: Page) -> None:
    page.send("judge", game="drops", level=HARD, ticket=5, seconds=3)
    events = [page.wait("judged")]
    while not events[-1]["done"]:
        events.append(page.wait("judged"))
    assert len(events) >= 3
    for before, after in pairwise(events):
        assert after["lower_bound"] >= before["lower_bound"]
        assert not before["actions"] or 0 < after["actions"] <= before["actions"]  # 0: no line is known yet
    assert events[-1]["lower_bound"] <= events[-1]["cost"] == events[-1]["actions"]


def test_judging_touches_no_game(page: Page) -> None:
    before = page.new("44/04", game="drops")
    page.lamp()
    judge(page, "4004")
    after = page.ask("goto", "state", ply=0)
    assert (after["session"], after["code"], after["view"]) == (
        before["session"], before["code"], before["view"]
    )  # fmt: skip


def test_no_game_is_needed(page: Page) -> None:
    assert judge(page, "44")["cost"] == 1


@pytest.mark.usefixtures("closed")
def test_only_the_last_drawing_is_answered(page: Page) -> None:
    for ticket in range(1, 30):
        page.send("judge", game="toy", level=str(ticket + 1), ticket=ticket)
    page.ask("save", "file")  # whose answer says that all of them have arrived
    toy_game.OPEN.set()
    event = page.wait("judged")
    assert (event["ticket"], event["actions"], event["done"]) == (29, 30, True)


@pytest.mark.usefixtures("closed")
def test_an_empty_level_ends_the_judging(studio: Studio, page: Page) -> None:
    page.send("judge", game="toy", level="7", ticket=1)
    page.send("judge", game="toy", level="")
    page.ask("save", "file")
    toy_game.OPEN.set()
    assert judge(page, "8", "toy", 2)["actions"] == 8, "the first one never answered"


@pytest.mark.usefixtures("closed")
def test_a_closed_page_judges_no_more(studio: Studio) -> None:
    with studio.page() as page:
        page.send("judge", game="toy", level="7", ticket=1)
        page.ask("save", "file")
        assert jobs_settle(studio, page, 1), "what other tests left ends, the drawing waits"
    with studio.page() as other:
        assert jobs_settle(studio, other, 0)


def jobs_settle(studio: Studio, page: Page, count: int) -> bool:
    """Within 200 answers."""
    for _ in range(200):
        if sum(studio.jobs.counts()) == count:
            return True
        page.ask("save", "file")
    return False


@pytest.mark.parametrize(
    ("level", "cause"),
    [
        ("/".join(["1" * 1000] * 1000), "larger than 32 × 32"),
        ("5", "not a digit"),
        ("000/000", "every cell is empty"),
        ("12/3", "board[1]"),
        ("🌊" * 20, "board[0]"),
        ("1,drops=-1", "drops"),
        ("1,rules=none", "rules"),
        ("/" * 400, "board"),
        ("1" * 2_000_001, "level"),
    ],
)  # fmt: skip
def test_a_bad_drawing_is_one_clear_error(page: Page, level: str, cause: str) -> None:
    page.send("judge", game="drops", level=level, ticket=3)
    event = page.wait("error", "judged")
    assert (event["type"], event["request"]) == ("error", "judge")
    assert cause in event["message"]
    assert len(event["message"]) < 300
    assert judge(page, "4", ticket=4)["cost"] == 1, "the connection lives on"


@pytest.mark.parametrize(
    "fields",
    [{"game": "chess"}, {"seconds": 0}, {"seconds": 1e9}, {"ticket": -1}, {"ticket": "x"}, {"more": 1}],
)
def test_a_bad_request_is_refused(page: Page, fields: dict[str, object]) -> None:
    page.send("judge", **{"game": "drops", "level": "4", **fields})
    assert page.wait("error", "judged")["type"] == "error"


def test_how_hard_a_level_is_comes_with_it_or_later(page: Page) -> None:
    assert page.new("drops/05-puddle")["rating"]["word"] == "easy"
    made = "drops:par_min=6,slack=1#3"
    state = page.new(made)
    assert state["rating"] is None
    rated = page.wait("rated")["rating"]
    assert rated["word"] in ("easy", "medium", "tricky", "hard", "fiendish")
    assert page.ask("act", "state", action=state["legal"][0])["rating"] == rated
    assert page.ask("cheat", "state")["rating"] == rated
    assert page.new("triple/2-pyramid")["rating"]["word"] == "medium"
    assert page.new(made)["rating"] == rated
    assert page.new("2048/1-2048")["rating"]["word"] == "tricky"
