"""The studio as files: in a worker, without a server, offline, twice at once, in browsers that lack much."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from bench.site.page import hosted
from bench.studio.browser import browser_flags, find_browser
from tests import sites
from tests.browser.conftest import Open, new_profile
from tests.browser.test_accessible_pages import found, too_wide
from tests.browser.test_studio_page import by, copied
from tests.waiting import wait_until
from tests.web.studio_harness import answering
from winnable.levels.find import find_level
from winnable.play.links import link_of
from winnable.play.session import Session
from winnable.site import sharing, writing

pytestmark = pytest.mark.browser

LEVEL = "drops/12-drizzle"
SUB_PATH = "some/where/"
LATER = "{ const now = Date.now; Date.now = () => now() + 36 * 3_600_000; }"
"""Another day, also where the clocks are changed; Python's clock is the worker's."""
SIMD = [
    *(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0),
    *(10, 8, 1, 6, 0, 65, 0, 253, 15, 11),
]
"""A module with `i8x16.splat` in it."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("host")
    shutil.copytree(sites.written(tmp_path_factory), root / SUB_PATH)
    return root


@pytest.fixture(scope="module")
def address(root: Path) -> Generator[str]:
    with hosted(root) as host:
        yield host.address + SUB_PATH


@pytest.fixture
def shared(root: Path) -> Generator[str]:
    """As a phone finds it: by http, and not on the same machine."""
    site = sharing.Sharing(sharing.read(root / SUB_PATH), 0)
    if site.is_alone:
        pytest.skip("this machine is in no network")
    with answering(site.app, site.bound, sockets=False):
        yield site.address


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


def test_another_day_has_another_level_offline_too(profile: BrowserContext, address: str) -> None:
    page = opened(profile, f"{address}#tetris:daily")
    by(page, "tetris-drop").click()
    expect(by(page, "ply")).to_contain_text("1")
    before = page.evaluate("history.state.level")
    page.evaluate_handle("navigator.serviceWorker.ready")
    wait_until(lambda: kept_games(profile, address) == 1, "a kept game")
    page.close()
    profile.set_offline(True)
    later = profile.new_page()
    with later.expect_worker() as worker:
        later.goto(address, wait_until="commit")
    worker.value.evaluate(LATER)
    expect(by(later, "continue")).to_have_count(1, timeout=60_000)
    today = by(later, "front-tetris-daily")
    expect(today).to_have_attribute("data-how", "none")
    today.click()
    expect(by(later, "tetris-drop")).to_be_enabled()
    assert later.evaluate("history.state.level") != before
    by(later, "tetris-drop").click()
    expect(by(later, "ply")).to_contain_text("1")
    by(later, "brand").click()
    expect(today).to_have_attribute("data-how", "begun")
    expect(by(later, "continue")).to_have_count(2)


def test_a_level_is_sent_to_a_studio_and_comes_back_changed(
    profile: BrowserContext, address: str, open_page: Open
) -> None:
    page = at_level(profile, address)
    colleague = open_page(address="#" + copied(page, "copy-link").partition("#")[2])
    by(colleague, "edit-level").click()
    by(colleague, "editor-board").locator("[data-cell='7']").click()
    by(colleague, "editor-play").click()
    expect(by(colleague, "editor-dialog")).to_be_hidden()
    wait_until(lambda: colleague.evaluate("history.state.level") != LEVEL, "the copy")
    page.goto(address + "#" + copied(colleague, "copy-link").partition("#")[2])
    level = colleague.evaluate("history.state.level")
    wait_until(lambda: page.evaluate("history.state?.level") == level, "what came back")


def test_a_new_version_is_told_and_comes_with_the_next_page(
    profile: BrowserContext, root: Path, tmp_path: Path, axe: str
) -> None:
    site = tmp_path / "site"
    shutil.copytree(root / SUB_PATH, site)
    with hosted(tmp_path) as host:
        address = f"{host.address}site/"
        page = at_level(profile, address)
        page.evaluate_handle("navigator.serviceWorker.ready")
        (site / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", "utf-8")
        writing.write_service(site)
        page.reload()
        expect(page.get_by_test_id("toast")).to_contain_text("new version", timeout=60_000)
        assert found(page, axe) == []
        click_once(page)
        wait_until(lambda: kept_games(profile, address) == 1, "a kept game")
        page.reload()
        expect(page.get_by_test_id("ply")).to_contain_text("1", timeout=60_000)
        assert page.evaluate("fetch('icon.svg').then(icon => icon.text())").startswith("<svg xmlns='")


@pytest.mark.parametrize(("level", "button"), [("", "settings"), (LEVEL, "qr"), ("tetris/4-narrow", "tune")])
def test_axe_finds_nothing(profile: BrowserContext, address: str, axe: str, level: str, button: str) -> None:
    page = opened(profile, f"{address}#{level}")
    page.wait_for_selector("body[data-standing=playing]" if level else "#front-games li")
    for pressed in ("", button):
        page.set_viewport_size({"width": 1280, "height": 800})
        if pressed:
            page.get_by_test_id(pressed).click()
        assert found(page, axe) == []
        assert too_wide(page) == {}


def test_axe_finds_nothing_before_python_is_there_and_where_it_cannot_come(
    profile: BrowserContext, address: str, root: Path, axe: str
) -> None:
    page, held = profile.new_page(), list[Route]()
    page.route("**/python/pyodide.mjs", lambda route: held.append(route))
    for place, ready in ((address, "arriving"), ((root / SUB_PATH / "index.html").as_uri(), "file")):
        page.goto(place)
        expect(page.get_by_test_id(ready)).to_be_visible()
        assert found(page, axe) == []
        assert too_wide(page) == {}


def press_hint(page: Page) -> None:
    page.keyboard.press("h")
    page.wait_for_timeout(200)


def test_drops_is_won_by_a_hint(profile: BrowserContext, address: str) -> None:
    page = at_level(profile, address)
    hint = page.get_by_test_id("hint-play")
    wait_until(hint.is_visible, "all of the hint", lambda: press_hint(page))
    hint.click()
    page.wait_for_selector("body[data-standing=won]")


def tuning(page: Page, address: str) -> None:
    """The page's tuning view, from the beginning."""
    page.goto("about:blank")
    page.goto(f"{address}#tetris/4-narrow")
    page.wait_for_selector("body[data-standing=playing]")
    page.get_by_test_id("tune").click()


def standing(page: Page, wanted: str) -> None:
    expect(page.get_by_test_id("tune-status")).to_have_attribute("data-status", wanted, timeout=60_000)


def test_weights_are_tuned_and_a_run_goes_on_after_the_page_was_closed(
    profile: BrowserContext, address: str
) -> None:
    errors: list[str] = []
    page = opened(profile, address, errors)
    tuning(page, address)
    expect(page.get_by_text("A run ends with this page")).to_be_visible()
    expect(page.get_by_test_id("tune-workers")).to_be_hidden()
    for tunable, optimizer, evaluations in (("features-9", "de", 9), ("article-mean", "de", 100_000)):
        page.get_by_test_id("tune-what").select_option(f"tetris/{tunable}")
        page.get_by_test_id("tune-optimizer").select_option(optimizer)
        page.get_by_test_id("tune-evaluations").fill(str(evaluations))
        page.get_by_test_id("tune-start").click()
        if tunable == "features-9":
            expect(page.get_by_test_id("toast")).to_contain_text("tune it where winnable is installed")
    standing(page, "running")
    curve = page.get_by_test_id("curve-first")
    expect(curve).not_to_have_attribute("data-points", "0", timeout=60_000)
    page.get_by_test_id("tune-stop").click()
    standing(page, "stopped")
    page.wait_for_timeout(1500)  # until it is kept
    tuning(page, address)
    standing(page, "stopped")
    expect(curve).not_to_have_attribute("data-points", "0")
    points = int(curve.get_attribute("data-points") or "0")
    page.get_by_test_id("tune-resume").click()
    wait_until(lambda: int(curve.get_attribute("data-points") or "0") > points, "further generations")
    page.get_by_test_id("tune-stop").click()
    standing(page, "stopped")
    page.get_by_test_id("tune-play").click()
    wait_until(lambda: page.get_by_test_id("ply").inner_text().strip() not in ("", "Move 0"), "its moves")
    assert not errors


def test_a_set_is_made_kept_and_taken_along(profile: BrowserContext, address: str) -> None:
    errors: list[str] = []
    page = opened(profile, f"{address}#sets", errors)
    by(page, "sets-first-make").click(timeout=60_000)
    by(page, "make-game").select_option("drops")
    by(page, "make-count").fill("3")
    for name in ("rows", "columns"):
        by(page, f"make-param-{name}").fill("3")
    by(page, "make-start").click()
    expect(by(page, "sets-row")).to_have_count(3, timeout=60_000)
    expect(by(page, "sets-stop")).to_be_hidden(timeout=60_000)
    by(page, "sets-format").select_option("folder")
    with page.expect_download() as download:
        by(page, "sets-save").click()
    assert zipfile.ZipFile(download.value.path()).namelist() == ["0001.json", "0002.json", "0003.json"]
    page.reload()
    expect(by(page, "sets-row")).to_have_count(3, timeout=60_000)
    assert not errors


def test_tetris_is_played_to_its_end(profile: BrowserContext, address: str) -> None:
    errors: list[str] = []
    page = opened(profile, f"{address}#tetris/4-narrow", errors)
    page.wait_for_selector("body[data-standing=playing]")
    expect(page.get_by_test_id("lamp-detail")).not_to_be_empty()
    drop = page.get_by_test_id("tetris-drop")

    def drop_one() -> None:
        drop.evaluate("button => button.click()")  # which is off in between, and at the end for good
        page.wait_for_timeout(60)

    wait_until(lambda: page.locator("body").get_attribute("data-standing") == "over", "the end", drop_one)
    expect(page.get_by_test_id("card-result")).to_contain_text("pieces")
    assert not errors


def in_worker(page: Page, file: str, change: Callable[[str], str]) -> None:
    """That file of the worker is another one."""

    def changed(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=change(answer.text()))

    page.route(f"**/site/{file}", changed)


def with_worker(page: Page, file: str, before: str) -> None:
    """In that file of the worker these words come first."""
    in_worker(page, file, lambda text: before + text)


def test_where_python_cannot_be_suspended_all_goes_on(profile: BrowserContext, address: str) -> None:
    page = profile.new_page()
    with_worker(page, "worker.js", "delete WebAssembly.Suspending; delete WebAssembly.promising;")
    page.goto(f"{address}#{LEVEL}")
    expect(page.get_by_test_id("lamp")).to_have_attribute("data-verdict", "winnable")
    assert page.workers[0].evaluate("'Suspending' in WebAssembly") is False
    click_once(page)


@pytest.fixture
def old_browser(browser: Browser) -> Generator[Browser]:
    """One of before 2021: without SIMD, as the processor has none that it could use."""
    flags = [*browser_flags(), "--js-flags=--no-enable-sse4-1"]
    started = browser.browser_type.launch(executable_path=find_browser(), args=flags)
    yield started
    started.close()


def test_a_browser_without_simd_has_all_solvers(old_browser: Browser, address: str) -> None:
    profile = new_profile(old_browser)
    page = at_level(profile, address)
    if page.evaluate(f"WebAssembly.validate(new Uint8Array({SIMD}))"):
        pytest.skip("this processor always has SIMD")
    expect(page.get_by_test_id("lamp-detail")).to_contain_text("click")
    page.wait_for_timeout(1000)
    expect(page.get_by_test_id("toast")).to_have_count(0)
    profile.close()


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


def test_a_page_that_comes_late_hears_that_nothing_will(profile: BrowserContext, address: str) -> None:
    page, held = profile.new_page(), list[Route]()
    page.route("**/base/host.js", lambda route: held.append(route))
    page.route("**/python/pyodide.mjs", lambda route: route.fulfill(status=404))
    page.goto(address, wait_until="commit")
    wait_until(lambda: bool(held), "the page's file", lambda: page.wait_for_timeout(20))
    page.wait_for_timeout(1000)
    held[0].continue_()
    expect(page.get_by_text("has stopped")).to_be_visible()


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


@pytest.mark.parametrize("never", ["Math.max(SAVE_EVERY, due - performance.now())", "400"])
def test_a_move_is_kept_before_the_page_can_be_closed(
    profile: BrowserContext, address: str, never: str
) -> None:
    """At once where the last save is some time ago, else when the page goes."""
    page = profile.new_page()
    in_worker(page, "worker.js", lambda text: text.replace(never, "3_600_000"))
    page.goto(f"{address}#{LEVEL}")
    expect(page.get_by_test_id("lamp")).to_have_attribute("data-verdict", "winnable")
    page.wait_for_timeout(500)
    click_once(page)
    if never == "400":
        page.evaluate("""() => {
            Object.defineProperty(document, "hidden", { value: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
    wait_until(lambda: kept_games(profile, address) == 1, "a kept game")


def test_who_takes_data_out_hears_that_what_answers_has_stopped(
    profile: BrowserContext, address: str
) -> None:
    page, dies = profile.new_page(), "setTimeout(() => { throw new Error('gone'); });"
    in_worker(page, "worker.js", lambda text: text.replace("exchange(studio, data);", dies))
    page.goto(address)
    page.get_by_test_id("front-played").click()
    expect(page.get_by_test_id("played-empty")).to_be_visible()  # it moves the button away from under a click
    page.get_by_test_id("data-out").click()
    expect(page.get_by_test_id("data-told")).to_contain_text("has stopped")


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
    with_worker(page, "kept.js", refused)
    page.goto(f"{address}#{LEVEL}")
    expect(page.get_by_test_id("toast")).to_contain_text("keeps nothing", timeout=60_000)
    click_once(page)
