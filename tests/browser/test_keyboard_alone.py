"""Whole levels by keyboard alone, and what a screen reader hears of them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, ply, words
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

FOCUS_ON_BOARD = "document.activeElement.matches('.board:focus-visible, .board :focus-visible')"
ONE_TURN = "1122/1212/1212/1122"
HEARD = "[...document.querySelectorAll('#live p')].map((node) => node.textContent)"


def reach_board(page: Page) -> None:
    """From the beginning of the page, by Tab alone; nothing beside the board comes first."""
    expect(page.locator(".board").first).to_be_visible()
    for _ in range(15):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUS_ON_BOARD):
            return
        assert not page.evaluate("Boolean(document.activeElement.closest('#stage'))"), (
            "no board, but beside it"
        )
    raise AssertionError("the board cannot be reached")


def play(page: Page, key: str) -> None:
    """A key that takes an action, which is heard once."""
    before = int(by(page, "timeline").get_attribute("aria-valuenow") or "")
    page.evaluate("document.querySelector('#live').replaceChildren()")
    page.keyboard.press(key)
    ply(page, before + 1)
    wait_until(lambda: page.evaluate(HEARD), "news", lambda: page.wait_for_timeout(20))
    heard = page.evaluate(HEARD)
    assert len(set(heard)) == len(heard)


def ends(page: Page, standing: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-standing", standing)
    told = page.locator("#live p").last
    expect(told).to_contain_text("Won after" if standing == "won" else words("en")["over.title"])


def test_triple(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    reach_board(page)
    expect(page.locator(":focus")).to_have_attribute("aria-label", "clover, column 1, row 1")
    for left in range(6, 0, -1):
        assert page.evaluate(FOCUS_ON_BOARD)
        play(page, "Enter" if left % 2 else "Space")
    ends(page, "won")


def test_drops(open_page: Open) -> None:
    page = open_page(address="#drops:402204/304403,drops=3")
    reach_board(page)
    for played in range(2):
        page.keyboard.press("h")
        expect(page.locator(".hinted")).to_have_count(1)
        assert page.evaluate(FOCUS_ON_BOARD)
        play(page, "Enter")
        ply(page, played + 1)
    ends(page, "won")


def test_rotate(open_page: Open) -> None:
    page = open_page(address="#rotate:" + ONE_TURN)
    reach_board(page)
    expect(page.locator(":focus")).to_have_attribute("aria-label", re.compile("side 2: 2 1, 2 1$"))
    play(page, "Enter")
    ends(page, "won")


def test_2048(open_page: Open) -> None:
    page = open_page(address="#2048:-,rows=2,columns=2,dice=3")
    reach_board(page)
    standing = page.locator("body")
    while standing.get_attribute("data-standing") == "playing":
        assert page.evaluate(FOCUS_ON_BOARD)
        for key in ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
        page.wait_for_timeout(50)
    ends(page, "over")


def test_tetris(open_page: Open) -> None:
    page = open_page(address="#tetris:-,width=4,height=6,dice=3")
    reach_board(page)
    standing = page.locator("body")
    page.keyboard.press("ArrowRight")
    expect(by(page, "live")).to_contain_text("column")
    while standing.get_attribute("data-standing") == "playing":
        assert page.evaluate(FOCUS_ON_BOARD)
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
    ends(page, "over")


def test_dialogs_begin_with_their_first_choice_and_give_the_focus_back(open_page: Open) -> None:
    page = open_page()
    for name in ("settings", "new", "tune", "help"):
        opener = by(page, name)
        opener.focus()
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open] :focus")).to_have_count(1)
        # Where rules are all that there is, one reads and closes.
        on_close = page.evaluate("document.activeElement.classList.contains('close')")
        assert on_close == (name == "help"), name
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()
