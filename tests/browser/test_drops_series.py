"""The two series of drops in one dialog, and the tank that gains by bursts."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_drops_page import Look, click, drops_at, flying, left, standing
from tests.browser.test_studio_page import by, lamp, ply, words

pytestmark = pytest.mark.browser

FIRST = "#drops/article-01-fountain"


def bursts(page: Page, count: int) -> None:
    expect(by(page, "tank-next")).to_have_attribute("data-bursts", str(count))
    expect(page.locator(".tank-next .full")).to_have_count(count)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_a9_a10_both_series_are_chosen_in_one_dialog(open_page: Open, look: Look, language: str) -> None:
    page = open_page(language="en-US" if language == "en" else language, address="#drops/12-drizzle")
    said, place = words(language), by(page, "levels-place")
    expect(place).to_have_text("Level 12 of 30" if language == "en" else "第 12 / 30 关")
    by(page, "levels-open").click()
    dialog = by(page, "levels-list")
    expect(dialog.get_by_test_id("shipped-level")).to_have_count(60)
    titles = [said["series.drops"], said["series.drops.article"]]
    expect(dialog.get_by_test_id("series")).to_have_text(titles)
    look(page, f"drops-series-dialog-{language}")
    dialog.locator("[data-level^='drops/article-30-']").click()
    expect(place).to_have_text(said["levels.place"].format(n=30, all=30))
    expect(by(page, "level-after")).to_be_disabled()
    left(page, 10)
    expect(page.locator(".cell.pickable")).to_have_count(36)
    look(page, f"drops-series-30-{language}")
    by(page, "level-before").click()
    expect(place).to_have_text(said["levels.place"].format(n=29, all=30))
    by(page, "new").click()
    series = by(page, "new-levels").get_by_test_id("series")
    expect(series).to_have_text(titles)
    cards = by(page, "new-levels").get_by_test_id("shipped-level")
    expect(cards.first).to_be_hidden()
    expect(cards.last).to_be_visible()
    series.first.click()
    expect(cards.first).to_be_visible()
    look(page, f"drops-series-new-{language}")


@pytest.mark.parametrize("width", [1280, 360])
def test_a5_a6_the_tank_gains_with_every_third_burst(open_page: Open, look: Look, width: int) -> None:
    page = open_page(
        width, 740, language="zh-CN", address="#drops:40010/00000/00000/00404,drops=6,every=3,open"
    )
    left(page, 6)
    bursts(page, 0)
    click(page, 1, 1, 5)
    left(page, 5)
    bursts(page, 1)
    click(page, 1, 3, 5)
    drops_at(page, 10, 1)
    left(page, 4)
    bursts(page, 1)
    click(page, 3, 4, 5)
    left(page, 4)
    bursts(page, 0)
    look(page, f"drops-tank-{width}")
    by(page, "undo").click()
    left(page, 4)
    bursts(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(by(page, "stars")).to_be_hidden()


def test_a6_the_marks_fill_while_droplets_fly(open_page: Open, look: Look) -> None:
    page = open_page(motion=True, address="#drops:444444444/000000000/000000001,drops=5,every=3,open")
    click(page, 1, 1, 9)
    flying(page, True)
    expect(by(page, "tank-gain")).to_have_text(re.compile(r"\+[12]"))
    look(page, "drops-tank-flying")
    flying(page, False)
    left(page, 7)
    bursts(page, 0)
    expect(by(page, "tank-gain")).to_have_text("+3")


def test_a11_a_level_of_the_article_is_won_with_its_tank(open_page: Open) -> None:
    page = open_page(address=FIRST)
    lamp(page, "winnable")
    while page.locator("body").get_attribute("data-standing") == "playing":
        before = int(by(page, "timeline").get_attribute("aria-valuenow") or 0)
        by(page, "hint").click()
        page.locator(".cell.hinted").click()
        ply(page, before + 1)
    standing(page, "won")
    expect(by(page, "card-stars")).to_have_count(0)


def test_a18_level_30_is_lost_until_it_is_cheated(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops/article-30-all-ones")
    lamp(page, "lost")
    for drops in (20, 30, 40):
        by(page, "cheat").click()
        left(page, drops)
    lamp(page, "winnable")
    look(page, "drops-series-30-cheated")


def test_a27_level_30s_line_is_told_first_and_the_cheat_stands_beside_it(open_page: Open, look: Look) -> None:
    """Where the program of the article prints a solution; it is not played until the tank carries it."""
    page = open_page(1280, 900, "zh-CN", address="#drops/article-30-all-ones")
    lamp(page, "lost")
    by(page, "solve-a").click()
    result = by(page, "solve-result").first
    expect(result.locator("strong")).to_have_text("62 次点击，水缸要从 51 滴水开始（本关是 10 滴）")
    expect(by(page, "solve-clicks").locator("li")).to_have_count(62)
    expect(by(page, "solve-play")).to_have_count(0)
    look(page, "drops-series-30-short")
    by(page, "solve-cheat").click()
    left(page, 60)
    expect(result).to_have_attribute("data-status", "solved")
    expect(by(page, "solve-cheat")).to_have_count(0)
    expect(by(page, "solve-play")).to_be_visible()


def test_what_an_endless_game_does_not_take_is_not_asked_for(open_page: Open) -> None:
    page = open_page(address="#drops/01-first-drops")
    by(page, "new").click()
    by(page, "param-density").fill("130")
    by(page, "param-mode").select_option("flash")
    expect(by(page, "param-density")).to_be_hidden()
    expect(by(page, "new-text")).to_have_value(re.compile(r"^drops:mode=flash#\d+$"))
    by(page, "new-start").click()
    left(page, 10)
