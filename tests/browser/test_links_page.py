"""Links from person to person: a level, a game with its moves, a QR code; and links that are wrong."""

from __future__ import annotations

import base64
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, copied, lamp, pick, ply, start, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
DROPS = "#drops:0343/4411,drops=5"


def reached_by_others(page: Page) -> None:
    """The page takes its address for one that others find."""

    def patch(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("isLoopback =", "isLoopback = false &&"))

    page.route("**/static/base/browser.js", patch)
    page.reload()


def code_is_drawn(page: Page) -> None:
    expect(by(page, "qr-drawn").locator("path")).to_have_attribute("d", re.compile("^M4 4h7v1h-7z"))


def test_a_player_who_lost_shows_another_where(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP)
    for tile in (0, 3, 1):
        pick(page, tile)
    expect(by(page, "card-lost")).to_be_visible()
    link = "#" + copied(page, "copy-moves").partition("#")[2]
    expect(by(page, "toasts")).to_contain_text("moves included")
    other = open_page(language="zh-CN", address=link, ready="body[data-standing=lost]")
    ply(other, 3, 3)
    expect(by(other, "card-lost")).to_be_visible()
    by(other, "card-undo").click()
    ply(other, 2, 3)
    by(other, "restart").click()
    ply(other, 0, 3)
    other.reload()
    ply(other, 0, 3)


def test_a_colleague_changes_the_level_and_sends_it_back(open_page: Open) -> None:
    page = open_page(address=DROPS)
    page.locator(".cell[data-cell='1']").click()
    ply(page, 1)
    link = copied(page, "copy-moves").partition("#")[2]
    colleague = open_page(360, 740, address=f"#{quote(link)}")
    ply(colleague, 1, 1)
    by(colleague, "tab-game").click()
    by(colleague, "edit-level").click()
    by(colleague, "editor-play").click()
    ply(colleague, 0)
    by(colleague, "tab-play").click()
    colleague.locator(".cell.pickable").first.click()
    ply(colleague, 1)
    by(colleague, "tab-game").click()
    back = copied(colleague, "copy-moves")
    start(page, back)  # a whole address is a level, too
    ply(page, 1, 1)
    lamp(page, "winnable")


def test_a_link_to_a_seed_has_one_hash_as_addresses_have(open_page: Open) -> None:
    """RFC 3986 knows no second one: what finds addresses in chats may end there, or take none."""
    level = "rotate:rows=4,columns=4,colours=3#2"
    page = open_page(address=f"#{level}")
    by(page, "watch-step").click()
    ply(page, 1)
    for name, played in (("copy-link", 0), ("copy-moves", 1)):
        link = copied(page, name)
        assert re.fullmatch(r"http://[^#]+#[\w.~!$&'()*+,;=:@/?%-]+", link)
        other = open_page(address="#" + link.partition("#")[2])
        ply(other, played)
        assert other.evaluate("history.state.level") == level


@pytest.mark.parametrize(
    ("width", "height", "language", "dark"), [(1280, 800, "en-US", False), (360, 740, "zh-CN", True)]
)
def test_a_teacher_shows_a_class_the_code(
    open_page: Open, look: Look, width: int, height: int, language: str, dark: bool
) -> None:
    page = open_page(width, height, language, dark=dark)
    if width < 600:
        by(page, "tab-game").click()
    look(page, f"keep-{language}")
    by(page, "qr").focus()
    page.keyboard.press("Enter")
    code_is_drawn(page)
    text = words("en" if language == "en-US" else language)
    expect(page.get_by_role("img", name=text["qr.label"])).to_be_visible()
    assert by(page, "qr-link").input_value().endswith("/#triple/1-first-steps")
    expect(by(page, "qr-alone")).to_be_visible()
    box = by(page, "qr-drawn").bounding_box()
    assert box is not None
    assert box["width"] == box["height"] > min(width, height - 200) * 0.85
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, f"qr-{language}")
    assert copied(page, "qr-copy") == by(page, "qr-link").input_value()
    page.keyboard.press("Escape")
    expect(by(page, "qr-dialog")).to_be_hidden()
    expect(by(page, "qr")).to_be_focused()


def test_a_phone_finds_a_page_that_others_reach(open_page: Open, look: Look) -> None:
    page = open_page(360, 740, address="", ready="#front-games li", own=True)
    expect(by(page, "phone")).to_be_hidden()
    reached_by_others(page)
    look(page, "front-phone")
    by(page, "phone").click()
    code_is_drawn(page)
    expect(by(page, "qr-alone")).to_be_hidden()
    assert by(page, "qr-link").input_value() == page.url
    look(page, "qr-phone")


def test_a_phone_shares_links_its_own_way(open_page: Open) -> None:
    page = open_page(360, 740, address=DROPS, own=True)
    page.locator(".cell[data-cell='1']").click()
    ply(page, 1)
    page.add_init_script("navigator.share = async (data) => { window.given = data; };")
    page.reload()
    by(page, "tab-game").click()
    expect(by(page, "copy-link")).to_have_text("Share link")
    by(page, "copy-moves").click()
    page.wait_for_function("window.given")
    assert "#p1." in page.evaluate("window.given.url")
    by(page, "copy-link").click()
    page.wait_for_function("!window.given.url.includes('#p1.')")
    assert page.evaluate("window.given.url").endswith(DROPS)


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_of_a_result_has_the_code_where_others_reach_the_page(
    open_page: Open, tmp_path: Path, dark: bool
) -> None:
    page = open_page(address="#triple:" + TRAP, dark=dark, own=True)
    for tile in (0, 3, 1):
        pick(page, tile)
    expect(by(page, "card-lost")).to_be_visible()

    def picture(name: str) -> None:
        with page.expect_download() as download:
            by(page, "share-picture").click()
        download.value.save_as(tmp_path / name)

    picture("without.png")
    reached_by_others(page)
    expect(by(page, "card-lost")).to_be_visible()
    picture("with.png")
    black = """async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const pen = canvas.getContext("2d");
        pen.drawImage(image, 0, 0);
        const pixels = new Uint32Array(pen.getImageData(940, 416, 188, 190).data.buffer);
        return pixels.filter((pixel) => pixel === 0xff000000).length;
    }"""

    def modules(name: str) -> int:
        content = base64.b64encode((tmp_path / name).read_bytes()).decode()
        return page.evaluate(black, "data:image/png;base64," + content)

    assert modules("without.png") == 0
    assert modules("with.png") > 5000
    if folder := os.environ.get("WINNABLE_SCREENSHOTS"):
        shutil.copy(tmp_path / "with.png", Path(folder) / f"result-code-{dark}.png")


WRONG = {
    "cut": ("p1.aqL1-mNgYmNjBAA.drops:0343/44", "link.damaged"),
    "version": ("p9.aqL1-mNgYmNjBAA.drops:0343/4411,drops=5", "link.version"),
    "long": ("p1.AAAA.drops:" + "0" * 9000, "link.long"),
    "game": ("chess:e4", "link.game"),
    "script": ("<img src=x onerror=alert(1)>:0", "level.board"),
    "nothing": ("whatever", "link.game"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_link_gets_one_sentence_and_loses_nothing(open_page: Open, wrong: str) -> None:
    fragment, code = WRONG[wrong]
    page = open_page(language="zh-CN", address=DROPS)
    page.locator(".cell[data-cell='1']").click()
    ply(page, 1)
    before = page.url
    page.evaluate("fragment => { location.hash = fragment; }", fragment)
    told = by(page, "toast").last
    expect(told).to_contain_text(words("zh-CN")[f"error.{code}"].split("{")[0])
    expect(told).not_to_contain_text("None")
    page.wait_for_url(before)
    ply(page, 1, 1)
    expect(page.locator("body")).to_have_attribute("data-view", "game")


def test_a_wrong_link_opened_first_leads_to_the_front_page(open_page: Open) -> None:
    page = open_page(address="#" + WRONG["cut"][0], ready="[data-testid=toast]")  # which soon goes
    expect(by(page, "toast").last).to_contain_text("cut or changed")
    expect(by(page, "front-2048")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/$"))
