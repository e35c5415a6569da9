"""Today's level and the days before: what the front page says of them."""

from collections.abc import Callable, Generator
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by
from tests.web.studio_harness import Studio
from winnable.contract import clock
from winnable.contract.registry import load_game
from winnable.levels.identity import daily
from winnable.store import results
from winnable.store.results import Ended, Result

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


@pytest.fixture
def empty(studio: Studio) -> Generator[Studio]:
    """Without results, before and after."""
    studio.store.transact(lambda database: database.execute("DELETE FROM results"))
    yield studio
    studio.store.transact(lambda database: database.execute("DELETE FROM results"))


def keep(
    studio: Studio, game: str, back: int, outcome: Ended, late: bool = False, score: int | None = None
) -> str:
    """How the level of so many days ago went -> that day."""
    day = clock.today() - timedelta(back)
    ended = Result(
        id=f"{game.encode().hex():0>16}{back:016x}"[-32:],
        session=f"{back:032x}",
        game=game,
        level_id=str(daily(load_game(game), day)),
        content=f"{game}@0",
        day=None if late else str(day),
        outcome=outcome,
        helped=False,
        actions=12,
        par=None,
        score=score,
        seconds=1.0,
        finished=1e9 - back,
    )
    results.add(studio.store, ended)
    return str(day)


def front(open_page: Open, **options: object) -> Page:
    return open_page(address="", ready="[data-testid=front-2048]", **options)


@pytest.mark.parametrize(
    ("width", "language", "won", "streak"),
    [
        (1280, "en-US", "Today: won, 12 clicks", "3 days in a row"),
        (360, "zh-CN", "今日已通关，12 次点击", "连续 3 天"),
    ],
)
def test_the_next_day_shows_what_was_played(
    open_page: Open, empty: Studio, look: Look, width: int, language: str, won: str, streak: str
) -> None:
    for back in (0, 1, 2, 4):
        keep(empty, "drops", back, "won")
    lost, late = keep(empty, "drops", 3, "lost"), keep(empty, "drops", 9, "won", late=True)
    keep(empty, "2048", 0, "lost", score=4321)
    page = front(open_page, width=width, language=language)
    expect(by(page, "front-drops-daily")).to_contain_text(won)
    expect(by(page, "front-drops-streak")).to_have_text(streak)
    expect(by(page, "front-2048-daily")).to_contain_text("4,321")
    expect(by(page, "front-2048-streak")).to_have_count(0)
    expect(by(page, "front-rotate-daily")).to_have_attribute("data-how", "none")
    by(page, "front-drops-days").click()
    grid = by(page, "days-dialog")
    for day, how in ((lost, "lost"), (late, "won"), ("2026-11-01", "none")):
        expect(grid.locator(f"[data-day='{day}']")).to_have_attribute("data-how", how)
    expect(grid.locator("[aria-current=date]")).to_have_attribute("data-day", str(clock.today()))
    expect(by(page, "days-after")).to_be_disabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, f"days-{width}-{language}")


def test_an_earlier_day_opens_its_level_and_is_gone_on_with(open_page: Open, empty: Studio) -> None:
    page = front(open_page)
    by(page, "front-2048-days").click()
    expect(by(page, "day").last).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(by(page, "level-title")).to_have_text("Daily · Nov 17")
    for key in ("ArrowLeft", "ArrowUp"):  # at least one of them moves something
        by(page, "board").press(key)
    expect(by(page, "2048-moves")).not_to_have_text("0")
    session = page.url
    by(page, "brand").click()
    by(page, "front-2048-days").click()
    begun = page.locator("[data-testid=day][data-how=begun]")
    expect(begun).to_have_attribute("data-day", "2026-11-17")
    begun.click()
    page.wait_for_url(session)
    by(page, "brand").click()
    by(page, "front-2048-days").click()
    by(page, "days-before").click()
    expect(by(page, "days-month")).to_have_text("October 2026")
    expect(by(page, "day")).to_have_count(31)


@pytest.mark.parametrize("seen", [False, True])
def test_a_new_day_has_a_new_level_on_a_page_that_stayed_open(
    open_page: Open, empty: Studio, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    """seen: also at midnight"""
    keep(empty, "drops", 0, "won")
    page = front(open_page)
    page.clock.install()
    page.reload()
    today = by(page, "front-drops-daily")
    expect(today).to_have_attribute("data-how", "won")
    tomorrow = clock.today() + timedelta(1)
    monkeypatch.setattr(clock, "today", lambda: tomorrow)
    if seen:
        page.clock.fast_forward("26:00:00")  # a day of 25 hours has its midnight later
    else:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(today).to_have_attribute("data-how", "none")
    expect(by(page, "front-drops-streak")).to_have_text("1 day in a row")
    today.click()
    expect(by(page, "level-title")).to_have_text("Daily · Nov 26")
