"""A studio, and a headless Chromium that looks at it.

Without a browser these tests are skipped, unless WINNABLE_REQUIRE_BROWSER=1. WINNABLE_SCREENSHOTS names a
folder where they leave what they saw.
"""

import json
import os
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bench.studio.browser import browser_flags, find_browser
from tests.waiting import PATIENCE
from tests.web.studio_harness import Studio, running_studio
from winnable.contract.registry import GAMES, load_game

Open = Callable[..., Page]
STORED = {"hintAtOnce": "on"}
"""Of a person who wants hints to be the action; `test_hints_page.py` climbs the ladder."""


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
    """Its kernels are compiled before: no test waits for that."""
    for name in GAMES:
        load_game(name).warm()
    with running_studio(tmp_path_factory.mktemp("studio")) as running:
        yield running


def new_profile(
    browser: Browser,
    width: int = 1280,
    height: int = 800,
    language: str = "en-US",
    motion: bool = False,
    dark: bool = False,
) -> BrowserContext:
    """That remembers nothing."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=language,
        reduced_motion="no-preference" if motion else "reduce",
        has_touch=width < 600,
        color_scheme="dark" if dark else "light",
    )
    context.set_default_timeout(1000 * PATIENCE)
    return context


@pytest.fixture
def open_page(browser: Browser, studio: Studio) -> Generator[Open]:
    """(width, height, language, motion, address) -> the studio's page, which must log no error until the test
    ends.

    address: what follows the page's `/`; empty for the front page
    ready:   selector of what is seen when the page may be used
    stored:  what the browser remembers from before, by name
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def opened(
        width: int = 1280,
        height: int = 800,
        language: str = "en-US",
        motion: bool = False,
        address: str = "#triple/1-first-steps",
        dark: bool = False,
        ready: str = "body[data-standing=playing]",
        stored: Mapping[str, str] = STORED,
    ) -> Page:
        context = new_profile(browser, width, height, language, motion, dark)
        contexts.append(context)
        for name, value in stored.items():
            key, value = json.dumps(f"winnable.{name}"), json.dumps(value)
            remember = f"localStorage.getItem({key}) ?? localStorage.setItem({key}, {value})"
            context.add_init_script(f"if (location.protocol === 'http:') {remember}")
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type == "error" else None
        )
        page.goto(f"http://127.0.0.1:{studio.port}/{address}")
        page.wait_for_selector(ready)
        return page

    yield opened
    for context in contexts:
        context.close()
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
