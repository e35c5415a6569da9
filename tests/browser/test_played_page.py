"""The page of what was played: reached from everywhere, filled by playing, in both languages."""

from collections.abc import Callable, Generator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, words
from tests.web.studio_harness import Studio
from winnable.contract.registry import load_game
from winnable.levels.files import shipped_level
from winnable.levels.identity import content_id
from winnable.store import results
from winnable.store.results import Result

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
LEVEL = "drops/01-first-drops"


@pytest.fixture
def empty(studio: Studio) -> Generator[Studio]:
    """Without results, before and after."""
    studio.store.transact(lambda database: database.execute("DELETE FROM results"))
    yield studio
    studio.store.transact(lambda database: database.execute("DELETE FROM results"))


def keep(studio: Studio, game: str, number: int, **fields: object) -> None:
    values: dict[str, object] = {
        "id": f"{game.encode().hex():0>16}{number:016x}"[-32:],
        "session": f"{number:032x}",
        "game": game,
        "level_id": f"{game}:#1",
        "content": f"{game}@0",
        "day": None,
        "outcome": "won",
        "helped": False,
        "actions": 5,
        "par": None,
        "score": None,
        "seconds": 63.0,
        "finished": float(number),
    }
    results.add(studio.store, Result(**(values | fields)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("width", "language"), [(1280, "en-US"), (360, "zh-CN")])
def test_an_empty_page_leads_to_the_games(
    empty: Studio, open_page: Open, look: Look, width: int, language: str
) -> None:
    text = words("en" if language == "en-US" else language)
    page = open_page(address="", ready="[data-testid=front-2048]", width=width, language=language)
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not any("played.js" in name for name in loaded), "the first page needs none of it"
    by(page, "front-played").click()
    expect(by(page, "played-empty")).to_contain_text(text["played.empty"])
    expect(by(page, "front")).to_be_hidden()
    look(page, f"played-empty-{width}")
    by(page, "played-home").click()
    expect(by(page, "front")).to_be_visible()
    page.go_back()
    expect(by(page, "played")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "language", "dark"), [(1280, "en-US", False), (360, "zh-CN", False), (1280, "en-US", True)]
)
def test_what_was_played_is_told(
    empty: Studio, open_page: Open, look: Look, width: int, language: str, dark: bool
) -> None:
    shipped = shipped_level(LEVEL)
    assert shipped is not None
    content = content_id(load_game("drops"), shipped.level)
    for number in range(30):
        outcome = "won" if number % 4 or number > 20 else "lost"
        keep(
            empty,
            "drops",
            number,
            outcome=outcome,
            level_id=LEVEL,
            content=content,
            actions=4 + number,
            par=2,
        )
        keep(empty, "2048", number, outcome="over", score=2000 + 37 * (number * 7 % 11))
    page = open_page(
        address="#played", ready="[data-testid=played-2048]", width=width, language=language, dark=dark
    )
    for key, told in {"ended": "30", "won": "24", "first": "24"}.items():
        expect(by(page, f"played-drops-{key}")).to_have_text(told)
    expect(by(page, "played-2048-won")).to_have_count(0)
    expect(by(page, "played-drops").get_by_test_id("sparkline")).to_have_attribute("data-points", "30")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    by(page, "played-drops").locator("summary").click()
    best = by(page, "played-best")
    expect(best).to_have_count(1)
    expect(best).to_contain_text("1:03")
    look(page, f"played-{width}-{'dark' if dark else language}")
    best.click()
    expect(page.locator("body[data-view=game][data-game=drops]")).to_be_visible()
    page.go_back()
    expect(by(page, "played-drops")).to_be_visible()


def test_a_game_that_ends_is_there_when_one_looks(empty: Studio, open_page: Open) -> None:
    page = open_page(address="#drops:400/000,drops=2,open")
    for number, cell in enumerate((1, 2), 1):
        page.locator(f"[data-testid=board] .cell[data-cell='{cell}']").click()
        ply(page, number)
    expect(by(page, "card-lost")).to_be_visible()
    by(page, "played-link").click()
    expect(by(page, "played-drops-ended")).to_have_text("1")
    expect(by(page, "played-drops-won")).to_have_text("0")
    expect(page).to_have_title("Played · winnable")
    page.go_back()
    expect(by(page, "card-lost")).to_be_visible()
