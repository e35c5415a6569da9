"""The arcade's page when something comes between the person and the game."""

import json

import pytest
from msgspec.json import encode
from playwright.sync_api import Page, expect

from tests.browser.test_arcade_page import (
    O_FIRST,
    TWO_ROWS,
    Arcade,
    arcade,
    frame,
    joined,
    left_end,
    phase,
    start,
    wait_until,
)
from tests.browser.test_studio_page import by
from tests.web.studio_harness import Studio
from winnable.games.tetris.modern.players import bot
from winnable.games.tetris.modern.players.replay import Film, Log
from winnable.games.tetris.modern.rules.level import Handling, Level

pytestmark = pytest.mark.browser
__all__ = ["arcade"]

HIDE = (
    "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });"
    "document.dispatchEvent(new Event('visibilitychange'));"
)
COUNTED = 1600
"""Milliseconds after which a countdown is over."""


def stays_paused(page: Page) -> None:
    page.wait_for_timeout(COUNTED)
    phase(page, "paused")
    expect(by(page, "board")).to_have_attribute("data-frame", "0")


@pytest.mark.parametrize("button", ["options", "to-menu"])
def test_no_game_begins_under_a_dialog(arcade: Arcade, button: str) -> None:
    page = arcade(countdown=True)
    by(page, "menu-play").click()
    expect(page.locator("#countdown")).to_be_visible()
    by(page, button).click()
    stays_paused(page)
    expect(page.locator("#countdown")).to_be_hidden()
    page.keyboard.press("Escape")
    by(page, "cover-go").click()
    phase(page, "playing")


@pytest.mark.parametrize("button", ["options", "to-menu"])
def test_a_game_that_was_just_asked_for_waits_for_a_dialog(arcade: Arcade, button: str) -> None:
    page = arcade()
    by(page, "menu-play").click()
    phase(page, "playing")
    page.keyboard.press("p")
    phase(page, "paused")
    then = frame(page)
    page.evaluate(
        "document.querySelector('#cover-buttons .primary').click();"
        f"document.querySelector('[data-testid={button}]').click()"
    )
    page.wait_for_timeout(500)
    phase(page, "paused")
    assert frame(page) < then + 20


def test_a_tab_that_is_hidden_at_once_does_not_play(arcade: Arcade) -> None:
    page = arcade()
    start(page, "zen")
    page.keyboard.press("p")
    phase(page, "paused")
    page.evaluate("document.querySelector('#cover-buttons .primary').click();" + HIDE)
    page.wait_for_timeout(500)
    phase(page, "paused")


def test_a_hidden_tab_begins_no_game(arcade: Arcade) -> None:
    page = arcade()
    page.evaluate("document.querySelector('[data-testid=menu-play]').click();" + HIDE)
    expect(by(page, "menu")).to_be_hidden()
    stays_paused(page)


def test_restart_twice_is_one_new_game(arcade: Arcade) -> None:
    page = arcade(countdown=True)
    start(page, "zen")
    page.evaluate(
        "for (let i = 0; i < 2; i++)"
        "  document.body.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyR', bubbles: true }))"
    )
    expect(page.locator("#countdown")).to_be_visible()
    phase(page, "playing")


def test_without_a_game_nothing_is_counted_down(arcade: Arcade) -> None:
    page = arcade(countdown=True)
    by(page, "menu-close").click()
    by(page, "pause").click()
    page.wait_for_timeout(COUNTED)
    expect(by(page, "toast")).to_have_count(0)


def test_a_game_that_is_kept_no_more_leaves_nothing_to_press(arcade: Arcade, studio: Studio) -> None:
    page = arcade(own=True)
    sockets = joined(page)
    start(page, "zen")
    page.keyboard.press("p")
    phase(page, "paused")
    expect(by(page, "cover")).to_be_visible()
    studio.store.delete(page.url.partition("#")[2])
    for socket in list(sockets):
        socket.close()
    expect(by(page, "menu")).to_be_visible()
    expect(by(page, "cover")).to_be_hidden()


def test_a_closed_dialog_takes_no_key(arcade: Arcade) -> None:
    page = arcade()
    by(page, "menu-options").click()
    by(page, "bind-cw-0").click()
    by(page, "options-close").click()
    start(page, "zen", board=TWO_ROWS)
    page.keyboard.press("Space")
    expect(by(page, "lines")).to_have_text("2")


def test_handling_that_cannot_be_is_not_shown_as_if_it_held(arcade: Arcade) -> None:
    page = arcade()
    by(page, "menu-options").click()
    for wrong in ("999", "0", "2.5", ""):
        by(page, "handling-das").fill(wrong)
        by(page, "handling-das").blur()
        expect(by(page, "handling-das")).to_have_value("10")
    by(page, "handling-das").fill("8")
    by(page, "handling-das").blur()
    expect(by(page, "handling-das")).to_have_value("8")


def test_keys_are_up_when_the_command_key_was(arcade: Arcade) -> None:
    page = arcade()
    by(page, "menu-options").click()
    by(page, "handling-das").fill("20")
    by(page, "handling-das").blur()
    by(page, "options-close").click()
    start(page, "zen", dice=O_FIRST)
    page.keyboard.down("ArrowLeft")
    wait_until(page, lambda: left_end(page) == 3)
    page.keyboard.down("Meta")
    page.keyboard.up("Meta")
    then = frame(page)
    wait_until(page, lambda: frame(page) > then + 30)
    assert left_end(page) == 3
    page.keyboard.up("ArrowLeft")


def test_another_language_leaves_the_focus_where_it_is(arcade: Arcade) -> None:
    page = arcade()
    start(page, "zen")
    page.keyboard.press("p")
    phase(page, "paused")
    by(page, "language").focus()
    by(page, "language").select_option("zh-CN")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(by(page, "language")).to_be_focused()


def test_times_are_whole_hundredths(arcade: Arcade) -> None:
    """2.3 s are 138 frames; as a fraction times 100 they are less than 230."""
    page = arcade()
    film = Film(Level(mode="zen"), Log(Handling(), ((138, 0),)))
    by(page, "film-speed").evaluate("select => { select.value = '16'; }")
    by(page, "menu-file").set_input_files(
        {"name": "film.json", "mimeType": "application/json", "buffer": encode(film)}
    )
    expect(by(page, "time")).to_have_text("0:02.3")


def test_a_style_chosen_in_a_pause_is_what_plays_on(arcade: Arcade) -> None:
    bot.warm()
    page = arcade()
    sent: list[dict[str, object]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(json.loads(data))))
    page.reload()
    by(page, "menu-bot").click()
    wait_until(page, lambda: frame(page) > 5)
    page.keyboard.press("p")
    phase(page, "paused")
    by(page, "cover-style").select_option("marathon")
    by(page, "cover-resume").click()
    phase(page, "playing")
    assert [request["style"] for request in sent if request["type"] == "bot"][-1] == "marathon"
