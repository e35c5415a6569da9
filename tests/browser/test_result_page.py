"""How a game ended: looked at again, and shown to others as text and as a picture."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, copied, lamp, pick, ply, start

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
PNG = b"\x89PNG\r\n\x1a\n"


def shared(page: Page, told: str = "copied") -> list[str]:
    text = copied(page, "share-result")
    expect(by(page, "toasts")).to_contain_text(told)
    return text.splitlines()


def test_a_result_is_shared_as_text_and_as_a_picture_and_reviewed_by_room(
    open_page: Open, tmp_path: Path
) -> None:
    page = open_page(address="#triple:" + TRAP)
    for tile, verdict in ((0, "winnable"), (3, "lost"), (1, "lost")):
        pick(page, tile)
        lamp(page, verdict)
    expect(by(page, "card-lost")).to_be_visible()
    expect(by(page, "rating")).to_be_visible()
    head, outcome, course, level = shared(page)
    assert head == "winnable · Triple · own board · easy"
    assert outcome.startswith("Lost after 3 picks")
    assert course == "🟩🟥🟥"
    assert level.startswith("triple:")
    with page.expect_download() as download:
        by(page, "share-picture").click()
    download.value.save_as(tmp_path / "result.png")
    content = (tmp_path / "result.png").read_bytes()
    assert content.startswith(PNG)
    assert (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")) == (1200, 630)
    page.keyboard.press("v")
    expect(by(page, "review-room")).to_be_visible()
    figures = by(page, "turning").locator("small")
    expect(figures).to_have_text(["lost it", "6/6 → 2/5"])


def test_a_win_says_whether_it_had_help_and_what_is_over_what_it_came_to(open_page: Open) -> None:
    page = open_page(address="#drops/01-first-drops", language="zh-CN")
    by(page, "watch-step").click()
    expect(by(page, "card-won")).to_be_visible()
    _, outcome, course, _ = shared(page, "已复制")
    assert re.fullmatch(r"通关：1 次点击，用时 0:\d\d · 用过帮助", outcome)
    assert course == "🟩"
    start(page, "2048:2200/1000/0000/0000,goal=8,ends,dice=5")
    expect(page.locator(".g2048-board")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(by(page, "card-over")).to_be_visible()
    assert shared(page, "已复制")[1] == by(page, "card-result").text_content()


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_one_key_reviews_a_game_and_leads_through_its_turning_points(
    open_page: Open, look: Look, language: str, width: int
) -> None:
    """Four clicks at the least and five drops: the first detour is forgiven, the second is not."""
    page = open_page(width, 740, language, address="#drops:0343/4411,drops=5", dark=width < 600)
    for move in range(1, 6):
        page.locator(".cell[data-cell='1']" if move < 3 else ".cell.pickable").first.click()
        ply(page, move)
    expect(page.locator("body")).to_have_attribute("data-standing", "lost")
    page.keyboard.press("v")
    expect(by(page, "review-graph")).to_be_visible()
    look(page, f"review-{language}")
    turning = by(page, "turning")
    expect(turning).to_have_count(2)
    expect(turning.first.locator("small")).to_have_text("致败" if width < 600 else "lost it")
    page.keyboard.press("v")
    expect(turning.first).to_have_attribute("aria-current", "true")
    ply(page, int(turning.first.get_attribute("data-ply") or ""))
    by(page, "review-moves").locator("summary").click()
    expect(by(page, "review-moves").get_by_role("listitem")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
