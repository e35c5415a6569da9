"""The studio as files: in a worker, without a server, offline, and twice at once."""

from __future__ import annotations

import threading
from collections.abc import Generator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import new_profile
from tests.waiting import wait_until
from tests.web.studio_harness import answering
from winnable.contract.core import WinnableError
from winnable.levels.find import find_level
from winnable.play.links import link_of
from winnable.play.session import Session
from winnable.site import sharing, writing

LEVEL = "drops/12-drizzle"
SUB_PATH = "some/where/"


class Quiet(SimpleHTTPRequestHandler):
    """As plain as a host can be."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("host")
    try:
        writing.write(root / SUB_PATH, ["drops"])
    except WinnableError as error:
        pytest.skip(str(error))
    return root


@pytest.fixture(scope="module")
def address(root: Path) -> Generator[str]:
    Quiet.extensions_map |= {".mjs": "text/javascript", ".js": "text/javascript"}
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{SUB_PATH}"
        server.shutdown()


@pytest.fixture
def shared(root: Path) -> Generator[str]:
    """As a phone finds it: by http, and not on the same machine."""
    site = sharing.Sharing(sharing.read(root / SUB_PATH), 0)
    if site.is_alone:
        pytest.skip("this machine is in no network")
    with answering(site.app, site.bound, sockets=False):
        yield site.address


@pytest.fixture
def profile(browser: Browser) -> Generator[BrowserContext]:
    context = new_profile(browser)
    yield context
    context.close()


def opened(profile: BrowserContext, address: str, errors: list[str] | None = None) -> Page:
    page = profile.new_page()
    if errors is not None:
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    return page


def at_level(
    profile: BrowserContext, address: str, errors: list[str] | None = None, level: str = LEVEL
) -> Page:
    page = opened(profile, f"{address}#{level}", errors)
    expect(page.get_by_test_id("lamp")).to_have_attribute("data-verdict", "winnable", timeout=60_000)
    return page


def test_a_game_is_played_with_its_lamp_and_a_hint(profile: BrowserContext, address: str) -> None:
    errors: list[str] = []
    page = at_level(profile, address, errors)
    expect(page.get_by_test_id("lamp-detail")).to_contain_text("click")
    for _ in range(3):
        page.keyboard.press("h")
    expect(page.get_by_test_id("hint-note")).to_be_visible()
    assert not errors


def test_all_of_it_works_offline_after_the_first_visit(profile: BrowserContext, address: str) -> None:
    page = at_level(profile, address)
    page.evaluate_handle("navigator.serviceWorker.ready")
    profile.set_offline(True)
    again = at_level(profile, address)
    expect(again.get_by_test_id("lamp-detail")).to_contain_text("click")


def test_a_link_with_moves_and_its_code(profile: BrowserContext, address: str) -> None:
    session = Session(find_level(LEVEL))
    session.act(session.puzzle.legal_actions(session.state)[0])
    page = opened(profile, f"{address}#{link_of(session)}")
    expect(page.get_by_test_id("timeline")).to_have_attribute("aria-valuenow", "1", timeout=60_000)
    page.get_by_test_id("qr").click()
    expect(page.get_by_test_id("qr-drawn")).to_be_visible()


def test_where_kernels_are_damaged_it_is_slower_and_says_so(profile: BrowserContext, address: str) -> None:
    page = profile.new_page()
    page.route("**/kernels/drops.so", lambda route: route.fulfill(body=b"no library"))
    page.goto(f"{address}#{LEVEL}")
    expect(page.get_by_test_id("toast")).to_contain_text("answers take longer", timeout=60_000)
    expect(page.get_by_test_id("lamp")).to_have_attribute("data-verdict", "winnable", timeout=60_000)


def test_read_as_a_file_it_says_what_to_do(profile: BrowserContext, root: Path) -> None:
    page = profile.new_page()
    page.goto((root / SUB_PATH / "index.html").as_uri())
    expect(page.get_by_test_id("file")).to_contain_text("winnable share")


def kept_games(profile: BrowserContext, address: str) -> int:
    page = opened(profile, address)
    expect(page.get_by_test_id("front-played")).to_be_visible(timeout=60_000)
    count = page.locator("#front-sessions li").count()
    page.close()
    return count


def click_once(page: Page) -> None:
    page.locator("#stage [data-cell]").first.click()
    expect(page.get_by_test_id("ply")).to_contain_text("1")


@pytest.mark.parametrize("way", ["address", "shared"])
def test_what_two_pages_play_at_once_is_all_kept(
    profile: BrowserContext, way: str, request: pytest.FixtureRequest
) -> None:
    address: str = request.getfixturevalue(way)
    one, other = at_level(profile, address), at_level(profile, address, level="drops/02-crosswise")
    click_once(one)
    click_once(other)
    wait_until(lambda: kept_games(profile, address) == 2, "two games")


def test_by_http_over_a_network_a_game_is_kept_too(profile: BrowserContext, shared: str) -> None:
    """There the browser has no service worker, no locks and no clipboard."""
    errors: list[str] = []
    page = at_level(profile, shared, errors)
    assert not page.evaluate("isSecureContext || 'locks' in navigator || 'serviceWorker' in navigator")
    click_once(page)
    wait_until(lambda: kept_games(profile, shared) == 1, "a kept game")
    page.reload()
    expect(page.get_by_test_id("ply")).to_contain_text("1", timeout=60_000)
    assert not errors


def test_where_nothing_can_be_kept_a_game_goes_on_and_says_so(profile: BrowserContext, address: str) -> None:
    page = profile.new_page()
    refused = "Object.defineProperty(globalThis,'indexedDB',{get(){throw new Error('refused')}});"

    def refuse(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=refused + answer.text())

    page.route("**/site/kept.js", refuse)
    page.goto(f"{address}#{LEVEL}")
    expect(page.get_by_test_id("toast")).to_contain_text("keeps nothing", timeout=60_000)
    click_once(page)
