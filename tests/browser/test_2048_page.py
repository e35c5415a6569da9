"""2048 as its player has it."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, start, words
from winnable.games.game2048.levels.text import parse_board
from winnable.games.game2048.rules.puzzle import DOWN, LEFT, NAMES, RIGHT, UP, Seeded2048

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

BOARD = "0000/0120/0210/0000,dice=5"
KEYS = {
    "arrows": ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"),
    "wasd": ("w", "d", "s", "a"),
    "hjkl": ("k", "l", "j", "h"),
}
"""By action."""
GAME = "import('/static/desk/game.js')"
TILES = """() => Object.fromEntries([...document.querySelectorAll("#stage [data-testid=tile]")]
    .map(({ dataset }) => [dataset.cell, Number(dataset.value)]))"""
DIRECTIONS = {UP: (0, -1), RIGHT: (1, 0), DOWN: (0, 1), LEFT: (-1, 0)}


def open_level(open_page: Open, code: str, **options: Any) -> Page:
    """The page with its board, ready to be played."""
    return open_page(address=f"#2048:{code}", ready="[data-testid=board]", **options)


def moves_on(code: str, number: int) -> tuple[list[int], list[tuple[int, ...]]]:
    """Legal moves, by turns in all directions, and the boards to which they lead."""
    puzzle = Seeded2048(parse_board(code))
    turn, moves, boards = puzzle.initial(), list[int](), list[tuple[int, ...]]()
    for at in range(number):
        legal = puzzle.legal_actions(turn)
        moves.append(legal[at * 3 % len(legal)])
        turn = puzzle.apply(turn, moves[-1])
        boards.append(turn.state)
    return moves, boards


def shows(page: Page, cells: Sequence[int]) -> None:
    """Waits until the board does."""
    expected = {str(cell): 1 << exponent for cell, exponent in enumerate(cells) if exponent}
    page.wait_for_function(
        f"expected => JSON.stringify(({TILES})()) === JSON.stringify(expected)", arg=expected
    )


@pytest.mark.parametrize("keys", KEYS)
def test_it_is_played_by_keyboard(open_page: Open, keys: str) -> None:
    page = open_level(open_page, BOARD)
    moves, boards = moves_on(BOARD, 12)
    assert set(moves) == {UP, RIGHT, DOWN, LEFT}
    for move, cells in zip(moves, boards, strict=True):
        page.keyboard.press(KEYS[keys][move])
        shows(page, cells)
    ply(page, 12, 12)
    expect(by(page, "2048-moves")).to_have_text("12")


def test_the_pages_own_letters_need_shift(open_page: Open) -> None:
    page = open_level(open_page, BOARD)
    page.keyboard.press("Shift+H")
    expect(by(page, "2048-hint")).to_have_attribute("data-move", re.compile("|".join(NAMES)))
    page.keyboard.press("Shift+W")
    expect(by(page, "watch")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Shift+W")
    expect(by(page, "watch")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("?")
    keys = page.locator("#help-keys")
    expect(keys).to_contain_text("W A S D")
    expect(keys).to_contain_text("Shift+W")
    expect(keys).not_to_contain_text("Enter")
    page.keyboard.press("Escape")
    start(page, "drops:402204/304403,drops=3")
    expect(by(page, "board")).to_be_visible()
    page.keyboard.press("?")
    expect(keys).to_contain_text("Enter")
    expect(keys).not_to_contain_text("Shift+W")


def test_moves_made_too_fast_are_kept_in_order(open_page: Open) -> None:
    page = open_level(open_page, BOARD, motion=True)
    moves, boards = moves_on(BOARD, 7)
    page.evaluate(
        "keys => keys.forEach(key => document.body.dispatchEvent("
        "new KeyboardEvent('keydown', { key, bubbles: true })))",
        [KEYS["arrows"][move] for move in moves],
    )
    ply(page, 5, 5)  # the first one is on its way, four wait
    shows(page, boards[4])
    page.keyboard.press(KEYS["arrows"][moves[5]])
    shows(page, boards[5])
    ply(page, 6, 6)


def swipe(page: Page, move: int, far: float = 70) -> None:
    """By finger, from the middle of the board."""
    box = by(page, "board").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    dx, dy = DIRECTIONS[move]
    touch: Any = page.context.new_cdp_session(page)
    points = [{"x": x + dx * far * part / 4 + 3, "y": y + dy * far * part / 4} for part in range(5)]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
    for point in points[1:]:
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


def test_a_swipe_is_one_move(open_page: Open) -> None:
    page = open_level(open_page, BOARD, width=360, height=740)
    moves, boards = moves_on(BOARD, 6)
    for played, (move, cells) in enumerate(zip(moves, boards, strict=True), 1):
        swipe(page, move, far=150)
        shows(page, cells)
        ply(page, played, played)
    swipe(page, moves[0], far=12)  # too short
    page.wait_for_timeout(100)
    ply(page, 6, 6)
    assert page.evaluate("scrollY") == 0


def test_a_mouse_drags(open_page: Open) -> None:
    page = open_level(open_page, BOARD)
    (move,), (cells,) = moves_on(BOARD, 1)
    box = by(page, "board").bounding_box()
    assert box is not None
    x, y = box["x"] + 200, box["y"] + 200
    dx, dy = DIRECTIONS[move]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90 * dx, y + 90 * dy, steps=6)
    page.mouse.up()
    page.mouse.move(x, y, steps=3)
    shows(page, cells)
    ply(page, 1, 1)


def test_the_badge_is_there_as_long_as_nothing_was_taken_back(open_page: Open) -> None:
    page = open_level(open_page, BOARD)
    badge = by(page, "2048-no-undo")
    expect(badge).to_be_visible()
    (move, *_), (cells, *_) = moves_on(BOARD, 1)
    page.keyboard.press(KEYS["arrows"][move])
    shows(page, cells)
    expect(badge).to_be_visible()
    page.keyboard.press("u")
    shows(page, parse_board(BOARD).cells)
    expect(badge).to_be_hidden()
    page.keyboard.press(KEYS["arrows"][move])
    shows(page, cells)
    expect(badge).to_be_visible()
    page.keyboard.press("u")
    page.keyboard.press(KEYS["arrows"][(move + 1) % 4])
    ply(page, 1, 1)
    expect(badge).to_be_hidden()
    page.reload()
    ply(page, 1, 1)
    expect(badge).to_be_hidden()


def test_tiles_slide_meet_and_appear(open_page: Open, look: Look) -> None:
    page = open_level(open_page, "1101/0000/0000/2000,dice=5", motion=True)
    page.evaluate("""() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(".g2048-gain { animation-play-state: paused; }");
        document.adoptedStyleSheets = [sheet];
    }""")
    page.evaluate("""() => {
        globalThis.animated = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, timing) {
            if (frames[0].transform) animated.push(frames.map(({ transform }) => transform).join(" > "));
            return animate.call(this, frames, timing);
        };
    }""")
    page.keyboard.press("ArrowLeft")
    ply(page, 1)
    look(page, "2048-1-sliding")
    grow = "scale(0.9) > scale(1.14) > scale(1)"
    assert sorted(page.evaluate("animated")) == sorted(
        [
            "translate(0px, 0px) > translate(0px, 0px)",
            "translate(1px, 0px) > translate(0px, 0px)",
            "translate(3px, 0px) > translate(1px, 0px)",
            grow,
            "scale(0) > scale(1)",
        ]
    )
    expect(by(page, "2048-gain")).to_have_text("+4")
    expect(page.locator("#stage .g2048-tile")).to_have_count(4)  # those that met are gone
    expect(by(page, "live")).to_contain_text(re.compile(r"Plus 4\. New [24] in row"))
    by(page, "settings").click()
    by(page, "motion").uncheck()
    page.keyboard.press("Escape")
    page.evaluate("animated.length = 0")
    page.keyboard.press("ArrowRight")
    ply(page, 2)
    assert page.evaluate("animated") == []


def test_d12_the_best_score_is_kept_by_kind_of_level(open_page: Open) -> None:
    page = open_level(open_page, "1100/0000/0000/0000,dice=5")
    best = by(page, "2048-best")
    expect(best).to_have_text("0")
    page.keyboard.press("ArrowLeft")
    expect(best).to_have_text("4")
    page.keyboard.press("u")
    expect(by(page, "2048-score")).to_have_text("0")
    expect(best).to_have_text("4")
    page.reload()
    expect(best).to_have_text("4")
    by(page, "2048-again").click()
    ply(page, 0, 0)
    expect(by(page, "level-id")).to_have_text("own board")
    expect(best).to_have_text("4")
    start(page, "1100/0000/0000/0000,goal=64")
    expect(best).to_have_text("0")


def test_what_a_player_scores_is_not_ones_own(open_page: Open) -> None:
    page = open_level(open_page, "1111/1111/0000/0000,dice=5")
    by(page, "watch-step").click()
    ply(page, 1)
    page.keyboard.press("ArrowLeft")
    ply(page, 2)
    expect(by(page, "2048-score")).not_to_have_text("0")
    expect(by(page, "2048-best")).to_have_text("0")


def test_the_goal_shines_once_and_the_game_goes_on(open_page: Open, look: Look) -> None:
    page = open_level(open_page, "2200/1000/0000/0000,goal=8,dice=5", own=True)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.keyboard.press("ArrowLeft")
    expect(by(page, "2048-reached")).to_contain_text(words("en")["2048.reached.go-on"])
    look(page, "2048-2-goal")
    expect(by(page, "live")).to_contain_text("Goal reached: 8")
    page.clock.run_for(3000)
    expect(by(page, "2048-reached")).to_have_count(0)
    page.keyboard.press("u")
    ply(page, 0, 1)
    page.keyboard.press("r")
    ply(page, 1, 1)
    page.keyboard.press("ArrowDown")
    ply(page, 2, 2)
    expect(by(page, "2048-reached")).to_have_count(0)


def test_a_goal_may_end_the_game(open_page: Open) -> None:
    page = open_level(open_page, "2200/1000/0000/0000,goal=8,ends,dice=5", motion=True)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("body")).to_have_attribute("data-standing", "over")
    expect(by(page, "card-over")).to_contain_text("Goal reached: 8")
    expect(by(page, "card-result")).to_have_text("Score 8, largest tile 8, 1 move")
    expect(by(page, "2048-reached")).to_have_count(0)


def test_keys_after_the_end_do_no_harm(open_page: Open) -> None:
    page = open_level(open_page, "2200/1000/0000/0000,goal=8,ends,dice=5", motion=True)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(by(page, "card-over")).to_be_visible()
    by(page, "card-undo").click()
    ply(page, 0, 1)
    page.keyboard.press("ArrowDown")
    ply(page, 1, 1)


def test_a_player_is_watched_to_the_end(open_page: Open) -> None:
    page = open_level(open_page, "-,rows=2,columns=2,dice=5", motion=True)
    by(page, "watch-who").select_option("player:random")
    by(page, "watch-speed").fill("6")
    by(page, "watch-play").click()
    expect(by(page, "card-over")).to_be_visible()
    last = int(by(page, "timeline").get_attribute("aria-valuenow") or 0)
    puzzle = Seeded2048(parse_board("-,rows=2,columns=2,dice=5"))
    turn = puzzle.initial()
    for action in page.evaluate(f"{GAME}.then(({{ game }}) => game.history.actions)"):
        turn = puzzle.apply(turn, action)
    assert turn.turn == last
    assert not puzzle.legal_actions(turn)
    shows(page, turn.state)


def test_following_hints_reaches_the_goal(open_page: Open) -> None:
    page = open_level(open_page, "a987/4560/1000/0000,goal=2048,dice=5")
    hint = by(page, "2048-hint")
    for played in range(1, 400):
        page.keyboard.press("Shift+H")
        expect(hint).to_have_attribute("data-move", re.compile("|".join(NAMES)))
        move = NAMES.index(hint.get_attribute("data-move") or "")
        page.keyboard.press(KEYS["arrows"][move])
        ply(page, played, played)
        if 2048 in page.evaluate(TILES).values():
            break
    expect(by(page, "live")).to_contain_text("Goal reached: 2048")


def test_hints_and_values_point_in_directions(open_page: Open, look: Look) -> None:
    page = open_level(open_page, BOARD)
    by(page, "hint").click()
    hint = by(page, "2048-hint")
    expect(hint).to_have_attribute("data-move", re.compile("|".join(NAMES)))
    values = by(page, "2048-values").locator("[data-move]")
    by(page, "2048-worth").click()
    expect(values).not_to_have_count(0)  # the lamp's: nothing comes after them
    page.evaluate(
        f"{GAME}.then(({{ game }}) => game.board.showValues({{ 0: 1234.4, 2: 12.34, 3: 1500 }}, true))"
    )
    expect(values).to_have_text(["1,234", "12.3", "1,500"])
    expect(page.locator("[data-best]")).to_have_attribute("data-move", "left")
    look(page, "2048-3-hint")
    box = by(page, "board").bounding_box()
    assert box is not None
    up, left = (values.nth(at).bounding_box() for at in (0, 2))
    assert up is not None
    assert left is not None
    assert abs(up["y"] - box["y"]) < 16
    assert abs(left["x"] - box["x"]) < 16
    page.keyboard.press("ArrowLeft")
    ply(page, 1)
    expect(values.get_by_text("1,500")).to_have_count(0)
    expect(hint.locator("path")).to_have_count(0)
