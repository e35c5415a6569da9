"""A headless Chromium: where it is, for benchmarks and tests alike, and a page of it by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from winnable.contract.core import WinnableError

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
POLL_MS = 20.0


def find_browser() -> str | None:
    """WINNABLE_BROWSER, or the first Chromium on the path; None: there is none."""
    return os.environ.get("WINNABLE_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


def browser_flags() -> list[str]:
    is_root = hasattr(os, "getuid") and os.getuid() == 0
    return [*FLAGS, *(["--no-sandbox"] if is_root else [])]


@contextmanager
def open_page(width: int, height: int) -> Generator[Page]:
    """An empty page of so many CSS pixels, each one of the screen, in a browser that is started for it and
    ends with it. Raises WinnableError, also for what Playwright raises within."""
    path = find_browser()
    if path is None:
        raise WinnableError(
            f"browser: no Chromium found (looked for {', '.join(NAMES)}); install one, or name it in the "
            "environment variable WINNABLE_BROWSER"
        )
    if find_spec("playwright") is None:
        raise WinnableError("browser: the package playwright is not installed: pip install -e '.[bench]'")
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=browser_flags())
        except Error as error:
            raise WinnableError(f"browser: {path} does not start: {error.message}") from None
        try:
            yield browser.new_page(viewport={"width": width, "height": height})
        except Error as error:
            raise WinnableError(f"browser: {error.message}") from None
        finally:
            browser.close()


def wait_for(page: Page, expression: str, seconds: float = 20.0) -> None:
    """Until it is true. Asked from time to time: a page that is asked in each frame draws all of them."""
    page.wait_for_function(f"() => Boolean({expression})", timeout=1000 * seconds, polling=POLL_MS)
