"""`winnable deck`: cards are answered in the terminal, judged, and due again."""

import time
from collections.abc import Generator

import pytest

from tests.browser.test_studio_page import TRAP
from tests.cli.cli_support import Run, document
from winnable.contract.registry import load_game
from winnable.levels.files import named_by_content
from winnable.levels.find import find_level
from winnable.play.deck import card_of
from winnable.store import deck
from winnable.store.database import Store, data_folder


@pytest.fixture
def store() -> Generator[Store]:
    """With two cards: after the first, and after the second action, another kind is a mistake."""
    store, triple = Store(data_folder()), load_game("triple")
    level = named_by_content(triple, triple.parse_board(TRAP))
    for number, actions in enumerate(([0, 3], [0, 1, 4])):
        deck.add(store, card_of(level, actions, 1.0 + number))
    yield store
    store.close()


def test_right_and_wrong_answers_are_told_and_kept(run: Run, store: Store) -> None:
    result = run("deck", stdin="1\n5\n")
    assert "Card 1 of 2" in result.stdout
    assert "Right" in result.stdout
    assert "Not 5" in result.stdout
    assert "Better: 2" in result.stdout
    assert result.stdout.rstrip().endswith("Nothing else is due.")
    wrong, right = deck.every(store)
    assert time.time() < wrong.due < right.due


def test_answers_as_a_document(run: Run, store: Store) -> None:
    first, second = deck.every(store)
    right, wrong = document(run("deck", "--json", stdin="1\n5\n"))
    assert (right["card"], right["action"], right["right"], right["better"]) == (first.id, 1, True, None)
    assert (wrong["card"], wrong["action"], wrong["right"], wrong["better"]) == (second.id, 5, False, 2)
    assert right["due"] > wrong["due"] > time.time()
    assert document(run("deck", "--json")) == []


@pytest.mark.parametrize("words", ["q\n", "\nq\n", "\n\n", ""])
def test_who_passes_by_or_leaves_changes_nothing(run: Run, store: Store, words: str) -> None:
    before = deck.every(store)
    run("deck", stdin=words)
    assert deck.every(store) == before


def test_what_is_no_answer_is_asked_again(run: Run, store: Store) -> None:
    result = run("deck", stdin="?\nbutterfly\n99\n0\n1\nq\n")
    assert "An answer is one of 1, 2, 3, 4, 5" in result.stdout
    assert result.stdout.count("Right") == 1
    assert document(run("deck", "--list", "--json"))[0]["ply"] == 2


def test_cards_are_listed(run: Run, store: Store) -> None:
    first, second = document(run("deck", "--list", "--json"))
    assert (first["game"], first["ply"], second["ply"], first["due"]) == ("triple", 1, 2, 1.0)
    assert len(run("deck", "--list").stdout.splitlines()) == 4


def test_an_empty_deck(run: Run) -> None:
    assert run("deck").stdout == "Nothing is due.\n"
    assert "the deck is empty" in run("deck", "--list").stderr


def test_without_a_goal_a_costly_action_is_wrong(run: Run) -> None:
    store, named = Store(data_folder()), find_level("2048", board="9876/5432/1100/0000")
    deck.add(store, card_of(named, [2], 1.0))
    store.close()
    (given,) = document(run("deck", "--json", "--time", "5", stdin="down\n"))
    assert given["right"] is False
    assert given["better"] is not None
