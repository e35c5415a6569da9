"""The bot on the arcade's page. Its kernels are compiled before: no test waits for that."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_arcade_page import (
    O_FIRST,
    TWO_ROWS,
    Arcade,
    Look,
    arcade,
    phase,
    piece,
    start,
    wait_until,
)
from tests.browser.test_compiling_page import compiled, hear, said
from tests.browser.test_studio_page import by, words
from winnable.games.tetris.modern.players import bot

pytestmark = pytest.mark.browser
__all__ = ["arcade"]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    bot.warm()


def cells(page: Page, of: str) -> str:
    return by(page, "board").get_attribute(f"data-{of}") or ""


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_the_bot_plays_from_the_menu_to_its_marked_result(
    arcade: Arcade, look: Look, width: int, language: str
) -> None:
    page = arcade(width, 740, language)
    by(page, "menu-lines").fill("4")
    by(page, "menu-more").evaluate("more => (more.open = true)")
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


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_b20_b21_the_articles_automatic_game(arcade: Arcade, look: Look, width: int, language: str) -> None:
    page = arcade(width, 740, language)
    by(page, "mode-article").click()
    by(page, "menu-more").evaluate("more => (more.open = true)")
    by(page, "menu-dice").fill("3")
    expect(by(page, "menu-by")).to_have_value("article")
    by(page, "menu-bot").click()
    expect(by(page, "botbar")).to_be_visible()
    expect(by(page, "bot-by")).to_have_value("article")
    first = piece(page)
    wait_until(page, lambda: piece(page) not in ([], first))  # it falls, row by row
    by(page, "bot-speed").select_option("51")
    wait_until(page, lambda: (by(page, "lines").text_content() or "0") != "0")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, f"arcade-20-article-{width}-{language}")
    by(page, "bot-step").click()
    phase(page, "paused")
    expect(by(page, "cover")).to_be_hidden()
    before = piece(page)
    by(page, "bot-step").click()
    wait_until(page, lambda: piece(page) != before)
    by(page, "bot-piece").click()
    page.keyboard.press("p")
    phase(page, "playing")
    page.keyboard.press("p")
    phase(page, "paused")
    expect(by(page, "cover-by")).to_be_visible()


def test_b20_a_hint_in_the_articles_game(arcade: Arcade) -> None:
    page = arcade()
    by(page, "mode-article").click()
    by(page, "menu-play").click()
    phase(page, "playing")
    page.keyboard.press("h")
    wait_until(page, lambda: cells(page, "hint") != "")


def test_b13_the_piece_is_orange_and_the_wall_blue(arcade: Arcade) -> None:
    page = arcade()
    by(page, "mode-article").click()
    by(page, "menu-fumen").fill(TWO_ROWS)
    by(page, "menu-play").click()
    phase(page, "playing")
    wait_until(page, lambda: bool(piece(page)))
    page.keyboard.press("p")
    phase(page, "paused")
    colours = page.evaluate(
        """() => {
            const { width, height } = document.getElementById("board");
            const pen = document.getElementById("board").getContext("2d");
            const { data } = pen.getImageData(0, 0, width, height);
            const seen = {};
            for (let i = 0; i < data.length; i += 4) {
                const name = `${data[i]} ${data[i + 1]} ${data[i + 2]}`;
                seen[name] = (seen[name] ?? 0) + 1;
            }
            return seen;
        }"""
    )
    assert colours["255 165 0"] > 500
    assert colours["0 0 255"] > 2000


UNANSWERED = """kind => import("/arcade/state.js").then(({ cabinet }) => {
  const { connection } = cabinet, send = connection.send.bind(connection);
  connection.send = (request) => request.type === kind || send(request);
})"""


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_a_bot_that_waits_for_its_kernels_says_so(arcade: Arcade, look: Look, language: str) -> None:
    few = said(words("zh-CN" if language == "zh-CN" else "en"), "compiling.few")
    page = arcade(1280, 740, language)
    start(page, "zen")
    page.evaluate(UNANSWERED, "hint")
    by(page, "hint").click()
    expect(by(page, "hint-words")).to_be_hidden()
    compiled(page, "tetris", 12, part="arcade")
    expect(by(page, "hint-words")).to_have_text(few)
    look(page, f"arcade-bot-compiling-{language}")
    compiled(page, "tetris", 40, part="arcade")
    expect(by(page, "hint-words")).to_be_hidden()
    page.evaluate(UNANSWERED, "bot")
    by(page, "pause").click()
    by(page, "cover-bot.play").click()
    hear(page, "bot", style="sprint", by_bot=True)
    places = [by(page, "bot-take"), by(page, "board")]
    before = [place.bounding_box() for place in places]
    compiled(page, "tetris", 12, part="arcade")
    expect(by(page, "bot-state")).to_have_text(few)
    assert [place.bounding_box() for place in places] == before, "nothing moves"
    compiled(page, "tetris", 40, part="arcade")
    expect(by(page, "bot-state")).not_to_have_text(few)
    assert [place.bounding_box() for place in places] == before
