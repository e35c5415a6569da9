"""Rotate as its player has it."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, lamp, ply, words
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.blocks import Block
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

ONE_TURN = "1122/1212/1212/1122"
"""A quarter turn of the four cells in the middle finishes it."""
SCATTERED = "123412/234123/341234/412341/123412/234123"
"""No single turn finishes it."""
PAIRS = "0123/0377/4266/4155,rules=pairs"
"""Finished by one turn of the nine cells at the lower right, 1,1,3."""
ORANGE = (230, 159, 0)
"""The first colour, whose cells have no pattern."""


def point(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where the point lies on the screen; x, y in cells, or vertices, from the upper left corner."""
    box = by(page, "board").bounding_box()
    assert box is not None
    _, _, columns, rows = map(float, (by(page, "board").get_attribute("viewBox") or "").split())
    return box["x"] + box["width"] * x / columns, box["y"] + box["height"] * y / rows


def standing(page: Page, name: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-standing", name)


def last(page: Page, notation: str) -> None:
    expect(by(page, "rotate-last")).to_have_text(notation)


def aims(page: Page, notation: str) -> None:
    expect(by(page, "rotate-aim")).to_have_text(notation)


def hinted(page: Page) -> tuple[Block, int]:
    """Asks for a hint; the block that it frames, and its quarters."""
    by(page, "hint").click()
    frame = page.locator(".rotate-frame.hinted")
    expect(frame).to_have_count(1)
    left, top, side, quarters = map(int, (frame.get_attribute("data-turn") or "").split(","))
    return Block(left, top, side), quarters


def orange(page: Page) -> list[int]:
    """The cells that are drawn in the first colour."""
    return page.evaluate(
        """([red, green, blue]) => {
            const canvas = document.querySelector(".rotate-cells");
            const board = document.querySelector(".rotate-board");
            const [, , columns, rows] = board.getAttribute("viewBox").split(" ");
            const size = canvas.width / columns, context = canvas.getContext("2d");
            return Array.from({ length: rows * columns }, (_, cell) => cell).filter((cell) => {
                const [x, y] = [cell % columns + 0.2, Math.floor(cell / columns) + 0.8];
                const seen = context.getImageData(Math.round(x * size), Math.round(y * size), 1, 1).data;
                return seen[0] === red && seen[1] === green && seen[2] === blue;
            });
        }""",
        ORANGE,
    )


def after(code: str, *turns: str) -> Rotate:
    """The puzzle whose first board is the one after these turns."""
    puzzle = Rotate(parse_board(code))
    state = puzzle.initial()
    for turn in turns:
        state = puzzle.apply(state, puzzle.parse_action(turn))
    rows = tuple(state.cells[row * puzzle.columns : (row + 1) * puzzle.columns] for row in range(puzzle.rows))
    return Rotate(Level(rows, puzzle.level.rules))


def shows(page: Page, code: str, *turns: str) -> None:
    """What is drawn is the board after these turns."""
    cells = after(code, *turns).level.cells
    expect(by(page, "board")).to_be_visible()
    expect(page.locator(".rotate.turning")).to_have_count(0)
    assert orange(page) == [place for place, colour in enumerate(cells) if colour == 1]


def test_a_level_is_finished_by_mouse(open_page: Open, look: Look) -> None:
    page = open_page(address="#rotate:rows=4,columns=4,colours=3#2")
    lamp(page, "winnable")
    played = 0
    while page.locator("body").get_attribute("data-standing") == "playing":
        block, quarters = hinted(page)
        x, y = point(page, block.left + block.side / 2, block.top + block.side / 2)
        page.mouse.move(x, y)
        look(page, f"rotate-1-hint-{played}")
        if quarters == 2:
            page.mouse.dblclick(x, y)
        else:
            page.mouse.click(x, y, button="left" if quarters == 1 else "right")
        played += 1
        ply(page, played, played)
        half = block.side // 2
        last(page, f"{block.left + half},{block.top + half},{block.side},{quarters}")
        page.wait_for_timeout(400)  # longer than between the clicks of a double click
    expect(by(page, "card-won")).to_contain_text(words("en")["won.title.rotate"])
    expect(by(page, "rotate-excess")).to_have_text("0")
    expect(by(page, "rotate-score")).to_have_text("16 / 16")
    expect(by(page, "rotate-legend").locator(".done")).to_have_count(3)
    look(page, "rotate-2-won")


def test_a_level_is_finished_by_keyboard(open_page: Open, look: Look) -> None:
    page = open_page(address="#rotate:" + ONE_TURN)
    expect(by(page, "board")).to_be_visible()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    expect(by(page, "board")).to_be_focused()
    aims(page, "2,2,2")
    page.keyboard.press("+")
    aims(page, "2,2,4")
    expect(page.locator(".rotate-frame.chosen")).to_have_attribute("data-side", "4")
    expect(page.locator(".rotate-frame")).to_have_count(2)
    page.keyboard.press("+")
    aims(page, "2,2,4")
    page.keyboard.press("-")
    expect(by(page, "live")).to_contain_text("Vertex 2,2, side 2")
    page.keyboard.press("w")
    last(page, "2,2,2,2")
    page.keyboard.press("u")
    standing(page, "playing")
    page.keyboard.press("q")
    last(page, "2,2,2,3")
    standing(page, "won")
    page.keyboard.press("u")
    standing(page, "playing")
    page.keyboard.press("Enter")
    last(page, "2,2,2,1")
    standing(page, "won")
    expect(by(page, "live")).to_contain_text(
        "Turned clockwise: 2,2,2,1. There it is now 2 2, 1 1. 0 clusters too many"
    )
    look(page, "rotate-3-keyboard")


def test_a_level_is_finished_by_touch(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, address="#rotate:" + ONE_TURN)
    page.touchscreen.tap(*point(page, 1.1, 3.1))
    aims(page, "1,3,2")
    page.touchscreen.tap(*point(page, 2.2, 1.8))
    aims(page, "2,2,2")
    ply(page, 0, 0)
    by(page, "rotate-larger").tap()
    aims(page, "2,2,4")
    by(page, "rotate-2").tap()
    last(page, "2,2,4,2")
    by(page, "rotate-smaller").tap()
    look(page, "rotate-4-touch")
    by(page, "rotate-1").tap()
    last(page, "2,2,2,1")
    standing(page, "won")


def test_two_fingers_choose_the_size(open_page: Open) -> None:
    page = open_page(360, 740, address="#rotate:" + SCATTERED)
    expect(by(page, "board")).to_be_visible()
    session: Any = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: float) -> None:
        x, y = point(page, 3, 3)
        touches = [{"x": x - apart / 2, "y": y, "id": 1}, {"x": x + apart / 2, "y": y, "id": 2}]
        session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else touches}
        )

    aims(page, "3,3,2")
    fingers("touchStart", 60)
    fingers("touchMove", 90)
    aims(page, "3,3,4")
    fingers("touchMove", 140)
    aims(page, "3,3,6")
    fingers("touchMove", 90)
    fingers("touchEnd", 90)
    aims(page, "3,3,4")
    ply(page, 0, 0)


@pytest.mark.parametrize("motion", [False, True])
def test_a_double_click_is_one_turn_by_180(open_page: Open, motion: bool) -> None:
    page = open_page(motion=motion, address="#rotate:" + SCATTERED)
    shows(page, SCATTERED)
    page.mouse.move(*point(page, 3, 2))
    page.mouse.wheel(0, -100)
    aims(page, "3,2,4")
    page.mouse.click(*point(page, 1, 5))
    last(page, "1,5,2,1")
    page.mouse.dblclick(*point(page, 3, 2), delay=20)
    last(page, "3,2,4,2")
    ply(page, 2, 2)
    shows(page, SCATTERED, "1,5,2,1", "3,2,4,2")
    by(page, "undo").click()
    ply(page, 1, 2)
    shows(page, SCATTERED, "1,5,2,1")
    page.mouse.click(*point(page, 3, 2), button="middle")
    last(page, "3,2,4,2")
    page.wait_for_timeout(400)  # longer than between the clicks of a double click
    page.mouse.click(*point(page, 3, 2))
    last(page, "3,2,4,1")
    page.wait_for_timeout(400)
    page.mouse.click(*point(page, 3, 2))
    ply(page, 4, 4)
    shows(page, SCATTERED, "1,5,2,1", "3,2,4,2", "3,2,4,1", "3,2,4,1")


def test_a_block_turns_visibly_and_the_next_turn_does_not_wait(open_page: Open, look: Look) -> None:
    page = open_page(motion=True, address="#rotate:" + SCATTERED)
    expect(by(page, "board")).to_be_visible()
    page.evaluate(
        """() => {
            window.seen = [];
            const board = document.querySelector(".rotate");
            new MutationObserver(() => seen.push([board.classList.contains("turning"), performance.now()]))
                .observe(board, { attributeFilter: ["class"] });
        }"""
    )
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("e")
    ply(page, 1, 1)
    expect(page.locator(".rotate:not(.turning)")).to_have_count(1)
    (began, start), (goes_on, end) = page.evaluate("seen")
    assert began
    assert not goes_on
    assert 150 <= end - start < 600
    for key in ("e", "ArrowUp", "q", "w", "ArrowDown", "e"):
        page.keyboard.press(key)
    ply(page, 5, 5)
    shows(page, SCATTERED, "2,3,2,1", "2,3,2,1", "2,2,2,3", "2,2,2,2", "2,3,2,1")
    by(page, "restart").click()
    ply(page, 0, 5)
    shows(page, SCATTERED)


def test_undo_redo_and_the_list_of_turns_survive_a_reload(open_page: Open, look: Look) -> None:
    page = open_page(address="#rotate:" + SCATTERED)
    by(page, "board").focus()
    for key in ("e", "ArrowLeft", "q", "w"):
        page.keyboard.press(key)
    ply(page, 3, 3)
    turns = ["3,3,2,1", "2,3,2,3", "2,3,2,2"]
    page.keyboard.press("u")
    ply(page, 2, 3)
    shows(page, SCATTERED, *turns[:2])
    page.reload()
    ply(page, 2, 3)
    last(page, turns[1])
    by(page, "redo").click()
    last(page, turns[2])
    shows(page, SCATTERED, *turns)
    page.locator(".rotate-list summary").click()
    expect(by(page, "rotate-moves").locator("li")).to_have_text(turns)
    assert copied(page, "rotate-copy") == "\n".join(turns)
    expect(by(page, "toast")).to_contain_text(words("en")["rotate.copied"])
    look(page, "rotate-5-list")


def test_pairs_turn_clockwise_only_and_blocks_may_be_odd(open_page: Open, look: Look) -> None:
    page = open_page(address="#rotate:" + PAIRS)
    expect(by(page, "rotate-legend")).to_contain_text("5 of 8 pairs together")
    expect(by(page, "rotate-2")).to_be_hidden()
    expect(by(page, "rotate-3")).to_be_hidden()
    page.mouse.move(*point(page, 1.4, 1.6))
    aims(page, "0,1,2")
    page.mouse.wheel(0, -100)
    aims(page, "0,0,3")
    look(page, "rotate-6-pairs")
    page.keyboard.press("q")
    page.keyboard.press("w")
    ply(page, 0, 0)
    page.keyboard.press("e")
    last(page, "0,0,3")
    by(page, "undo").click()
    page.mouse.move(*point(page, 2, 2))
    page.mouse.wheel(0, 100)
    aims(page, "1,1,2")
    page.mouse.wheel(0, -100)
    page.mouse.click(*point(page, 2.3, 2.6))
    last(page, "1,1,3")
    standing(page, "won")


def test_the_end_of_the_turns_is_called_by_its_name(open_page: Open) -> None:
    page = open_page(address=f"#rotate:{SCATTERED},turns=1")
    expect(by(page, "rotate-turns")).to_have_text("1")
    page.mouse.click(*point(page, 2, 2))
    standing(page, "lost")
    expect(by(page, "card-lost")).to_contain_text(words("en")["lost.title.rotate"])
    expect(page.locator(".rotate-frame")).to_have_count(0)
    by(page, "card-undo").click()
    expect(by(page, "rotate-turns")).to_have_text("1")


def test_the_page_numbers_and_names_turns_as_the_rules_do(open_page: Open) -> None:
    page = open_page()
    for rules in ("clusters", "pairs"):
        for rows, columns in ((2, 2), (3, 6), (6, 4), (9, 10)):
            numbers_and_names(page, rows, columns, rules)


def numbers_and_names(page: Page, rows: int, columns: int, rules: str) -> None:
    """Those of the page are those of the rules."""
    cells = [place // 2 for place in range(rows * columns)]
    if rules == "clusters":
        cells = [cell % 3 for cell in cells]
    random.Random(rows).shuffle(cells)
    text = "/".join(".".join(map(str, cells[row * columns : (row + 1) * columns])) for row in range(rows))
    puzzle = Rotate(parse_board(f"{text},rules={rules}"))
    told = page.evaluate(
        """async ([rows, columns, rules, count]) => {
            const { Blocks } = await import("/games/rotate/blocks.js");
            const blocks = new Blocks(rows, columns, rules);
            return Array.from({ length: count }, (_, action) => {
                const turn = blocks.turn(action);
                const block = [turn.left, turn.top, turn.side, turn.quarters];
                return [...block, blocks.name(turn), blocks.action(turn, turn.quarters)];
            });
        }""",
        [rows, columns, rules, puzzle.num_actions],
    )
    for action, (left, top, side, quarters, name, number) in enumerate(told):
        assert (Block(left, top, side), quarters) == puzzle.block(action), text
        assert name == puzzle.action_name(action), text
        assert number == action, text


@pytest.mark.parametrize(("code", "language"), [(SCATTERED, "en-US"), ("pairs", "zh-CN"), ("large", "zh-CN")])
def test_rotate_fits_a_small_phone(open_page: Open, look: Look, language: str, code: str) -> None:
    text = {
        "pairs": "rows=8,columns=8,rules=pairs#1",
        "large": "rows=24,columns=24,colours=26#1",
    }.get(code, code)
    page = open_page(360, 740, language, address="#rotate:" + text)
    expect(by(page, "board")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    shown = ["smaller", "1", "larger"] if code == "pairs" else ["smaller", "3", "2", "1", "larger"]
    for name in ("undo", "hint", "watch", "race-open", *(f"rotate-{what}" for what in shown)):
        box = by(page, name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 40, f"{name} is too small for a finger"
    board = by(page, "board").bounding_box()
    assert board is not None
    assert board["width"] >= 20 * float((by(page, "board").get_attribute("viewBox") or "").split()[2])
    look(page, f"rotate-7-phone-{'small' if code == SCATTERED else code}-{language}")


def test_an_editor_draws_a_board_that_the_server_judges(open_page: Open, look: Look) -> None:
    page = open_page(address="#rotate:" + ONE_TURN)
    by(page, "edit-level").click()
    expect(by(page, "editor-code")).to_have_value(ONE_TURN)
    verdict = by(page, "editor-verdict-text")
    expect(verdict).to_have_text(re.compile(r"\b1\b"))
    by(page, "brush-2").click()
    canvas = by(page, "editor-board")
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.1)
    expect(by(page, "editor-code")).to_have_value("2" + ONE_TURN[1:])
    page.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.6)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] * 0.6, steps=8)
    page.mouse.up()
    expect(by(page, "editor-code")).to_have_value("2122/1212/2222/1122")
    canvas.press("ArrowLeft")
    canvas.press("3")
    expect(by(page, "editor-code")).to_have_value("2122/1212/2232/1122")
    look(page, "rotate-8-editor")
    by(page, "editor-rules").select_option("pairs")
    expect(verdict).to_contain_text("each must be there twice")
    expect(by(page, "editor-play")).to_be_disabled()
    by(page, "editor-random").click()
    expect(verdict).to_have_text(re.compile("Can be finished|Fewest"))
    look(page, "rotate-9-editor-pairs")
    by(page, "editor-columns").fill("6")
    by(page, "editor-columns").press("Tab")
    by(page, "editor-random").click()
    by(page, "editor-play").click()
    expect(by(page, "editor-dialog")).to_be_hidden()
    expect(by(page, "board")).to_have_attribute("viewBox", "0 0 6 4")
    expect(by(page, "rotate-legend")).to_contain_text("of 12 pairs together")


BAD = {
    "12/3": "Row 2: 1 cell,",
    "1234/432": "the first row has 4",
    "12?4/4321": "neither a digit nor a letter",
    "12/21,rules=none": "Rules",
    "1221": "one row only",
    "1/" * 70 + "1": "more than 64 rows",
}
"""Boards, and what is said of them."""


def test_a_bad_board_is_refused_with_one_message(open_page: Open) -> None:
    page = open_page(address="#rotate:" + ONE_TURN)
    for code, cause in BAD.items():
        by(page, "edit-level").click()
        by(page, "editor-code").fill(code)
        expect(by(page, "editor-error")).to_contain_text(cause)
        expect(by(page, "editor-play")).to_be_disabled()
        expect(by(page, "toast")).to_have_count(0)
        by(page, "editor-close").click()
        by(page, "new").click()
        by(page, "new-text").fill("rotate:" + code)
        by(page, "new-start").click()
        expect(by(page, "field-error")).to_contain_text(cause)
        expect(by(page, "toast")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(by(page, "new-dialog")).to_be_hidden()


def test_c4_a_race_counts_the_best_of_three_boards(open_page: Open, look: Look) -> None:
    page = open_page(address="#rotate:" + ONE_TURN)
    by(page, "race-open").click()
    look(page, "rotate-10-race-dialog")
    by(page, "race-seed").fill("7")
    by(page, "race-start").click()
    clock = by(page, "race-clock")
    expect(clock).to_have_text(re.compile("^(10:00|9:5\\d)$"))
    first, second = by(page, "race-board-0"), by(page, "race-board-1")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(by(page, "board")).to_have_attribute("viewBox", "0 0 10 10")
    page.keyboard.press("ArrowRight")
    best, turns = 0, 0
    for number in range(1, 9):
        score = int((by(page, "rotate-score").text_content() or "").split(" / ")[0])
        if number > 1:
            best, turns = max((best, turns), (score, 1 - number))
        page.keyboard.press("e" if number % 2 else "ArrowRight")
        if not number % 2:
            page.keyboard.press("w")
        ply(page, number, number)
    score = int((by(page, "rotate-score").text_content() or "").split(" / ")[0])
    best, turns = max((best, turns), (score, -8))
    expect(first).to_have_attribute("data-score", str(best))
    expect(first).to_have_attribute("data-turns", str(-turns))
    second.click()
    expect(by(page, "board")).to_have_attribute("viewBox", "0 0 12 12")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("data-score", str(best))
    expect(second).to_contain_text(words("en")["race.untouched"])
    look(page, "rotate-11-race")
    page.reload()
    expect(by(page, "board")).to_have_attribute("viewBox", "0 0 12 12")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_attribute("data-score", str(best))
    first.click()
    ply(page, 8, 8)
    expect(by(page, "board")).to_have_attribute("viewBox", "0 0 10 10")
    by(page, "race-end").click()
    rows = by(page, "race-result").locator("tr")
    expect(rows.nth(1)).to_contain_text(f"{best} / 100")
    for looked_at_or_not in (rows.nth(2), rows.nth(3)):
        expect(looked_at_or_not.locator("td").first).to_have_text(re.compile("^0 / "))
    expect(by(page, "race-total")).to_contain_text(re.compile(r"of 440 cells"))
    expect(by(page, "race")).to_be_hidden()
    look(page, "rotate-12-race-over")


def test_c4_a_race_ends_with_its_time_and_says_who_helped(open_page: Open) -> None:
    page = open_page(address="#rotate:" + ONE_TURN, own=True)
    page.clock.install()
    page.reload()
    page.wait_for_selector("body[data-standing=playing]")
    by(page, "race-open").click()
    by(page, "race-seed").fill("7")  # one turn of the player is worth something there
    by(page, "race-start").click()
    expect(by(page, "board")).to_have_attribute("viewBox", "0 0 10 10")
    by(page, "watch-step").click()
    ply(page, 1, 1)
    page.clock.fast_forward("09:30")
    expect(by(page, "race-clock")).to_have_text(re.compile("^0:[123]\\d$"))
    page.clock.fast_forward("00:40")
    expect(by(page, "race-result")).to_be_visible()
    expect(by(page, "race-dialog")).to_contain_text(words("en")["race.helped"])
    expect(by(page, "race-ranking").locator("li")).to_have_count(1)
    score = by(page, "race-total").text_content()
    by(page, "race-close").click()
    by(page, "board").press("e")
    by(page, "race-open").click()
    expect(by(page, "race-total")).to_have_text(score or "")
    by(page, "race-leave").click()
    expect(by(page, "race-dialog")).to_be_hidden()


def test_where_no_par_is_proved_the_best_known_stands(open_page: Open) -> None:
    page = open_page(address="#rotate/30-first-round")
    expect(by(page, "par")).to_have_text(re.compile(r"best known: \d+"))
    expect(by(page, "stars")).to_be_hidden()
