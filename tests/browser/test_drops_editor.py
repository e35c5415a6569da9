"""Drawing a board of drops, and what is told of it while one draws."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, lamp, ply, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

QUIET = "0300/0000/0003"
HARD = (
    "2211112233/1133331212/1132122113/2321111113/3233311331/"
    "3211321312/2331231233/3113223121/1123132212/3332132331"
)


def cell(page: Page, number: int) -> Locator:
    return by(page, "editor-board").locator(f".cell[data-cell='{number}']")


def holds(page: Page, number: int, drops: int) -> None:
    expect(cell(page, number)).to_have_attribute("data-drops", str(drops))


def verdict(page: Page, text: str, kind: str) -> None:
    expect(by(page, "editor-verdict-text")).to_have_text(text)
    expect(by(page, "editor-verdict")).to_have_attribute("data-kind", kind)


def said(key: str, **values: object) -> str:
    text = words("en")[key]
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def draw(page: Page, code: str = "") -> None:
    """Opens the editor on an empty board, or on a code."""
    page.keyboard.press("e")
    expect(by(page, "editor-dialog")).to_be_visible()
    if code:
        by(page, "editor-code").fill(code)


def test_a_board_is_drawn_judged_and_played(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + QUIET)
    lamp(page, "winnable")
    before = page.url
    by(page, "new").click()
    by(page, "new-draw").click()
    expect(by(page, "new-dialog")).to_be_hidden()
    expect(by(page, "editor-board").locator(".cell")).to_have_count(36)
    verdict(page, said("drops.editor.empty"), "open")
    expect(by(page, "editor-play")).to_be_disabled()
    for number, drops in ((0, 1), (14, 4), (35, 3)):
        for _ in range(drops):
            cell(page, number).click()
        holds(page, number, drops)
    verdict(page, said("drops.editor.fewest", n=7), "good")
    expect(by(page, "editor-code")).to_have_value("100000/000000/004000/000000/000000/000003")
    look(page, "editor-1-drawn")
    by(page, "editor-drops").fill("6")
    by(page, "editor-drops").press("Enter")
    verdict(page, said("drops.editor.short.other", n=6, low=7), "bad")
    by(page, "editor-drops").fill("7")
    by(page, "editor-drops").blur()
    verdict(page, said("drops.editor.fewest", n=7) + " " + said("drops.editor.suffices.other", n=7), "good")
    assert page.url == before, "the game on the board is still there"
    by(page, "editor-play").click()
    expect(by(page, "editor-dialog")).to_be_hidden()
    expect(by(page, "tank")).to_have_attribute("data-left", "7")
    expect(page.locator("[data-testid=board] .cell")).to_have_count(36)
    lamp(page, "winnable")


def test_clicks_go_round_and_keys_and_brushes_set_cells(open_page: Open) -> None:
    page = open_page(address="#drops:" + QUIET)
    draw(page)
    for drops in (1, 2, 3, 4, 0, 1):
        cell(page, 7).click()
        holds(page, 7, drops)
    page.keyboard.press("4")
    holds(page, 7, 4)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("3")
    holds(page, 8, 3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    holds(page, 14, 1)
    by(page, "brush-2").click()
    cell(page, 0).click()
    holds(page, 0, 2)
    by(page, "editor-clear").click()
    expect(by(page, "editor-board").locator(".cell[data-drops='0']")).to_have_count(36)


def test_a_drag_paints(open_page: Open) -> None:
    page = open_page(address="#drops:" + QUIET)
    draw(page)
    by(page, "brush-3").click()
    places = [cell(page, number).bounding_box() for number in (6, 11)]
    (x, y), (end, _) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places if box]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(end, y, steps=12)
    page.mouse.up()
    page.mouse.move(end, y + 60, steps=4)
    expect(by(page, "editor-code")).to_have_value("000000/333333/000000/000000/000000/000000")


def test_size_mirrors_and_chance(open_page: Open) -> None:
    page = open_page(address="#drops:" + QUIET)
    draw(page, "1234/0120")
    expect(by(page, "editor-columns")).to_have_value("4")
    by(page, "editor-mirror-x").click()
    expect(by(page, "editor-code")).to_have_value("1221/0110")
    by(page, "editor-mirror-y").click()
    expect(by(page, "editor-code")).to_have_value("1221/1221")
    by(page, "editor-rows").fill("3")
    by(page, "editor-rows").press("Tab")
    expect(by(page, "editor-code")).to_have_value("1221/1221/0000")
    by(page, "editor-columns").fill("33")
    by(page, "editor-columns").press("Tab")
    expect(by(page, "editor-code")).to_have_value("1221/1221/0000")
    expect(page.locator("[data-testid=editor-columns]:invalid")).to_have_count(1)
    by(page, "editor-columns").fill("2")
    by(page, "editor-columns").press("Tab")
    expect(by(page, "editor-code")).to_have_value("12/12/00")
    by(page, "editor-rules").select_option("snappers")
    by(page, "editor-open").check()
    expect(by(page, "editor-code")).to_have_value("12/12/00,rules=snappers,open")
    by(page, "editor-random").click()
    expect(by(page, "editor-code")).to_have_value(
        re.compile(r"[0-4]{2}/[0-4]{2}/[0-4]{2},rules=snappers,open")
    )


def test_codes_come_in_and_go_out(open_page: Open) -> None:
    page = open_page(address="#drops:" + QUIET + ",rules=half,drops=9")
    by(page, "edit-level").click()
    expect(by(page, "editor-code")).to_have_value(QUIET + ",rules=half,drops=9")
    expect(by(page, "editor-rules")).to_have_value("half")
    verdict(page, said("drops.editor.fewest", n=4) + " " + said("drops.editor.suffices.other", n=9), "good")
    cell(page, 0).click()
    expect(by(page, "editor-code")).to_have_value("1300/0000/0003,rules=half,drops=9")
    assert copied(page, "editor-copy") == "1300/0000/0003,rules=half,drops=9"
    by(page, "editor-close").click()
    page.keyboard.press("e")
    expect(by(page, "editor-code")).to_have_value("1300/0000/0003,rules=half,drops=9")
    page.reload()
    expect(page.locator("[data-testid=board] .cell")).to_have_count(12)
    page.keyboard.press("e")
    expect(by(page, "editor-code")).to_have_value("1300/0000/0003,rules=half,drops=9")


BAD = {"12/3": "Row 2", "125": "not a digit", "1,rules=none": "Rules", "1/" * 40 + "1": "over 32"}
"""Boards, and what is said of them."""


def test_the_server_says_at_the_field_what_is_wrong(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + QUIET)
    draw(page)
    for code, cause in BAD.items():
        by(page, "editor-code").fill(code)
        expect(by(page, "editor-error")).to_contain_text(cause)
        expect(by(page, "editor-code")).to_have_attribute("aria-invalid", "true")
        expect(by(page, "editor-code")).to_have_value(code)
        expect(by(page, "editor-play")).to_be_disabled()
        expect(by(page, "toast")).to_have_count(0)
        look(page, "editor-2-error")
        by(page, "editor-code").fill("4")
        expect(by(page, "editor-error")).to_be_hidden()
        verdict(page, said("drops.editor.fewest", n=1), "good")


def test_a_change_ends_the_search_for_the_drawing_before(open_page: Open, look: Look) -> None:
    """The hard board keeps the server busy; the answer to the easy one comes all the same, and stays."""
    page = open_page(address="#drops:" + QUIET)
    lamp(page, "winnable")
    draw(page, HARD)
    expect(by(page, "editor-verdict-text")).to_have_text(re.compile("between|at least"))
    expect(by(page, "editor-verdict")).to_have_attribute("data-done", "false")
    look(page, "editor-3-hard")
    by(page, "editor-code").fill("40/00")
    verdict(page, said("drops.editor.fewest", n=1), "good")
    expect(by(page, "editor-verdict")).to_have_attribute("data-done", "true")
    by(page, "editor-close").click()
    ply(page, 0, 0)
    expect(page.locator("[data-testid=board] .cell")).to_have_count(12)


def test_a_game_without_an_editor_shows_no_way_in(open_page: Open) -> None:
    page = open_page(address="", ready="[data-testid=front-triple]", own=True)
    module = 'export { createBoard } from "/games/triple/board.js";'
    page.route(
        "**/boards/triple.js", lambda route: route.fulfill(content_type="text/javascript", body=module)
    )
    page.goto(f"{page.url}#triple/1-first-steps")
    page.reload()
    lamp(page, "winnable")
    expect(by(page, "edit-level")).to_be_hidden()
    page.keyboard.press("e")
    by(page, "new").click()
    expect(by(page, "new-draw")).to_be_hidden()
    expect(by(page, "editor-dialog")).to_be_hidden()
    by(page, "new-games").get_by_role("radio", name="Drops").click()
    by(page, "new-draw").click()
    expect(by(page, "editor-dialog")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "height", "language", "dark"), [(1280, 800, "en-US", False), (360, 740, "zh-CN", True)]
)
def test_the_editor_fits(
    open_page: Open, look: Look, language: str, width: int, height: int, dark: bool
) -> None:
    page = open_page(width, height, language, address="#drops:" + QUIET, dark=dark)
    if width < 600:
        by(page, "tab-game").click()
    by(page, "edit-level").click()
    if width < 600:
        cell(page, 0).tap()
        holds(page, 0, 1)
    for name in ("brush-cycle", "brush-4", "editor-clear", "editor-play", "editor-rows"):
        box = by(page, name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 40
    assert page.evaluate("document.querySelector('#editor-dialog').scrollWidth") <= width
    by(page, "editor-code").fill("0123401234/1234012340/2340123401/3401234012/4012340123,drops=3")
    text = words("en" if language == "en-US" else language)
    expect(by(page, "editor-play")).to_have_text(text["editor.play"])
    expect(by(page, "editor-verdict-text")).to_have_text(re.compile(r"\d"))
    by(page, "editor-dialog").evaluate("node => node.scrollTo(0, 0)")
    look(page, f"editor-4-{width}-{language}-{'dark' if dark else 'light'}")
