"""Each game calls its actions by its own word: triple picks, drops clicks, rotate turns."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_rotate_page import PAIRS
from tests.browser.test_studio_page import TRAP, by, lamp, ply, words

pytestmark = pytest.mark.browser

LOSSES = {
    "triple": (TRAP, "[data-testid=board] .tile.pickable[data-tile='{}']", (0, 3, 1)),
    "drops": ("400/000,drops=2,open", "[data-testid=board] .cell[data-cell='{}']", (1, 2)),
    "rotate": (PAIRS + ",turns=1", "[data-testid=rotate-{}]", (1,)),
}
"""A board, what is clicked, and its numbers until the game is lost."""


def lose(page: Page, game: str) -> int:
    """How many actions it took."""
    _, selector, numbers = LOSSES[game]
    for played, number in enumerate(numbers, 1):
        page.locator(selector.format(number)).click()
        ply(page, played)
    return len(numbers)


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
@pytest.mark.parametrize("game", LOSSES)
def test_a_loss_is_told_in_the_words_of_the_game(open_page: Open, game: str, language: str) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(language=language, address=f"#{game}:{LOSSES[game][0]}")
    lamp(page, "winnable")
    played = lose(page, game)
    form = "one" if played == 1 else "other"
    moves = text[f"count.moves.{game}.{form}"].replace("{n}", str(played))
    expect(by(page, "card-lost")).to_contain_text(text["lost.facts"].replace("{moves}", moves))
    if game == "triple":
        expect(by(page, "card-lost")).to_contain_text(text["lost.completion"].replace("{share}", "50"))
    by(page, "report").click()
    blame = page.locator("[data-testid=timeline-blame]")
    expect(blame).to_be_visible()
    number = int(blame.get_attribute("data-last") or "") + 1
    said = text["report.exact"].replace("{move}", text[f"move.{game}"]).replace("{first}", str(number))
    expect(by(page, "report-text")).to_contain_text(said.split("{name}")[0])
