"""GameContract on games that are as they should be but for one thing: each is caught."""

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from winnable import testing, words
from winnable.contract import registry
from winnable.contract.abilities import GivesArrays
from winnable.contract.core import Budget, WinnableError
from winnable.contract.game import Comparison, Game
from winnable.contract.provenance import unchecked_replace
from winnable.contract.registry import GAMES, Entry, load_game
from winnable.stats.difficulty import Rating
from winnable.testing import GameContract

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def lights() -> Iterator[Any]:
    """The example, known as if its package were installed."""
    entry = Entry("lights", "winnable_lights.game:GAME", "winnable-lights")
    found = (*registry.entries(), entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.path", [str(EXAMPLES / "lights" / "src"), *sys.path])
        patch.setitem(GAMES, "lights", entry)
        patch.setattr(registry, "entries", lambda: found)
        words.catalogue.cache_clear()
        yield load_game("lights")
    words.catalogue.cache_clear()


def caught(test: Callable[..., None], game: Any) -> bool:
    """Whether the test passes the example and fails this one."""
    test(GameContract(), load_game("lights"))
    with pytest.raises((AssertionError, WinnableError, SyntaxError)):
        test(GameContract(), game)
    return True


def with_method(game: Game, **changes: Any) -> Any:
    """Like it, with other methods."""
    kind = type("Mutant", (type(game),), changes)
    return kind(**{field.name: getattr(game, field.name) for field in fields(game)})


@pytest.fixture
def changed_words(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str | None], None]:
    """(language, key, text): None takes the word away."""

    def change(language: str, key: str, text: str | None) -> None:
        whole = Entry.words

        def read(entry: Entry, of: str) -> Mapping[str, str]:
            found = dict(whole(entry, of))
            if entry.name == "lights" and of == language:
                found.pop(key, None)
                found |= {} if text is None else {key: text}
            return found

        monkeypatch.setattr(Entry, "words", read)
        words.catalogue.cache_clear()

    return change


@pytest.mark.parametrize("cover", ["lights/no-such", "lights/", "ooo", "no board"])
def test_a_cover_that_is_no_level(lights: Game, cover: str) -> None:
    test = GameContract.test_the_cover_is_a_level
    assert caught(test, replace(lights, cover=cover))
    test(GameContract(), replace(lights, cover="oo/oo,4"))


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("key", [
    "game.lights", "game.lights.about", "rules.lights.1", "rules.lights.2", "fact.presses",
    "task.lights.moves", "lights.status",
])  # fmt: skip
@pytest.mark.parametrize("text", [None, " "])
def test_a_word_that_one_language_lacks(
    lights: Game, changed_words: Any, language: str, key: str, text: str | None
) -> None:
    test = GameContract.test_its_words_are_there_in_both_languages
    test(GameContract(), lights)
    changed_words(language, key, text)
    with pytest.raises(AssertionError):
        test(GameContract(), lights)


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("key", ["method.fewest"])
def test_a_method_without_a_name(lights: Game, changed_words: Any, language: str, key: str) -> None:
    test = GameContract.test_everything_that_people_choose_from_has_a_name
    test(GameContract(), lights)
    changed_words(language, key, None)
    with pytest.raises(AssertionError, match=key):
        test(GameContract(), lights)


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("code", ["lights.dark", "lights.row", "lights.presses", "lights.name"])
def test_an_error_without_words(lights: Game, changed_words: Any, language: str, code: str) -> None:
    """Of those that are raised in the tests, and of those that stand in its modules only."""
    test = GameContract.test_errors_have_words_in_both_languages
    test(GameContract(), lights)
    changed_words(language, f"error.{code}", None)
    with pytest.raises(AssertionError, match=code):
        test(GameContract(), lights)


def test_an_error_whose_values_are_not_given(lights: Game, changed_words: Any) -> None:
    changed_words("zh-CN", "error.lights.row", "“{given}”不对，应是 {width} 列")
    with pytest.raises(AssertionError):
        GameContract().test_errors_have_words_in_both_languages(lights)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</svg>", ""),
        ("/>", ">"),
        (' xmlns="http://www.w3.org/2000/svg"', ""),
        ('role="img"', "role=img"),
        ("</svg>", "<text>a & b</text></svg>"),
    ],
)
def test_a_picture_that_is_no_svg(lights: Game, old: str, new: str) -> None:
    def svg(puzzle: Any, state: Any) -> str:
        return lights.svg(puzzle, state).replace(old, new, 1)

    assert caught(GameContract.test_what_is_seen_can_be_sent_and_drawn, replace(lights, svg=svg))


def test_a_rating_that_is_chance(lights: Game) -> None:
    def rate(self: Game, level: Any, budget: Budget, seed: int) -> Rating:
        return Rating("easy", random.random())

    assert caught(GameContract.test_a_level_is_rated_alike_each_time, with_method(lights, rate=rate))


@pytest.mark.parametrize("tasks", [{}, {"easy": []}, {"easy": ["rows=9"]}, {"easy": ["no_such=1"]}])
def test_tasks_that_cannot_be_made(lights: Game, tasks: Any) -> None:
    mutant = with_method(lights, tasks=tasks)
    assert caught(GameContract.test_each_word_for_how_hard_has_levels_for_tasks, mutant)


def test_help_that_never_becomes_less(lights: Game) -> None:
    def tighter(self: Game, level: Any) -> Any:
        return unchecked_replace(level, presses=level.presses + 1)

    mutant = with_method(lights, tighter=tighter)
    assert caught(GameContract.test_each_word_for_how_hard_has_levels_for_tasks, mutant)


@pytest.mark.parametrize(
    "wrong",
    [
        {"levels": ["lights/no-such-level"]},
        {"by": ["nobody"]},
        {"games": 0},
        {"told": {("lights", "greedy"): {"win_rate": 1}}},
    ],
)
def test_comparisons_that_cannot_be_made(lights: Game, changed_words: Any, wrong: dict[str, Any]) -> None:
    for language in words.LANGUAGES:
        changed_words(language, "comparison.lights.some", "some")
        changed_words(language, "comparison.lights.some.about", "words")
    by = next(iter(lights.players))
    right: dict[str, Any] = {"levels": ["lights"], "by": [by], "games": 1, "seconds": 1}
    fine = with_method(lights, comparisons={"some": Comparison(**right)})
    GameContract().test_its_comparisons_can_be_made(fine)
    mutant = with_method(lights, comparisons={"some": Comparison(**right | wrong)})
    assert caught(GameContract.test_its_comparisons_can_be_made, mutant)


def test_arrays_beyond_their_fields(lights: Game) -> None:
    assert isinstance(lights, GivesArrays)
    whole = lights.arrays

    class Beyond:
        def __init__(self, puzzle: Any) -> None:
            self._made = whole(puzzle)
            self.fields = self._made.fields

        def fill(self, state: Any, into: Any) -> None:
            self._made.fill(state, into)
            into["left"][0] = -1

    def arrays(self: Game, puzzle: Any) -> Beyond:
        return Beyond(puzzle)

    assert caught(GameContract.test_arrays_keep_to_their_fields, with_method(lights, arrays=arrays))


def test_all_codes_of_a_package_are_found(lights: Game) -> None:
    own = {"lights.dark", "lights.row", "lights.presses", "lights.name"}
    assert set(testing.raised_codes(lights)) == own | {"action.here"}
