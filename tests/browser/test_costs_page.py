"""What moves are worth and what they cost, in 2048."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_2048_page import open_level
from tests.browser.test_studio_page import by, ply, words
from tests.web.studio_harness import Studio
from winnable.analysis.costs import MOST, Cost, cost_of, worst
from winnable.contract.core import Budget, finish
from winnable.games.game2048.levels.text import parse_board
from winnable.games.game2048.measure.outlook import outlook
from winnable.games.game2048.rules.puzzle import Seeded2048

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

LEVEL = "-,rows=3,columns=3,dice=1"
BOARD = "1230/0000/0001/0000"


def random_game() -> tuple[list[int], list[int]]:
    """Its actions, and the plies before those that cost most."""
    puzzle, rng = Seeded2048(parse_board(LEVEL)), random.Random(3)
    state, actions, costs = puzzle.initial(), list[int](), list[Cost]()
    while legal := puzzle.legal_actions(state):
        action = rng.choice(legal)
        costs.append(cost_of(len(actions), action, finish(outlook(puzzle, state, Budget(), 0)).values))
        actions.append(action)
        state = puzzle.apply(state, action)
    return actions, [cost.ply for cost in worst(costs, by_share=True)]


def test_the_board_shows_what_moves_are_worth_in_a_game_where_that_was_asked(open_page: Open) -> None:
    page = open_level(open_page, BOARD)
    values, switch = by(page, "2048-values").locator("[data-move]"), by(page, "2048-worth")
    expect(page.locator("body")).to_contain_text(re.compile(r"≈ \d+(\.\d)?K points expected"))
    expect(by(page, "lamp-detail")).to_contain_text(words("en")["method.search-1ms"])
    expect(values).to_have_count(0)
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(values).to_have_count(4)
    page.keyboard.press("x")
    expect(values).to_have_count(0)
    page.keyboard.press("x")
    expect(values).to_have_count(4)
    page.keyboard.press("ArrowUp")
    ply(page, 1)
    expect(values).to_have_count(3)
    assert [value.get_attribute("data-move") for value in values.all()] == ["right", "down", "left"]
    before = page.url
    by(page, "2048-again").click()
    page.wait_for_url(lambda url: url != before)
    expect(by(page, "lamp-detail")).to_contain_text(words("en")["method.search-1ms"])
    expect(values).to_have_count(0)
    page.go_back()
    expect(values).to_have_count(3)


def test_the_lamp_says_where_values_only_compare(open_page: Open) -> None:
    page = open_level(open_page, "12300/00000/00001")
    by(page, "2048-worth").click()
    expect(by(page, "2048-values").locator("[data-move]")).to_have_count(4)
    expect(by(page, "lamp-detail")).to_have_text(words("en")["lamp.compares"])


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_the_moves_that_cost_most_are_marked_and_visited(
    open_page: Open, studio: Studio, look: Look, language: str, width: int
) -> None:
    text = words("en" if language == "en-US" else language)
    actions, mistakes = random_game()
    assert len(mistakes) == MOST
    with studio.page() as player:
        end = player.new(LEVEL, game="2048")
        for action in actions:
            end = player.ask("act", "state", action=action)
    page = open_page(width, 800, language, address=f"#{end['session']}", ready="body[data-standing=over]")
    expect(by(page, "card-over")).to_be_visible()
    look(page, f"costs-1-over-{language}")
    by(page, "report").click()
    expect(by(page, "report-text")).to_have_text(text["costs.found"])
    about = text["costs.about.share"].replace("{player}", text["method.random"])
    expect(by(page, "costs-about")).to_have_text(about)
    expect(by(page, "turning").first.locator("small")).to_have_text(re.compile(r"^−\d+ %$"))
    listed, marks = by(page, "turning"), by(page, "timeline-cost")
    for shown in (listed, marks):
        assert [int(one.get_attribute("data-ply") or "") for one in shown.all()] == mistakes
    expect(by(page, "live")).to_contain_text(listed.first.get_attribute("title") or "?")
    look(page, f"costs-2-report-{language}")
    listed.first.click()
    ply(page, mistakes[0])
    expect(listed.first).to_have_attribute("aria-current", "true")
    expect(listed.first).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, f"costs-3-visited-{language}")
    by(page, "timeline").press("ArrowRight")
    ply(page, mistakes[0] + 1)
    expect(by(page, "timeline")).to_have_attribute(
        "aria-valuetext", re.compile(re.escape(listed.first.get_attribute("title") or "?"))
    )


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_m4_a_cost_says_what_it_counts_by_whose_play_and_its_share(
    open_page: Open, studio: Studio, look: Look, language: str, width: int
) -> None:
    text = words("en" if language == "en-US" else language)
    with studio.page() as player:
        end = player.new("-,rows=2,columns=3,dice=5", game="2048")
        while end["legal"]:
            end = player.ask("act", "state", action=end["legal"][-1])
    page = open_page(width, 800, language, address=f"#{end['session']}", ready="body[data-standing=over]")
    by(page, "report").click()
    about = text["costs.about"].replace("{player}", text["method.exact"])
    expect(by(page, "costs-about")).to_have_text(about)
    worst = by(page, "turning").first
    expect(worst.locator("small")).to_contain_text(re.compile(r"−\d+ %"))
    points = worst.locator("small span")
    expect(points).to_be_visible(visible=width > 600)
    expect(points).to_have_text(re.compile(text["costs.rewards"].replace("{n}", r"[\d,.]+")))
    lost = re.compile(text["costs.loss"].split("{share}")[0].replace("{n}", r"[\d,.]+") + r"\d")
    expect(worst).to_have_attribute("title", lost)
    look(page, f"costs-4-points-{language}")
