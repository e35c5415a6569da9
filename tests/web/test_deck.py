"""The deck: a mistake that a report finds becomes a card, the next action answers it, and it comes again."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.web import toy_game
from tests.web.studio_harness import Event, Page, Studio, running_studio
from winnable.contract.registry import GAMES, Entry
from winnable.play.deck import answered
from winnable.store import deck, results


@pytest.fixture
def studio(tmp_path: Path) -> Generator[Studio]:
    """With an empty deck."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
        assert toy_game.OPEN.is_set()
        with running_studio(tmp_path) as running:
            yield running


def lose(page: Page, level: str = "toy:start=6#1") -> None:
    """By the third action; then the report names it."""
    page.new(level)
    for action in (0, 1, 2, 0, 0):
        page.ask("act", "state", action=action)
    page.send("report")
    page.wait("timeline", where=lambda event: event["done"])
    assert page.ask("deck", "deck")["due"] == 1


def answer(page: Page, action: int) -> Event:
    return page.ask("act", "answered", action=action)


def test_a_mistake_comes_back_and_any_winning_action_is_right(studio: Studio, page: Page) -> None:
    assert page.ask("deck", "deck")["due"] == 0
    lose(page)
    state = page.ask("practise", "state")
    assert (state["card"], state["view"], state["ply"]) == ("open", {"left": 3}, 2)
    told = answer(page, 1)  # the line at hand begins with 0
    assert (told["right"], told["played"], told["better"], told["due"]) == (True, "two", "", 0)
    (card,) = deck.every(studio.store)
    assert card.due > answered(card) > card.added
    assert page.ask("practise", "state")["code"] == "deck.none"


def test_the_same_mistake_is_wrong_and_due_sooner(studio: Studio, page: Page) -> None:
    lose(page)
    (new,) = deck.every(studio.store)
    page.ask("practise", "state")
    told = answer(page, 2)
    assert (told["right"], told["better"], told["action"]) == (False, "one", 0)
    (wrong,) = deck.every(studio.store)
    deck.put(studio.store, new)
    page.ask("practise", "state")
    answer(page, 0)
    (right,) = deck.every(studio.store)
    assert wrong.due - answered(wrong) < right.due - answered(right)
    deck.put(studio.store, replace(right, due=0.0))
    page.ask("practise", "state")
    answer(page, 0)
    (again,) = deck.every(studio.store)
    assert again.due - answered(again) > right.due - answered(right), "what is known waits longer"


@pytest.mark.parametrize(
    ("request_type", "fields"),
    [
        ("hint", {}),
        ("solve", {"solver": "auto"}),
        ("step", {"by": "ones"}),
        ("goto", {"ply": 0}),
        ("report", {}),
        ("next", {}),
        ("cheat", {}),
    ],
)
def test_there_is_no_help_before_the_answer(page: Page, request_type: str, fields: dict[str, Any]) -> None:
    lose(page)
    page.ask("practise", "state")
    assert page.ask(request_type, "nothing", **fields)["code"] == "deck.alone"
    answer(page, 0)
    assert page.ask("goto", "state", ply=0)["ply"] == 0


def test_an_illegal_answer_is_none(page: Page) -> None:
    lose(page)
    page.ask("practise", "state")
    assert page.ask("act", "state", action=99)["type"] == "error"
    assert answer(page, 0)["right"]


def test_a_game_on_a_card_is_not_kept(studio: Studio, page: Page) -> None:
    lose(page)
    kept, ends = studio.store.sessions(), results.every(studio.store)
    page.ask("practise", "state")
    answer(page, 2)
    for _ in range(2):
        page.ask("act", "state", action=0)
    assert studio.store.sessions() == kept
    assert results.every(studio.store) == ends
    page.send("report")
    page.wait("timeline", where=lambda event: event["done"])
    assert len(deck.every(studio.store)) == 1, "nor does it make cards"


def test_a_loss_makes_its_card_by_itself(studio: Studio, page: Page) -> None:
    page.new("toy:start=6#1")
    for action in (0, 1, 2, 0, 0):
        page.ask("act", "state", action=action)
    assert page.wait("deck")["due"] == 1
    (card,) = deck.every(studio.store)
    assert card.played == 2
    assert page.ask("practise", "state")["ply"] == 2


def test_the_same_mistake_is_one_card(studio: Studio, page: Page) -> None:
    lose(page)
    lose(page, "toy:start=6#2")
    assert len(deck.every(studio.store)) == 1


def test_without_a_goal_a_costly_action_is_the_mistake(studio: Studio, page: Page) -> None:
    state = page.new("2048:rows=2,columns=2#3")
    while state["standing"] == "playing":
        state = page.ask("act", "state", action=state["legal"][-1])
    page.send("report")
    done = page.wait("costs", where=lambda event: event["done"])
    assert done["worst"]
    card = deck.every(studio.store)[0]
    page.ask("practise", "state")
    wrong = answer(page, card.played)
    assert (wrong["right"], wrong["action"] is None) == (False, False)
    deck.put(studio.store, replace(card, due=0.0))
    page.ask("practise", "state")
    assert answer(page, wrong["action"])["right"]
