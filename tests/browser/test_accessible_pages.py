"""What axe-core finds on each page and in each dialog, wide and light, narrow and dark: nothing.
And none is wider than its window."""

from collections.abc import Sequence
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_sets_page import BOARDS, LOST, filled, opened, several
from tests.browser.test_studio_page import TRAP, by, lamp, pick
from tests.web.studio_harness import Studio

pytestmark = pytest.mark.browser

FOUND = """async () => (await axe.run()).violations.flatMap(({ id, nodes }) => nodes.map(
    ({ target, any, all, none }) => [id, target, [...any, ...all, ...none][0]?.message].join(": ")))"""
Colours = Literal["light", "dark"]
SEEN: list[tuple[int, Colours]] = [(1280, "light"), (360, "dark")]
TRIPLE, DROPS = f"#triple:{TRAP}", "#drops:402204/304403,drops=3"
ROTATE, GAME_2048 = "#rotate:rows=4,columns=4,colours=3#2", "#2048:1230/0000/0001/0000,dice=5"
VIEWS: dict[str, tuple[str, list[str]]] = {
    "the front page": ("", []),
    "settings": ("", ["settings"]),
    "help": ("", ["help"]),
    "what was played": ("", ["front-played"]),
    "the days of a game": ("", ["front-drops-days"]),
    "tuning": ("", ["tune"]),
    "comparing": ("", ["compare"]),
    "sets of levels": ("", ["front-sets"]),
    "levels to be made": ("", ["front-sets", "sets-first-make"]),
    "new level": (DROPS, ["new"]),
    "levels": ("#drops/05-puddle", ["levels-open"]),
    "a QR code": ("#drops/05-puddle", ["qr"]),
    "triple, drawn": (TRIPLE, ["edit-level"]),
    "tools of triple": ("#triple/6-second-chance", []),
    "drops, explained": (DROPS, ["why"]),
    "drops, drawn": (DROPS, ["edit-level"]),
    "rotate": (ROTATE, []),
    "rotate, drawn": (ROTATE, ["edit-level"]),
    "tetris": ("#tetris:-,dice=3", []),
    "tetris, drawn": ("#tetris:-,dice=3", ["edit-level"]),
    "2048": (GAME_2048, ["2048-worth"]),
    "2048, drawn": (GAME_2048, ["edit-level"]),
    "the arcade's menu": ("arcade", []),
    "the arcade's options": ("arcade", ["menu-options"]),
    "the arcade": ("arcade", ["menu-play"]),
    "the arcade's bot": ("arcade", ["menu-bot"]),
}


def found(page: Page, axe: str, seen: Sequence[tuple[int, Colours]] = SEEN) -> list[str]:
    """What is wrong, wide and light, and narrow and dark: each size and each colour once."""
    page.evaluate(axe)
    wrong = dict[str, str]()
    for width, colours in seen:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=colours)
        for one in page.evaluate(FOUND):
            wrong.setdefault(one, f"{width} {colours}: {one}")
    return list(wrong.values())


def too_wide(page: Page) -> dict[int, int]:
    """The widths of windows, also zoomed ones, that the page is wider than, and how wide it is there."""
    widths = dict[int, int]()
    for width in (1280, 959, 720, 640, 601, 480, 360, 320):
        page.set_viewport_size({"width": width, "height": 600})
        widths[width] = page.evaluate("document.documentElement.scrollWidth")
    return {window: width for window, width in widths.items() if width > window}


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(open_page: Open, axe: str, view: str) -> None:
    address, buttons = VIEWS[view]
    ready = "[data-testid=board]" if "#" in address else "[data-testid=menu][open]"
    page = open_page(address=address, ready=ready if address else "[data-testid=front-triple]")
    for button in buttons:
        by(page, button).click()
    assert found(page, axe) == []
    assert too_wide(page) == {}


def test_axe_finds_nothing_in_a_game_and_at_its_end(open_page: Open, axe: str) -> None:
    page = open_page(address=TRIPLE)
    by(page, "solve-exact").click()
    expect(by(page, "solve-result")).to_have_count(1)
    for tab in ("tab-help", "tab-game"):
        page.set_viewport_size({"width": 360, "height": 800})
        by(page, tab).click()
        assert found(page, axe, SEEN[1:]) == []  # all tabs are in sight on a wide page
    page.set_viewport_size({"width": 1280, "height": 800})
    for tile in (0, 3):
        pick(page, tile)
    lamp(page, "lost")
    by(page, "undo").click()
    pick(page, 1)
    by(page, "branches").click()
    expect(by(page, "branch")).to_have_count(2)
    assert found(page, axe) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Escape")
    by(page, "undo").click()
    for tile in (3, 1):
        pick(page, tile)
    expect(by(page, "card-lost")).to_be_visible()
    by(page, "report").click()
    expect(by(page, "report-text")).to_be_visible()
    assert found(page, axe) == []


@pytest.mark.parametrize("game", ["drops", "2048"])
def test_axe_finds_nothing_in_the_rows_of_a_comparison(open_page: Open, axe: str, game: str) -> None:
    page = open_page(360, 740, "zh-CN", address="", ready="[data-testid=front-triple]")
    by(page, "compare").click()
    by(page, "compare-game").select_option(game)
    for name in ("games", "seconds"):
        by(page, f"compare-{name}").fill("1")
    by(page, "compare-start").click()
    expect(by(page, "compare-stop")).to_be_hidden()
    expect(by(page, "compare-row").first).to_be_visible()
    dialog = by(page, "compare-dialog")
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") == 0
    assert found(page, axe) == []
    assert too_wide(page) == {}


def test_axe_finds_nothing_in_a_set_of_levels(studio: Studio, open_page: Open, axe: str) -> None:
    id = filled(studio, ("pack.jsonl", several(BOARDS)), ("lost.json", LOST), ("none.json", "{}"))
    page = opened(open_page, id)
    page.locator("[data-testid=sets-row] img").first.wait_for()
    by(page, "sets-row").nth(1).click()
    assert found(page, axe) == []
    assert too_wide(page) == {}
    by(page, "sets-back").click()
    expect(by(page, "sets-open").first).to_be_visible()
    assert found(page, axe) == []
    assert too_wide(page) == {}
