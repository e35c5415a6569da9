"""A lost board is repaired on the page, by a method that is set, and what comes of it is played."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, pick, words
from tests.web.test_review import SLIP, SLIPPED

pytestmark = pytest.mark.browser

PILE = "triple:3:" + "/".join(f"{kind}@0.0" for kind in (1, 1, 0, 1, 0, 0))
"""From the top 0, 0, 1: two slots are taken when the third kind of tile comes. One swap mends it."""


def test_e15_e16_e18_a_lost_board_is_repaired_and_then_watched(open_page: Open) -> None:
    text = words("zh-CN")
    page = open_page(language="zh-CN", address=f"#{PILE}")
    lamp(page, "lost")
    expect(by(page, "repair-panel")).to_contain_text(text["repair.heading"])
    by(page, "repair-de-repair").click()
    lamp(page, "winnable")
    expect(by(page, "level-title")).to_contain_text(text["repair.title"].replace("{level}", ""))
    told = text["stage.repair"].split("{")[0].strip()
    expect(by(page, "toast")).to_contain_text(told)
    expect(by(page, "toast")).to_contain_text("1.000")
    by(page, "watch-who").select_option("player:greedy")
    by(page, "watch-speed").fill("6")
    by(page, "watch-play").click()
    expect(by(page, "card-won")).to_be_visible()


def test_how_many_swaps_it_took_is_said(open_page: Open) -> None:
    page = open_page(address=f"#{PILE}")
    lamp(page, "lost")
    by(page, "repair-fewest-swaps").click()
    lamp(page, "winnable")
    expect(by(page, "toast")).to_contain_text("swaps made 1, at least 1 needed")


def test_only_what_is_lost_is_repaired(open_page: Open) -> None:
    """Once the level is not lost any more, or the board of one that can be won, nothing offers it."""
    page = open_page(address=f"#triple:{SLIP}")
    lamp(page, "winnable")
    expect(by(page, "repair-panel")).to_be_hidden()
    for tile in SLIPPED:
        pick(page, tile)
    expect(by(page, "card-lost")).to_be_visible()
    expect(by(page, "card-repair")).to_have_count(0)
    expect(by(page, "repair-panel")).to_be_visible()
    by(page, "card-undo").click()
    lamp(page, "winnable")
    expect(by(page, "repair-panel")).to_be_hidden()
