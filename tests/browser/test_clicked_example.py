"""The examples of boards that are clicked, games of other packages: by pointer and by keyboard."""

import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, ply
from tests.web.studio_harness import Studio, running_studio
from winnable import words
from winnable.contract import registry
from winnable.contract.registry import GAMES, Entry
from winnable.web import boards

pytestmark = pytest.mark.browser
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Generator[Studio]:
    added = [Entry(name, f"winnable_{name}.game:GAME", f"winnable-{name}") for name in ("pegs", "lights")]
    found = (*registry.entries(), *added)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.path", [*(str(EXAMPLES / entry.name / "src") for entry in added), *sys.path])
        for entry in added:
            patch.setitem(GAMES, entry.name, entry)
        boards.draws.cache_clear()
        patch.setattr(registry, "entries", lambda: found)
        words.catalogue.cache_clear()
        with running_studio(tmp_path_factory.mktemp("examples")) as running:
            yield running
    words.catalogue.cache_clear()


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_it_is_clicked_to_a_win(
    open_page: Open, look: Callable[[Page, str], None], width: int, language: str
) -> None:
    page = open_page(width, language=language, address="#lights:oo./o.o/.oo,2")
    lamp(page, "winnable")
    board = by(page, "board")
    expect(board.locator(".lights-lamp")).to_have_count(9)
    expect(board.locator(".lit")).to_have_count(6)
    box = board.locator(".lights-lamp").first.bounding_box()
    assert box is not None
    assert box["width"] > 40
    look(page, f"lights-{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board.locator(".lights-lamp").nth(0).click()
    ply(page, 1)
    expect(board.locator(".lit")).to_have_count(3)
    left = "3 lit, presses left: 1" if width == 1280 else "亮着 3 盏，还能按 1 次"
    expect(page.locator(".lights-told")).to_have_text(left)
    by(page, "hint").click()
    expect(board.locator(".hinted")).to_have_count(1)
    board.locator(".hinted").click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(board.locator(".pickable")).to_have_count(0)


def test_the_keyboard_presses_and_a_screen_reader_hears(open_page: Open) -> None:
    page = open_page(1280, language="en-US", address="#lights:.o./ooo/.o.,1")
    lamp(page, "winnable")
    lamps = by(page, "board").locator(".lights-lamp")
    expect(lamps.nth(4)).to_have_attribute("aria-label", "column 2, row 2: lit")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(lamps.nth(4)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(by(page, "board").locator(".lit")).to_have_count(0)


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_a_peg_is_taken_and_set_down(
    open_page: Open, look: Callable[[Page, str], None], width: int, language: str
) -> None:
    page = open_page(width, language=language, address="#pegs:oo./x.o/...")
    lamp(page, "winnable")
    board = by(page, "board")
    cells = board.locator(".pegs-cell")
    expect(board.locator(".peg")).to_have_count(3)
    box = cells.first.bounding_box()
    assert box is not None
    assert box["width"] > 40
    look(page, f"pegs-{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cells.nth(1).click()  # which cannot jump
    expect(board.locator(".taken")).to_have_count(0)
    cells.nth(0).click()
    expect(board.locator(".pickable")).to_have_count(2)
    expect(cells.nth(0)).to_have_attribute("aria-pressed", "true")
    cells.nth(2).click()
    ply(page, 1)
    label = "column 1, row 1: hole" if width == 1280 else "第 1 列第 1 行：空孔"
    expect(cells.nth(0)).to_have_attribute("aria-label", label)
    by(page, "hint").click()
    expect(board.locator(".hinted")).to_have_count(2)
    board.locator(".hinted.peg").click()
    cells.nth(8).click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(board.locator(".peg")).to_have_count(1)
    expect(board.locator(".pickable")).to_have_count(0)


def test_the_keyboard_jumps_over_what_is_no_cell(open_page: Open) -> None:
    page = open_page(1280, language="en-US", address="#pegs:oo./x.o/...")
    lamp(page, "winnable")
    cells = by(page, "board").locator(".pegs-cell")
    for key, at in (("ArrowDown", 0), ("ArrowDown", 6), ("ArrowUp", 0)):
        page.keyboard.press(key)
        expect(cells.nth(at)).to_be_focused()
    for key in ("Enter", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    ply(page, 1)
    expect(cells.nth(2)).to_be_focused()
    for key in ("Enter", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("body")).to_have_attribute("data-standing", "won")


def test_the_front_page_counts_the_games(open_page: Open) -> None:
    page = open_page(1280, language="en-US", address="", ready="[data-testid=front-triple]")
    expect(by(page, "front-note")).to_contain_text(f"{len(GAMES)} puzzles")
    expect(by(page, "front-lights")).to_be_visible()
