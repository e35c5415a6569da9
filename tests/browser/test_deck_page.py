"""The deck on the page: from the front page to the card, the answer, and on."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, lamp, ply, words
from tests.web.studio_harness import Studio, running_studio
from winnable.contract.registry import load_game
from winnable.levels.files import named_by_content
from winnable.play.deck import card_of
from winnable.store import deck

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


@pytest.fixture
def studio(tmp_path: Path) -> Generator[Studio]:
    """Of its own: in another one a game that a test before has lost may still become a card."""
    with running_studio(tmp_path) as running:
        yield running


def tile(page: Page, number: int) -> None:
    page.locator(f"[data-testid=board] .tile.pickable[data-tile='{number}']").click()


def test_a_loss_becomes_a_card_that_is_two_clicks_away(studio: Studio, open_page: Open) -> None:
    page = open_page(address=f"#triple:{TRAP}")
    lamp(page, "winnable")
    for played, number in enumerate((0, 3, 1), 1):
        tile(page, number)
        ply(page, played)
    by(page, "report").click()
    expect(page.locator("[data-testid=timeline-blame]")).to_be_visible()
    by(page, "brand").click()
    expect(by(page, "deck")).to_contain_text("1")
    by(page, "deck").click()
    expect(page.locator("body[data-view=game][data-card=open]")).to_be_visible()
    for hidden in ("lamp", "hint", "timeline", "watch-play", "why"):
        expect(by(page, hidden)).to_be_hidden()
    (card,) = deck.every(studio.store)
    tile(page, card.played)
    expect(by(page, "card-task")).to_have_attribute("data-right", "false")
    expect(by(page, "lamp")).to_be_visible()
    by(page, "brand").click()
    expect(by(page, "deck")).to_be_hidden()


@pytest.mark.parametrize(("width", "language", "dark"), [(1280, "en-US", False), (360, "zh-CN", True)])
def test_cards_follow_each_other(
    studio: Studio, open_page: Open, look: Look, width: int, language: str, dark: bool
) -> None:
    text = words("en" if language == "en-US" else language)
    triple = load_game("triple")
    level = named_by_content(triple, triple.parse_board(TRAP))
    for number, actions in enumerate(([0], [1, 0])):
        deck.add(studio.store, card_of(level, actions, 1.0 + number))
    page = open_page(address="", ready="[data-testid=front-2048]", width=width, language=language, dark=dark)
    expect(by(page, "deck")).to_have_text(text["deck.due"].replace("{n}", "2"))
    look(page, f"deck-front-{width}-{'dark' if dark else language}")
    by(page, "deck").click()
    expect(by(page, "card-task")).to_contain_text(text["deck.ask"][:8])
    look(page, f"deck-open-{width}-{'dark' if dark else language}")
    tile(page, 0)
    expect(by(page, "deck-next")).to_be_visible()
    look(page, f"deck-answered-{width}-{'dark' if dark else language}")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    by(page, "deck-next").click()
    expect(page.locator("body[data-card=open]")).to_be_visible()
    ply(page, 1)
