"""What keeps a site in the browser: new versions, other sites of the host, and hosts that send on. The sites
are small ones, without a studio."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from bench.site import page as served
from tests.waiting import wait_until
from winnable.site import writing

pytestmark = pytest.mark.browser

ASK = """asked => new Promise(hear => {
  navigator.serviceWorker.onmessage = ({ data }) => hear(data.holds);
  navigator.serviceWorker.controller.postMessage(asked);
})"""


class Host(SimpleHTTPRequestHandler):
    """Sends `index.html` on to its folder, as some do."""

    def do_GET(self) -> None:
        if self.path.endswith("/index.html"):
            self.send_response(308)
            self.send_header("Location", self.path.removesuffix("index.html"))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def send_header(self, keyword: str, value: str) -> None:
        if keyword != "Last-Modified":  # in whole seconds
            super().send_header(keyword, value)


def write(folder: Path, text: str) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    register = "<script>navigator.serviceWorker.register('service.js')</script>"
    (folder / "index.html").write_text(f"<!doctype html><p>{text}</p>{register}", "utf-8")
    (folder / "later.json").write_text(f'"{text}"', "utf-8")
    (folder / "same.json").write_text('"same"', "utf-8")
    writing.write_service(folder)


@pytest.fixture
def host(tmp_path: Path) -> Generator[served.Host]:
    with served.hosted(tmp_path, Host) as host:
        yield host


def kept(profile: BrowserContext, address: str) -> Page:
    """A page of the site that comes from the browser."""
    page = profile.new_page()
    page.goto(address)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    wait_until(lambda: page.evaluate("!!navigator.serviceWorker.controller"), "a kept site")
    return page


@pytest.fixture
def old_page(profile: BrowserContext, host: served.Host, tmp_path: Path) -> Page:
    """Of a kept site whose text is "old"."""
    write(tmp_path / "site", "old")
    return kept(profile, f"{host.address}site/")


def holds(page: Page, asked: str) -> bool:
    return page.evaluate(ASK, asked)


def later(page: Page) -> str:
    return page.evaluate("fetch('later.json').then(answer => answer.json())")


def test_a_new_version_waits_while_another_page_is_in_use(
    profile: BrowserContext, host: served.Host, tmp_path: Path
) -> None:
    write(tmp_path / "site", "old")
    write(tmp_path / "site-2", "another site")
    elsewhere = profile.new_page()
    elsewhere.goto(f"{host.address}site-2/")
    address = f"{host.address}site/"
    one, other = kept(profile, address), kept(profile, address)
    assert not holds(one, "look")
    write(tmp_path / "site", "new")
    assert not holds(other, "take newest")
    host.asked.clear()
    assert holds(other, "look")
    assert holds(other, "look")
    assert "site/later.json" in host.asked
    assert "site/same.json" not in host.asked
    assert not holds(other, "take newest")
    other.reload()
    assert later(one) == later(other) == "old"
    one.close()
    wait_until(lambda: holds(other, "take newest"), "the closed page to be gone")
    assert later(other) == "new"
    other.reload()
    expect(other.locator("p")).to_have_text("new")
    assert not holds(other, "take newest")
    assert not holds(other, "look")


def test_a_version_that_is_not_whole_never_takes_over(old_page: Page, tmp_path: Path) -> None:
    write(tmp_path / "site", "new")
    (tmp_path / "site/later.json").write_text('"of a still later one"', "utf-8")
    assert not holds(old_page, "look")
    assert not holds(old_page, "take newest")
    write(tmp_path / "site", "newer")
    assert holds(old_page, "look")
    assert holds(old_page, "take newest")
    assert later(old_page) == "newer"


def test_a_version_that_the_host_took_back_never_takes_over(old_page: Page, tmp_path: Path) -> None:
    write(tmp_path / "site", "new")
    assert holds(old_page, "look")
    write(tmp_path / "site", "old")
    assert not holds(old_page, "look")
    assert not holds(old_page, "take newest")


def test_what_the_browser_threw_away_comes_again(profile: BrowserContext, old_page: Page) -> None:
    old_page.evaluate("caches.keys().then(names => Promise.all(names.map(name => caches.delete(name))))")
    assert later(old_page) == "old"
    assert not holds(old_page, "look")
    profile.set_offline(True)
    old_page.reload()
    assert later(old_page) == "old"


def test_sites_of_one_host_keep_their_files_apart(
    profile: BrowserContext, host: served.Host, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, name)
        kept(profile, f"{host.address}{name}/").close()
    profile.set_offline(True)
    for name in ("two", "one"):
        page = profile.new_page()
        page.goto(f"{host.address}{name}/")
        expect(page.locator("p")).to_have_text(name)
        assert later(page) == name
