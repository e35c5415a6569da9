"""The arcade as its player has it: keys in a real browser, the rules on a real server."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests import waiting
from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, words
from winnable.games.tetris.levels import fumen
from winnable.games.tetris.modern.page import clock
from winnable.games.tetris.modern.page.protocol import Film
from winnable.games.tetris.modern.players.replay import replay
from winnable.games.tetris.modern.rules import bag
from winnable.levels.files import decode

pytestmark = pytest.mark.browser

Arcade = Callable[..., Page]
Look = Callable[[Page, str], None]

SLOW = 15
"""Frames a second: a key that is let go at once was not held for long, even by a browser that has to wait for
the processor."""
O_FIRST = next(dice for dice in range(100) if bag.piece_of(dice, 0) == "O")
"""An O that is dropped where it appears fills both rows of the board below."""
FULL = fumen.encode([fumen.page_of(["XXXXXXXXX."] * 20)])
"""A piece that is dropped where it appears ends the game."""
TWO_ROWS = fumen.encode([fumen.page_of(["XXXX..XXXX", "XXXX..XXXX", "XX.XXXXXXX"])])


@pytest.fixture
def arcade(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> Arcade:
    """Opens the page, without a countdown."""
    monkeypatch.setattr(clock, "FRAMES_A_SECOND", SLOW)

    def opened(*size: Any, countdown: bool = False, **options: Any) -> Page:
        looks = json.dumps({"countdown": countdown})
        return open_page(
            *size, address="arcade", ready="[data-testid=menu]", stored={"arcade.looks": looks}, **options
        )

    return opened


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    waiting.wait_until(
        holds, lambda: f"another board; the piece is at {piece(page)}", lambda: page.wait_for_timeout(20)
    )


def frame(page: Page) -> int:
    return int(by(page, "board").get_attribute("data-frame") or 0)


def start(
    page: Page, mode: str = "sprint", dice: int = O_FIRST, board: str = "", lines: int | None = None
) -> None:
    by(page, f"mode-{mode}").click()
    by(page, "menu-more").evaluate("more => (more.open = true)")
    by(page, "menu-dice").fill(str(dice))
    by(page, "menu-fumen").fill(board)
    if lines is not None:
        by(page, "menu-lines").fill(str(lines))
    by(page, "menu-play").click()
    phase(page, "playing")
    wait_until(page, lambda: bool(piece(page)))


def phase(page: Page, name: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-phase", name)


def piece(page: Page) -> list[tuple[int, int]]:
    """The cells of the piece in play as they are drawn."""
    text = by(page, "board").get_attribute("data-cells") or ""
    return [(int(x), int(y)) for x, y in (cell.split(",") for cell in text.split())]


def left_end(page: Page) -> int:
    return min((x for x, _ in piece(page)), default=-1)


def pieces(page: Page, name: str, expected: str) -> None:
    expect(by(page, name)).to_have_attribute("data-pieces", expected)


def test_lines_are_cleared_by_keyboard_and_the_game_is_won(arcade: Arcade, look: Look) -> None:
    page = arcade()
    look(page, "arcade-1-menu")
    start(page, board=TWO_ROWS, lines=2)
    expect(by(page, "lines")).to_have_text("0 / 2")
    look(page, "arcade-2-playing")
    page.keyboard.press("Space")
    phase(page, "over")
    expect(by(page, "cover-title")).to_have_text(words("en")["arcade.won"])
    expect(by(page, "cover-figures")).to_contain_text("2")
    expect(by(page, "live")).to_contain_text(words("en")["arcade.won"])
    expect(by(page, "callout")).to_contain_text(words("en")["arcade.clear.double"])
    look(page, "arcade-3-won")
    by(page, "cover-again").click()
    phase(page, "playing")
    expect(by(page, "lines")).to_have_text("0 / 2")


def test_keys_move_turn_and_hold(arcade: Arcade) -> None:
    page = arcade()
    start(page, "zen")
    order = "".join(bag.piece_of(O_FIRST, number) for number in range(12))
    pieces(page, "next", order[1:6])
    pieces(page, "hold", "")
    page.keyboard.press("ArrowLeft")
    wait_until(page, lambda: left_end(page) == 3)
    page.keyboard.press("c")
    pieces(page, "hold", "O")
    pieces(page, "next", order[2:7])
    before = {x for x, _ in piece(page)}
    page.keyboard.press("x")
    wait_until(page, lambda: len({x for x, _ in piece(page)}) != len(before))
    page.keyboard.down("ArrowLeft")
    wait_until(page, lambda: left_end(page) == 0)
    page.keyboard.up("ArrowLeft")
    page.keyboard.press("Space")
    pieces(page, "next", order[3:8])


def test_a_pause_stands_still_and_a_reload_goes_on(arcade: Arcade, look: Look) -> None:
    page = arcade()
    start(page, "marathon")
    order = "".join(bag.piece_of(O_FIRST, number) for number in range(12))
    page.keyboard.press("Space")
    pieces(page, "next", order[2:7])
    page.keyboard.press("Escape")
    phase(page, "paused")
    # the last frame that came before the pause is painted after it is told
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    then = frame(page)
    look(page, "arcade-4-paused")
    page.wait_for_timeout(300)
    assert frame(page) == then
    page.reload()
    phase(page, "paused")
    pieces(page, "next", order[2:7])
    expect(by(page, "menu")).to_be_hidden()
    by(page, "cover-resume").click()
    phase(page, "playing")
    page.keyboard.press("Space")
    pieces(page, "next", order[3:8])
    page.reload()
    phase(page, "paused")
    page.keyboard.press("p")
    phase(page, "playing")


def test_a_replay_is_watched_saved_and_loaded(arcade: Arcade, look: Look) -> None:
    page = arcade()
    start(page, board=TWO_ROWS, lines=2)
    page.keyboard.press("ArrowLeft")
    wait_until(page, lambda: left_end(page) == 3)
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: left_end(page) == 4)
    page.keyboard.press("Space")
    phase(page, "over")
    with page.expect_download() as download:
        by(page, "cover-save").click()
    path = download.value.path()
    film = decode(path.read_bytes(), Film)
    assert replay(film.level, film.log).status == "won"
    by(page, "cover-watch").click()
    phase(page, "watching")
    look(page, "arcade-5-replay")
    by(page, "film-speed").select_option("16")
    expect(by(page, "film-play")).to_have_text(words("en")["arcade.film.play"])
    expect(by(page, "lines")).to_have_text("2 / 2")
    by(page, "film-leave").click()
    phase(page, "over")
    by(page, "to-menu").click()
    by(page, "menu-file").set_input_files(path)
    phase(page, "watching")
    by(page, "film-leave").click()
    phase(page, "over")


def test_the_board_is_copied_as_a_fumen(arcade: Arcade) -> None:
    page = arcade()
    start(page, "zen", board=TWO_ROWS)
    page.keyboard.press("p")
    assert fumen.decode(copied(page, "cover-copy"))[0].board[0] == "XXXX..XXXX"
    expect(by(page, "toast")).to_contain_text("fumen")


def test_what_the_menu_refuses_is_said_there(arcade: Arcade) -> None:
    page = arcade()
    by(page, "menu-fumen").fill("v110@7eC")
    by(page, "menu-play").click()
    expect(by(page, "menu-error")).to_contain_text("fumen")
    by(page, "menu-fumen").fill("")
    by(page, "menu-lines").fill("0")
    by(page, "menu-play").click()
    expect(by(page, "menu-error")).to_contain_text(words("en")["arcade.lines.goal"])
    by(page, "menu-lines").fill("40")
    by(page, "menu-play").click()
    phase(page, "playing")


def test_keys_are_assigned_anew_and_remembered(arcade: Arcade, look: Look) -> None:
    page = arcade()
    by(page, "menu-options").click()
    by(page, "bind-hard-0").click()
    page.keyboard.press("w")
    expect(by(page, "bind-hard-0")).to_have_text("W")
    by(page, "bind-cw-0").click()
    page.keyboard.press("Escape")
    expect(by(page, "bind-cw-0")).to_have_text("Esc")
    expect(by(page, "bind-pause-1")).to_have_text("–")
    by(page, "look-letters").check()
    by(page, "handling-arr").fill("0")
    by(page, "handling-arr").blur()
    look(page, "arcade-6-options")
    page.reload()
    expect(by(page, "menu")).to_be_visible()
    start(page, "zen", board=TWO_ROWS)
    page.keyboard.press("w")
    expect(by(page, "lines")).to_have_text("2")
    look(page, "arcade-7-letters")


def test_b9_b11_arrows_move_and_space_pauses_the_articles_game(arcade: Arcade, look: Look) -> None:
    page = arcade()
    start(page, "article")
    assert len(by(page, "next").get_attribute("data-pieces") or "") == 1
    expect(by(page, "hold")).to_be_hidden()
    before = left_end(page)
    page.keyboard.press("ArrowLeft")
    wait_until(page, lambda: left_end(page) == before - 1)
    look(page, "arcade-8-article")
    page.keyboard.press("Space")
    phase(page, "paused")
    page.keyboard.press("p")
    phase(page, "playing")


def test_a_hidden_page_pauses_and_sound_is_off_until_asked_for(arcade: Arcade) -> None:
    page = arcade()
    start(page, "endless")
    expect(by(page, "sound")).to_have_attribute("aria-pressed", "false")
    by(page, "sound").click()
    expect(by(page, "sound")).to_have_attribute("aria-pressed", "true")
    for pressed in ("false", "true"):
        page.keyboard.press("m")
        expect(by(page, "sound")).to_have_attribute("aria-pressed", pressed)
    page.keyboard.press("Space")
    wait_until(page, lambda: by(page, "points").text_content() != "0")
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    phase(page, "paused")


def test_again_after_a_reload_begins_with_the_same_board(arcade: Arcade) -> None:
    page = arcade()
    start(page, board=TWO_ROWS, lines=2)
    page.keyboard.press("Space")
    phase(page, "over")
    page.reload()
    phase(page, "over")
    page.keyboard.press("r")
    phase(page, "playing")
    page.keyboard.press("Space")
    phase(page, "over")
    expect(by(page, "lines")).to_have_text("2 / 2")


def test_another_tab_takes_the_game_over(arcade: Arcade) -> None:
    page = arcade()
    start(page, "zen")
    other = page.context.new_page()
    other.goto(page.url)
    phase(other, "paused")
    expect(by(page, "menu")).to_be_visible()
    expect(by(page, "toast")).to_contain_text(words("en")["arcade.taken"])


def joined(page: Page) -> list[WebSocketRoute]:
    """Loads the page again, with both ends of its connection for whoever wants to cut it."""
    sockets: list[WebSocketRoute] = []

    def join(socket: WebSocketRoute) -> None:
        sockets[:] = [socket, socket.connect_to_server()]

    page.route_web_socket("**/ws/arcade", join)
    page.reload()
    expect(by(page, "menu")).to_be_visible()
    return sockets


def test_a_lost_connection_is_mended_and_the_game_waits(arcade: Arcade) -> None:
    page = arcade(own=True)
    sockets = joined(page)
    start(page, "zen")
    order = "".join(bag.piece_of(O_FIRST, number) for number in range(12))
    page.keyboard.press("Space")
    pieces(page, "next", order[2:7])
    for socket in list(sockets):
        socket.close()
    expect(by(page, "offline")).to_be_visible()
    phase(page, "paused")
    expect(by(page, "offline")).to_be_hidden()
    by(page, "cover-resume").click()
    phase(page, "playing")
    page.keyboard.press("Space")
    pieces(page, "next", order[3:8])


def test_the_countdown_leads_into_the_game(arcade: Arcade) -> None:
    page = arcade(countdown=True)
    by(page, "menu-play").click()
    expect(page.locator("#countdown")).to_be_visible()
    phase(page, "playing")
    expect(page.locator("#countdown")).to_be_hidden()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_it_fits_a_small_phone_and_is_played_by_touch(arcade: Arcade, look: Look, language: str) -> None:
    page = arcade(360, 740, language)
    expect(page.locator("#menu-heading")).to_be_in_viewport()
    look(page, f"arcade-9-phone-menu-{language}")
    if language == "zh-CN":
        expect(by(page, "mode-sprint")).to_contain_text(words("zh-CN")["arcade.mode.sprint"])
        assert page.title().startswith(words("zh-CN")["page.arcade"])
    start(page, "zen", board=TWO_ROWS)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("left", "right", "soft", "hard", "cw", "ccw", "half", "hold"):
        box = by(page, f"touch-{name}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= 740
        assert min(box["width"], box["height"]) >= 40, f"{name} is too small for a finger"
    board = by(page, "board").bounding_box()
    assert board is not None
    assert board["width"] >= 180
    by(page, "touch-left").tap()
    wait_until(page, lambda: left_end(page) == 3)
    by(page, "touch-right").tap()
    wait_until(page, lambda: left_end(page) == 4)
    look(page, f"arcade-10-phone-{language}")
    by(page, "touch-hard").tap()
    expect(by(page, "lines")).to_have_text("2")
    by(page, "pause").click()
    phase(page, "paused")
    look(page, f"arcade-11-phone-paused-{language}")


def test_in_the_dark_with_motion(arcade: Arcade, look: Look) -> None:
    page = arcade(1100, 700, "zh-CN", motion=True, dark=True)
    start(page, "endless", board=TWO_ROWS)
    page.keyboard.press("Space")
    expect(by(page, "callout")).to_have_class(re.compile(r"\bon\b"))
    page.wait_for_timeout(250)
    look(page, "arcade-12-dark")


def test_the_studio_leads_to_the_arcade_and_back(arcade: Arcade) -> None:
    page = arcade()
    by(page, "menu-close").click()
    by(page, "brand").click()
    expect(by(page, "front")).to_be_visible()
    by(page, "arcade").click()
    expect(by(page, "menu")).to_be_visible()
    by(page, "menu-close").click()
    by(page, "brand").click()
    expect(by(page, "front")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    by(page, "new").click()
    by(page, "new-arcade").click()
    expect(by(page, "menu")).to_be_visible()


@pytest.mark.parametrize("width", [320, 360, 640])
def test_the_button_that_begins_is_in_sight_and_a_result_can_be_shared(arcade: Arcade, width: int) -> None:
    page = arcade(width, 560)
    expect(by(page, "menu-play")).to_be_in_viewport(ratio=1)
    expect(by(page, "menu-fumen")).to_be_visible(visible=width > 640)
    by(page, "menu-more").locator("summary").click()
    start(page, "endless", dice=7, board=FULL)
    page.keyboard.press("Space")
    phase(page, "over")
    text = copied(page, "cover-share")
    assert text.startswith("winnable · Arcade · Endless")
    assert "Pieces:" in text
    assert text.endswith("7")
