"""An animation in a page of its own: it plays once, is steered by mouse and keys, and waits where motion is
to be reduced."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import winnable
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    board = winnable.load("drops/05-puddle")
    board.animate(["(1,1)", "(2,2)", "(1,1)"], delay=0.05).save(tmp_path / "game.html")
    return tmp_path / "game.html"


PICTURE = """async () => {
  await document.querySelector("img").decode();
  return decodeURIComponent(document.querySelector("img").src.split(",")[1]);
}"""


def test_it_plays_once_and_begins_again(
    browser: Browser, saved: Path, look: Callable[[Page, str], None]
) -> None:
    with browser.new_context(reduced_motion="no-preference") as context:
        page = context.new_page()
        complaints = list[str]()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(saved.as_uri())
        caption, button = page.locator("figcaption"), page.get_by_role("button")
        expect(caption).to_have_text("Move 3 of 3: (1,1)")
        expect(button).to_have_text("Play")
        end = winnable.load("drops/05-puddle").push("(1,1)", "(2,2)", "(1,1)")
        assert page.evaluate(PICTURE) == end.svg()
        look(page, "animation")
        button.click()
        expect(caption).not_to_have_text("Move 3 of 3: (1,1)")
        expect(caption).to_have_text("Move 3 of 3: (1,1)")
        assert not complaints


def test_where_motion_is_reduced_it_waits(browser: Browser, saved: Path, axe: str) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(saved.as_uri())
        slider, caption = page.get_by_role("slider"), page.locator("figcaption")
        expect(caption).to_have_text("Move 0 of 3")
        page.wait_for_timeout(400)
        expect(caption).to_have_text("Move 0 of 3")
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(caption).to_have_text("Move 2 of 3: (2,2)")
        expect(slider).to_have_attribute("aria-valuetext", "Move 2 of 3: (2,2)")
        page.evaluate(axe)
        found = page.evaluate("axe.run('figure')")
        assert [one["id"] for one in found["violations"]] == []
        page.get_by_role("button").click()
        expect(caption).to_have_text("Move 3 of 3: (1,1)", timeout=1000 * PATIENCE)


def test_without_scripts_its_first_picture_is_there(browser: Browser, saved: Path) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(saved.as_uri())
        expect(page.get_by_role("img")).to_have_attribute("alt", "Move 0 of 3")
        expect(page.get_by_role("button")).to_be_hidden()
