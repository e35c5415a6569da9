"""Takes the pictures of the pages for the documents: `.venv/bin/python -m scripts.take_pictures [FOLDER]`.

Each page once, in light or dark colours, wide or as on a phone, in English or Chinese, into docs/images.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from bench.studio.browser import browser_flags, find_browser
from bench.studio.process import origin, studio_process

FOLDER = Path(__file__).parents[1] / "docs" / "images"
QUALITY = 70
SETTLED_MS = 3000
"""Until pictures and values are there."""


class Shot(NamedTuple):
    """address: what follows the page's `/`. click: ids of buttons and selectors, one after another."""

    name: str
    address: str
    theme: str = "light"
    phone: bool = False
    language: str = "en-US"
    click: tuple[str, ...] = ()


PHONE = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 800}
LOST = tuple(f"[data-testid=board] [data-tile='{tile}']" for tile in (0, 3, 1))
"""Of the level whose game is reviewed."""
SHOTS = [
    Shot("front", ""),
    Shot("triple", "#triple/3-butterfly", "dark", click=("#hint",)),
    Shot("drops", "#drops/05-puddle", click=("[data-testid=why]",)),
    Shot("tetris", "#tetris/1-ten-by-ten", "dark"),
    Shot("rotate", "#rotate/15-heart"),
    Shot("2048", "#2048:a987/3456/2110/1000,dice=3", "dark", click=("[data-testid='2048-worth']",)),
    Shot("arcade", "arcade", click=("[data-testid=menu-bot]",)),
    Shot("tuning", "", "dark", click=("#tune",)),
    Shot(
        "review", "#triple:3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0", click=(*LOST, "[data-testid=report]")
    ),
    Shot("phone-played", "#played", "dark", phone=True, language="zh-CN"),
    Shot("phone-front", "", "dark", phone=True, language="zh-CN"),
    Shot("phone-play", "#triple/3-butterfly", phone=True, language="zh-CN"),
    Shot("phone-analyse", "#drops/05-puddle", "dark", phone=True, language="zh-CN", click=("#tab-help",)),
]


def take(browser: Browser, host: str, shot: Shot, folder: Path) -> None:
    context = browser.new_context(
        viewport=PHONE if shot.phone else WIDE,  # type: ignore[arg-type]
        locale=shot.language,
        color_scheme="dark" if shot.theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=shot.phone,
    )
    page = context.new_page()
    page.goto(f"{origin(host)}/{shot.address}")
    if shot.address.startswith("#") and shot.address != "#played":
        page.locator("[data-testid=lamp][data-searching=false]").wait_for()
    page.wait_for_timeout(SETTLED_MS)
    for selector in shot.click:
        page.locator(selector).click()
        page.wait_for_timeout(SETTLED_MS / 2)
    # Playwright itself writes no WebP.
    devtools = context.new_cdp_session(page)
    data = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})["data"]
    (folder / f"{shot.name}.webp").write_bytes(base64.b64decode(data))
    context.close()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = find_browser()
    if path is None:
        raise SystemExit("no Chromium found")
    with studio_process() as host, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=browser_flags())
        for shot in SHOTS:
            take(browser, host, shot, folder)


if __name__ == "__main__":
    main()
