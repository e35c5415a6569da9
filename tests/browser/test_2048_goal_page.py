"""2048 with a goal: the page says the chance to make it, and whether it was made."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
SMALL = "2048:12/20,goal=16,dice=3"
FAR = "2048:12/20,goal=64,dice=3"


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_lamp_values_and_hint_say_the_chance(open_page: Open, look: Look, width: int, language: str) -> None:
    page = open_page(width, 740, language, address="", ready="[data-testid=front-2048]")
    start(page, SMALL)
    goal = words("zh-CN" if language == "zh-CN" else "en")["lamp.goal.exact"].replace("{share}", "")
    lamp = by(page, "lamp-verdict")
    expect(lamp).to_contain_text(goal)
    expect(by(page, "level-title")).to_be_visible()
    page.keyboard.press("x")
    values = by(page, "2048-values").locator("output")
    for said in values.all_inner_texts():
        assert said.endswith("%")
    by(page, "hint").click()
    expect(by(page, "hint-note")).to_contain_text(goal)
    look(page, f"2048-goal-{width}-{language}")


def test_a_game_that_missed_its_goal_says_so_and_reviews_chances(open_page: Open, look: Look) -> None:
    page = open_page(address="", ready="[data-testid=front-2048]")
    start(page, FAR)
    for _ in range(40):
        if page.locator("body[data-standing=over]").count():
            break
        for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
            by(page, "board").press(key)
    expect(page.locator(".card h2")).to_have_text("Goal missed: 64")
    page.keyboard.press("v")
    expect(by(page, "review-graph")).to_contain_text(words("en")["review.chance"])
    look(page, "2048-missed")


def start(page: Page, level: str) -> None:
    by(page, "new").click()
    by(page, "new-text").fill(level)
    by(page, "new-start").click()
    expect(by(page, "board")).to_be_visible()
