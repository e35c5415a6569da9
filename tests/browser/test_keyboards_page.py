"""Keys of other scripts, layouts and input methods; and those that are the browser's own."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, ply

pytestmark = pytest.mark.browser

PRESS = """(target, [key, code, more]) => {
    const event = new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...more });
    const taken = !target.dispatchEvent(event);
    target.dispatchEvent(new KeyboardEvent("keyup", { key, code, bubbles: true, ...more }));
    return taken;
}"""
CONTROL, COMMAND, ALT = {"ctrlKey": True}, {"metaKey": True}, {"altKey": True}


def press(page: Page, key: str, code: str, more: dict[str, bool] | None = None, at: str = "body") -> bool:
    """Whether the page took it for itself."""
    return page.locator(at).first.evaluate(PRESS, [key, code, more or {}])


def test_letters_of_every_keyboard(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    page.locator(".tile[data-tile='0']").click()
    ply(page, 1)
    for key in ("u", "U", "г", "υ", "ｕ", "ו", "Process", "Unidentified"):
        assert press(page, key, "KeyU")
        ply(page, 0)
        assert press(page, "к", "KeyR")
        ply(page, 1)
    for more in (CONTROL, COMMAND):
        assert press(page, "я", "KeyZ", more)
        ply(page, 0)
        assert press(page, "Я", "KeyZ", {**more, "shiftKey": True})
        ply(page, 1)
    # What a Latin keyboard writes counts, not where it stands: U and R of Dvorak, Z and Q of AZERTY.
    assert press(page, "u", "KeyF")
    ply(page, 0)
    assert press(page, "r", "KeyO")
    ply(page, 1)
    assert press(page, "z", "KeyW", CONTROL)
    ply(page, 0)
    assert not press(page, ";", "KeyZ", CONTROL), "Dvorak"
    assert not press(page, "q", "KeyA"), "AZERTY"
    assert press(page, "？", "Slash", {"shiftKey": True})
    expect(by(page, "help-dialog")).to_be_visible()


def test_letters_turn_blocks_and_paint_cells(open_page: Open) -> None:
    page = open_page(address="#rotate:rows=4,columns=4,colours=3#2")
    by(page, "board").focus()
    for number, (key, code) in enumerate([("у", "KeyE"), ("ц", "KeyW"), (";", "KeyQ")], 1):
        assert press(page, key, code, at=".rotate-board")
        ply(page, number)
    by(page, "edit-level").click()
    board, code = "[data-testid=editor-board]", by(page, "editor-code")
    for key, value in (("Process", 2), ("1", 1), ("٢", 2), ("１", 1)):
        assert press(page, key, f"Digit{value}", at=board)
        expect(code).to_have_value(re.compile(f"^{value}"))
    assert not press(page, "ArrowLeft", "ArrowLeft", ALT, at=board)


def test_shortcuts_of_the_browser_stay_its_own(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    for at in ("#timeline", "#tab-play", ".tile[data-tile='0']", "body"):
        for key in ("ArrowLeft", "ArrowRight", "Home", "Enter", "u", "Process"):
            for more in (ALT, CONTROL, COMMAND, {**CONTROL, **ALT}):
                code = "KeyU" if len(key) == 1 or key == "Process" else key
                assert not press(page, key, code, more, at), (at, key, more)
    by(page, "new").click()
    assert not press(page, "ArrowLeft", "ArrowLeft", ALT, "#new-games button")
    expect(page.locator("#new-games [data-game=triple]")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Escape")
    ply(page, 0)


def compose(page: Page, field: str) -> None:
    """Enter ends a word, and says nothing to the page; then the word is left."""
    by(page, field).focus()
    client: Any = page.context.new_cdp_session(page)
    client.send("Input.imeSetComposition", {"text": "シ", "selectionStart": 1, "selectionEnd": 1})
    page.keyboard.press("Enter")
    assert press(page, "Process", "Enter", {"isComposing": True}, f"[data-testid={field}]")
    expect(page.locator("dialog[open]")).to_be_visible()
    client.send("Input.insertText", {"text": ""})
    client.detach()


def test_enter_that_ends_a_word_sends_no_dialog(open_page: Open) -> None:
    page = open_page()
    address = page.url
    page.evaluate("addEventListener('submit', () => (window.sent = true), true)")
    for opener, field, close in (
        ("new", "new-text", "new-close"),
        ("tune", "tune-seed", "tune-close"),
    ):
        by(page, opener).click()
        compose(page, field)
        by(page, close).click()
    assert (page.url, page.evaluate("window.sent")) == (address, None)


def test_the_arcade_goes_by_places(open_page: Open) -> None:
    page = open_page(
        address="arcade", ready="[data-testid=menu]", stored={"arcade.looks": '{"countdown": false}'}
    )
    page.evaluate("addEventListener('submit', () => (window.sent = true), true)")
    compose(page, "menu-dice")
    assert page.evaluate("window.sent") is None
    by(page, "menu-dice").fill("3")
    by(page, "menu-play").click()
    body = page.locator("body")
    expect(body).to_have_attribute("data-phase", "playing")
    for key, code in (("я", "KeyZ"), ("q", "KeyA"), ("Process", "ArrowLeft"), ("ArrowLeft", "")):
        assert press(page, key, code), (key, code)
    assert not press(page, "ArrowLeft", "ArrowLeft", ALT)
    assert press(page, "з", "KeyP")
    expect(body).to_have_attribute("data-phase", "paused")
    by(page, "options").click()
    by(page, "bind-left-1").click()
    assert not press(page, "ArrowLeft", "ArrowLeft", ALT), "Back is no key of the game"
    assert press(page, "ф", "KeyA")
    expect(by(page, "bind-left-1")).to_have_text("A")
