"""Why a board of drops takes so many clicks, and playing it to three stars by hints."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_drops_page import click, drops_at, standing
from tests.browser.test_studio_page import by, lamp, ply, words
from winnable.games.drops.game import GAME
from winnable.levels.files import shipped_levels
from winnable.words import fill

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

GROUPS = "3020/0100/0040"
"""Two groups: 4 + 4 clicks, which is what it takes."""
GAP = "3004/3120/1303/4421,drops=30"
"""The argument says less than the fewest clicks."""
HARD = (
    "2211112233/1133331212/1132122113/2321111113/3233311331/"
    "3211321312/2331231233/3113223121/1123132212/3332132331"
)
"""No program proves the fewest clicks for that within seconds."""


def bound(page: Page, clicks: int) -> None:
    expect(by(page, "why-bound")).to_have_attribute("data-bound", str(clicks))


def test_the_argument_is_drawn_row_by_row_and_column_by_column(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + GROUPS)
    lamp(page, "winnable")
    why = by(page, "why")
    expect(why).to_have_attribute("aria-pressed", "false")
    expect(by(page, "why-box")).to_be_hidden()
    why.focus()
    page.keyboard.press("Enter")
    bound(page, 8)
    expect(why).to_have_attribute("aria-pressed", "true")
    for kind in ("row", "column"):
        losses = [by(page, f"loss-{kind}").nth(i).get_attribute("data-lost") for i in range(3)]
        assert losses == (["3", "2", "2"] if kind == "row" else ["2", "2", "3"])
    expect(page.locator(".loss path")).to_have_count(14)
    expect(by(page, "why-group")).to_have_count(2)
    expect(by(page, "why-box")).to_contain_text("4 + 4 = 8")
    expect(by(page, "why-end")).to_have_text(words("en")["drops.why.best"].replace("{n}", "8"))
    look(page, "why-1-groups")
    click(page, 1, 1, 4)
    bound(page, 7)
    by(page, "undo").click()
    bound(page, 8)
    why.click()
    expect(by(page, "why-box")).to_be_hidden()
    expect(page.locator(".loss")).to_have_count(0)


def test_what_the_argument_cannot_say_a_search_has_proved(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + GAP)
    lamp(page, "winnable")
    by(page, "why").click()
    expect(by(page, "why-end")).to_contain_text(re.compile(r"by trying [\d,]+ chain reactions"))
    least = int(by(page, "why-bound").get_attribute("data-bound") or 0)
    fewest = int(re.findall(r"\d+", by(page, "lamp-detail").text_content() or "")[0])
    assert least == fewest, "the headline is the best that is known"
    expect(by(page, "why-end")).to_contain_text(str(fewest))
    look(page, "why-2-searched")


def test_too_few_drops_are_explained(open_page: Open) -> None:
    page = open_page(address="#drops:0300/0000/0003,drops=3")
    lamp(page, "lost")
    by(page, "why").click()
    expect(by(page, "why-end")).to_have_text(words("en")["drops.why.short"].replace("{left}", "3"))


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_a_lost_position_is_not_said_to_take_fewer_clicks_than_are_left(
    open_page: Open, look: Look, language: str, width: int
) -> None:
    """The argument alone asks for no more than there is: it is put away, and says that it is only that."""
    page = open_page(width, 740, language, address="#drops:4343/3434,drops=1", dark=width < 600)
    lamp(page, "lost")
    by(page, "why").click()
    bound(page, 2)
    text = words("en" if language == "en-US" else language)
    expect(by(page, "why-bound")).to_have_text(fill(text["drops.why.toofew"], {"left": 1}))
    expect(by(page, "why-end")).to_contain_text(text["drops.why.lost"].rstrip(".。"))
    expect(by(page, "why-sum").locator("summary")).to_have_text(fill(text["drops.why.without"], {"n": 1}))
    expect(page.locator(".why-groups")).to_be_hidden()
    look(page, f"why-6-lost-{language}")


def test_counts_of_one_are_singular(open_page: Open) -> None:
    page = open_page(address="#drops:4")
    by(page, "why").click()
    expect(by(page, "why-bound")).to_have_text("1 click at the least, proved")
    expect(by(page, "why-group").first).to_contain_text(re.compile(r"\b1 cell −"))


def test_an_open_level_counts_as_a_whole(open_page: Open) -> None:
    page = open_page(address="#drops:" + GROUPS + ",open")
    by(page, "why").click()
    expect(by(page, "why-group")).to_have_count(1)
    expect(by(page, "why-box")).to_contain_text(words("en")["drops.why.open"])


def test_a_won_board_has_nothing_to_explain(open_page: Open) -> None:
    page = open_page(motion=True, address="#drops:44")
    by(page, "why").click()
    bound(page, 1)
    click(page, 1, 1, 2)
    standing(page, "won")
    expect(by(page, "card-won")).to_be_visible()
    expect(by(page, "why-box")).to_be_hidden()
    expect(by(page, "why")).to_be_disabled()
    by(page, "undo").click()
    bound(page, 1)


def test_a_game_without_explanations_has_no_button(open_page: Open) -> None:
    page = open_page(address="#2048/1-2048", ready="[data-testid=board]")
    expect(by(page, "why")).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "height", "language", "dark"), [(1280, 800, "en-US", False), (360, 740, "zh-CN", True)]
)
def test_the_argument_fits(
    open_page: Open, look: Look, language: str, width: int, height: int, dark: bool
) -> None:
    code = "2102030/0010001/3000100/0102010/1000302/0201000/1030002,drops=40"
    page = open_page(width, height, language, address="#drops:" + code, dark=dark)
    why = by(page, "why")
    box = why.bounding_box()
    assert box is not None
    assert box["height"] >= 40
    assert box["x"] + box["width"] <= width
    why.click()
    expect(by(page, "why-bound")).to_be_visible()
    lamp(page, "winnable")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for mark in (page.locator(".loss").first, page.locator(".loss").last):
        place = mark.bounding_box()
        assert place is not None
        assert place["x"] + place["width"] <= width
    expect(why).to_have_text(words(language[:2] if language[:2] == "en" else language)["drops.why"])
    by(page, "why-box").scroll_into_view_if_needed()
    look(page, f"why-3-{width}-{language}-{'dark' if dark else 'light'}")


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_a_chain_and_the_button_fit_beside_each_other(open_page: Open, look: Look, language: str) -> None:
    code = "402204/304403/144441/144441/304403/402204,drops=13"
    page = open_page(360, 740, language, motion=True, address="#drops:" + code)
    expect(by(page, "par")).to_be_visible()
    click(page, 3, 2, 6)
    expect(by(page, "chain")).to_have_attribute("data-bursts", re.compile(r"1\d|2\d"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    look(page, f"why-5-chain-{language}")


def test_a_line_lights_the_lamp_while_the_search_goes_on(open_page: Open, look: Look) -> None:
    page = open_page(address="#drops:" + HARD)
    lamp(page, "winnable")
    expect(by(page, "lamp-detail")).to_have_text(
        re.compile(words("en")["lamp.most"].format(moves=r"\d+ clicks?"))
    )
    by(page, "hint").click()
    expect(page.locator(".cell.hinted")).to_have_count(1)
    by(page, "why").click()
    expect(by(page, "why-end")).to_contain_text("not known")
    look(page, "why-4-hard")


def by_hints(page: Page) -> int:
    """Plays to the end by hints; how many clicks it took."""
    played = 0
    while page.locator("body").get_attribute("data-standing") == "playing":
        by(page, "hint").click()
        page.locator(".cell.hinted").click()
        played += 1
        ply(page, played)
    return played


def par_of_shipped() -> list[tuple[str, int | None]]:
    """Each shipped level and its proved fewest clicks, where its file says so."""
    return [
        (name, level.certificate.cost if level.certificate else None) for name, level in shipped_levels(GAME)
    ]


def levels_to_play() -> list[str]:
    """The first one, and the first one that takes at least four clicks."""
    shipped = par_of_shipped()
    longer = [name for name, par in shipped if par is not None and 4 <= par <= 8]
    return list(dict.fromkeys([shipped[0][0], *longer[:1]]))


@pytest.mark.parametrize("level", [*levels_to_play(), "drops:3020/0100/0040,drops=12"])
def test_hints_take_the_fewest_clicks_and_half_of_it_is_undone(
    open_page: Open, look: Look, level: str
) -> None:
    page = open_page(address="#" + level)
    lamp(page, "winnable")
    expect(by(page, "par")).to_be_visible()
    shown = [int(text) for text in re.findall(r"\d+", by(page, "par").text_content() or "")]
    played = by_hints(page)
    standing(page, "won")
    assert [played] == shown, "hints take the fewest clicks"
    expect(by(page, "card-helped")).to_be_visible()
    look(page, f"stars-{played}")
    for undone in range(1, (played + 1) // 2 + 1):
        by(page, "undo").click()
        ply(page, played - undone, played)
    standing(page, "playing")
    lamp(page, "winnable")
    expect(by(page, "par")).to_have_text(words("en")["drops.par"].replace("{n}", str(played)))
    by(page, "redo").click()
    ply(page, played - (played + 1) // 2 + 1, played)


def test_a_foreign_files_word_for_its_par_is_not_shown(open_page: Open) -> None:
    page = open_page()
    board = '["402204","304403","144441","144441","304403","402204"]'
    certificate = '{"status":"solved","solver":"x","version":"0","actions":[6,8],"cost":2,"lower_bound":2}'
    content = f'{{"format":"winnable.drops/1","board":{board},"certificate":{certificate}}}'
    by(page, "new").click()
    by(page, "new-text").fill(content)
    by(page, "new-start").click()
    expect(page.locator(".cell")).to_have_count(36)
    expect(by(page, "par")).to_have_text(words("en")["drops.par"].replace("{n}", "1"))


@pytest.mark.parametrize("motion", [False, True])
def test_screen_readers_hear_the_chain_and_the_end(open_page: Open, motion: bool) -> None:
    page = open_page(motion=motion, address="#drops:4400/0000/0003,drops=3")
    click(page, 1, 1, 4)
    live = by(page, "live")
    expect(live).to_contain_text(words("en")["drops.chain.told"].replace("{n}", "2"))
    expect(live).to_contain_text(
        words("en")["drops.status.left"].replace("{cells}", "1").replace("{left}", "2")
    )
    drops_at(page, 0, 0)
    for number in (2, 3):
        click(page, 4, 3, 4)
        ply(page, number)
    standing(page, "won")
    expect(live.locator("p").last).to_have_text(words("en")["live.won"].replace("{moves}", "3 clicks"))
