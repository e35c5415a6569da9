"""How much room there is, beside the lamp."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, lamp, pick

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


def finished(page: Page, at: int) -> None:
    expect(by(page, "margin")).to_have_attribute("data-ply", str(at))
    expect(by(page, "margin")).to_have_attribute("data-done", "true")
    expect(by(page, "margin")).to_have_attribute("data-waits", "false")


@pytest.mark.parametrize(("language", "width", "dark"), [("en-US", 1280, False), ("zh-CN", 360, True)])
@pytest.mark.parametrize("level", ["triple/3-butterfly", "drops/07-butterfly", "rotate/09-corners"])
def test_it_stands_beside_the_lamp(
    open_page: Open, look: Look, language: str, width: int, dark: bool, level: str
) -> None:
    page = open_page(width, 800, language, address=f"#{level}", dark=dark)
    finished(page, 0)
    shown = page.locator("#margin-long" if width > 600 else "#margin-short")
    expect(shown).to_be_visible()
    expect(shown).to_have_text(re.compile(r"\d+"))
    look(page, f"margin-{level.partition('/')[0]}-{language}-{width}{'-dark' if dark else ''}")
    widths = "() => ['lamp', 'level-title', 'level-id'].map(id => document.getElementById(id).clientWidth)"
    with_margin = page.evaluate(widths)
    page.locator("#margin").evaluate("node => node.hidden = true")
    if width < 600:
        assert page.evaluate(widths) == with_margin
    page.locator("#margin").evaluate("node => node.hidden = false")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    by(page, "margin").click()
    expect(by(page, "margin-words")).to_be_visible()
    expect(by(page, "margin-words").locator("p")).to_have_count(1 if level.startswith("rotate") else 2)
    look(page, f"margin-words-{level.partition('/')[0]}-{language}-{width}{'-dark' if dark else ''}")


def test_a_move_renews_it_and_the_eye_hides_it(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    finished(page, 0)
    expect(page.locator("#margin-long")).to_have_text("6 of 6 moves still win")
    pick(page, 0)
    finished(page, 1)
    expect(page.locator("#margin-long")).to_have_text("2 of 5 moves still win")
    expect(page.locator("#live p", has_text="still win")).to_have_text(
        [re.compile("^6 of 6 "), re.compile("^2 of 5 ")]
    )
    by(page, "lamp-toggle").click()
    expect(by(page, "margin")).to_be_hidden()
    by(page, "lamp-toggle").click()
    expect(by(page, "margin")).to_be_visible()
    pick(page, 3)
    lamp(page, "lost")
    expect(by(page, "margin")).to_be_hidden()


def test_games_without_a_goal_have_none(open_page: Open) -> None:
    page = open_page(address="#2048/1-2048")
    expect(by(page, "lamp")).to_have_attribute("data-verdict", "endless")
    page.wait_for_timeout(600)
    expect(by(page, "margin")).to_be_hidden()
