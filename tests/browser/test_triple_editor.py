"""Drawing a board of triple: tiles in layers, and what is told of it while one draws."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, start, words
from tests.games.triple.levels.test_text import levels
from tests.web.test_mending import LOST, is_won
from winnable.contract.core import LevelError, finish
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.levels.text import format_board, parse_board
from winnable.games.triple.rules.level import Level

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
EN = words("en")
FIRST = "#triple/1-first-steps"
LIFT = 0.34


def empty(page: Page) -> None:
    """Opens the editor; nothing is drawn yet."""
    page.keyboard.press("e")
    expect(by(page, "editor-dialog")).to_be_visible()
    expect(by(page, "editor-board")).to_be_visible()
    code(page, "7:")


def draw(page: Page, text: str) -> None:
    empty(page)
    by(page, "editor-code").fill(text)
    tiles(page, len(parse_board(text).tiles))


def code(page: Page, text: str) -> None:
    expect(by(page, "editor-code")).to_have_value(text)


def drawn(page: Page) -> Locator:
    return by(page, "editor-board").locator(".tile")


def tiles(page: Page, count: int) -> None:
    expect(drawn(page)).to_have_count(count)


def at(page: Page, x: float, y: float, layer: int = 0) -> tuple[float, float]:
    """Where on the screen the middle of a tile at this place is."""
    by(page, "editor-board").scroll_into_view_if_needed()
    to_screen = """(svg, [x, y]) => {
        const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
        return [left, top];
    }"""
    left, top = by(page, "editor-board").evaluate(to_screen, [x + 4, y + 4 - layer * LIFT])
    return left, top


def click(page: Page, x: float, y: float, layer: int = 0) -> None:
    page.mouse.click(*at(page, x, y, layer))


def drag(page: Page, *places: tuple[float, float], layer: int = 0) -> None:
    page.mouse.move(*at(page, *places[0], layer))
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*at(page, *place, layer))
    page.mouse.up()


def verdict(page: Page, key: str, kind: str, n: object = "") -> None:
    expect(by(page, "editor-verdict-text")).to_have_text(EN[key].replace("{n}", str(n)))
    expect(by(page, "editor-verdict")).to_have_attribute("data-kind", kind)


def focus_by_tab(page: Page, name: str) -> None:
    for _ in range(40):
        if by(page, name).evaluate("node => node === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {name}")


def judged(page: Page) -> None:
    expect(by(page, "editor-verdict")).to_have_attribute("data-done", "true")


def test_a_board_is_drawn_from_nothing_judged_and_played(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    before = page.url
    by(page, "new").click()
    by(page, "new-draw").click()
    verdict(page, "triple.editor.few", "open")
    expect(by(page, "editor-play")).to_be_disabled()

    click(page, 8, 8)
    click(page, 8, 8)  # a second one there lies on the first
    by(page, "brush-1").click()
    click(page, 20, 8)
    code(page, "7:0@8.8,1@20.8/0@8.8")
    odd = EN["triple.editor.odd"].replace("{kinds}", "clover (2), carrot (1)")
    expect(by(page, "editor-verdict-text")).to_have_text(odd)
    expect(by(page, "editor-counts")).to_have_text("3 tiles, 2 kinds.")
    expect(by(page, "editor-play")).to_be_disabled()
    by(page, "brush-0").click()
    by(page, "mode-paint").click()
    click(page, 20, 8)
    code(page, "7:0@8.8,0@20.8/0@8.8")
    verdict(page, "triple.editor.winnable.other", "good", 3)
    look(page, "triple-editor-1-drawn")

    # What is pointed at is the highest tile up to the layer.
    by(page, "mode-hide").click()
    click(page, 8, 8)
    code(page, "7:0@8.8h,0@20.8/0@8.8")
    by(page, "editor-up").click()
    click(page, 8, 8, 1)
    code(page, "7:0@8.8h,0@20.8/0@8.8h")
    by(page, "mode-erase").click()
    click(page, 8, 8, 1)
    code(page, "7:0@8.8h,0@20.8")
    by(page, "editor-undo").click()
    by(page, "editor-slots").fill("3")
    by(page, "editor-slots").press("Enter")
    by(page, "editor-tools").check()
    code(page, "3+tools=1.1.1.0:0@8.8h,0@20.8/0@8.8h")
    by(page, "editor-tools").uncheck()
    by(page, "editor-play").click()
    expect(by(page, "editor-dialog")).to_be_hidden()
    expect(page.locator("[data-testid=board] .tile")).to_have_count(3)
    assert page.url != before
    lamp(page, "winnable")


def test_fingers_draw(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, "zh-CN", address=FIRST, dark=True)
    by(page, "tab-game").click()
    by(page, "edit-level").click()
    by(page, "editor-clear").click()
    for x in (0, 12, 24):
        page.touchscreen.tap(*at(page, x, 20))
    page.touchscreen.tap(*at(page, 12, 20))
    code(page, "7:0@0.20,0@12.20,0@24.20/0@12.20")
    by(page, "mode-erase").click()
    by(page, "editor-up").click()
    page.touchscreen.tap(*at(page, 12, 20, 1))
    code(page, "7:0@0.20,0@12.20,0@24.20")
    expect(by(page, "editor-verdict-text")).to_have_text(
        words("zh-CN")["triple.editor.winnable.other"].replace("{n}", "3")
    )
    look(page, "triple-editor-2-touch")


def test_the_keyboard_alone_draws_and_plays(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    empty(page)
    focus_by_tab(page, "editor-board")
    said = EN["triple.editor.board"]
    page.keyboard.press("Enter")
    for key in ("ArrowRight", "ArrowRight", "Space", "ArrowDown", "PageUp", "Space"):
        page.keyboard.press(key)
    code(page, "7:0@0.0,0@8.0/0@8.4")
    for name, value in {"column": "2", "row": "1.5", "layer": "1", "tile": "clover"}.items():
        said = said.replace("{" + name + "}", value)
    expect(by(page, "editor-board")).to_have_attribute("aria-label", said)
    look(page, "triple-editor-3-keys")
    page.keyboard.press("Enter")  # takes it away
    code(page, "7:0@0.0,0@8.0")
    page.keyboard.press("Control+z")
    code(page, "7:0@0.0,0@8.0/0@8.4")
    page.keyboard.press("Shift+ArrowUp")
    expect(by(page, "editor-board").locator(".selected")).to_have_count(2)
    page.keyboard.press("Control+ArrowRight")
    code(page, "7:0@0.0,0@12.0/0@12.4")
    verdict(page, "triple.editor.winnable.other", "good", 3)
    focus_by_tab(page, "editor-play")
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=board] .tile")).to_have_count(3)


@pytest.mark.parametrize(
    ("symmetry", "places"),
    [
        ("none", "0@8.4"),
        ("left-right", "0@8.4,0@48.4"),
        ("up-down", "0@8.4,0@8.52"),
        ("both", "0@8.4,0@48.4,0@8.52,0@48.52"),
        ("half-turn", "0@8.4,0@48.52"),
    ],
)
def test_symmetry_places_paints_and_erases(open_page: Open, symmetry: str, places: str) -> None:
    page = open_page(address=FIRST)
    empty(page)
    by(page, "editor-symmetry").select_option(symmetry)
    click(page, 8, 4)
    code(page, f"7:{places}")
    by(page, "mode-hide").click()
    click(page, 8, 4)
    code(page, f"7:{places.replace(',', 'h,')}h")
    by(page, "mode-erase").click()
    click(page, 8, 4)
    code(page, "7:")


def test_a_tile_that_overlaps_its_image_is_not_placed(open_page: Open) -> None:
    page = open_page(address=FIRST)
    draw(page, "7:0@0.0,0@28.0,0@0.8")
    by(page, "editor-symmetry").select_option("left-right")
    click(page, 12, 16)
    expect(by(page, "editor-counts")).to_contain_text(EN["triple.editor.collides"])
    tiles(page, 3)


def test_a_drag_is_one_step_to_undo(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    empty(page)
    row = "7:" + ",".join(f"0@{x}.8" for x in range(0, 48, 8))
    drag(page, (0, 8), (40, 9))  # however fast it is
    code(page, row)
    page.keyboard.press("Control+z")
    code(page, "7:")
    page.keyboard.press("Control+Shift+Z")
    code(page, row)
    by(page, "brush-5").click()
    by(page, "mode-paint").click()
    drag(page, (0, 8), (40, 8))
    code(page, row.replace("0@", "5@"))
    by(page, "brush-4").click()
    drag(page, (0, 8), (40, 8))
    page.keyboard.press("Control+z")
    by(page, "brush-5").click()
    drag(page, (0, 8), (40, 8))  # changes nothing
    by(page, "brush-4").click()
    drag(page, (40, 8), (40, 8))
    by(page, "brush-5").click()
    drag(page, (0, 8), (40, 8))  # changes the last tile alone
    page.keyboard.press("Control+z")
    code(page, row.replace("0@", "5@").replace("5@40", "4@40"))
    page.keyboard.press("Control+Shift+Z")
    by(page, "mode-erase").click()
    drag(page, (40, 8), (24, 8))
    code(page, "7:5@0.8,5@8.8,5@16.8")
    for _ in range(4):
        by(page, "editor-undo").click()
    code(page, row)
    for _ in range(4):
        by(page, "editor-redo").click()
    code(page, "7:5@0.8,5@8.8,5@16.8")
    expect(by(page, "editor-redo")).to_be_disabled()
    page.keyboard.press("Control+z")
    by(page, "mode-put").click()
    click(page, 0, 32)
    expect(by(page, "editor-redo")).to_be_disabled()


def test_a_rectangle_is_copied_pasted_moved_and_taken_away(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    roof = "7:0@0.0,0@8.0/0@4.0"
    draw(page, roof)
    by(page, "editor-down").click()
    by(page, "mode-select").click()
    drag(page, (-20, -20), (20, 12))
    expect(by(page, "editor-board").locator(".selected")).to_have_count(3)
    look(page, "triple-editor-4-selected")
    page.keyboard.press("Control+c")
    click(page, 20, 16)
    expect(by(page, "editor-board").locator(".selected")).to_have_count(0)
    page.keyboard.press("Control+v")
    code(page, "7:0@0.0,0@8.0,0@20.16,0@28.16/0@4.0,0@24.16")
    drag(page, (20, 17), (20, 21), (24, 25))
    code(page, "7:0@0.0,0@8.0,0@24.24,0@32.24/0@4.0,0@28.24")
    page.keyboard.press("Control+ArrowUp")
    code(page, "7:0@0.0,0@8.0,0@24.20,0@32.20/0@4.0,0@28.20")
    page.keyboard.press("Delete")
    code(page, roof)
    click(page, 0, 24)
    click(page, 0, 0)  # nothing is selected there yet
    by(page, "editor-paste").click()  # on the others, as a whole
    code(page, "7:0@0.0,0@8.0/0@4.0/0@0.0,0@8.0/0@4.0")
    for text in ("7:0@0.0,0@8.0/0@4.0", "7:0@0.0,0@8.0,0@24.20,0@32.20/0@4.0,0@28.20"):
        page.keyboard.press("Control+z")
        code(page, text)
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+x")
    code(page, "7:")


def test_layers_above_are_dimmed_or_hidden_and_kinds_are_dealt(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    draw(page, "7:" + "/".join(",".join(f"0@{x}.{y}" for x in (0, 8) for y in (0, 8, 16)) for _ in range(2)))
    expect(by(page, "editor-layer")).to_have_text("Layer 1 (top: 1), 6 tiles")
    by(page, "editor-down").click()
    expect(by(page, "editor-board").locator(".here")).to_have_count(6)
    expect(by(page, "editor-board").locator(".over")).to_have_count(6)
    by(page, "editor-above").uncheck()
    tiles(page, 6)
    by(page, "editor-deal-kinds").fill("4")
    by(page, "editor-deal").click()
    expect(by(page, "editor-counts")).to_have_text("12 tiles, 4 kinds.")
    dealt = parse_board(by(page, "editor-code").input_value())
    assert [(tile.x, tile.y, tile.layer) for tile in dealt.tiles] == [
        (x, y, layer) for layer in (0, 1) for x in (0, 8) for y in (0, 8, 16)
    ]
    assert sorted(dealt.kinds) == [kind for kind in range(4) for _ in range(3)]
    expect(by(page, "brush-3")).to_have_text("3")


def test_the_field_grows_around_its_middle_and_centres(open_page: Open) -> None:
    page = open_page(address=FIRST)
    text = "7:0@0.0,0@9.3,0@17.0"  # quarters and eighths that were read stay
    draw(page, text)
    for name in ("columns", "rows"):
        by(page, f"editor-{name}").fill("12")
        by(page, f"editor-{name}").press("Tab")
        expect(by(page, f"editor-{name}")).to_have_value(re.compile(r"12(\.5)?"))
    code(page, text)
    by(page, "mode-put").click()
    click(page, -16, -16)  # nothing is written left of zero
    written = parse_board(by(page, "editor-code").input_value().replace("7:", "7:0@900.0,0@900.8,") or "")
    assert min(tile.x for tile in written.tiles) == 0
    tiles(page, 4)


def test_the_draft_is_found_again(open_page: Open) -> None:
    page = open_page(address=FIRST)
    empty(page)
    click(page, 8, 8)
    code(page, "7:0@8.8")
    page.reload()
    expect(page.locator("[data-testid=board] .tile")).not_to_have_count(0)
    by(page, "edit-level").click()
    expect(by(page, "editor-code")).not_to_have_value("7:0@8.8")
    by(page, "editor-close").click()
    page.keyboard.press("e")  # a copy that was only looked at is no draft
    code(page, "7:0@8.8")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    click(page, 24, 8)
    by(page, "editor-close").click()
    page.keyboard.press("e")
    expect(by(page, "editor-code")).to_have_value(re.compile("7:0@8.8,0@[0-9]+.8"))


def test_a_lost_drawing_is_mended(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    draw(page, LOST)
    verdict(page, "triple.editor.lost", "bad")
    look(page, "triple-editor-5-lost")
    by(page, "editor-mend").click()
    expect(by(page, "editor-board").locator(".triple-marks rect")).to_have_count(2)
    expect(by(page, "editor-counts")).to_contain_text(EN["triple.editor.mended.other"].replace("{n}", "2"))
    verdict(page, "triple.editor.winnable.other", "good", 6)
    look(page, "triple-editor-6-mended")
    assert is_won(by(page, "editor-code").input_value())
    expect(by(page, "editor-mend")).to_be_hidden()
    page.keyboard.press("Control+z")
    code(page, LOST)
    verdict(page, "triple.editor.lost", "bad")
    expect(by(page, "editor-board").locator(".triple-marks rect")).to_have_count(0)


def test_what_cannot_be_mended_is_said(open_page: Open) -> None:
    page = open_page(address=FIRST)
    draw(page, "2:0@0.0,0@8.0,0@16.0")
    by(page, "editor-mend").click()
    expect(by(page, "editor-error")).to_contain_text("3")
    expect(by(page, "editor-mend")).to_be_visible()


def test_copies_of_large_levels_and_of_those_with_tools_are_edited(open_page: Open, look: Look) -> None:
    page = open_page(address=FIRST)
    for text, count in (("triple:layout=crown,kinds=14#5", 300), ("triple/6-second-chance", None)):
        start(page, text)
        lamp(page, "winnable")
        by(page, "edit-level").click()
        level = parse_board(by(page, "editor-code").input_value())
        tiles(page, len(level.tiles))
        assert count in (None, len(level.tiles))
        assert (level.tools is None) == (count is not None)
        judged(page)
        look(page, f"triple-editor-7-{len(level.tiles)}")
        if count:
            by(page, "editor-deal").click()
            judged(page)
            page.keyboard.press("Control+z")
            code(page, format_board(level))
        by(page, "editor-play").click()
        expect(by(page, "editor-dialog")).to_be_hidden()
        lamp(page, "winnable")


@pytest.mark.parametrize(
    ("width", "height", "language", "dark"), [(1280, 800, "en-US", False), (360, 740, "zh-CN", True)]
)
def test_the_editor_fits(
    open_page: Open, look: Look, width: int, height: int, language: str, dark: bool
) -> None:
    page = open_page(width, height, language, address="#triple/3-butterfly", dark=dark)
    if width < 600:
        by(page, "tab-game").click()
    by(page, "edit-level").click()
    judged(page)
    expect(by(page, "editor-verdict")).to_be_in_viewport()  # however far one has scrolled
    look(page, f"triple-editor-8-{width}")
    for button in page.locator("#editor-body :is(button, select, input:not([type=checkbox]))").all():
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 40
    assert page.evaluate("document.querySelector('#editor-dialog').scrollWidth") <= width
    look(page, f"triple-editor-9-{width}")


READ = """async (texts) => {
    const { readBoard, writeBoard } = await import("/games/triple/notation.js");
    return texts.map((text) => { const board = readBoard(text); return board && writeBoard(board); });
}"""
DRAFTS = ("triple.kind", "triple.few")
"""What is no level may be a drawing on the way to one."""


def as_python(text: str) -> str | None:
    """What the server makes of a text; its error's code in brackets where it is no level."""
    try:
        return format_board(parse_board(text))
    except LevelError as error:
        return f"({error.code})"


def test_the_page_reads_and_writes_boards_as_the_server_does(open_page: Open) -> None:
    page = open_page(address=FIRST)
    changes = st.tuples(st.integers(0, 400), st.sampled_from([*"0123456789@.,/=h+: -x", "", "00", "tools="]))

    def changed(text: str, change: tuple[int, str]) -> str:
        place = change[0] % len(text)
        return text[:place] + change[1] + text[place + 1 :]

    @settings(max_examples=40, deadline=None, database=None)
    @given(st.lists(st.tuples(levels(), st.lists(changes, max_size=2)), min_size=1, max_size=20))
    def agree(given: list[tuple[Level, list[tuple[int, str]]]]) -> None:
        texts = list[str]()
        for level, marks in given:
            text = format_board(level)
            for mark in marks:
                text = changed(text, mark)
            texts.append(text)
        for text, read in zip(texts, page.evaluate(READ, texts), strict=True):
            said = as_python(text)
            if said not in [f"({code})" for code in DRAFTS]:
                assert read == (None if said and said[0] == "(" else said), text

    agree()
    pile = format_board(finish(generate(Params(), 1)))
    right = {pile: pile, "7:": "7:", " 07:00@0.0 ": "7:0@0.0"}
    assert page.evaluate(READ, [*right]) == [*right.values()]
    wrong = ["", "7", "7:0@0.0:", "7:/0@0.0", "7+tools=1.1.1:0@0.0", "0:0@0.0", "7:64@0.0"]
    assert page.evaluate(READ, wrong) == [None] * len(wrong)
