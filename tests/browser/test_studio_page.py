"""The studio as its user has it: clicks in a real browser against a real server."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Open
from tests.waiting import wait_until
from winnable.words import catalogue as words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

TRAP = "3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"
"""Two kinds, and two tiles may rest: a tile of each kind, and the game can no longer be won."""


def by(page: Page, name: str) -> Locator:
    return page.get_by_test_id(name)


def start(page: Page, text: str) -> None:
    """A new game from an identity or a board's text; the page's address names the session."""
    before = page.url
    by(page, "new").click()
    by(page, "new-text").fill(text)
    by(page, "new-start").click()
    expect(by(page, "new-dialog")).to_be_hidden()
    page.wait_for_url(lambda url: url != before)


def lamp(page: Page, verdict: str) -> None:
    """The first one may have to wait until the kernels are compiled."""
    expect(page.locator(f"[data-testid=lamp][data-verdict={verdict}]")).to_be_visible()


def pick(page: Page, tile: int) -> None:
    """As soon as it can be: a click on what is not free yet does nothing."""
    page.locator(f".tile.pickable[data-tile='{tile}']").click()


def ply(page: Page, number: int, length: int | None = None) -> None:
    timeline = by(page, "timeline")
    expect(timeline).to_have_attribute("aria-valuenow", str(number))
    if length is not None:
        expect(timeline).to_have_attribute("aria-valuemax", str(length))


def copied(page: Page, name: str) -> str:
    """What the button writes into the clipboard, once it is there."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('')")
    by(page, name).click()
    read = "navigator.clipboard.readText()"
    wait_until(lambda: page.evaluate(read), "what is copied", lambda: page.wait_for_timeout(20))
    return page.evaluate(read)


def test_a_level_is_won_by_following_hints(open_page: Open, look: Look) -> None:
    page = open_page()
    start(page, "triple:layers=2,sets=1,kinds=4,side=3#4")
    lamp(page, "winnable")
    look(page, "1-start")
    for played in range(12):
        ply(page, played)
        by(page, "hint").click()
        page.locator(".hinted").click()
        if played == 5:
            look(page, "2-middle")
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    expect(by(page, "card-won")).to_contain_text("12")
    look(page, "3-won")


def test_a_lost_game_names_the_losing_click(open_page: Open, look: Look) -> None:
    page = open_page(address="#triple:" + TRAP)
    lamp(page, "winnable")
    pick(page, 0)
    lamp(page, "winnable")
    pick(page, 3)
    lamp(page, "lost")
    pick(page, 1)
    expect(page.locator("body")).to_have_attribute("data-standing", "lost")
    expect(by(page, "card-lost")).to_be_visible()
    by(page, "report").click()
    expect(by(page, "report-text")).to_contain_text(re.compile(r"\b2\b"))
    blame = page.locator("[data-testid=timeline-blame]")
    expect(blame).to_have_attribute("data-first", "1")
    expect(blame).to_have_attribute("data-last", "1")
    look(page, "4-lost")
    by(page, "report-goto").click()
    ply(page, 1, 3)
    lamp(page, "winnable")


def test_the_page_speaks_chinese(open_page: Open, look: Look) -> None:
    page = open_page(language="zh-CN")
    chinese = words("zh-CN")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(by(page, "hint")).to_contain_text(chinese["toolbar.hint"])
    look(page, "5-chinese")
    by(page, "settings").click()
    by(page, "language").select_option("en")
    page.keyboard.press("Escape")
    expect(by(page, "hint")).to_contain_text(words("en")["toolbar.hint"])
    page.reload()
    expect(by(page, "hint")).to_contain_text(words("en")["toolbar.hint"])


def test_light_or_dark_is_chosen_and_holds_from_the_first_paint_on(open_page: Open) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page = open_page(dark=True)
    dark = page.evaluate(ground)
    by(page, "settings").click()
    expect(by(page, "language")).to_be_focused()
    by(page, "theme").select_option("light")
    light = page.evaluate(ground)
    assert light != dark
    # No module has run yet: what is seen does not wait for one.
    page.route("**/app.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.reload()
    assert page.evaluate(ground) == light
    page.goto(page.url.partition("#")[0] + "arcade")
    by(page, "menu-options").click()
    by(page, "theme").select_option("system")
    assert page.evaluate(ground) == dark
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == light


HEARD = """() => {
window.heard = [];
window.AudioContext = class {
  state = "running"; destination = null;
  get currentTime() { return performance.now(); } // so fast that no tone comes too soon after another
  createOscillator() {
    const at = (value) => heard.push(Math.round(value));
    const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime: at };
    return { frequency, connect: (to) => to, start() {}, stop() {} };
  }
  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to };
  }
};
}"""


@pytest.mark.parametrize(
    ("level", "key"),
    [
        ("triple:" + TRAP, "Enter"),
        ("drops:402204/304403,drops=3", "Enter"),
        ("tetris:-,dice=3", "Enter"),
        ("rotate:rows=4,columns=4,colours=3#2", "Enter"),
        ("2048:1100/0000/0000/0000,dice=5", "ArrowLeft"),
    ],
)
def test_what_is_done_is_heard_once_sound_is_on(open_page: Open, level: str, key: str) -> None:
    page = open_page(address="#" + level)
    page.evaluate(HEARD)
    by(page, "board").wait_for()
    page.keyboard.press("ArrowDown" if key == "Enter" else "Tab")
    page.keyboard.press(key)
    expect(by(page, "timeline")).not_to_have_attribute("aria-valuenow", "0")
    assert page.evaluate("heard") == [], "sound is off until it is asked for"
    page.keyboard.press("u")
    expect(by(page, "timeline")).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("m")
    expect(by(page, "sound")).to_have_attribute("aria-pressed", "true")
    before = page.evaluate("heard.length")
    assert before == 1, "the switch answers"
    page.keyboard.press("ArrowDown" if key == "Enter" else "Tab")
    page.keyboard.press(key)
    expect(by(page, "timeline")).not_to_have_attribute("aria-valuenow", "0")
    wait_until(lambda: page.evaluate("heard.length") > 1, "a tone", lambda: page.wait_for_timeout(20))


def test_a_reload_goes_on_with_the_game(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    pick(page, 0)
    pick(page, 1)
    ply(page, 2, 2)
    by(page, "undo").click()
    ply(page, 1, 2)
    page.reload()
    page.wait_for_selector("body[data-standing=playing]")
    ply(page, 1, 2)
    lamp(page, "winnable")
    by(page, "redo").click()
    ply(page, 2, 2)


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_everything_fits_a_small_phone(open_page: Open, look: Look, language: str) -> None:
    page = open_page(360, 740, language)
    start(page, "triple:layers=12,sets=6,method=backwards#3")
    lamp(page, "winnable")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("undo", "redo", "restart", "hint", "watch", "new"):
        box = by(page, name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 40, f"{name} is too small for a finger"
    look(page, f"6-phone-{language}")
    by(page, "hint").tap()
    page.locator(".hinted").tap()
    ply(page, 1)
    by(page, "new").tap()
    expect(by(page, "new-dialog")).to_be_visible()
    look(page, f"7-phone-new-{language}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_shows_the_page_in_tabs(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, address="#triple:" + TRAP)
    board, tab, panel = by(page, "board"), by(page, "tab-help"), by(page, "solve-panel")
    expect(board).to_be_visible()
    expect(panel).to_be_hidden()
    by(page, "tab-play").focus()
    page.keyboard.press("ArrowRight")
    expect(tab).to_be_focused()
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel", name=words("en")["tabs.help"])).to_be_visible()
    expect(board).to_be_hidden()
    look(page, "7-phone-tab")
    by(page, "watch-step").focus()
    page.keyboard.press("Enter")  # whoever changes the board wants to see it
    ply(page, 1)
    expect(by(page, "tab-play")).to_be_focused()
    tab.click()
    by(page, "watch-play").click()
    expect(board).to_be_visible()
    by(page, "tab-game").click()
    expect(by(page, "save-game")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    for part in (board, panel, by(page, "save-game")):
        expect(part).to_be_visible()
    expect(page.get_by_role("tab")).to_have_count(0)
    expect(page.get_by_role("tabpanel")).to_have_count(0)


def test_the_keyboard_alone_plays(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    by(page, "board").locator(".tile[tabindex='0']").focus()
    page.keyboard.press("Enter")
    ply(page, 1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    ply(page, 2)
    page.keyboard.press("u")
    ply(page, 1, 2)
    page.keyboard.press("h")
    expect(page.locator(".hinted")).to_be_visible()


def test_solvers_report_and_their_line_is_played(open_page: Open, look: Look) -> None:
    page = open_page(address="#triple:" + TRAP)
    by(page, "solve-exact").click()
    result = by(page, "solve-result").first
    expect(result).to_have_attribute("data-status", "solved")
    look(page, "8-solved")
    by(page, "watch-speed").evaluate(
        "node => { node.value = node.max; node.dispatchEvent(new Event('input')); }"
    )
    by(page, "solve-play").click()
    expect(page.locator("body")).to_have_attribute("data-standing", "won")
    ply(page, 6, 6)


def test_watching_a_player_step_by_step(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    by(page, "watch-who").select_option("player:greedy")
    by(page, "watch-step").click()
    ply(page, 1, 1)
    by(page, "watch-step").click()
    ply(page, 2, 2)


def test_bad_levels_are_refused_in_words_and_the_game_stays(open_page: Open, tmp_path: Path) -> None:
    page = open_page(address="#triple:" + TRAP)
    pick(page, 0)
    ply(page, 1)
    by(page, "new").click()
    by(page, "new-text").fill("triple:layers=1000000000#1")
    by(page, "new-start").click()
    expect(by(page, "field-error")).to_be_visible()
    expect(by(page, "param-layers")).to_have_attribute("aria-invalid", "true")
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"format":"winnable.triple/1","tiles":[{"kind":0}]}')
    by(page, "load-file").set_input_files(broken)
    expect(by(page, "new-error")).to_contain_text("Tiles 1: Object missing required field `x`")
    page.keyboard.press("Escape")
    ply(page, 1)


def test_a_saved_game_can_be_loaded_again(open_page: Open, tmp_path: Path) -> None:
    page = open_page(address="#triple:" + TRAP)
    pick(page, 3)
    ply(page, 1)
    with page.expect_download() as download:
        by(page, "save-game").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    start(page, "triple/1-first-steps")
    ply(page, 0)
    by(page, "new").click()
    by(page, "load-file").set_input_files(path)
    ply(page, 1, 1)
    expect(page.locator(".tile")).to_have_count(5)


def test_the_tools_of_the_variant_are_buttons(open_page: Open, look: Look) -> None:
    page = open_page(address="#triple/6-second-chance")
    page.locator(".tile.pickable").first.click()
    ply(page, 1)
    look(page, "9-tools")
    by(page, "tool-move_out").click()
    ply(page, 2)
    expect(by(page, "aside").locator(".aside-tile")).to_have_count(1)
    expect(by(page, "tool-move_out")).to_be_disabled()


def test_a_hint_waits_for_the_board(open_page: Open) -> None:
    page = open_page(address=f"#triple:{TRAP}", ready="[data-testid=board]")
    held: list[Route] = []
    page.route("**/boards/2048.js", lambda route: held.append(route))
    start(page, "2048:-,dice=3")
    expect(page.locator("body")).to_have_attribute("data-game", "2048")
    by(page, "hint").click()
    expect(by(page, "hint")).to_have_attribute("aria-busy", "false")
    (late,) = held
    late.continue_()
    expect(by(page, "2048-hint").locator("path")).not_to_have_count(0)


def test_a_board_that_is_loaded_too_late_is_not_drawn(open_page: Open) -> None:
    page = open_page(address=f"#triple:{TRAP}", ready="[data-testid=board]")
    held: list[Route] = []
    page.route("**/boards/drops.js", lambda route: held.append(route))
    start(page, "drops:402204/304403,drops=3")
    start(page, "tetris:-,dice=3")
    expect(page.locator("body")).to_have_attribute("data-game", "tetris")
    (late,) = held
    late.continue_()
    expect(by(page, "board")).to_be_visible()
    page.wait_for_timeout(300)
    expect(by(page, "board")).to_have_count(1)


def test_e20_e21_clicks_act_in_the_automatic_game_which_begins_anew(open_page: Open) -> None:
    """As in the article's program: a click takes a tile, the player goes on; after the end new tiles come."""
    page = open_page(1280, 900, address="#triple:layers=2,sets=1,kinds=6#5")
    by(page, "watch-who").select_option("player:greedy")
    by(page, "watch-again").check()
    by(page, "watch-speed").fill("0")
    by(page, "watch").click()
    expect(by(page, "watch")).to_have_attribute("aria-pressed", "true")
    clicked = page.locator(".tile.pickable").last
    tile = clicked.get_attribute("data-tile")
    clicked.click()
    expect(page.locator(f".tile[data-tile='{tile}']")).to_have_count(0)
    expect(by(page, "watch")).to_have_attribute("aria-pressed", "true")
    by(page, "watch-speed").fill("6")
    expect(page.locator(".tile")).to_have_count(0)
    expect(page.locator(".tile")).not_to_have_count(0)
    expect(by(page, "watch")).to_have_attribute("aria-pressed", "true")
    by(page, "watch").click()
    by(page, "watch-again").uncheck()


def test_e1_twelve_kinds_have_twelve_pictures(open_page: Open) -> None:
    pictures = """async () => {
        const { GLYPHS, glyphOf } = await import("/games/triple/glyphs.js");
        return Array.from({ length: 12 }, (_, kind) => JSON.stringify(GLYPHS[glyphOf(kind).shape][1]));
    }"""
    assert len(set(open_page().evaluate(pictures))) == 12


@pytest.mark.parametrize(("width", "language"), [(1280, "zh-CN"), (360, "en-US")])
def test_b25_e22_the_articles_figures_beside_the_board(
    open_page: Open, look: Callable[[Page, str], None], width: int, language: str
) -> None:
    wall = "...x....../..xx..xxx./xxxx.xxxxx/x.xx.xx.x.,rules=article,height=21"
    page = open_page(width, 900, language, address=f"#tetris:{wall}")
    by(page, "why").click()
    for name, text in (("space", "3"), ("height_difference", "10"), ("max_height", "4"), ("more_short", "3")):
        expect(by(page, f"figure-{name}").locator("td").first).to_have_text(text)
    expect(by(page, "wall-score")).not_to_have_text("")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, f"wall-figures-{width}")
    by(page, "why").click()
    expect(by(page, "why-box")).to_be_hidden()
    page.goto(page.url.partition("#")[0] + "#triple:layers=4,sets=2,kinds=4#1")
    expect(page.locator(".tile.pickable").first).to_be_visible()
    by(page, "why").click()
    expect(by(page, "why-box").locator("li")).not_to_have_count(0)
    expect(page.locator(".tile-clicks").first).to_be_visible()
    look(page, f"clicks-needed-{width}")
    before = by(page, "why-box").inner_text()
    page.locator(".tile.pickable").first.click()
    expect(by(page, "why-box")).not_to_have_text(before)
    by(page, "why").click()
