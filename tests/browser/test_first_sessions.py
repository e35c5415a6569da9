"""First sessions, each from an empty profile and an empty home: from the front page to today's level, its
end, the review, the mistake again and the result for others; and to the deck. The clicks and keys that each
takes count."""

import random
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_profile
from tests.browser.test_studio_page import by, ply, words
from tests.waiting import wait_until
from tests.web.studio_harness import Studio, running_studio
from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.by_proof import ByProof
from winnable.analysis.costs import Cost
from winnable.contract import clock
from winnable.contract.abilities import solvers_of
from winnable.contract.core import Action, Budget, finish
from winnable.contract.registry import GAMES, load_game
from winnable.levels.find import made_level
from winnable.levels.identity import daily
from winnable.play.deck import session_of
from winnable.play.session import Session
from winnable.store import deck

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
LANGUAGES = ("en-US", "zh-CN")
DAY = date(2026, 11, 25)
SESSIONS = [
    *((name, language, DAY) for name, language in zip(GAMES, cycle(LANGUAGES), strict=False)),
    ("drops", "en-US", date(2026, 11, 27)),
]
"""A game in each language by turns; and a day on which the first click loses."""
LOOKS = 4


class Hand:
    """What a person does on the page, counted."""

    def __init__(self, page: Page, studio: Studio) -> None:
        self.page, self.studio, self._count = page, studio, 0

    def click(self, name: str) -> None:
        self._count += 1
        by(self.page, name).click()

    def press(self, key: str) -> None:
        self._count += 1
        self.page.keyboard.press(key)

    def has_done(self) -> int:
        """Since it was asked last."""
        count, self._count = self._count, 0
        return count


@pytest.fixture(autouse=True)
def few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a long game's last moves cost is enough for a review; how long the looks take is nothing to it."""
    for companion, name in ((ByOutlook, "costs"), (ByProof, "detours")):
        found: Callable[..., Iterator[Any]] = getattr(companion, name)

        def few(*asked: Any, found: Callable[..., Iterator[Any]] = found) -> Iterator[Any]:
            left = LOOKS
            for told in found(*asked):
                yield told
                left -= isinstance(told, Cost)
                if not left:
                    return

        monkeypatch.setattr(companion, name, few)


@contextmanager
def first_session(browser: Browser, home: Path, language: str) -> Generator[Hand]:
    """Before the front page."""
    with running_studio(home) as studio, new_profile(browser, language=language) as profile:
        profile.grant_permissions(["clipboard-read", "clipboard-write"])
        page = profile.new_page()
        page.goto(f"http://127.0.0.1:{studio.port}/")
        expect(by(page, "front-2048")).to_be_visible()
        yield Hand(page, studio)


def losing(name: str) -> list[Action]:
    """Of today's level: the shortest of some games by chance that are not won."""
    game, games = load_game(name), list[list[Action]]()
    level: Any = finish(made_level(daily(game)))
    for dice in map(random.Random, range(60)):
        session = Session(level)
        while session.standing == "playing":
            session.act(dice.choice(session.puzzle.legal_actions(session.state)))
        if session.standing == "lost":
            games.append(session.actions)
    return min(games, key=len)


def play_to_the_end(page: Page, name: str) -> None:
    """Not to a win."""
    if name == "rotate":  # back and forth: it takes more turns than one to win it
        by(page, "board").focus()
        played = 0
        while page.locator("body").get_attribute("data-standing") == "playing":
            page.keyboard.press("Enter")
            ply(page, played := played + 1)
    elif name in ("triple", "drops"):
        kind = {"triple": "tile", "drops": "cell"}[name]
        for played, action in enumerate(losing(name), 1):
            page.locator(f"[data-testid=board] .{kind}[data-{kind}='{action}']").click()
            ply(page, played)
    else:
        by(page, "board").focus()
        keys = ["Enter"] if name == "tetris" else ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"]
        while page.locator("body").get_attribute("data-standing") == "playing":
            for key in keys:
                page.keyboard.press(key)
            page.wait_for_timeout(50)


def copied(page: Page) -> str:
    found = list[str]()

    def arrived() -> bool:
        found[:] = [page.evaluate("navigator.clipboard.readText()")]
        return found[0] != ""

    wait_until(arrived, "the text", lambda: page.wait_for_timeout(20))
    return found[0]


@pytest.mark.parametrize(("name", "language", "day"), SESSIONS)
def test_todays_level(
    browser: Browser,
    tmp_path: Path,
    look: Look,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    language: str,
    day: date,
) -> None:
    monkeypatch.setattr(clock, "today", lambda: day)
    with first_session(browser, tmp_path, language) as hand:
        page = hand.page
        hand.click(f"front-{name}-daily")
        expect(page.locator(f"body[data-game='{name}'][data-standing=playing]")).to_be_visible()
        assert hand.has_done() <= 2
        expect(by(page, "lamp")).to_have_attribute("data-verdict", "hidden")
        play_to_the_end(page, name)
        card = page.locator("[data-testid=card-lost], [data-testid=card-over]")
        expect(card).to_be_visible()
        hand.click("share-result")
        assert words(language.replace("en-US", "en"))[f"game.{name}"] in copied(page)
        assert hand.has_done() == 1
        hand.press("v")
        expect(by(page, "review-graph")).to_be_visible()
        assert hand.has_done() == 1
        look(page, f"first-{name}-{language}")
        hand.press("v")
        mistake = page.locator("[data-testid=turning][aria-current=true]")
        expect(mistake).to_be_visible()
        assert hand.has_done() == 1
        ply(page, int(mistake.get_attribute("data-ply") or ""))
        expect(page.locator("body")).to_have_attribute("data-standing", "playing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_deck(browser: Browser, tmp_path: Path, look: Look, language: str) -> None:
    """A game is lost and never looked at again: its mistake is in the deck all the same."""
    with first_session(browser, tmp_path, language) as hand:
        page = hand.page
        hand.click("front-drops-daily")
        expect(page.locator("body[data-game=drops][data-standing=playing]")).to_be_visible()
        play_to_the_end(page, "drops")
        expect(by(page, "card-lost")).to_be_visible()
        hand.has_done()
        hand.click("brand")
        hand.click("deck")
        expect(page.locator("body[data-view=game][data-card=open]")).to_be_visible()
        assert hand.has_done() == 2
        look(page, f"first-deck-{language}")
        (card,) = deck.every(hand.studio.store)
        session = session_of(card)
        solver = next(iter(solvers_of(session.game).values()))
        line = finish(solver(session.puzzle, session.state, Budget(60), 0)).actions
        page.locator(f"[data-testid=board] .cell[data-cell='{line[0]}']").click()
        expect(by(page, "card-task")).to_have_attribute("data-right", "true")
