"""Drops as its player has it."""

import base64
import json
import random
import re
from collections.abc import Callable
from itertools import pairwise, product
from typing import get_args

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, lamp, ply, start, words
from winnable.contract.registry import GAMES
from winnable.games.drops.game import GAME
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.levels.files import shipped_levels

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

CHAIN = "402204/304403/144441/144441/304403/402204,drops=3"
"""A click on (3,2) sets off everything."""
LOST = "0300/0000/0003,drops=3"
"""Four clicks are needed."""
QUIET = "0300/0000/0003"


def click(page: Page, x: int, y: int, columns: int) -> None:
    page.locator(f".cell[data-cell='{(y - 1) * columns + x - 1}']").click()


def standing(page: Page, name: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-standing", name)


def left(page: Page, drops: int) -> None:
    expect(by(page, "tank")).to_have_attribute("data-left", str(drops))


def drops_at(page: Page, cell: int, drops: int) -> None:
    expect(page.locator(f".cell[data-cell='{cell}']")).to_have_attribute("data-drops", str(drops))


def flying(page: Page, now: bool) -> None:
    expect(page.locator("body")).to_have_attribute("data-flying", "true" if now else "false")


def test_a_level_is_won_by_clicking(open_page: Open, look: Look) -> None:
    page = open_page()
    start(page, "04004/00000/00000/40040,drops=9")
    left(page, 9)
    click(page, 2, 1, 5)
    ply(page, 1)
    left(page, 8)
    drops_at(page, 1, 0)
    look(page, "drops-1-clicked")
    by(page, "undo").click()
    left(page, 9)
    drops_at(page, 1, 4)
    by(page, "redo").click()
    left(page, 8)
    for clicks in range(2, 10):
        if page.locator("body").get_attribute("data-standing") == "won":
            break
        page.locator(".cell.pickable").first.click()
        ply(page, clicks)
    standing(page, "won")
    expect(by(page, "card-won")).to_be_visible()
    look(page, "drops-2-won")


def test_a_link_opens_a_board_and_the_lamp_tells_its_par(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + CHAIN)
    lamp(page, "winnable")
    expect(by(page, "lamp-detail")).to_contain_text("1")
    expect(by(page, "par")).to_contain_text("1")
    expect(by(page, "stars")).to_have_attribute("data-stars", "3")
    look(page, "drops-3-par")
    click(page, 1, 2, 6)
    expect(by(page, "stars")).to_have_attribute("data-stars", "2")
    click(page, 3, 2, 6)
    standing(page, "won")
    expect(by(page, "card-stars")).to_have_attribute("data-stars", "2")


def test_a19_everything_is_locked_while_droplets_fly(open_page: Open, look: Look) -> None:
    page = open_page(motion=True, address="#drops:" + CHAIN)
    click(page, 3, 2, 6)
    flying(page, True)
    for name in ("cheat", "new", "hint", "watch-step", "solve-optimal"):
        expect(by(page, name)).to_be_disabled()
    expect(by(page, "card-won")).to_have_count(0)
    expect(by(page, "chain")).to_have_attribute("data-bursts", re.compile(r"[6-9]|\d\d"))
    look(page, "drops-4-flying")
    flying(page, False)
    expect(by(page, "card-won")).to_be_visible()
    expect(by(page, "new")).to_be_enabled()
    expect(by(page, "chain")).to_have_attribute("data-bursts", "28")


def test_a19_cells_are_locked_while_droplets_fly(open_page: Open) -> None:
    page = open_page(motion=True, address="#drops:4444444444444444/0000000000000001,drops=5")
    click(page, 1, 1, 16)
    flying(page, True)
    expect(page.locator(".cell.pickable")).to_have_count(0)
    flying(page, False)
    expect(page.locator(".cell.pickable")).not_to_have_count(0)


def test_a_click_while_droplets_fly_does_nothing_and_undo_cuts_them_short(open_page: Open) -> None:
    page = open_page(motion=True, address="#drops:4444444444444444/0000000000000001,drops=5")
    click(page, 1, 1, 16)
    flying(page, True)
    page.locator(".cell[data-cell='31']").click(force=True)
    page.keyboard.press("h")
    by(page, "undo").click()
    flying(page, False)
    ply(page, 0, 1)
    drops_at(page, 0, 4)
    left(page, 5)


def test_without_motion_the_end_is_there_at_once(open_page: Open) -> None:
    page = open_page(address="#drops:" + CHAIN)
    click(page, 3, 2, 6)
    ply(page, 1)
    flying(page, False)
    expect(page.locator(".cell[data-drops='0']")).to_have_count(36)


def test_the_cheat_makes_a_lost_board_winnable(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + LOST)
    lamp(page, "lost")
    click(page, 2, 1, 4)
    left(page, 2)
    by(page, "cheat").click()
    left(page, 12)
    lamp(page, "winnable")
    ply(page, 1, 1)
    expect(page.locator("[data-testid=timeline] .run.lost")).to_have_count(0)
    by(page, "undo").click()
    left(page, 13)
    look(page, "drops-5-cheated")


def test_the_end_of_the_drops_is_called_by_its_name(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + LOST)
    for number, (x, y) in enumerate([(4, 3), (2, 1), (2, 1)], 1):
        click(page, x, y, 4)
        ply(page, number)
    standing(page, "lost")
    expect(by(page, "card-lost")).to_contain_text(words("en")["lost.title.drops"])
    look(page, "drops-6-lost")


def test_there_is_no_cheat_where_nothing_is_counted(open_page: Open) -> None:
    page = open_page(address="#drops:" + QUIET)
    expect(by(page, "cheat")).to_be_hidden()
    click(page, 2, 1, 4)
    expect(by(page, "tank-amount")).to_have_text("1")


def test_flash_goes_on_to_the_next_board_with_its_tank(open_page: Open, look: Look) -> None:
    page = open_page(motion=True, address="#drops:4444,flash=7.1")
    expect(by(page, "round")).to_contain_text("1")
    left(page, 10)
    click(page, 1, 1, 4)
    expect(by(page, "tank-gain")).to_have_text("+2")
    left(page, 11)
    look(page, "drops-7-flash")
    by(page, "card-next").click()
    expect(by(page, "round")).to_contain_text("2")
    left(page, 11)
    ply(page, 0, 0)


def test_the_keyboard_alone_plays_drops(open_page: Open) -> None:
    page = open_page(address="#drops:4000/0004,drops=4")
    expect(page.locator(".cell")).to_have_count(8)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cell:focus")).to_have_attribute("data-cell", "0")
    page.keyboard.press("Enter")
    ply(page, 1)
    drops_at(page, 0, 0)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".cell:focus")).to_have_attribute("aria-label", "Column 4, row 2: 4")
    page.keyboard.press("Space")
    standing(page, "won")
    page.keyboard.press("u")
    ply(page, 1, 2)


def test_solvers_list_their_clicks_from_top_to_bottom(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:0000/0400/0040/0000,drops=3")
    by(page, "solve-optimal").click()
    clicks = by(page, "solve-clicks").first
    expect(clicks.locator("li")).to_have_count(2)
    first = clicks.locator("li").first.text_content() or ""
    assert re.fullmatch(r"\([23],[23]\)", first)
    x, y = map(int, re.findall(r"\d", first))
    click(page, x, y, 4)
    expect(by(page, "solve-clicks").first.locator("li.played")).to_have_count(1)
    look(page, "drops-8-solved")


def test_a_code_starts_drops_whichever_game_is_chosen(open_page: Open, look: Look) -> None:
    page = open_page(address="#triple/1-first-steps")
    by(page, "new").click()
    games = by(page, "new-games").get_by_role("radio")
    expect(games).to_have_count(len(GAMES))
    expect(games.first).to_have_attribute("aria-checked", "true")
    look(page, "drops-9-new-triple")
    games.first.press("ArrowRight")
    expect(by(page, "param-mode")).to_be_visible()
    look(page, "drops-10-new")
    by(page, "new-text").fill("triple:layers=3#7")
    expect(games.first).to_have_attribute("aria-checked", "true")
    expect(by(page, "param-layers")).to_have_value("3")
    expect(by(page, "param-tiles")).to_be_hidden()
    by(page, "param-layout").select_option("grown")
    expect(by(page, "param-layers")).to_be_hidden()
    expect(by(page, "param-tiles")).to_be_visible()
    expect(by(page, "new-text")).to_have_value("triple:layout=grown#7")
    by(page, "new-text").fill("012200/040020")
    by(page, "new-start").click()
    expect(page.locator(".cell")).to_have_count(12)


def test_links_and_codes_are_copied(open_page: Open) -> None:
    page = open_page(address="#drops:012200/040020,drops=7")
    assert copied(page, "copy-code") == "012200/040020,drops=7"
    expect(by(page, "toast").last).to_contain_text(words("en")["share.code.done"])
    link = copied(page, "copy-link")
    expect(by(page, "toast").last).to_contain_text(words("en")["share.link.done"])
    by(page, "cheat").click()
    left(page, 17)
    page.goto("about:blank")
    page.goto(link)
    left(page, 7)


def test_shipped_levels_remember_their_stars(open_page: Open, look: Look) -> None:
    first, shipped = next(shipped_levels(GAME))
    page = open_page(address="#" + first)
    lamp(page, "winnable")
    expect(by(page, "stars")).to_be_visible()
    for played, cell in enumerate(shipped.certificate.actions):
        page.locator(f".cell[data-cell='{cell}']").click()
        ply(page, played + 1)
    expect(by(page, "card-stars")).to_have_attribute("data-stars", "3")
    by(page, "new").click()
    level = page.locator("[data-testid=new-levels] [data-level='" + first + "']")
    expect(level).to_have_attribute("aria-current", "true")
    expect(level.locator(".level-stars")).to_have_attribute("data-stars", "3")
    page.reload()
    by(page, "new").click()
    expect(level.locator(".level-stars")).to_have_attribute("data-stars", "3")
    look(page, "drops-11-levels")


def test_the_level_select_shows_where_one_is(open_page: Open) -> None:
    page = open_page(address="#triple/2-pyramid")
    place = by(page, "levels-place")
    expect(place).to_have_text("Level 2 of 6")
    by(page, "level-after").click()
    expect(place).to_have_text("Level 3 of 6")
    by(page, "level-before").click()
    expect(place).to_have_text("Level 2 of 6")
    by(page, "levels-open").click()
    cards = by(page, "levels-list").get_by_test_id("shipped-level")
    expect(cards).to_have_count(6)
    expect(cards.nth(1)).to_have_attribute("aria-current", "true")
    cards.first.click()
    expect(place).to_have_text("Level 1 of 6")
    expect(by(page, "level-before")).to_be_disabled()
    expect(by(page, "levels-dialog")).to_be_hidden()


def test_sound_is_off_until_it_is_asked_for(open_page: Open) -> None:
    page = open_page(address="#drops:" + CHAIN)
    sound = by(page, "sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    click(page, 3, 2, 6)
    standing(page, "won")


@pytest.mark.parametrize(("board", "language"), [("small", "en-US"), ("small", "zh-CN"), ("large", "zh-CN")])
def test_drops_fits_a_small_phone(open_page: Open, look: Look, language: str, board: str) -> None:
    code = CHAIN if board == "small" else "/".join(["0123401234012340123401234012"] * 28) + ",drops=99"
    page = open_page(360, 740, language, address="#drops:" + code)
    left(page, 3 if board == "small" else 99)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("undo", "redo", "restart", "hint", "watch", "cheat", "sound"):
        box = by(page, name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert min(box["width"], box["height"]) >= 40, f"{name} is too small for a finger"
    cell = page.locator(".cell").first.bounding_box()
    assert cell is not None
    assert cell["width"] >= 20
    look(page, f"drops-12-phone-{board}-{language}")
    page.locator(".cell[data-cell='6']").tap()
    ply(page, 1)
    chinese = words("zh-CN")["drops.left.of"].replace("{most}", "3")
    if board == "small" and language == "zh-CN":
        expect(by(page, "gauge")).to_contain_text(chinese)


def test_a_review_leaves_the_whole_board_on_a_small_phone(open_page: Open) -> None:
    page = open_page(360, 640, "zh-CN", address="#drops:012340/123401/234012/340123/401234/012340,drops=1")
    page.locator(".cell[data-cell='1']").tap()
    standing(page, "lost")
    page.keyboard.press("v")
    expect(by(page, "report-box")).to_be_visible()
    box = page.locator(".drops-scroll")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight")


def test_a_found_line_is_played_flight_by_flight(open_page: Open) -> None:
    page = open_page(motion=True, address="#drops:4000/0000/0400/0004,drops=3")
    by(page, "solve-optimal").click()
    by(page, "watch-speed").evaluate(
        "node => { node.value = node.max; node.dispatchEvent(new Event('input')); }"
    )
    by(page, "solve-play").first.click()
    standing(page, "won")
    ply(page, 3, 3)
    flying(page, False)
    expect(by(page, "card-helped")).to_be_visible()


FLIGHTS = """async (frames) => {
    const { flights, showTimes } = await import("/games/drops/flight.js");
    return flights(frames, showTimes(frames));
}"""


def test_each_droplet_flies_straight_to_where_it_ends(open_page: Open) -> None:
    """Four from each burst, cell by cell in one direction. Those that end on the board were absorbed, so the
    drops that are there at last tell how many they are."""
    page = open_page()
    rng = random.Random(4)
    for _, rules in product(range(12), get_args(RuleName)):
        rows, columns = rng.randint(1, 6), rng.randint(1, 6)
        cells = "4" + "".join(rng.choice("0023344") for _ in range(rows * columns - 1))
        board = tuple(cells[row * columns : (row + 1) * columns] for row in range(rows))
        puzzle = Drops(Level(board, rules=rules))
        frames = json.loads(msgspec.json.encode(puzzle.trace(puzzle.initial(), 0)))
        ways = page.evaluate(FLIGHTS, frames)
        assert len(ways) == 4 * frames[-1]["bursts"]
        for way in ways:
            steps = {(b["x"] - a["x"], b["y"] - a["y"]) for a, b in pairwise(way)}
            assert steps in [{step} for step in ((0, 1), (0, -1), (1, 0), (-1, 0))]
            assert all(a["time"] < b["time"] for a, b in pairwise(way))
            inside = [0 <= point["x"] < columns and 0 <= point["y"] < rows for point in way]
            assert all(inside[:-1])
        absorbed = sum(0 <= way[-1]["x"] < columns and 0 <= way[-1]["y"] < rows for way in ways)
        before = sum(puzzle.initial().cells) + 1
        after = sum(base64.b64decode(frames[-1]["cells"]))
        joined = after - before + 5 * frames[-1]["bursts"]
        assert absorbed == joined or (rules == "symmetric" and absorbed >= joined), (rules, board)
