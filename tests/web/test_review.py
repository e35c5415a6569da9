"""The review of a game: the moves that mattered most, its course, all its moves."""

from __future__ import annotations

import pytest

import winnable
from tests.web.studio_harness import Event, Page

SIX, DETOUR = "214/030,drops=9", 2
"""Six clicks at the least; with that one first seven."""
TRAP = "3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"

NARROWED = {"ply": 0, "before": {"wins": 6, "legal": 6}, "after": {"wins": 2, "legal": 5}, "better": None}
"""There, once a tile is in the tray, only those of its kind win, whichever it is."""
LOSING = {"ply": 1, "before": {"wins": 2, "legal": 5}, "after": {"wins": 0, "legal": 4}, "better": None}
SLIP, SLIPPED = "4:2@0.0,2@8.0,0@0.8,0@8.8/2=2@0.0,0@8.0,1@0.8,1@8.8/1@4.4", (8, 7, 3, 5)
"""The last pick fills the tray, where one of three would not have lost; that before left so few."""


def review(page: Page) -> dict[str, list[Event]]:
    page.send("report")
    answers: dict[str, list[Event]] = {"timeline": [], "costs": [], "review": []}
    while not answers["timeline"] or not answers["timeline"][-1]["done"]:
        event = page.wait(*answers)
        answers[event["type"]].append(event)
    return answers


def follow_hints(page: Page, state: Event) -> Event:
    while state["standing"] == "playing":
        state = page.ask("act", "state", action=page.ask("hint", "hint")["action"])
    return state


def test_a_won_game_tells_its_detour(page: Page) -> None:
    page.new(SIX, game="drops")
    state = follow_hints(page, page.ask("act", "state", action=DETOUR))
    assert (state["standing"], state["ply"]) == ("won", 7)
    answers = review(page)
    costs = {cost["ply"]: cost for event in answers["costs"] for cost in event["costs"]}
    assert list(costs) == [6, 5, 4, 3, 2, 1, 0]
    assert [costs[ply]["cost"] for ply in range(7)] == [1, 0, 0, 0, 0, 0, 0]
    assert [costs[ply]["value"] for ply in range(7)] == [6, 6, 5, 4, 3, 2, 1]
    (told,) = answers["review"]
    assert (told["turning"], told["measure"]) == ([0], "remaining")
    assert told["course"] == [6, 6, 5, 4, 3, 2, 1, 0]
    assert told["names"][0] == costs[0]["name"] != costs[0]["best"]
    assert answers["timeline"][-1]["first"] is None


def test_in_a_lost_game_what_lost_it_comes_first(page: Page) -> None:
    """Four clicks at the least and five drops: the first detour is forgiven, the second is not."""
    page.new("0343/4411,drops=5", game="drops")
    page.wait("lamp", where=lambda lamp: lamp["optimal"])
    for action in (1, 1):
        page.ask("act", "state", action=action)
    answers = review(page)
    (told,) = answers["review"]
    assert answers["timeline"][-1]["first"] == 1
    assert (told["turning"], told["course"]) == ([1, 0], [4, 4, None])


def test_where_length_does_not_vary_the_course_is_what_is_done(page: Page) -> None:
    page.new(TRAP, game="triple")
    for action in (0, 3, 1):
        page.ask("act", "state", action=action)
    answers = review(page)
    told = answers["review"][-1]
    assert (answers["costs"], told["turning"], told["measure"]) == ([], [1, 0], "completion")
    assert told["course"] == sorted(told["course"])
    assert len(told["course"]) == len(told["names"]) + 1 == 4
    assert told["narrowings"] == [LOSING, NARROWED]


def test_where_the_last_move_says_little_the_one_that_as_good_as_lost_comes_first(page: Page) -> None:
    page.new(SLIP, game="triple")
    for action in SLIPPED:
        page.ask("act", "state", action=action)
    answers = review(page)
    told = answers["review"][-1]
    assert answers["timeline"][-1]["first"] == 3
    assert told["turning"] == [2, 3]
    assert [(one["before"], one["after"]) for one in told["narrowings"]] == [
        ({"wins": 1, "legal": 3}, {"wins": 0, "legal": 0}),
        ({"wins": 4, "legal": 4}, {"wins": 1, "legal": 3}),
    ]
    assert told["narrowings"][1]["better"] in (4, 6)


def test_what_nearly_lost_a_game_is_told_without_being_asked(page: Page) -> None:
    """Whoever shows the game to others shows it too."""
    page.new(SLIP, game="triple")
    for action in SLIPPED:
        page.ask("act", "state", action=action)
    assert page.wait("review")["turning"] == [2, 3]


def test_a_game_that_goes_on_is_reviewed_to_its_end(page: Page) -> None:
    """Lost with the second of two clicks, and played on: who asks again hears of them all."""
    state = page.new("0343/4411,drops=5", game="drops")
    for action in (1, 1):
        state = page.ask("act", "state", action=action)
    (told,) = review(page)["review"]
    assert len(told["names"]) == 2
    while state["standing"] == "playing":
        state = page.ask("act", "state", action=state["legal"][0])
    (told,) = review(page)["review"]
    assert (len(told["names"]), len(told["course"])) == (5, 6)
    assert told["turning"] == [1, 0]


def test_without_a_goal_the_course_is_what_is_to_be_expected_or_what_was_kept_of_it(page: Page) -> None:
    for level, measure in (("2048:rows=2,columns=2#3", "expected"), ("tetris:width=4,height=6#1", "kept")):
        state = page.new(level)
        while state["standing"] == "playing":
            state = page.ask("act", "state", action=state["legal"][0])
        page.send("report")
        told = page.wait("review")
        assert told["measure"] == measure
        known = [figure for figure in told["course"] if figure is not None]
        assert len(known) >= state["ply"]
        if measure == "kept":
            assert known[0] == 1
            assert known == sorted(known, reverse=True)
            assert 0 <= known[-1] < 1
        for turning in told["turning"]:
            before, after = told["course"][turning : turning + 2]
            assert after is None or measure == "expected" or after < before


@pytest.mark.parametrize(
    ("level", "actions"),
    [
        (f"drops:{SIX}", [DETOUR, 1, 1]),
        ("drops:0343/4411,drops=5", [1, 1]),
        (f"triple:{TRAP}", [0, 3, 1]),
        (f"triple:{SLIP}", [*SLIPPED]),
        ("2048:rows=2,columns=2#3", [3, 3, 1]),
        ("tetris:width=4,height=6#1", [0, 0]),
    ],
)
def test_programs_are_told_what_the_page_is(page: Page, level: str, actions: list[int]) -> None:
    page.new(level)
    for action in actions:
        page.ask("act", "state", action=action)
    page.send("report")
    told = page.wait("review")
    while told["measure"] == "completion" and not told["narrowings"]:
        told = page.wait("review")
    board = winnable.load(level)
    found = board.push(*actions).review()
    assert [move.ply for move in found.turning] == told["turning"]
    assert (found.measure, [*found.course]) == (told["measure"], told["course"])
    assert board.moves == told["names"]
    rooms: dict[int, Event] = {narrowing["ply"]: narrowing for narrowing in told["narrowings"]}
    for ply, narrowing in rooms.items():
        room = found.moves[ply].room
        assert room is not None
        ends = [{"wins": end.wins, "legal": end.legal} for end in room]
        assert ends == [narrowing["before"], narrowing["after"]]
