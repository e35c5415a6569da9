"""Why a game is lost, in words, and marked on the board."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, start
from winnable.words import catalogue as words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

TRAY = "4:0@0.0,0@9.0,0@18.0,1@0.9,1@9.9,1@18.9,2@0.18,2@9.18,2@18.18,3@0.27,3@9.27,3@18.27"
"""Four kinds side by side; three tiles may rest."""
DROPS = "20300/44424,drops=3"
"""All can be emptied, but not when the first click is on (4,2)."""


def sizes(language: str) -> dict[str, int]:
    return {"width": 1280, "height": 800} if language == "en" else {"width": 360, "height": 740}


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize(
    ("game", "level", "actions", "at", "why", "values", "marked"),
    [
        ("triple", TRAY, (0, 3, 6, 9), 3, "tray", {"room": 0, "more": 1}, [1, 2]),
        ("drops", DROPS, (8, 0, 0), 1, "stays", {"left": 2}, [0]),
    ],
)
def test_the_reason_is_said_and_what_it_names_is_marked(
    open_page: Open,
    look: Look,
    language: str,
    game: str,
    level: str,
    actions: tuple[int, ...],
    at: int,
    why: str,
    values: dict[str, int],
    marked: list[int],
) -> None:
    page = open_page(language=language, **sizes(language))
    start(page, level)
    name = "tile" if game == "triple" else "cell"
    for played, action in enumerate(actions, 1):
        page.locator(f".{name}[data-{name}='{action}']").click()
        ply(page, played)
    expect(page.locator("body")).to_have_attribute("data-standing", "lost")
    by(page, "report").click()
    said = words(language)[f"reason.{why}"]
    for value, number in values.items():
        said = said.replace(f"{{{value}}}", str(number))
    expect(by(page, "report-reason")).to_have_text(said)
    expect(page.locator(".marked")).to_have_count(0)
    look(page, f"reason-1-{game}-{language}")
    by(page, "report-reason-goto").click()
    ply(page, at)
    expect(page.locator(".marked")).to_have_count(len(marked))
    for action in marked:
        expect(page.locator(f".{name}.marked[data-{name}='{action}']")).to_have_count(1)
    expect(by(page, "report-reason-goto")).to_have_count(0)
    look(page, f"reason-2-{game}-{language}")
    page.emulate_media(color_scheme="dark")
    look(page, f"reason-3-{game}-{language}-dark")
    by(page, "report-goto").click()
    ply(page, at - 1)
    expect(page.locator(".marked")).to_have_count(0)
    expect(by(page, "report-reason")).to_be_visible()
