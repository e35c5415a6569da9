"""Branches over the protocol: what the page is told of them, and that they are kept."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.web.studio_harness import Event, Page, Studio
from winnable.store.database import KeptSession


def line(state: Event) -> tuple[object, ...]:
    """fork, forks, history, known"""
    fork = state["fork"]
    return (
        fork and (fork["ply"], fork["at"], fork["number"]),
        state["forks"],
        state["history"],
        (state["known"]["winnable"], state["known"]["lost"]),
    )


def two_branches(page: Page) -> Event:
    """0 0 0, and 0 1 on the board."""
    page.new("toy:start=9#1")
    for _ in range(3):
        page.ask("act", "state", action=0)
    page.ask("goto", "state", ply=1)
    return page.ask("act", "state", action=1)


def test_only_what_changed_is_sent(page: Page) -> None:
    start = page.new("toy:start=12#1")
    assert line(start) == (None, [], [], (-1, None))
    page.lamp()
    for ply in (1, 2, 3):
        assert line(page.ask("act", "state", action=0)) == (None, None, None, (ply, None))
    assert line(page.ask("goto", "state", ply=1)) == (None, None, None, (3, None))
    branched = page.ask("act", "state", action=2)
    assert branched["line"] != start["line"]
    assert line(branched) == ((1, 1, 2), [1], [0, 2], (1, None))
    page.wait("lamp", where=lambda event: event["verdict"] == "lost")
    assert line(page.ask("act", "state", action=0)) == ((1, 1, 2), None, None, (1, 2))
    other = page.ask("goto", "state", ply=1, action=0)
    assert line(other) == ((1, 0, 2), None, [0, 0, 0], (3, None))
    assert (other["ply"], other["length"], other["last_action"]) == (2, 3, 0)
    assert page.ask("goto", "state", ply=3)["history"] is None


def test_alternate_goes_round(page: Page) -> None:
    two_branches(page)
    assert page.ask("alternate", "state")["view"] == {"left": 7}
    assert page.ask("alternate", "state")["view"] == {"left": 6}
    assert page.ask("alternate", "state", step=-1)["length"] == 3
    page.ask("goto", "state", ply=0)
    assert page.ask("alternate", "state")["history"] == [0, 1]
    assert page.ask("alternate", "state", step=2)["type"] == "error"
    page.new("toy:#1")
    assert "nothing else was played" in page.ask("alternate", "state")["message"]


def test_the_branches_are_listed(page: Page) -> None:
    page.new("toy:#1")
    assert page.ask("branches", "branches")["branches"] == []
    two_branches(page)
    page.wait("lamp", where=lambda event: event["ply"] == 2 and event["verdict"] == "winnable")
    page.ask("goto", "state", ply=1)
    page.ask("act", "state", action=2)
    page.wait("lamp", where=lambda event: event["verdict"] == "lost")
    for _ in range(2):
        page.ask("act", "state", action=0)
    page.ask("goto", "state", ply=2)
    found = page.ask("branches", "branches")
    assert found["fork"] == 1
    names = ("action", "name", "length", "here", "verdict", "standing")
    assert [tuple(branch[name] for name in names) for branch in found["branches"]] == [
        (0, "one", 2, False, "winnable", "playing"),
        (1, "two", 1, False, "winnable", "playing"),
        (2, "lose", 3, True, "lost", "lost"),
    ]


def test_what_was_never_played_is_no_branch(page: Page) -> None:
    state = two_branches(page)
    assert "action: after 1 action 2 was not played" in page.ask("goto", "state", ply=1, action=2)["message"]
    assert page.ask("goto", "state", ply=2)["view"] == state["view"]


def test_a_forgotten_action_is_no_branch(page: Page) -> None:
    page.new("toy:start=9#1")
    page.ask("act", "state", action=0)
    page.ask("act", "state", action=0)
    back = page.ask("goto", "state", ply=1, forget=True)
    assert (back["ply"], back["length"], back["history"]) == (1, 1, [0])
    assert page.ask("act", "state", action=1)["fork"] is None
    page.ask("goto", "state", ply=0, forget=True)  # not the ply before the board: nothing is forgotten
    assert page.ask("goto", "state", ply=2)["view"] == {"left": 6}


def test_two_tabs_see_the_same_branches(studio: Studio, page: Page) -> None:
    session = two_branches(page)["session"]
    with studio.page() as other:
        assert line(other.ask("open", "state", session=session))[:3] == ((1, 1, 2), [1], [0, 1])
        other.send("alternate")
        assert line(page.wait("state"))[:3] == ((1, 0, 2), None, [0, 0, 0])
        page.send("act", action=1)
        assert other.wait("state", where=lambda state: state["ply"] == 3)["forks"] == [1, 2]


def test_branches_are_kept_and_saved(studio: Studio) -> None:
    with studio.page() as page:
        state = two_branches(page)
        content = page.ask("save", "file")["content"]
    with studio.page() as page:
        again = page.ask("open", "state", session=state["session"])
        assert line(again)[:3] == ((1, 1, 2), [1], [0, 1])
        assert again["view"] == state["view"]
        loaded = page.ask("load", "state", content=content)
        assert line(loaded)[:3] == ((1, 1, 2), [1], [0, 1])
        assert page.ask("alternate", "state")["history"] == [0, 0, 0]
        assert page.ask("save", "file")["content"] != content
    assert msgspec.json.decode(content)["branches"] == [[4, 1]]


def test_a_game_kept_before_there_were_branches_is_opened(studio: Studio, page: Page) -> None:
    level = json.dumps({"format": "winnable.toy/1", "start": 9}).encode()
    old = KeptSession("a" * 32, "toy:start=9#1", level, b"[0,0,1]", 2, "playing", 1e10)
    studio.store.save(old)
    state = page.ask("open", "state", session=old.id)
    assert (state["ply"], state["history"], state["view"]) == (2, [0, 0, 1], {"left": 7})
    assert page.ask("act", "state", action=0)["forks"] == [2]


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        (b"[0,7]", "actions[1]"),
        (b"{}", "actions"),
        (b"[0]", "ply: there is no point 2"),
        (b"x", "not JSON"),
    ],
)
def test_a_damaged_kept_game_gets_one_error(
    studio: Studio, page: Page, actions: bytes, complaint: str
) -> None:
    level = json.dumps({"format": "winnable.toy/1", "start": 9}).encode()
    studio.store.delete("b" * 32)
    studio.store.save(KeptSession("b" * 32, "toy:#1", level, actions, 2, "playing", 1.0))
    assert complaint in page.ask("open", "state", session="b" * 32)["message"]


def test_a_report_says_which_line_it_is_about(page: Page) -> None:
    state = two_branches(page)
    page.send("report")
    assert page.wait("timeline", where=lambda event: event["done"])["line"] == state["line"]


def test_an_easier_level_keeps_the_branches(page: Page) -> None:
    """Of drops, with ten drops more."""
    page.new("4404,drops=9", game="drops")
    page.ask("act", "state", action=3)
    page.ask("goto", "state", ply=0)
    page.ask("act", "state", action=0)
    easier = page.ask("cheat", "state")
    assert easier["level_id"].endswith("+")
    assert (easier["fork"], easier["forks"], easier["history"]) == (
        {"ply": 0, "at": 1, "number": 2},
        [0],
        [0],
    )
    assert page.ask("alternate", "state")["last_action"] == 3
