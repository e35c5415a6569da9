"""What was undone stays: the branches of a game as its player sees them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, lamp, pick, ply, start, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


def two_branches(page: Page) -> None:
    """Tiles 0, 1; then 0, 3, 1, which is lost. The second one is on the board."""
    start(page, TRAP)
    for number, tile in enumerate((0, 1), 1):
        pick(page, tile)
        ply(page, number)
    lamp(page, "winnable")
    by(page, "undo").click()
    ply(page, 1, 2)
    pick(page, 3)
    ply(page, 2, 2)


def place(page: Page, text: str) -> None:
    expect(by(page, "branches")).to_have_text(text)


def branch(page: Page, action: int):
    return by(page, "branch-list").locator(f"[data-action='{action}']")


def test_an_old_branch_is_a_click_away_also_after_a_reload(open_page: Open, look: Look) -> None:
    page = open_page(address="#triple:" + TRAP)
    pick(page, 0)
    ply(page, 1)
    expect(by(page, "branches")).to_be_hidden()
    two_branches(page)
    lamp(page, "lost")
    place(page, "2/2")
    expect(by(page, "twig")).to_have_attribute("data-ply", "1")
    by(page, "branches").click()
    expect(branch(page, 3)).to_have_attribute("aria-current", "true")
    expect(branch(page, 3)).to_have_attribute("data-verdict", "lost")
    expect(branch(page, 1)).to_have_attribute("data-verdict", "winnable")
    look(page, "branches-1-open")
    branch(page, 1).click()
    place(page, "1/2")
    ply(page, 2, 2)
    lamp(page, "winnable")
    expect(branch(page, 1)).to_have_attribute("aria-current", "true")
    expect(page.locator(".tile[data-tile='3']")).to_be_visible()
    page.reload()
    page.wait_for_selector("body[data-standing=playing]")
    ply(page, 2, 2)
    place(page, "1/2")
    by(page, "branches").click()
    branch(page, 3).click()
    place(page, "2/2")
    lamp(page, "lost")
    page.keyboard.press("Escape")
    expect(by(page, "branch-list")).to_be_hidden()


def test_keys_go_from_branch_to_branch(open_page: Open) -> None:
    page = open_page()
    two_branches(page)
    by(page, "undo").click()
    by(page, "undo").click()
    pick(page, 4)
    ply(page, 1, 1)
    place(page, "2/2")
    page.keyboard.press("b")
    ply(page, 1, 2)
    place(page, "1/2")
    expect(by(page, "live")).to_contain_text("Branch 1 of 2")
    page.keyboard.press("r")
    ply(page, 2, 2)
    place(page, "2/2")
    page.keyboard.press("Shift+B")
    place(page, "1/2")
    expect(by(page, "timeline")).to_have_attribute("aria-valuetext", "Move 2 of 2, Winnable, Branch 1 of 2")
    page.keyboard.press("Shift+B")
    place(page, "2/2")


def test_an_action_that_was_played_before_makes_no_branch(open_page: Open) -> None:
    page = open_page()
    two_branches(page)
    by(page, "undo").click()
    pick(page, 1)
    ply(page, 2, 2)
    place(page, "1/2")
    by(page, "undo").click()
    pick(page, 3)
    place(page, "2/2")


def test_a_double_click_is_no_branch_of_its_own(open_page: Open) -> None:
    page = open_page(address="#rotate:123412/234123/341234/412341/123412/234123")
    by(page, "board").hover()
    by(page, "board").dblclick()
    expect(by(page, "board").locator("xpath=ancestor::*[contains(@class,'turning')]")).to_have_count(0)
    ply(page, 1, 1)
    by(page, "undo").click()
    ply(page, 0, 1)
    expect(by(page, "branches")).to_be_hidden()
    page.keyboard.press("r")
    ply(page, 1, 1)


def test_a_solvers_line_is_played_where_it_began(open_page: Open) -> None:
    """Also when another branch is on the board by then."""
    page = open_page(address="#triple:" + TRAP)
    pick(page, 0)
    ply(page, 1)
    by(page, "solve-exact").click()
    expect(by(page, "solve-result").first).to_have_attribute("data-status", "solved")
    by(page, "undo").click()
    ply(page, 0, 1)
    pick(page, 5)
    ply(page, 1, 1)
    by(page, "watch-speed").evaluate(
        "node => { node.value = node.max; node.dispatchEvent(new Event('input')); }"
    )
    by(page, "solve-play").click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    ply(page, 6, 6)


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_branches_fit_a_small_phone(open_page: Open, look: Look, language: str) -> None:
    page = open_page(360, 740, language)
    two_branches(page)
    lamp(page, "lost")
    said = words("zh-CN" if language == "zh-CN" else "en")
    expect(by(page, "branches")).to_have_attribute("title", said["branches.title"])
    look(page, f"branches-2-phone-{language}")
    by(page, "branches").tap()
    expect(branch(page, 1)).to_be_visible()
    look(page, f"branches-3-phone-open-{language}")
    for node in (branch(page, 1), by(page, "branches")):
        box = node.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    branch(page, 1).tap()
    place(page, "1/2")
