"""The page of what was played: reached from everywhere, filled by playing, in both languages."""

import json
from collections.abc import Callable, Generator
from pathlib import Path

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


@pytest.mark.parametrize(("width", "language", "dark"), [(1280, "en-US", False), (360, "zh-CN", True)])
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


def data_file(page: Page, tmp_path: Path) -> Path:
    by(page, "data-out").scroll_into_view_if_needed()
    with page.expect_download() as download:
        by(page, "data-out").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_all_data_go_out_and_in_with_what_the_browser_remembers(
    empty: Studio, open_page: Open, look: Look, tmp_path: Path
) -> None:
    keep(empty, "drops", 1)
    stored = {"stars": '{"drops/a":3,"drops/b":1}', "lamp": "off", "2048.best": '{"k":90}'}
    page = open_page(address="#played", ready="[data-testid=played-drops]", stored=stored)
    path = data_file(page, tmp_path)
    assert path.name.endswith(".json.gz")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    empty.store.transact(lambda database: database.execute("DELETE FROM results"))
    mine = {"stars": '{"drops/b":2}', "lamp": "on", "2048.best": '{"k":100,"j":5}'}
    there = open_page(address="#played", ready="[data-testid=played-empty]", stored=mine)
    by(there, "data-in").set_input_files(path)
    expect(by(there, "data-told")).to_contain_text("1 result,")
    expect(by(there, "played-drops-ended")).to_have_text("1")
    remembered = there.evaluate("Object.fromEntries(Object.entries(localStorage))")
    assert json.loads(remembered["winnable.stars"]) == {"drops/a": 3, "drops/b": 2}
    assert json.loads(remembered["winnable.2048.best"]) == {"k": 100, "j": 5}
    assert remembered["winnable.lamp"] == "on"
    look(there, "data-in")


def test_what_of_the_data_cannot_be_read_is_told(empty: Studio, open_page: Open, tmp_path: Path) -> None:
    keep(empty, "drops", 1)
    page = open_page(address="#played", ready="[data-testid=played-drops]", own=True)
    empty.store.transact(lambda database: database.execute("UPDATE results SET day = 'never'"))
    data_file(page, tmp_path)
    expect(by(page, "data-told")).to_have_text("1 record of your data cannot be read and is not in the file")


def test_a_file_that_is_no_data_is_refused_in_words(
    empty: Studio, open_page: Open, look: Look, tmp_path: Path
) -> None:
    text = words("zh-CN")
    page = open_page(
        address="#played", ready="[data-testid=played-empty]", width=360, language="zh-CN", dark=True
    )
    (tmp_path / "poem.gz").write_bytes(b"no data at all")
    by(page, "data-in").set_input_files(tmp_path / "poem.gz")
    expect(by(page, "data-told")).to_contain_text(text["error.data.foreign"])
    look(page, "data-refused")
