"""What moves are worth and what they cost, in 2048. A board of a few lines stands in for the game's own: only
what the rest of the page does is looked at here."""

import json
import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, words
from tests.web.studio_harness import Event, Studio
from winnable.core import Budget
from winnable.costs import MOST, Cost, cost_of, worst
from winnable.games.game2048.game import outlook
from winnable.games.game2048.rules import Seeded2048
from winnable.games.game2048.text import parse_board

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

LEVEL = "-,rows=3,columns=3,dice=1"
BOARD = """
export const createBoard = (container, { onAction }) => {
  const box = document.createElement("pre");
  box.dataset.testid = "stub";
  box.onclick = () => onAction(Number(box.dataset.action));
  container.append(box);
  return {
    render: (view) => { box.textContent = view.cells.join(" "); box.dataset.action = view.legal[0]; },
    showValues: (values) => {
      box.dataset.before = box.dataset.values;
      box.dataset.values = JSON.stringify(values);
    },
    describe: (name) => `to the ${name}`,
    result: (view) => `${view.score}`,
    status: () => "", highlight() {}, relabel() {}, remaining: () => null, extras: () => [],
    moveCursor() {}, pickCursor() {}, destroy: () => box.remove(),
  };
};
"""
NONE, SOME = "null", re.compile("{.+}")


def visit(open_page: Open, state: Event, **options: object) -> Page:
    """The page of a game that the studio keeps."""
    page = open_page(address="#triple:layers=2,sets=1,kinds=4,side=3#4", **options)
    page.route(
        "**/static/games/2048.js", lambda route: route.fulfill(body=BOARD, content_type="text/javascript")
    )
    page.evaluate(f"location.hash = '{state['session']}'")
    expect(by(page, "level-id")).to_contain_text("2048")
    return page


@pytest.fixture
def beginning(studio: Studio) -> Event:
    with studio.page() as player:
        return player.new(LEVEL, game="2048")


def random_game() -> tuple[list[int], list[int]]:
    """Its actions, and the plies before those that cost most."""
    puzzle, rng = Seeded2048(parse_board(LEVEL)), random.Random(3)
    state, actions, costs = puzzle.initial(), list[int](), list[Cost]()
    while legal := puzzle.legal_actions(state):
        action = rng.choice(legal)
        costs.append(cost_of(len(actions), action, outlook(puzzle, state, Budget(), 0).values))
        actions.append(action)
        state = puzzle.apply(state, action)
    return actions, [cost.ply for cost in worst(costs)]


def test_the_board_shows_what_moves_are_worth_while_the_lamp_is_on(open_page: Open, beginning: Event) -> None:
    page = visit(open_page, beginning)
    board = by(page, "stub")
    expect(board).to_have_attribute("data-values", SOME)
    values = json.loads(board.get_attribute("data-values") or "")
    assert [int(action) for action in values] == beginning["legal"]
    expect(by(page, "lamp-detail")).to_have_text(words("en")["lamp.compares"])
    by(page, "lamp-toggle").click()
    expect(board).to_have_attribute("data-values", NONE)
    by(page, "lamp-toggle").click()
    expect(board).to_have_attribute("data-values", SOME)
    board.click()
    ply(page, 1)
    expect(board).to_have_attribute("data-values", SOME)
    expect(board).to_have_attribute("data-before", NONE)


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
    page = visit(open_page, end, width=width, height=800, language=language)
    expect(by(page, "card-over")).to_be_visible()
    look(page, f"costs-1-over-{language}")
    by(page, "report").click()
    expect(by(page, "report-text")).to_have_text(text["costs.found"], timeout=60_000)
    listed, marks = by(page, "cost"), by(page, "timeline-cost")
    for shown in (listed, marks):
        assert [int(one.get_attribute("data-ply") or "") for one in shown.all()] == mistakes
    expect(by(page, "live")).to_contain_text(listed.first.get_attribute("aria-label") or "?")
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
        "aria-valuetext", re.compile(re.escape(listed.first.get_attribute("aria-label") or "?"))
    )
