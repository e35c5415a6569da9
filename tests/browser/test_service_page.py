"""What keeps a site in the browser: new versions, other sites of the host, and hosts that send on. The sites
are small ones, without a studio."""

from __future__ import annotations

from collections.abc import Generator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from bench.site.page import hosted
from tests.waiting import wait_until
from winnable.site import writing

pytestmark = pytest.mark.browser

HERE = "navigator.serviceWorker.getRegistration()"
TAKE_OVER = f"{HERE}.then(here => here.waiting?.postMessage('take over'))"
IS_WAITING = f"{HERE}.then(here => here.update()).then(here => !!here.waiting)"


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
    folder.mkdir(exist_ok=True)
    register = "<script>navigator.serviceWorker.register('service.js')</script>"
    (folder / "index.html").write_text(f"<!doctype html><p>{text}</p>{register}", "utf-8")
    (folder / "later.json").write_text(f'"{text}"', "utf-8")
    writing.write_service(folder)


@pytest.fixture
def host(tmp_path: Path) -> Generator[str]:
    with hosted(tmp_path, Host) as host:
        yield host.address


def kept(profile: BrowserContext, address: str) -> Page:
    """A page of the site that comes from the browser."""
    page = profile.new_page()
    page.goto(address)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    wait_until(lambda: page.evaluate("!!navigator.serviceWorker.controller"), "a kept site")
    return page


def later(page: Page) -> str:
    return page.evaluate("fetch('later.json').then(answer => answer.json())")


def test_a_new_version_waits_while_another_page_is_in_use(
    profile: BrowserContext, host: str, tmp_path: Path
) -> None:
    write(tmp_path / "site", "old")
    write(tmp_path / "site-2", "another site")
    elsewhere = profile.new_page()
    elsewhere.goto(f"{host}site-2/")
    one, other = kept(profile, f"{host}site/"), kept(profile, f"{host}site/")
    write(tmp_path / "site", "new")
    wait_until(lambda: other.evaluate(IS_WAITING), "a new version")
    other.evaluate(TAKE_OVER)
    other.wait_for_timeout(300)
    assert later(one) == "old"
    one.close()

    def taken_over() -> bool:
        other.evaluate(TAKE_OVER)
        return later(other) == "new"

    wait_until(taken_over, "the new version")


def test_sites_of_one_host_keep_their_files_apart(profile: BrowserContext, host: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, name)
        kept(profile, f"{host}{name}/").close()
    profile.set_offline(True)
    for name in ("two", "one"):
        page = profile.new_page()
        page.goto(f"{host}{name}/")
        expect(page.locator("p")).to_have_text(name)
        assert later(page) == name
