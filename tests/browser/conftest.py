"""A studio, and a headless Chromium that looks at it.

Without a browser these tests are skipped, unless WINNABLE_REQUIRE_BROWSER=1. WINNABLE_SCREENSHOTS names a
folder where they leave what they saw.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bench.studio.browser import browser_flags, find_browser
from tests.web.studio_harness import Studio, running_studio
from winnable.contract.registry import GAMES, load_game
from winnable.web.guard import SECURITY_HEADERS

PATIENCE = 60.0
"""Seconds that a page may take for anything: nobody would wait longer."""
AXE = "4.14.1"
Open = Callable[..., Page]
Kind = tuple[str, bool]
"""Of a page that can be used again: its language, and whether it feels fingers."""
STORED = {"hintAtOnce": "on", "begun": json.dumps(dict.fromkeys(GAMES, 1))}
"""Of a person who has played before and wants hints to be the action; `test_hints_page.py` climbs the ladder,
`test_first_use_page.py` begins."""


@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    """Until the last test of this folder only: as long as it is open, an event loop runs in this thread."""
    path = find_browser()
    if path is None:
        if os.environ.get("WINNABLE_REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium found, and WINNABLE_REQUIRE_BROWSER=1")
        pytest.skip("no Chromium found")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=browser_flags())
        yield started
        started.close()


@pytest.fixture(scope="package")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Generator[Studio]:
    """Its kernels are compiled before: no test waits for that. Browsers keep its files: no page compiles them
    again."""
    for name in GAMES:
        load_game(name).warm()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SECURITY_HEADERS, "Cache-Control", "max-age=3600")
        with running_studio(tmp_path_factory.mktemp("studio")) as running:
            yield running


def new_profile(
    browser: Browser, width: int = 1280, height: int = 800, language: str = "en-US"
) -> BrowserContext:
    """That remembers nothing."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        reduced_motion="reduce",
        has_touch=width < 600,
    )
    context.set_default_timeout(1000 * PATIENCE)
    return context


@pytest.fixture
def profile(browser: Browser) -> Generator[BrowserContext]:
    """Of one test's own."""
    with new_profile(browser) as context:
        yield context


class Kept:
    """A page that test after test uses: to start a process and to compile all modules anew costs
    more than what most of them do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type == "error" else None,
        )

    def forget(self) -> None:
        """All that a test may have left, but for what stands in the storage."""
        for other in self.page.context.pages:
            if other is not self.page:
                other.close()
        self.page.unroute_all()
        self.page.context.clear_permissions()
        self.page.mouse.move(0, 0)
        self.page.evaluate("sessionStorage.clear()")

    def store(self, studio: Studio, values: Mapping[str, str]) -> None:
        """Leaves the page that is open for an empty one, with nothing in the storage but these."""
        empty = f"http://127.0.0.1:{studio.port}/icon.svg"
        if self.page.url != empty:
            self.page.goto(empty)
        remember = """values => {
            localStorage.clear();
            for (const name in values) localStorage.setItem(`winnable.${name}`, values[name]);
        }"""
        self.page.evaluate(remember, dict(values))


@pytest.fixture(scope="package")
def idle(browser: Browser) -> dict[Kind, list[Kept]]:
    """The pages that no test uses now."""
    return {}


@pytest.fixture
def open_page(
    browser: Browser, studio: Studio, idle: dict[Kind, list[Kept]], request: pytest.FixtureRequest
) -> Generator[Open]:
    """(width, height, language, motion, address) -> the studio's page, which must log no error until the test
    ends. Two that are open at once know nothing of each other.

    address: what follows the page's `/`; empty for the front page
    ready:   selector of what is seen when the page may be used
    stored:  what the browser remembers from before, by name
    own:     no later test may use the page: for what no page forgets, a clock of its own or a routed socket
    """
    used: list[tuple[Kept, Kind | None]] = []
    failures = request.session.testsfailed

    def opened(
        width: int = 1280,
        height: int = 800,
        language: str = "en-US",
        motion: bool = False,
        address: str = "#triple/1-first-steps",
        dark: bool = False,
        ready: str = "body[data-standing=playing]",
        stored: Mapping[str, str] = STORED,
        own: bool = False,
    ) -> Page:
        kind = (language, width < 600)
        there = [] if own else idle.setdefault(kind, [])
        one = there.pop() if there else Kept(new_profile(browser, width, height, language).new_page())
        used.append((one, None if own else kind))
        one.page.set_viewport_size({"width": width, "height": height})
        one.page.emulate_media(
            color_scheme="dark" if dark else "light", reduced_motion="no-preference" if motion else "reduce"
        )
        one.store(studio, stored)
        one.complaints.clear()
        one.page.goto(f"http://127.0.0.1:{studio.port}/{address}")
        one.page.wait_for_selector(ready)
        return one.page

    yield opened
    complaints = [text for one, _ in used for text in one.complaints]
    for one, kind in used:
        if kind is None or complaints or request.session.testsfailed > failures:
            one.page.context.close()
        else:
            one.forget()
            one.store(studio, {})
            idle[kind].append(one)
    assert not complaints


@pytest.fixture
def look(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keeps a picture when somebody wants to look."""
    folder = os.environ.get("WINNABLE_SCREENSHOTS")

    def keep(page: Page, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep


@pytest.fixture(scope="package")
def axe() -> str:
    """The source of axe-core. It is no Python package: npm, which is one, puts it into the environment, where
    several processes may look for it at once."""
    folder = Path(sys.prefix) / "axe-core" / AXE
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as work:
            npm = Path(sys.executable).parent / "npm"
            flags = ["--silent", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", f"{work}/made"]
            path = os.pathsep.join([str(npm.parent), os.environ["PATH"]])
            command = [npm, "install", *flags, f"axe-core@{AXE}"]
            if subprocess.run(command, env={**os.environ, "PATH": path}).returncode:
                is_required = os.environ.get("WINNABLE_REQUIRE_BROWSER") == "1"
                (pytest.fail if is_required else pytest.skip)("axe-core cannot be had")
            with suppress(OSError):  # another process was faster
                Path(work, "made").rename(folder)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
