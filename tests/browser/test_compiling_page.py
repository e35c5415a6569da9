"""On a fresh machine the page says how far compiling is, and never that it searches meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

HEAR = "event => import('/static/bus.js').then(({ emit }) => emit(event.type, event))"
NOTHING_KNOWN = "() => import('/static/game.js').then(({ game }) => { game.history.verdicts = ['unknown']; })"
ON_THE_BOARD = "() => import('/static/game.js').then(({ game }) => game.lamp)"


def hear(page: Page, type: str, **fields: Any) -> None:
    """As if the server said so."""
    page.evaluate(HEAR, {"type": type, **fields})


def compiled(page: Page, game: str, done: int) -> None:
    hear(page, "compiling", game=game, done=done, total=40, seconds=3.1)


def first_lamp(page: Page, verdict: str, remaining: int | None) -> None:
    """What a server says that has just begun to look at the board."""
    page.evaluate(NOTHING_KNOWN)
    said = {"verdict": verdict, "remaining": remaining, "optimal": False, "searching": True, "par": None}
    page.evaluate(HEAR, {**page.evaluate(ON_THE_BOARD), **said})


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_the_lamp_shows_a_first_verdict_and_how_far_compiling_is(
    open_page: Open, look: Look, language: str, width: int, dark: bool
) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(width, 740, language, dark=dark, address="#drops/05-puddle")
    lamp(page, "winnable")
    box, preparing = by(page, "lamp"), by(page, "lamp-compiling")
    expect(box).to_have_attribute("data-searching", "false")
    said = text["compiling.solver" if width > 600 else "compiling.few"]
    said = said.replace("{done}", "12").replace("{total}", "40")
    words_seen = preparing.locator("small:visible")
    shot = f"compiling-{width}-{language}-{'dark' if dark else 'light'}"

    first_lamp(page, "unknown", None)
    compiled(page, "drops", 12)
    expect(words_seen).to_have_text(said)
    expect(by(page, "lamp-verdict")).to_have_text(text["lamp.unknown"])
    expect(preparing.locator("progress")).to_have_js_property("value", 12)
    expect(box).to_have_attribute("data-searching", "false")
    expect(by(page, "lamp-detail")).to_be_empty()
    look(page, shot + "-1")

    first_lamp(page, "winnable", 15)
    expect(by(page, "lamp-verdict")).to_have_text(text["lamp.winnable"])
    expect(by(page, "lamp-detail")).to_contain_text("15")
    for part in (by(page, "lamp-verdict"), by(page, "lamp-detail"), words_seen):
        expect(part).to_be_visible()
        assert part.evaluate("node => node.scrollWidth <= node.clientWidth + 1"), "cut off"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    now = by(page, "stage").bounding_box()
    look(page, shot + "-2")

    compiled(page, "rotate", 1)
    expect(words_seen).to_have_text(said)
    compiled(page, "drops", 40)
    expect(preparing).to_be_hidden()
    assert now == by(page, "stage").bounding_box(), "the board moves when the bar goes"


def test_an_outlook_is_prepared_too(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, address="#2048/1-2048")
    expect(by(page, "lamp-verdict")).to_contain_text("≈")
    compiled(page, "2048", 3)
    expect(by(page, "lamp-compiling").locator("small:visible")).to_contain_text("3")
    expect(by(page, "lamp-verdict")).to_contain_text("≈")
    look(page, "compiling-2048")
    by(page, "lamp-toggle").click()
    expect(by(page, "lamp-compiling")).to_be_hidden()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_a_solver_that_waits_for_its_kernels_says_so(open_page: Open, look: Look, language: str) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(1280, 900, language, address="#drops/article-30-all-ones")
    by(page, "settings-a").click()
    by(page, "solve-settings").get_by_test_id("setting-k").fill("4")
    by(page, "solve-settings").get_by_test_id("setting-k").blur()
    by(page, "solve-a").click()
    expect(by(page, "solve-progress")).to_be_visible()
    compiled(page, "drops", 12)
    preparing = by(page, "solve-compiling")
    expect(preparing.locator("small:visible")).to_have_text(
        text["compiling.solver"].replace("{done}", "12").replace("{total}", "40")
    )
    expect(page.locator("#solve-figures")).to_be_hidden()
    look(page, f"compiling-solver-{language}")
    compiled(page, "drops", 40)
    expect(preparing).to_be_hidden()
    expect(page.locator("#solve-figures")).to_be_visible()
    by(page, "solve-cancel").click()
