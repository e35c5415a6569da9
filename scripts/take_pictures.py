"""Takes the pictures of the pages for the documents: `.venv/bin/python -m scripts.take_pictures [FOLDER]`.

Each page once, in light or dark colours, wide or as on a phone, in English or Chinese, into docs/images; and
parts of pages, which show what an algorithm does.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from bench.studio.browser import browser_flags, find_browser
from bench.studio.process import origin, studio_process

FOLDER = Path(__file__).parents[1] / "docs" / "images"
QUALITY = 70
SETTLED_MS = 3000
"""Until pictures and values are there."""
LONGEST_MS = 90_000
"""That a search is waited for."""


class Shot(NamedTuple):
    """address: what follows the page's `/`. height: the window's, in pixels, where it is no phone. typed:
    selectors of fields, each with what comes into it before anything is clicked. click: ids of buttons and
    selectors, one after another. wait: a selector of what must be there after that. part: a selector; the
    picture is of all that it finds ("": of the window). keys: pressed when all is clicked."""

    name: str
    address: str
    theme: str = "light"
    phone: bool = False
    height: int = 800
    language: str = "en-US"
    click: tuple[str, ...] = ()
    keys: str = ""
    typed: tuple[tuple[str, str], ...] = ()
    wait: str = ""
    part: str = ""


PHONE = {"width": 360, "height": 740}
LOST = tuple(f"[data-testid=board] [data-tile='{tile}']" for tile in (0, 3, 1))
"""Of the level whose game is reviewed."""
LARGE_DROPS = (
    "2211112233/1133331212/1132122113/2321111113/3233311331/"
    "3211321312/2331231233/3113223121/1123132212/3332132331"
)
SOLVING = "#solve-panel"
RESULT = "#lamp, #stage, #solve-results"
VALUES = "[data-testid='2048-worth']"
SHOTS = [
    Shot("front", ""),
    Shot(
        "sets",
        "",
        height=900,
        click=("[data-testid=front-sets]", "[data-testid=sets-first-make]", "[data-testid=make-start]"),
        wait="[data-testid=sets-stop][hidden]",
    ),
    Shot("triple-editor", "#triple/3-butterfly", "dark", height=1000, click=("#edit-level",)),
    Shot("triple", "#triple/3-butterfly", "dark", click=("#hint",)),
    Shot("drops", "#drops/05-puddle", click=("[data-testid=why]",)),
    Shot("tetris", "#tetris/1-ten-by-ten", "dark"),
    Shot("rotate-hint", "#rotate/26-knight-moves", click=("#hint", "#hint", "#hint"), part="#panel-play"),
    Shot(
        "rotate-optimal",
        "#rotate/26-knight-moves",
        click=("[data-method=optimal]",),
        wait="[data-testid=solve-result]",
        part="[data-testid=solve-result]",
    ),
    Shot(
        "rotate-beam",
        "#rotate/30-first-round",
        height=1400,
        click=("[data-method=constructive]", "[data-method=beam]", "#solve-cancel"),
        part=".result:first-child, .result:last-child ol",
    ),
    Shot(
        "rotate-construction",
        "#rotate:rows=10,columns=10,colours=4#1",
        click=("[data-method=constructive]", "[data-testid=solve-play]"),
        wait="#ply:has-text('30')",
        part="[data-testid=board]",
    ),
    Shot(
        "rotate-genetic",
        "#rotate:rows=8,columns=8,colours=4#1",
        height=1400,
        click=("[data-method=genetic]", "#solve-cancel", "[data-method=improved-genetic]"),
        wait="#solve-figures:has-text('generation')",
        part="#solve-progress, [data-testid=solve-result]",
    ),
    Shot("2048-values", "#2048:a987/3456/2110/1000", click=(VALUES,), part=".status-row, #stage"),
    Shot("2048-exact", "#2048:243/201", click=(VALUES,), part=".status-row, #stage"),
    Shot(
        "2048-review",
        "#2048:-,rows=2,columns=3,dice=5",
        keys="asdasdasdasdw" * 5 + "v",
        wait="[data-testid=review-graph]",
        part="#card-side",
    ),
    Shot("2048-perfect", "#2048:hgfe/abcd/9876/2245", part="[data-testid=board]"),
    Shot("arcade", "arcade", click=("[data-testid=menu-bot]",)),
    Shot(
        "tuning",
        "",
        "dark",
        height=1200,
        click=("#tune", "#tune-start"),
        wait="#tune-progress[value^='0.5']",
        part="#tune-run",
    ),
    Shot(
        "review", "#triple:3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0", click=(*LOST, "[data-testid=report]")
    ),
    Shot("phone-played", "#played", "dark", phone=True, language="zh-CN"),
    Shot("phone-front", "", "dark", phone=True, language="zh-CN"),
    Shot("phone-play", "#triple/3-butterfly", phone=True, language="zh-CN"),
    Shot("phone-analyse", "#drops/05-puddle", "dark", phone=True, language="zh-CN", click=("#tab-help",)),
    Shot("drops-why", "#drops:3020/0100/0040", height=860, click=("[data-testid=why]",), part="#stage"),
    Shot(
        "drops-beam",
        f"#drops:{LARGE_DROPS}",
        height=1200,
        typed=(("#solve-seconds", "20"),),
        click=("[data-testid=solve-optimal]",),
        wait="[data-testid=solve-clicks]",
        part=SOLVING,
    ),
    Shot(
        "drops-lost",
        "#drops/16-fir-tree",
        height=780,
        click=(*(f"[data-cell='{cell}']" for cell in (16, 22, 20)), "#lamp-why"),
        part="#lamp, #stage, #card-side",
    ),
    Shot(
        "drops-genetic",
        "#drops/article-30-all-ones",
        height=1400,
        click=("[data-testid=solve-a]", "[data-testid=solve-genetic]"),
        wait="#solve-figures:has-text('generation 10')",
        part=SOLVING,
    ),
    Shot(
        "triple-auto",
        "#triple:layers=26#3",
        height=740,
        click=("[data-testid=solve-auto]",),
        wait="[data-testid=solve-clicks]",
        part=RESULT,
    ),
    Shot(
        "triple-exact",
        "#triple:layout=windmill,kinds=14#3",
        click=("[data-testid=solve-exact]",),
        wait="#solve-progress[hidden]",
        part=RESULT,
    ),
    Shot(
        "triple-de-repair",
        "#triple:layout=windmill,kinds=14#3",
        height=640,
        click=("[data-testid=repair-de-repair]",),
        wait="[data-testid=toast]",
    ),
    Shot(
        "triple-estimate",
        "#triple/5-tight-tray",
        height=660,
        click=("[data-testid=margin]",),
        part="#lamp, #stage, #margin-words",
    ),
    Shot(
        "tetris-outlook", "#tetris:garbage=16#4", height=900, click=("#hint", "#hint"), part="#lamp, #stage"
    ),
    Shot(
        "tetris-costs",
        "#tetris:-,height=10,width=8,dice=3",
        height=760,
        click=(*("[data-testid=tetris-drop]",) * 6, "[data-testid=report]"),
        wait="[data-testid=turning]",
        part="#lamp, #stage, #card-side",
    ),
    Shot(
        "tetris-bot",
        "arcade",
        typed=(("[data-testid=menu-dice]", "6"),),
        click=("[data-testid=menu-bot]",),
        wait="[data-testid=callout]:has-text('T-spin')",
    ),
    Shot(
        "tetris-article",
        "arcade",
        click=(
            *("[data-testid=mode-article]", "[data-testid=menu-bot]"),
            *("[data-testid=bot-piece]",) * 12,
        ),
    ),
]

AROUND = """selector => {
  const all = [...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect());
  const boxes = all.filter(box => box.width);
  const x = Math.min(...boxes.map(box => box.left)) - 8, y = Math.min(...boxes.map(box => box.top)) - 8;
  const right = Math.max(...boxes.map(box => box.right)), low = Math.max(...boxes.map(box => box.bottom));
  return {x: x + scrollX, y: y + scrollY, width: right + 8 - x, height: low + 8 - y};
}"""
"""The box, on the page, around all that a selector finds."""


def take(browser: Browser, host: str, shot: Shot, folder: Path) -> None:
    context = browser.new_context(
        viewport=PHONE if shot.phone else {"width": 1280, "height": shot.height},  # type: ignore[arg-type]
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
    for selector, text in shot.typed:
        page.locator(selector).fill(text)
    for selector in shot.click:
        page.locator(selector).click()
        page.wait_for_timeout(SETTLED_MS / 2)
    page.keyboard.type(shot.keys, delay=SETTLED_MS / 10)
    if shot.wait:
        page.locator(shot.wait).first.wait_for(state="attached", timeout=LONGEST_MS)
    picture = {"format": "webp", "quality": QUALITY}
    if shot.part:
        picture |= {"clip": {**page.evaluate(AROUND, shot.part), "scale": 1}, "captureBeyondViewport": True}
    # Playwright itself writes no WebP.
    devtools: Any = context.new_cdp_session(page)
    data = devtools.send("Page.captureScreenshot", picture)["data"]
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
