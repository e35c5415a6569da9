"""Boards of 2048 as text, in the editor and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_2048_page import open_level, shows
from tests.browser.test_studio_page import by, copied, start, words
from winnable.contract.registry import load_game
from winnable.games.game2048.levels.text import format_board, parse_board
from winnable.games.game2048.rules.puzzle import DOWN, Seeded2048
from winnable.levels.files import shipped_levels

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


def test_a_board_in_hex_is_opened_and_copied(open_page: Open) -> None:
    page = open_level(open_page, "-,dice=3")
    for text in ("1230000000010000", "12a40/0f001"):
        start(page, text)
        shows(page, parse_board(text).cells)
        assert copied(page, "2048-copy") == text
        expect(by(page, "toast").last).to_be_visible()


def test_the_page_reads_and_writes_boards_as_the_server_does(open_page: Open) -> None:
    page = open_level(open_page, "-")
    game = load_game("2048")
    codes = [format_board(level) for _, level in shipped_levels(game)]
    codes += ["-,rows=2,columns=8,goal=34359738368,ends,fours=0,dice=9007199254740991", "1z/00,fours=100"]
    read = """async (text) => {
        const { readBoard, writeBoard } = await import("/games/2048/notation.js");
        const board = readBoard(text);
        return board && writeBoard(board, board);
    }"""
    for code in codes:
        assert page.evaluate(read, code) == code
    for bad in ("", "1", "12/3", "1!/00", "12/21,ends", "-,goal=12", "-,rows=9", "-,fours=101", "-,x=1"):
        assert page.evaluate(read, bad) is None, bad


def test_the_editor_makes_a_level(open_page: Open, look: Look) -> None:
    page = open_level(open_page, "-,rows=2,columns=3")
    page.keyboard.press("e")
    expect(by(page, "editor-dialog")).to_be_visible()
    code, verdict = by(page, "editor-code"), by(page, "editor-verdict")
    code.fill("12/21")
    expect(by(page, "editor-error")).to_contain_text("no tile can move")
    by(page, "editor-columns").fill("3")
    by(page, "editor-columns").press("Enter")
    expect(code).to_have_value("120/210")
    expect(verdict).to_contain_text(words("en")["2048.editor.fine"].replace("{sum}", "12"))
    by(page, "brush-a").click()
    box = by(page, "editor-board").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.85, box["y"] + box["height"] * 0.25)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("a")
    by(page, "editor-goal").select_option(label="4096")
    by(page, "editor-ends").check()
    by(page, "editor-fours").fill("50")
    by(page, "editor-fours").press("Enter")
    expect(code).to_have_value("12a/21a,goal=4096,ends,fours=50")
    look(page, "2048-4-editor")
    by(page, "editor-play").click()
    shows(page, (1, 2, 10, 2, 1, 10))
    expect(by(page, "2048-goal")).to_have_text("4096")
    by(page, "board").press("ArrowDown")
    puzzle = Seeded2048(parse_board("12a/21a,goal=4096,ends,fours=50"))
    after = puzzle.apply(puzzle.initial(), DOWN).state
    shows(page, after)
    by(page, "edit-level").click()
    expect(code).to_have_value(f"12{after[2]}/21b,goal=4096,ends,fours=50")
    by(page, "editor-clear").click()
    expect(code).to_have_value("-,rows=2,columns=3,goal=4096,ends,fours=50")
    expect(verdict).to_contain_text(words("en")["2048.editor.beginning"])


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_it_fits_a_phone(open_page: Open, look: Look, language: str) -> None:
    large = "/".join(["h" * 8] * 7 + ["h" * 6 + "00"])
    page = open_level(open_page, f"{large},goal=2048", width=360, height=740, language=language)
    expect(by(page, "tile")).to_have_count(62)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for tile in (by(page, "tile").first, by(page, "tile").last):
        face, text = tile.locator("rect").bounding_box(), tile.locator("text").bounding_box()
        assert face is not None
        assert text is not None
        assert face["x"] <= text["x"]
        assert text["x"] + text["width"] <= face["x"] + face["width"]
        assert text["height"] >= 9
    assert by(page, "tile").first.text_content() == "131072"
    for name in ("2048-copy", "2048-again"):
        box = by(page, name).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 40
    look(page, f"2048-5-phone-{language}")
