"""Hints as a ladder: there is a way, look here, this action, the line."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, ply, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
AREAS = ("upper-left", "upper-right", "lower-left", "lower-right")


def label(page: Page, name: str, key: str) -> None:
    expect(by(page, "hint")).to_contain_text(words(name)[key])


@pytest.mark.parametrize(
    ("level", "language", "name", "width", "dark"),
    [
        ("triple/1-first-steps", "en-US", "en", 1280, False),
        ("drops/12-drizzle", "zh-CN", "zh-CN", 360, True),
        ("rotate/15-heart", "en-US", "en", 1280, False),
    ],
)
def test_each_press_tells_more_and_a_new_position_begins_again(
    open_page: Open, look: Look, language: str, name: str, width: int, dark: bool, level: str
) -> None:
    page = open_page(width=width, language=language, dark=dark, address=f"#{level}", stored={"lamp": "off"})
    texts, note = words(name), by(page, "hint-note")
    label(page, name, "toolbar.hint")
    page.keyboard.press("h")
    expect(note).to_have_text(texts["hint.way"])
    label(page, name, "hint.next.area")
    page.keyboard.press("h")
    expect(by(page, "look-here")).to_be_visible()
    said = [texts["hint.area"].format(area=texts[f"area.{area}"]) for area in AREAS]
    assert note.text_content() in said
    expect(page.locator(".hinted")).to_have_count(0)
    game = level.partition("/")[0]
    look(page, f"hint-2-{game}-{name}")
    label(page, name, "hint.next.action")
    page.keyboard.press("h")
    expect(page.locator(".hinted")).not_to_have_count(0)
    expect(by(page, "look-here")).to_have_count(0)
    label(page, name, "hint.next.line")
    page.keyboard.press("h")
    expect(by(page, "hint-play")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    look(page, f"hint-4-{game}-{name}")
    by(page, "hint-play").click()
    page.wait_for_selector("body[data-standing=won]")
    expect(note).to_be_hidden()


def test_a_press_after_a_move_begins_below_again(open_page: Open) -> None:
    page = open_page(stored={})
    by(page, "hint").click()
    expect(by(page, "look-here")).to_be_visible()  # the lamp has told that there is a way
    by(page, "hint").click()
    page.locator(".tile.hinted").click()
    ply(page, 1)
    expect(by(page, "hint-note")).to_be_hidden()
    label(page, "en", "toolbar.hint")
    by(page, "hint").click()
    expect(by(page, "look-here")).to_be_visible()


def test_a_long_line_is_told_to_its_end_and_then_that_is_all(open_page: Open) -> None:
    page = open_page(stored={})
    note = by(page, "hint-note")
    for after in ("action", "line", "more"):
        by(page, "hint").click()
        label(page, "en", f"hint.next.{after}")
    expect(by(page, "hint-play")).to_be_visible()
    told = note.text_content() or ""
    while page.locator("#hint-label").text_content() != words("en")["hint.all"]:
        page.keyboard.press("h")
        expect(note).not_to_have_text(told)
        told = note.text_content() or ""
    assert told.count(", then ") == page.locator(".tile").count() - 1
    page.keyboard.press("h")
    expect(by(page, "live")).to_contain_text(words("en")["hint.all"])
    expect(note).to_have_text(told)


def test_a_lost_position_says_so_at_once(open_page: Open) -> None:
    page = open_page(address="#triple:3:2@0.0/1@0.0/2@0.0/0@0.0/1@0.0/0@0.0/2@0.0/1@0.0/0@0.0", stored={})
    by(page, "hint").click()
    expect(by(page, "hint-note")).to_have_text(words("en")["hint.lost"])
    label(page, "en", "toolbar.hint")


@pytest.mark.parametrize("level", ["tetris/1-ten-by-ten", "2048/1-2048"])
def test_a_game_that_nobody_can_win_has_rungs_of_its_own(open_page: Open, look: Look, level: str) -> None:
    page = open_page(address=f"#{level}", stored={"lamp": "off"}, ready="[data-testid=board]")
    note = by(page, "hint-note")
    by(page, "hint").click()
    expect(note).not_to_be_empty()
    by(page, "hint").click()
    expect(note).to_contain_text(words("en")["hint.area"].partition("{")[0])
    look(page, f"hint-2-{level.partition('/')[0]}")
    by(page, "hint").click()
    expect(note).to_contain_text(words("en")["hint.this"].partition("{")[0])
    label(page, "en", "hint.next.action")


def test_the_action_at_once_is_remembered(open_page: Open) -> None:
    page = open_page(stored={})
    by(page, "hint-at-once").check()
    by(page, "hint").click()
    expect(page.locator(".tile.hinted")).to_have_count(1)
    label(page, "en", "toolbar.hint")
    page.reload()
    page.wait_for_selector("body[data-standing=playing]")
    expect(by(page, "hint-at-once")).to_be_checked()
    page.keyboard.press("h")
    expect(page.locator(".tile.hinted")).to_have_count(1)


@pytest.mark.parametrize(("language", "name", "width"), [("en-US", "en", 1280), ("zh-CN", "zh-CN", 360)])
def test_a_daily_level_keeps_lamp_and_hints_back_until_they_are_allowed(
    open_page: Open, look: Look, language: str, name: str, width: int
) -> None:
    page = open_page(width=width, language=language, address="#triple:daily", stored={})
    texts = words(name)
    expect(by(page, "lamp")).to_have_attribute("data-verdict", "hidden")
    label(page, name, "hint.off")
    page.keyboard.press("h")
    expect(by(page, "hint-note")).to_contain_text(texts["hint.withheld"])
    look(page, f"hint-daily-{name}")
    page.reload()
    by(page, "lamp-toggle").click()
    expect(by(page, "lamp")).to_have_attribute("data-verdict", "hidden")
    by(page, "hint-allow").click()
    expect(by(page, "lamp")).to_have_attribute("data-verdict", "winnable")
    expect(by(page, "hint-note")).to_be_hidden()
    label(page, name, "toolbar.hint")
    by(page, "hint").click()
    expect(by(page, "look-here")).to_be_visible()
    page.reload()
    expect(by(page, "lamp")).to_have_attribute("data-verdict", "winnable")


def test_the_result_of_a_daily_level_says_that_hints_were_allowed(open_page: Open) -> None:
    page = open_page(address="#drops:daily", stored={})
    by(page, "hint").click()
    by(page, "hint-allow").click()
    page.keyboard.press("w")
    page.wait_for_selector("body[data-standing=won], body[data-standing=lost]")
    assert words("en")["result.helped"] in copied(page, "share-result")
    expect(by(page, "toasts")).to_contain_text(words("en")["result.copied"])
