"""How a game ended: looked at again, and shown to others as text and as a picture."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, copied, lamp, pick, ply, start, words
from tests.waiting import wait_until
from tests.web.test_review import SLIP, SLIPPED

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


def slip(page: Page) -> None:
    """The last pick fills the tray; the one before has left a single one of three that wins."""
    for tile in SLIPPED:
        pick(page, tile)
    expect(page.locator("body")).to_have_attribute("data-standing", "lost")


def test_where_the_tray_just_filled_the_pick_before_is_named(open_page: Open, look: Look) -> None:
    text = words("zh-CN")
    page = open_page(360, 740, "zh-CN", address="#triple:" + SLIP)
    slip(page)
    by(page, "report").click()
    told = text["report.slip"].split("{name}")[0].format(ply=3, move=text["move.triple"])
    expect(by(page, "report-text")).to_contain_text(told)
    expect(by(page, "report-text")).to_contain_text("4 种走法里有 4 种能赢")
    expect(by(page, "turning").locator("small")).to_have_text(["4/4 → 1/3", "致败"])
    expect(by(page, "review-room")).to_have_count(0)
    assert shared(page, "已复制")[2] == "🟩🟩🟨🟥"
    by(page, "report-goto").click()
    ply(page, 2, 4)
    by(page, "report-hint").click()
    expect(page.locator(".tile.hinted")).to_be_visible()
    look(page, "review-slip")


def test_a_result_on_a_phone_has_words_and_leaves_board_and_tray_in_sight(
    open_page: Open, look: Look
) -> None:
    page = open_page(360, 740, "zh-CN", address="#triple:" + SLIP, dark=True)
    slip(page)
    for name in ("report", "card-undo", "card-again", "share-result", "share-picture"):
        label = by(page, name).locator("span")
        expect(label).not_to_be_empty()
        box = label.bounding_box()
        assert box is not None
        assert box["width"] > 20, name
    expect(by(page, "card-repair")).to_have_count(0)  # the level can be won
    tray, card = page.locator(".tray").bounding_box(), by(page, "card-lost").bounding_box()
    assert tray is not None
    assert card is not None
    assert tray["y"] + tray["height"] - 8 <= card["y"]
    assert card["y"] + card["height"] <= 740
    look(page, "result-phone")


def test_what_the_device_shares_with_is_asked(open_page: Open) -> None:
    page = open_page(360, 740, address="#triple:" + SLIP, own=True)
    slip(page)
    page.add_init_script("navigator.share = async (data) => { window.given = data; };")
    page.reload()
    expect(by(page, "share-result")).to_have_text("Share")
    by(page, "share-result").click()
    given = page.evaluate("window.given.text").splitlines()
    assert given[0].startswith("winnable · Triple")
    assert given[3].startswith("triple:" + SLIP), "nobody else finds 127.0.0.1: it is no link"


def test_a_review_goes_on_with_the_game(open_page: Open) -> None:
    page = open_page(address="#drops:0343/4411,drops=5")
    for move in (1, 2):
        page.locator(".cell[data-cell='1']").click()
        ply(page, move)
    by(page, "lamp-why").click()
    expect(by(page, "review-moves")).to_contain_text(words("en")["review.moves"].replace("{n}", "2"))
    for move in (3, 4, 5):
        page.locator(".cell.pickable").first.click()
        ply(page, move)
        expect(by(page, "review-moves")).to_contain_text(
            words("en")["review.moves"].replace("{n}", str(move))
        )
    lines = by(page, "review-graph").locator("path.course")
    expect(lines).to_have_count(5)
    expect(by(page, "report-text")).to_contain_text("click 2")
    by(page, "card-close").click()
    page.keyboard.press("v")
    expect(by(page, "review-graph")).to_be_visible()


def test_a_game_lost_at_its_first_move_has_a_course(open_page: Open) -> None:
    page = open_page(address="#drops:0343/4411,drops=4")
    page.locator(".cell[data-cell='1']").click()
    lamp(page, "lost")
    page.keyboard.press("v")
    expect(by(page, "review-graph").locator("path.course.lost")).to_have_count(1)
    mistake = by(page, "turning").first

    def is_reached() -> bool:
        """A press while the report is still told leads nowhere."""
        page.keyboard.press("v")
        return mistake.get_attribute("aria-current") == "true"

    wait_until(is_reached, "the move that lost it", lambda: page.wait_for_timeout(100))
    ply(page, 0, 1)


def test_a_card_stays_while_more_is_told(open_page: Open) -> None:
    """A report comes in many parts: who has the focus, presses a button or has opened a list goes on."""
    page = open_page(address="#triple:" + SLIP)
    slip(page)
    undo = by(page, "card-undo")
    undo.evaluate("button => button.pressed = true")
    undo.focus()
    page.keyboard.press("v")
    expect(by(page, "turning")).to_have_count(2)
    expect(undo).to_be_focused()
    assert undo.evaluate("button => button.pressed")
    by(page, "review-moves").locator("summary").click()
    by(page, "turning").first.click()
    expect(by(page, "turning").first).to_have_attribute("aria-current", "true")
    expect(by(page, "turning").first).to_be_focused()
    expect(by(page, "review-moves")).to_have_attribute("open", "")
    ply(page, int(by(page, "turning").first.get_attribute("data-ply") or ""))


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
