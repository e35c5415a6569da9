"""The bot on the arcade's page. Its kernels are compiled before: no test waits for that."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_arcade_page import O_FIRST, TWO_ROWS, Arcade, Look, arcade, phase, start, wait_until
from tests.browser.test_studio_page import by, words
from winnable.web import arcade_bot

pytestmark = pytest.mark.browser
__all__ = ["arcade"]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    arcade_bot.warm()


def cells(page: Page, of: str) -> str:
    return by(page, "board").get_attribute(f"data-{of}") or ""


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "en-US"), (360, "zh-CN")])
def test_the_bot_plays_from_the_menu_to_its_marked_result(
    arcade: Arcade, look: Look, width: int, language: str
) -> None:
    page = arcade(width, 740, language)
    by(page, "menu-lines").fill("4")
    by(page, "menu-dice").fill("6")
    by(page, "menu-style").select_option("sprint")
    by(page, "menu-bot").click()
    expect(by(page, "botbar")).to_be_visible()
    expect(by(page, "bot-style")).to_have_value("sprint")
    expect(by(page, "value")).to_be_visible()
    wait_until(page, lambda: cells(page, "frame") not in ("", "0"))
    page.keyboard.press("p")
    phase(page, "paused")
    expect(by(page, "cover-take")).to_be_visible()
    look(page, f"arcade-13-bot-paused-{width}-{language}")
    by(page, "cover-resume").click()
    look(page, f"arcade-14-bot-{width}-{language}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    by(page, "bot-speed").select_option("max")
    phase(page, "over")
    text = words("zh-CN" if language == "zh-CN" else "en")
    expect(by(page, "cover-title")).to_have_text(text["arcade.won"])
    expect(by(page, "cover-bot")).to_have_text(text["arcade.by.bot"])
    expect(by(page, "live")).to_contain_text(text["arcade.by.bot"])
    look(page, f"arcade-15-bot-over-{width}-{language}")
    page.reload()
    phase(page, "over")
    expect(by(page, "cover-bot")).to_be_visible()
    by(page, "cover-watch").click()
    expect(by(page, "film-bot")).to_be_visible()
    look(page, f"arcade-16-bot-replay-{width}-{language}")


def test_a_game_changes_hands_in_a_pause_and_back(arcade: Arcade) -> None:
    page = arcade()
    start(page, "zen")
    expect(by(page, "value")).to_be_hidden()
    by(page, "hint").click()
    wait_until(page, lambda: cells(page, "hint") != "")
    by(page, "pause").click()
    by(page, "cover-bot.play").click()
    phase(page, "playing")
    expect(by(page, "hint-words")).to_be_hidden()
    expect(by(page, "hint")).to_be_disabled()
    wait_until(page, lambda: float(by(page, "value-number").text_content() or 0) < 0)
    by(page, "bot-take").click()
    expect(by(page, "botbar")).to_be_hidden()
    phase(page, "playing")
    expect(by(page, "value")).to_be_hidden()
    expect(by(page, "hint")).to_be_enabled()
    before = cells(page, "cells")
    page.keyboard.press("Space")
    wait_until(page, lambda: cells(page, "cells") != before)


def test_a_hint_shows_until_the_piece_locks(arcade: Arcade, look: Look) -> None:
    page = arcade()
    start(page, "zen", dice=O_FIRST, board=TWO_ROWS)
    page.keyboard.press("h")
    wait_until(page, lambda: cells(page, "hint") != "")
    expect(by(page, "hint-words").locator("li").last).to_contain_text(words("en")["arcade.key.hard"])
    look(page, "arcade-17-hint")
    page.keyboard.press("Space")
    wait_until(page, lambda: cells(page, "hint") == "")
    expect(by(page, "hint-words")).to_be_hidden()
    by(page, "hint").click()
    wait_until(page, lambda: cells(page, "hint") != "")


def test_the_evaluation_is_shown_to_a_person_who_wants_it(arcade: Arcade) -> None:
    page = arcade()
    by(page, "menu-options").click()
    by(page, "look-value").check()
    by(page, "options-close").click()
    start(page, "zen", board=TWO_ROWS)
    expect(by(page, "value")).to_be_visible()
    assert "0" in (by(page, "value").get_attribute("title") or "")
    before = by(page, "value-number").text_content()
    page.keyboard.press("Space")
    expect(by(page, "value-number")).not_to_have_text(before or "")


def test_the_rules_of_the_seed_have_no_bot(arcade: Arcade) -> None:
    page = arcade()
    by(page, "mode-article").click()
    expect(by(page, "menu-bot")).to_be_hidden()
    by(page, "menu-play").click()
    phase(page, "playing")
    expect(by(page, "hint")).to_be_hidden()
    by(page, "pause").click()
    phase(page, "paused")
    expect(by(page, "cover-bot.play")).to_have_count(0)
