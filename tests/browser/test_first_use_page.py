"""The first level of a game, the first time: a sentence, a move that shows itself, no counts before one."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, pick, ply, words
from winnable.contract.registry import GAMES, load_game
from winnable.levels.files import shipped_levels

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
TILE = next(shipped_levels(load_game("triple")))[1].certificate.actions[0]
FIRST = {name: next(shipped_levels(load_game(name)))[0] for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_the_first_level_begins_with_one_sentence(open_page: Open, look: Look, name: str) -> None:
    page = open_page(360, 740, "zh-CN", address="#" + FIRST[name], stored={})
    note = by(page, "first-use")
    expect(note).to_have_text(words("zh-CN")[f"first.{name}"])
    expect(by(page, "level-title")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    look(page, f"first-{name}")
    by(page, "watch").click()
    expect(note).to_be_hidden()
    page.goto(page.url.partition("#")[0] + "#" + FIRST[name])
    expect(by(page, "board")).to_be_visible()
    expect(note).to_be_hidden()


def test_counts_wait_for_the_first_move(open_page: Open) -> None:
    page = open_page(stored={})
    lamp(page, "winnable")
    expect(by(page, "first-use")).to_be_visible()
    expect(by(page, "lamp-detail")).to_be_empty()
    expect(by(page, "margin")).to_be_hidden()
    pick(page, TILE)
    ply(page, 1)
    expect(by(page, "first-use")).to_be_hidden()
    expect(by(page, "margin")).to_be_visible()
    by(page, "restart").click()
    ply(page, 0)
    expect(by(page, "first-use")).to_be_hidden()
    expect(by(page, "lamp-detail")).not_to_be_empty()


SEEN = """new MutationObserver(() => {
    const tiles = document.querySelectorAll("#stage[data-demo] .tray-tile").length;
    if (tiles) document.documentElement.dataset.seen = tiles;
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-demo"] });"""


def test_one_move_shows_itself_where_motion_is_wanted(open_page: Open) -> None:
    page = open_page(address="", ready="[data-testid=front-2048]", stored={}, motion=True, own=True)
    page.add_init_script(SEEN)
    page.goto(page.url + "#" + FIRST["triple"])
    page.reload()
    expect(page.locator("html[data-seen='1']")).to_be_visible()  # a tile in the tray
    ply(page, 0)
    pick(page, TILE)  # whoever plays meanwhile plays on the real board
    ply(page, 1)
    expect(page.locator("#stage[data-demo]")).to_have_count(0)


def test_another_level_begins_as_ever(open_page: Open) -> None:
    page = open_page(address="#triple/2-pyramid", stored={})
    lamp(page, "winnable")
    expect(by(page, "first-use")).to_be_hidden()
    expect(by(page, "lamp-detail")).not_to_be_empty()
