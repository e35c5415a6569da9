"""What the editors of all games with boards of cells have in common."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

BOARD = "1112/2221/3333/4444"
ROOM = {"drops": (0.8, 0.3), "rotate": (0, 0), "2048": (0.06, 0.06)}
"""Before and behind the four cells of a row, in cells; by game."""


def open_editor(page: Page) -> None:
    by(page, "edit-level").click()
    expect(by(page, "editor-dialog")).to_be_visible()


def middle(page: Page, game: str, column: int, row: int) -> tuple[float, float]:
    """Of a cell of the 4 × 4 board, on the screen."""
    box = by(page, "editor-board").bounding_box()
    assert box is not None
    before, behind = ROOM[game]
    size = box["width"] / (4 + before + behind)
    return box["x"] + (column + before + 0.5) * size, box["y"] + (row + before + 0.5) * size


def code(page: Page, text: str) -> None:
    expect(by(page, "editor-code")).to_have_value(text)


@pytest.mark.parametrize("game", ROOM)
def test_brushes_drags_and_keys_paint(open_page: Open, game: str, look: Look) -> None:
    page = open_page(address=f"#{game}:{BOARD}")
    open_editor(page)

    # The focus stays with the brush.
    by(page, "brush-2").click()
    for key, brush in (("ArrowRight", "3"), ("ArrowDown", "4"), ("ArrowLeft", "3"), ("ArrowUp", "2")):
        page.keyboard.press(key)
        expect(by(page, f"brush-{brush}")).to_be_focused()
        expect(by(page, "editor-brushes").locator("[aria-checked=true]")).to_have_count(1)
        expect(by(page, f"brush-{brush}")).to_have_attribute("aria-checked", "true")

    # The cell that keys paint is seen.
    page.mouse.click(*middle(page, game, 1, 2))
    page.keyboard.press("ArrowRight")
    look(page, f"board-editor-{game}-cursor")
    rings = {"drops": ".cell:focus .cell-ring", "rotate": ".rotate-frame .light", "2048": ".g2048-cursor"}
    ring = page.locator(rings[game]).last
    expect(ring).to_be_visible()
    assert ring.evaluate("node => getComputedStyle(node).stroke") != "none"
    page.keyboard.press("Enter")
    code(page, "1112/2221/3223/4444")

    # A fast drag leaves out no cell.
    by(page, "brush-4").click()
    page.mouse.move(*middle(page, game, 0, 0))
    page.mouse.down()
    page.mouse.move(*middle(page, game, 3, 0))
    page.mouse.move(*middle(page, game, 0, 3))
    page.mouse.up()
    page.mouse.move(*middle(page, game, 3, 2))
    code(page, "4444/2241/3423/4444")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("1")
    code(page, "4444/2241/1423/4444")


@pytest.mark.parametrize(("game", "language"), [("drops", "en-US"), ("rotate", "zh-CN"), ("2048", "zh-CN")])
def test_all_buttons_fit_a_small_phone(open_page: Open, game: str, language: str) -> None:
    page = open_page(360, 740, language, address=f"#{game}:{BOARD}")
    by(page, "tab-game").click()
    open_editor(page)
    assert page.evaluate("document.querySelector('#editor-dialog').scrollWidth") <= 360
    for button in page.locator("#editor-body button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 40
    page.touchscreen.tap(*middle(page, game, 3, 3))
    code(page, f"1112/2221/3333/444{0 if game == 'drops' else 1}")
