"""How much room there is, told after the lamp has come to rest."""

from __future__ import annotations

import time

from tests.web.studio_harness import Event, Page, Studio

TRAP = "3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"
"""Two kinds, and two tiles may rest: a tile of each kind, and the game can no longer be won."""
COVERED = "4:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@24.0.1"
"""One face is hidden: of the tile under another one."""


def finished(page: Page) -> Event:
    return page.wait("margin", where=lambda event: event["done"])


def test_it_follows_the_lamp_and_each_move(page: Page) -> None:
    page.new(TRAP, game="triple")
    told = finished(page)
    assert told["ply"] == 0
    assert told["margin"] == {"legal": 6, "wins": {"yes": 6, "open": 0}, "fewest": None}
    assert told["chance"] is None
    page.ask("act", "state", action=0)
    told = finished(page)
    assert told["ply"] == 1
    assert told["margin"] == {"legal": 5, "wins": {"yes": 2, "open": 0}, "fewest": None}


def test_the_branches_profit(page: Page) -> None:
    page.new(TRAP, game="triple")
    page.ask("act", "state", action=0)
    finished(page)
    page.ask("act", "state", action=3)
    assert page.wait("lamp")["verdict"] == "lost"


def test_limited_levels_tell_both(page: Page) -> None:
    page.new("drops/07-butterfly")
    margin = finished(page)["margin"]
    assert margin["legal"] == 28
    assert margin["wins"] == {"yes": 28, "open": 0}
    assert margin["fewest"]["open"] == 0
    assert 0 < margin["fewest"]["yes"] < 28


def test_hidden_faces_bring_an_estimate(page: Page) -> None:
    page.new("triple/3-butterfly")
    chance = finished(page)["chance"]
    assert chance["player"] == "careful"
    assert chance["low"] <= chance["won"] / chance["games"] <= chance["high"]


def test_a_lost_game_and_one_without_a_goal_have_none(page: Page) -> None:
    page.new(TRAP, game="triple")
    page.ask("act", "state", action=0)
    page.ask("act", "state", action=3)
    page.new("2048/1-2048")
    page.lamp()
    end = time.monotonic() + 0.5
    types: list[str] = []
    while (left := end - time.monotonic()) > 0:
        try:
            types.append(page.next(left)["type"])
        except TimeoutError:
            break
    assert "margin" not in types


def test_all_pages_of_a_desk_are_told(studio: Studio) -> None:
    with studio.page() as first, studio.page() as second:
        state = first.new(TRAP, game="triple")
        finished(first)
        second.ask("open", "state", session=state["session"])
        assert finished(second)["margin"]["legal"] == 6
