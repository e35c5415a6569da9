"""On a fresh machine the page says how far compiling is, never that it searches, and nothing moves."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, words
from winnable.words import fill

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

HEAR = "event => import('/static/base/bus.js').then(({ emit }) => emit(event.type, event))"
NOTHING_KNOWN = {"winnable": -1, "lost": None}
REPORT_BEGINS = """async () => {
  const { emit } = await import("/static/base/bus.js");
  const { game } = await import("/static/desk/game.js");
  const { session, line, length } = game.state;
  const known = { winnable: -1, lost: null };
  emit("timeline", { session, line, length, known, first: null, last: null, name: "", done: false });
}"""
ON_THE_BOARD = "() => import('/static/desk/game.js').then(({ game }) => game.lamp)"


UNANSWERED = """kind => import("/static/desk/game.js").then(({ game }) => {
  const { connection } = game, send = connection.send.bind(connection);
  connection.send = (request) => request.type === kind || send(request);
})"""
PLACES = """() => Object.fromEntries(
  ["level-title", "levels-open", "lamp-toggle", "stage", "toolbar", "timeline", "solve-panel"].map((id) => {
    const { x, y, height } = document.getElementById(id).getBoundingClientRect();
    return [id, [x, y, height]];
  }),
)"""
LEVELS = ("drops/05-puddle", "rotate/15-heart", "triple/3-butterfly", "2048/1-2048", "tetris/1-ten-by-ten")
BY_NOBODY: dict[str, Any] = {"values": [], "risk": 0.02, "risk_low": 0.01, "risk_high": 0.04}


def hear(page: Page, type: str, **fields: Any) -> None:
    """As if the server said so."""
    page.evaluate(HEAR, {"type": type, **fields})


def compiled(page: Page, game: str, done: int, part: str | None = "") -> None:
    hear(page, "compiling", game=game, part=part, done=done, total=40, seconds=3.1)


def first_lamp(page: Page, verdict: str, remaining: int | None, **more: Any) -> None:
    """What a server says that has just begun to look at the board."""
    said = {"verdict": verdict, "remaining": remaining, "optimal": False, "searching": True, "par": None}
    page.evaluate(
        HEAR,
        {
            **page.evaluate(ON_THE_BOARD),
            **said,
            "known": NOTHING_KNOWN,
            "first": remaining is not None,
            **more,
        },
    )


def said(text: Mapping[str, str], key: str, done: int = 12) -> str:
    return fill(text[key], {"done": done, "total": 40})


@pytest.mark.parametrize(("language", "width", "dark"), [("en-US", 1280, False), ("zh-CN", 360, True)])
def test_the_lamp_shows_a_first_verdict_and_how_far_compiling_is(
    open_page: Open, look: Look, language: str, width: int, dark: bool
) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(width, 740, language, dark=dark, address="#drops/05-puddle")
    lamp(page, "winnable")
    box, preparing = by(page, "lamp"), by(page, "lamp-compiling")
    expect(box).to_have_attribute("data-searching", "false")
    words_seen = preparing.locator("small:visible")
    shot = f"compiling-{width}-{language}-{'dark' if dark else 'light'}"

    first_lamp(page, "unknown", None)
    compiled(page, "drops", 12)
    expect(words_seen).to_have_text(said(text, "compiling.few"))
    expect(by(page, "lamp-verdict")).to_have_text(text["lamp.unknown"])
    expect(preparing.locator("progress")).to_have_js_property("value", 12)
    expect(box).to_have_attribute("data-searching", "false")
    expect(by(page, "lamp-detail")).to_be_empty()
    expect(by(page, "lamp-first")).to_be_hidden()
    look(page, shot + "-1")

    first_lamp(page, "winnable", 15)
    expect(by(page, "lamp-verdict")).to_have_text(text["lamp.winnable"])
    expect(by(page, "lamp-detail")).to_contain_text("15")
    expect(by(page, "lamp-first")).to_be_visible(visible=width > 600)
    for part in (by(page, "lamp-verdict"), by(page, "lamp-detail").locator(".."), words_seen):
        expect(part).to_be_visible()
        assert part.evaluate("node => node.scrollWidth <= node.clientWidth + 1"), "cut off"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    now = by(page, "stage").bounding_box()
    look(page, shot + "-2")

    compiled(page, "rotate", 1)
    expect(words_seen).to_have_text(said(text, "compiling.few"))
    compiled(page, "drops", 1, part="article")
    expect(words_seen).to_have_text(said(text, "compiling.few"))
    compiled(page, "drops", 40)
    expect(words_seen).to_have_text(said(text, "compiling.few", 1))
    compiled(page, "drops", 40, part="article")
    expect(preparing).to_be_hidden()
    assert now == by(page, "stage").bounding_box(), "the board moves when the bar goes"


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_moves_while_an_answer_is_prepared_and_when_it_comes(
    open_page: Open, look: Look, level: str, language: str, width: int
) -> None:
    game = level.partition("/")[0]
    page = open_page(width, 740, language, address=f"#{level}")
    box = by(page, "lamp")
    endless = game in ("2048", "tetris")
    if endless:
        expect(by(page, "lamp-verdict")).to_have_text(re.compile(r"\d"))
    else:
        lamp(page, "winnable")
    expect(box).to_have_attribute("data-searching", "false")
    expect(by(page, "stage")).not_to_be_empty()
    outlook: dict[str, Any] = {
        **BY_NOBODY,
        "score": 1123.4,
        "low": 900.0,
        "high": 1300.0,
        "within": 50,
        "by": "random",
    }
    answer = ("unknown", None) if endless else ("winnable", 115)
    seen = outlook if endless else None
    shown = page.evaluate(PLACES)

    def stays() -> None:
        expect(by(page, "levels-open")).to_be_visible()
        if not endless or width > 600:
            expect(by(page, "level-title")).to_be_visible()
        assert page.evaluate(PLACES) == shown
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    first_lamp(page, "unknown", None, outlook=None)
    stays()
    compiled(page, game, 12)
    expect(by(page, "lamp-compiling")).to_be_visible()
    stays()
    first_lamp(page, *answer, outlook=seen, first=True)
    expect(box).to_have_attribute("data-first", "true")
    stays()
    look(page, f"compiling-{game}-{width}-{language}")
    compiled(page, game, 40)
    expect(by(page, "lamp-compiling")).to_be_hidden()
    stays()
    first_lamp(page, *answer, outlook=seen, optimal=not endless, searching=False, first=False)
    expect(box).to_have_attribute("data-first", "false")
    stays()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_a_player_that_waits_for_its_kernels_says_so(open_page: Open, look: Look, language: str) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(1280, 900, language, address="#triple/1-first-steps")
    lamp(page, "winnable")
    expect(by(page, "stage")).not_to_be_empty()
    page.evaluate(UNANSWERED, "step")
    before, preparing = page.evaluate(PLACES), by(page, "watch-compiling")
    compiled(page, "triple", 11, part="players")
    expect(preparing).to_be_hidden()
    by(page, "watch-step").click()
    compiled(page, "triple", 12, part="players")
    expect(preparing.locator("small:visible")).to_have_text(said(text, "compiling"))
    expect(by(page, "lamp-compiling").locator("small:visible")).to_have_text(said(text, "compiling.few"))
    assert page.evaluate(PLACES) == before
    look(page, f"compiling-player-{language}")
    compiled(page, "triple", 40, part="players")
    expect(preparing).to_be_hidden()


@pytest.mark.parametrize("toggled", [False, True])
def test_a_hint_that_waits_for_kernels_says_so(open_page: Open, toggled: bool) -> None:
    """Whether the lamp is on or off."""
    page = open_page(360, 740, address="#2048/1-2048")
    expect(by(page, "lamp-verdict")).to_contain_text("≈")
    if toggled:
        by(page, "lamp-toggle").click()
    page.evaluate(UNANSWERED, "hint")
    by(page, "hint").click()
    expect(by(page, "hint")).to_have_attribute("aria-busy", "true")
    compiled(page, "2048", 12, part="network")
    expect(by(page, "lamp-compiling").locator("small:visible")).to_have_text(
        said(words("en"), "compiling.few")
    )


def test_a_board_that_was_left_leaves_nothing_behind(open_page: Open) -> None:
    page = open_page(address="#drops/05-puddle")
    lamp(page, "winnable")
    compiled(page, "drops", 12)
    expect(by(page, "lamp-compiling")).to_be_visible()
    by(page, "level-after").click()
    expect(by(page, "level-title")).not_to_have_text("Puddle")
    expect(by(page, "lamp-compiling")).to_be_hidden()


def test_an_outlook_is_prepared_too(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, address="#2048/1-2048")
    expect(by(page, "lamp-verdict")).to_contain_text("≈")
    compiled(page, "2048", 3)
    expect(by(page, "lamp-compiling").locator("small:visible")).to_contain_text("3")
    expect(by(page, "lamp-verdict")).to_contain_text("≈")
    look(page, "compiling-2048")


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
    expect(preparing.locator("small:visible")).to_have_text(said(text, "compiling"))
    expect(page.locator("#solve-figures")).to_be_hidden()
    look(page, f"compiling-solver-{language}")
    compiled(page, "drops", 40)
    expect(preparing).to_be_hidden()
    expect(page.locator("#solve-figures")).to_be_visible()
    by(page, "solve-cancel").click()


def test_a_report_and_an_editor_that_wait_for_kernels_say_so(open_page: Open) -> None:
    text = words("en")
    page = open_page(address="#drops:0300/0000/0003,drops=1", own=True)
    lamp(page, "lost")
    page.clock.install()
    page.reload()
    lamp(page, "lost")
    page.locator(".cell.pickable").first.click()
    expect(page.locator("body")).to_have_attribute("data-standing", "lost")
    by(page, "report").click()
    expect(by(page, "report-text")).to_be_visible()
    compiled(page, "drops", 12)
    page.evaluate(REPORT_BEGINS)
    expect(by(page, "report-box")).to_contain_text(said(text, "compiling"))
    page.clock.pause_at("2100-01-01")  # so that the server is never asked
    by(page, "edit-level").click()
    verdict = by(page, "editor-verdict-text")
    expect(verdict).to_have_text(said(text, "compiling.few"))
    compiled(page, "drops", 40)
    expect(verdict).to_have_text(text["editor.searching"])
