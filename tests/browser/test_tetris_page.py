"""Tetris, placed piece by piece, as its player has it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, start, words
from tests.web.studio_harness import Studio
from winnable.games.tetris.levels.text import format_board, parse_board
from winnable.games.tetris.rules.pieces import NAMES
from winnable.games.tetris.rules.puzzle import SeededTetris

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

LAMP_SAYS = """async () => {
  const { emit } = await import("/static/base/bus.js");
  const { game } = await import("/static/desk/game.js");
  const { session, ply } = game.state;
  const told = { verdict: "unknown", searching: false, remaining: null, par: null, seconds: 1 };
  const outlook = { score: 36519000, low: 36000000, high: 37000000, risk: 0.02, values: [] };
  emit("lamp", { ...told, session, ply, outlook, known: { winnable: -1, lost: null } });
  return document.getElementById("lamp-verdict").textContent;
}"""
"""What it says of a game that may be expected to bring so many more lines."""


def board(page: Page) -> None:
    by(page, "board").focus()


def figures(page: Page, lines: int, pieces: int) -> None:
    expect(by(page, "tetris-figures")).to_have_text(re.compile(rf"{lines}\D+{pieces}$"))


def dice_that_begin_with(*pieces: str) -> int:
    """The first dice that deal these."""
    for dice in range(100_000):
        puzzle = SeededTetris(parse_board(f"-,dice={dice}"))
        turn, dealt = puzzle.initial(), list[str]()
        for _ in pieces:
            dealt.append(NAMES[turn.state.piece])
            turn = puzzle.apply(turn, 0)
        if dealt == list(pieces):
            return dice
    raise AssertionError("no dice deal these pieces")


def test_a_line_is_cleared_by_keyboard_and_taken_back(open_page: Open, look: Look) -> None:
    page = open_page(address=f"#tetris:xxxx....xx,dice={dice_that_begin_with('I', 'O')}")
    figures(page, 0, 0)
    board(page)
    page.keyboard.press("ArrowRight")
    expect(by(page, "board")).to_have_attribute("aria-label", re.compile("turn 0×, column 5, lands in"))
    look(page, "tetris-1-aimed")
    page.keyboard.press(" ")
    figures(page, 1, 1)
    expect(page.locator(".tetris-cell.newest")).to_have_count(0)
    page.keyboard.press("u")
    figures(page, 0, 0)
    page.keyboard.press("r")
    figures(page, 1, 1)
    page.reload()
    figures(page, 1, 1)


def test_a_mouse_aims_turns_and_drops(open_page: Open) -> None:
    page = open_page(address=f"#tetris:-,dice={dice_that_begin_with('I')}")
    box = by(page, "board").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.95, box["y"] + box["height"] * 0.6)
    expect(by(page, "board")).to_have_attribute("aria-label", re.compile("turn 0×, column 7, lands in"))
    page.mouse.wheel(0, 100)
    expect(by(page, "board")).to_have_attribute("aria-label", re.compile("turn 1×"))
    page.mouse.move(box["x"] + box["width"] * 0.99, box["y"] + box["height"] * 0.5)
    page.mouse.click(box["x"] + box["width"] * 0.99, box["y"] + box["height"] * 0.5)
    figures(page, 0, 1)
    expect(page.locator(".tetris-cell.newest")).to_have_count(4)


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_it_fits_a_phone_and_is_played_by_its_buttons(open_page: Open, look: Look, language: str) -> None:
    page = open_page(360, 740, language)
    start(page, "tetris:-,height=21,rules=article,dice=3")
    expect(by(page, "tetris-next")).to_contain_text(
        words("en" if language == "en-US" else language)["tetris.next"]
    )
    for button in ("left", "left", "turn", "right", "drop"):
        by(page, f"tetris-{button}").click()
    figures(page, 0, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    look(page, f"tetris-2-phone-{language}")


def test_the_end_is_told_and_can_be_taken_back(open_page: Open, look: Look) -> None:
    page = open_page(address="#tetris:-,height=6,width=4,dice=3")
    board(page)
    while page.locator("body").get_attribute("data-standing") == "playing":
        page.keyboard.press(" ")
        page.wait_for_timeout(60)
    expect(by(page, "card-over")).to_be_visible()
    expect(by(page, "card-result")).to_contain_text("pieces")
    expect(by(page, "solve-panel")).to_be_hidden()
    look(page, "tetris-3-over")
    last = int(by(page, "timeline").get_attribute("aria-valuenow") or 0)
    assert last > 0
    by(page, "card-undo").click()
    ply(page, last - 1)
    expect(by(page, "card-over")).to_be_hidden()


def test_a_player_plays_and_a_hint_is_shown(open_page: Open) -> None:
    page = open_page(address="#tetris:-,dice=5")
    by(page, "hint").click()
    expect(page.locator(".tetris-cell.hinted")).to_have_count(4)
    by(page, "watch-speed").fill("6")
    by(page, "watch-play").click()
    expect(by(page, "timeline")).to_have_attribute("aria-valuenow", re.compile(r"^\d{2,}$"))
    by(page, "watch-play").click()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_m5_what_is_expected_is_not_required_and_endless_is_not_unknown(
    open_page: Open, look: Look, language: str
) -> None:
    colour = "node => getComputedStyle(node).color"
    unknown = open_page(language=language)
    page = open_page(360, 740, language, address="#tetris:-,dice=5")
    expect(by(page, "lamp")).to_have_attribute("data-verdict", "endless")
    by(unknown, "lamp").evaluate(
        "node => { node.dataset.verdict = 'unknown'; node.style.transition = 'none'; }"
    )
    by(page, "lamp").evaluate("node => { node.style.transition = 'none'; }")
    assert by(page, "lamp").evaluate(colour) != by(unknown, "lamp").evaluate(colour)
    said = page.evaluate(LAMP_SAYS)
    assert ("预计还能消" if language == "zh-CN" else "lines expected") in said
    row = (
        "node => node.getBoundingClientRect().height <= node.parentElement.getBoundingClientRect().height + 2"
    )
    assert by(page, "lamp").evaluate(row), "the lamp runs past its row"
    assert by(page, "lamp-verdict").evaluate("node => node.scrollWidth <= node.clientWidth"), "cut off"
    look(page, f"tetris-4-lamp-{language}")
    by(page, "help").click()
    expect(page.locator("#help-lamp")).to_contain_text("蓝灯" if language == "zh-CN" else "Blue")


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_m5_a_report_names_the_placements_that_cost_most(
    open_page: Open, studio: Studio, look: Look, language: str, width: int
) -> None:
    text = words("en" if language == "en-US" else language)
    with studio.page() as player:
        end = player.new("-,height=10,width=6,dice=3", game="tetris")
        while end["legal"]:
            end = player.ask("act", "state", action=end["legal"][0])
    page = open_page(width, 800, language, address=f"#{end['session']}", ready="body[data-standing=over]")
    by(page, "report").click()
    about = text["costs.about.share.tetris"].replace("{player}", text["method.dt-20"])
    expect(by(page, "costs-about")).to_have_text(about, timeout=60_000)
    worst = by(page, "turning").first
    expect(worst.locator("small")).to_have_text(re.compile(r"^−\d+ %$"))
    look(page, f"tetris-5-report-{language}")
    worst.click()
    ply(page, int(worst.get_attribute("data-ply") or ""))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("language", "width", "dark"), [("en-US", 1280, True), ("zh-CN", 360, False)])
def test_m5_a_wall_is_drawn_judged_and_played(
    open_page: Open, look: Look, language: str, width: int, dark: bool
) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(width, 800, language, dark=dark, address="#tetris:x...xxxx,height=8,rules=travel,dice=7")
    if width < 600:
        by(page, "tab-game").click()
    by(page, "edit-level").click()
    code, verdict = by(page, "editor-code"), by(page, "editor-verdict-text")
    expect(code).to_have_value("x...xxxx,height=8,rules=travel,dice=7")
    drawing = by(page, "editor-board")
    drawing.focus()
    for key in ("ArrowDown",) * 7 + ("ArrowRight", "x", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(code).to_have_value(".x....../xx..xxxx,height=8,rules=travel,dice=7")
    expect(verdict).to_have_text(text["tetris.editor.fine"].replace("{n}", "7"))
    box = drawing.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 1.5 * box["width"] / 8, box["y"] + 6.5 * box["height"] / 8)
    expect(code).to_have_value("xx..xxxx,height=8,rules=travel,dice=7")
    by(page, "editor-rows").fill("10")
    by(page, "editor-rows").blur()
    expect(code).to_have_value("xx..xxxx,height=10,rules=travel,dice=7")
    look(page, f"tetris-6-editor-{language}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    code.fill("xxxxxxxx,dice=7")
    expect(by(page, "editor-error")).not_to_be_empty()
    code.fill("xx..xxxx,dice=7")
    expect(by(page, "editor-error")).to_be_empty()
    by(page, "editor-play").click()
    expect(by(page, "editor-dialog")).to_be_hidden()
    expect(page.locator(".tetris-wall .tetris-cell")).to_have_count(6)


def test_the_pieces_that_come_first_are_edited(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, address="#tetris:-,width=8,preview,pieces=TI,dice=7")
    by(page, "tab-game").click()
    by(page, "edit-level").click()
    code, pieces = by(page, "editor-code"), by(page, "editor-pieces")
    expect(code).to_have_value("-,width=8,preview,pieces=TI,dice=7")
    expect(pieces).to_have_value("TI")
    by(page, "append-S").tap()
    expect(code).to_have_value("-,width=8,preview,pieces=TIS,dice=7")
    pieces.fill("ooz")
    pieces.press("Enter")
    expect(code).to_have_value("-,width=8,preview,pieces=OOZ,dice=7")
    pieces.scroll_into_view_if_needed()
    look(page, "tetris-7-pieces")
    by(page, "editor-play").click()
    expect(by(page, "editor-dialog")).to_be_hidden()
    by(page, "tab-game").click()
    by(page, "edit-level").click()
    expect(pieces).to_have_value("OOZ")
    pieces.fill("OX")
    pieces.press("Enter")
    expect(page.locator("[data-testid=editor-pieces]:invalid")).to_have_count(1)


def test_the_page_reads_and_writes_walls_as_the_server_does(open_page: Open) -> None:
    page = open_page(address="#tetris:-,dice=3")
    read = """async (text) => {
        const { readBoard, writeBoard } = await import("/games/tetris/notation.js");
        const board = readBoard(text);
        return board && writeBoard(board, board);
    }"""
    for text in (
        "-",
        "-,width=8,preview,pieces=TIS,dice=7",
        "...xx...../xxxx.xxxxx,height=12,rules=travel,pieces=IOTSZJL,dice=7",
        "-,rules=article,top=7",
    ):
        assert page.evaluate(read, text) == format_board(parse_board(text)) == text
    for bad in ("-,pieces=TX", "-,pieces=t", "-,pieces=" + "T" * 10_001):
        assert page.evaluate(read, bad) is None, bad
