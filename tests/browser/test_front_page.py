"""The front page, the way back to it, and what a fresh browser finds there."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, lamp, pick, ply, start, words
from tests.waiting import wait_until
from tests.web.studio_harness import Studio
from winnable.contract import clock
from winnable.contract.registry import GAMES

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


def front(open_page: Open, **options: object) -> Page:
    return open_page(address="", ready="[data-testid=front-2048]", **options)


def playing(page: Page, game: str) -> None:
    expect(page.locator(f"body[data-view=game][data-game='{game}'][data-standing=playing]")).to_be_visible()
    expect(by(page, "board")).to_be_visible()


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_f1_all_games_are_on_the_front_page(open_page: Open, look: Look, width: int, language: str) -> None:
    page = front(open_page, width=width, language=language)
    loaded = "node => (node.scrollIntoView(), node.complete && node.naturalWidth > 0)"
    for name in [*GAMES, "arcade"]:
        picture = by(page, f"front-{name}").locator("img")
        expect(picture).to_be_visible()
        wait_until(lambda picture=picture: picture.evaluate(loaded), f"the picture of {name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(by(page, "front-tetris")).to_contain_text("俄罗斯方块" if language == "zh-CN" else "Tetris")
    look(page, f"front-{width}-{language}")


@pytest.mark.parametrize("name", GAMES)
def test_a_card_and_todays_level_are_one_click_away(open_page: Open, name: str) -> None:
    page = front(open_page)
    by(page, f"front-{name}-play").click()
    playing(page, name)
    page.go_back()
    expect(by(page, "front")).to_be_visible()
    by(page, f"front-{name}-daily").click()
    playing(page, name)
    expect(by(page, "level-title")).to_have_text(f"Daily · {clock.today():%b} {clock.today().day}")


def test_the_keyboard_reaches_the_games(open_page: Open) -> None:
    page = front(open_page)
    by(page, "front-drops-play").focus()
    for name in ("article", "daily", "days"):
        page.keyboard.press("Tab")
        expect(by(page, f"front-drops-{name}")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    playing(page, "drops")


ARTICLES = {
    "triple": "triple:#",
    "drops": "drops/article-01-fountain",
    "tetris": "tetris/7-the-articles-game",
    "rotate": "rotate:scramble=6#",
    "2048": "2048/2-the-articles-1024",
}


def test_each_articles_game_is_one_click_away(open_page: Open, studio: Studio) -> None:
    page = front(open_page, language="zh-CN")
    for name, level in ARTICLES.items():
        line = by(page, f"front-{name}-article")
        expect(line).to_contain_text("原文的游戏")
        line.click()
        playing(page, name)
        session = page.url.rpartition("#")[2]
        assert studio.store.load(session).level_id.startswith(level)
        by(page, "brand").click()
        expect(by(page, "front")).to_be_visible()


def test_m11_back_leads_to_where_one_came_from(open_page: Open) -> None:
    page = front(open_page)
    by(page, "front-drops-play").click()
    playing(page, "drops")
    start(page, TRAP)
    playing(page, "triple")
    pick(page, 0)
    ply(page, 1)
    by(page, "brand").click()
    expect(by(page, "front")).to_be_visible()
    page.go_back()
    playing(page, "triple")
    ply(page, 1)
    page.go_back()  # nobody has touched it, so the server has forgotten it
    playing(page, "drops")
    page.go_back()
    expect(by(page, "front")).to_be_visible()
    page.go_forward()
    playing(page, "drops")
    page.go_forward()
    playing(page, "triple")
    page.reload()
    playing(page, "triple")
    ply(page, 1)


def test_m14_a_fresh_browser_meets_nobody_elses_game(open_page: Open) -> None:
    page = open_page(address=f"#triple:{TRAP}", ready="[data-testid=board]")
    pick(page, 0)
    ply(page, 1)
    session = page.url.rpartition("#")[2]
    by(page, "brand").click()
    own = by(page, "continue")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("Triple")
    expect(own).to_contain_text("own board")
    other = front(open_page)
    expect(by(other, "front-triple")).to_be_visible()
    expect(by(other, "continue")).to_have_count(0)
    expect(by(other, "sessions").locator(f"[data-session='{session}']")).to_have_count(0)
    own.click()
    playing(page, "triple")
    ply(page, 1)


def test_m6_recent_games_are_named_in_words(open_page: Open) -> None:
    page = open_page(address="#drops:mode=flash#5", ready="[data-testid=board]", language="zh-CN")
    game = by(page, "sessions").locator("li").first
    chinese = words("zh-CN")
    for word in ("十滴水", chinese["param.mode"], chinese["param.mode.flash"], "种子 5"):
        expect(game).to_contain_text(word)
    expect(game).not_to_contain_text("mode=")


def test_f5_the_chosen_game_is_readable_under_the_pointer(open_page: Open) -> None:
    page = open_page()
    by(page, "new").click()
    tab = by(page, "new-games").locator("[data-game=drops]")
    tab.click()
    tab.hover()
    colours = tab.evaluate("node => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]")
    light, dark = (sum(map(int, colour[4:-1].split(","))) for colour in colours)
    assert light - dark > 350, colours


def test_f4_the_help_has_the_rules_of_the_game(open_page: Open) -> None:
    page = front(open_page, language="zh-CN")
    by(page, "help").click()
    for name in [*GAMES, "arcade"]:
        assert page.locator(f"[data-rules='{name}'] li").count() >= 2
    by(page, "help-close").click()
    by(page, "front-tetris-play").click()
    playing(page, "tetris")
    by(page, "help").click()
    expect(page.locator("[data-rules]")).to_have_count(1)
    expect(page.locator("[data-rules=tetris]")).to_contain_text(words("zh-CN")["rules.tetris.2"])


def test_h3_a_game_that_had_help_earns_no_stars(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops/01-first-drops", ready="[data-testid=board]", language="zh-CN")
    lamp(page, "winnable")
    by(page, "hint").click()
    page.locator(".hinted").first.click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(by(page, "card-helped")).to_have_text(words("zh-CN")["won.helped.stars"])
    expect(by(page, "card-stars")).to_have_count(0)
    expect(by(page, "lamp-verdict")).to_have_text("已通关")
    stars = page.evaluate("JSON.parse(localStorage.getItem('winnable.stars'))")
    assert stars == {"drops/01-first-drops": 0}
    look(page, "won-with-help")
    before = page.url
    by(page, "card-again").click()  # another game on the level: this one may earn them
    page.wait_for_url(lambda url: url != before)
    ply(page, 0)
    by(page, "board").locator(".cell").nth(0).click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(by(page, "card-stars")).to_have_attribute("data-stars", "3")


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_todays_level_says_how_hard_it_is(open_page: Open, look: Look, width: int, language: str) -> None:
    page = front(open_page, width=width, language=language)
    by(page, "front-drops-daily").click()
    playing(page, "drops")
    said = "容易|中等|有些难|难|极难" if language == "zh-CN" else "easy|medium|tricky|hard|fiendish"
    expect(by(page, "rating")).to_have_text(re.compile(said))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, f"rated-{width}-{language}")


def test_levels_to_choose_from_say_how_hard_they_are(open_page: Open, look: Look) -> None:
    page = open_page(address="#triple/2-pyramid")
    expect(by(page, "rating")).to_have_text("medium")
    by(page, "levels-open").click()
    shown = by(page, "levels-dialog").get_by_test_id("level-rating")
    expect(shown).to_have_text(["easy", "medium", "medium", "tricky", "tricky", "tricky"])
    look(page, "rated-levels")
