"""What a screen reader hears of a game: where it is, the board, what an action did, where a hint points."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, start

pytestmark = pytest.mark.browser


def heard(page: Page, text: str) -> None:
    expect(by(page, "live")).to_contain_text(re.compile(text))


def test_a_game_that_opens_has_the_focus_on_its_name(open_page: Open) -> None:
    page = open_page(address="", ready="[data-testid=front-triple]")
    headings = page.locator("#front-games h2").all_text_contents()
    assert len(headings) > 5
    assert headings == page.locator("#front-games strong").all_text_contents()
    by(page, "front-triple-play").click()
    expect(by(page, "level-title")).to_be_focused()
    start(page, "drops:402204/304403,drops=3")
    expect(page.locator(".drops")).to_be_visible()
    expect(by(page, "level-title")).to_be_focused()


def test_triple_tells_what_went_and_what_it_opened(open_page: Open) -> None:
    page = open_page(address="#triple:7:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0/1@32.0")
    page.locator(".tile.pickable[data-tile='5']").click()
    heard(page, r"To the tray: .*, column 5, row 1\. Now open: .*, column 5, row 1\.")
    for number in (0, 1, 2):
        page.locator(f".tile.pickable[data-tile='{number}']").click()
        ply(page, number + 2)
    heard(page, r"To the tray: .*, column 3, row 1\. Three alike vanish\.")
    by(page, "hint").click()
    expect(by(page, "hint-note")).to_contain_text(re.compile(r"Hint: .+, column \d, row 1"))


def test_rotate_tells_all_cells_and_what_a_turn_made(open_page: Open) -> None:
    page = open_page(address="#rotate:1122/1212/1212/1122")
    rows = by(page, "spoken").locator("li")
    expect(rows).to_have_text(["Row 1: 1 1 2 2", "Row 2: 1 2 1 2", "Row 3: 1 2 1 2", "Row 4: 1 1 2 2"])
    by(page, "board").press("Enter")
    heard(page, r"Turned clockwise: .*\. There it is now 2 2, 1 1\.")
    expect(rows.nth(1)).to_have_text("Row 2: 1 2 2 2")
    by(page, "undo").click()
    heard(page, r"\d+ of \d+ moves keeps? the game as short as it can be")


def test_tetris_tells_the_wall_and_where_a_piece_lands(open_page: Open) -> None:
    page = open_page(address="#tetris:-,width=4,height=6,preview,dice=3")
    board = by(page, "board")
    told = re.compile(r"0 holes; piece \w, turn 0×, .*lands in columns .*; Next piece: \w$")
    expect(board).to_have_attribute("aria-label", told)
    page.keyboard.press("ArrowLeft")
    heard(page, r"column 1, lands in columns 1 to \d, rows 1 to \d from the ground")
    page.keyboard.press("Enter")
    heard(page, r"\w lies in columns 1 to \d, rows 1 to \d from the ground; \d lines cleared\.")
    heard(page, r"Piece \w\. Next piece: \w")
    lowest = re.compile(r"^Row 1 from the ground: [x.]( [x.]){3}$")
    expect(by(page, "spoken").locator("li").last).to_have_text(lowest)


def test_drops_says_which_axis_is_which(open_page: Open) -> None:
    page = open_page(address="#drops:402204/304403,drops=3")
    by(page, "hint").click()
    expect(by(page, "hint-note")).to_contain_text(re.compile(r"\((\d),(\d)\), that is column \1, row \2"))
