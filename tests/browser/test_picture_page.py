"""A game of another package that has no module for its board, as pegs without its own: its picture, and a
button for each action."""

import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, ply
from tests.web.studio_harness import Studio, running_studio
from winnable import words
from winnable.contract import registry
from winnable.contract.registry import GAMES, Entry
from winnable.web import boards

pytestmark = pytest.mark.browser
PEGS = Path(__file__).parents[2] / "examples" / "pegs" / "src"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Generator[Studio]:
    entry = Entry("pegs", "winnable_pegs.game:GAME", "winnable-pegs")
    found = (*registry.entries(), entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.path", [str(PEGS), *sys.path])
        patch.setitem(GAMES, "pegs", entry)
        patch.setattr(registry, "entries", lambda: found)
        patch.setattr(boards, "PAGE", "no-page")
        boards.draws.cache_clear()
        words.catalogue.cache_clear()
        with running_studio(tmp_path_factory.mktemp("pegs")) as running:
            yield running
    boards.draws.cache_clear()
    words.catalogue.cache_clear()


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_it_is_played_to_a_win(
    open_page: Open, look: Callable[[Page, str], None], width: int, language: str
) -> None:
    page = open_page(width, language=language, address="#pegs:oo./..o/...")
    lamp(page, "winnable")
    title = "Pegs" if width == 1280 else "孔明棋"
    expect(page.locator("#level-title")).to_have_text(title)
    expect(by(page, "board")).to_have_js_property("complete", True)
    assert by(page, "board").evaluate("image => image.naturalWidth") == 120
    assert by(page, "board").evaluate("image => image.clientHeight") > 100
    look(page, f"pegs-{width}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    by(page, "hint").click()
    page.locator(".picture-buttons .hinted", has_text="1,1-right").click()
    ply(page, 1)
    page.get_by_role("button", name="3,1-down").click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(page.locator(".picture-buttons button")).to_have_count(0)
