"""Links to games over the messages, and their QR codes."""

from __future__ import annotations

import json

import segno

from tests.web.studio_harness import Page
from winnable.contract.core import Budget, answer_of
from winnable.levels.find import find_level
from winnable.levels.links import Link, write_link
from winnable.play.session import Session
from winnable.web.opening import Opened, from_file, from_text

LEVEL = "drops/05-puddle"


def test_a_game_goes_by_a_link_to_another_page(page: Page) -> None:
    page.new(LEVEL)
    for action in (0, 1):
        page.ask("act", "state", action=action)
    before = page.ask("goto", "state", ply=1)
    link = page.ask("link", "link")
    assert link["session"] == before["session"]
    after = page.new("#" + link["link"])
    assert after["session"] != before["session"]
    for name in ("level_id", "ply", "length", "view", "helped"):
        assert after[name] == before[name], name
    assert page.ask("goto", "state", ply=0)["ply"] == 0


def test_a_link_that_is_refused_leaves_the_game_as_it_was(page: Page) -> None:
    before = page.new(LEVEL)
    link = page.ask("link", "link")["link"]
    for text, code in ((link[:-1], "link.damaged"), ("p2.x.y", "link.version"), ("chess:e4", "link.game")):
        assert page.ask("new", "error", level="#" + text)["code"] == code
    state = page.ask("act", "state", action=0)
    assert (state["session"], state["ply"]) == (before["session"], 1)


def test_a_long_game_is_replayed_step_by_step() -> None:
    """So that it can be given up, and where there are no threads is in nobody's way."""
    session, actions = Session(find_level("rotate:rows=4,columns=4,colours=3#2")), [0] * 1000
    saved = json.loads(session.save()) | {"actions": actions}
    link = write_link(Link(session.level_id, 0, actions))
    for opened in (from_text(f"#{link}", "", Budget()), from_file(json.dumps(saved))):
        *steps, game = answer_of(opened)
        assert isinstance(game, Opened)
        assert game.session.length == 1000
        assert len(steps) > 50


def test_a_game_with_help_says_so_at_the_other_end(page: Page) -> None:
    page.new(LEVEL)
    page.ask("act", "state", action=0)
    page.ask("help", "helped")
    assert page.new(page.ask("link", "link")["link"])["helped"]


def test_a_qr_code_is_segnos_and_none_where_it_would_be_too_fine(page: Page) -> None:
    text = "https://example.org/winnable/#triple:layers=12#5"
    code = page.ask("qr", "qr", text=text)
    assert code["text"] == text
    assert code["rows"] == ["".join(map(str, row)) for row in segno.make(text, error="m", micro=False).matrix]
    assert len(page.ask("qr", "qr", text="x" * 1200)["rows"]) <= 117
    for length in (1500, 9000):
        assert page.ask("qr", "qr", text="x" * length)["rows"] is None


def test_there_is_no_link_before_there_is_a_game(page: Page) -> None:
    assert page.ask("link", "error")["code"] == "game.none"
