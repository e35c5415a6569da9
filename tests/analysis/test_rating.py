"""How hard levels are for a person: what ships beside them, and what is worked out."""

from pathlib import Path
from typing import Any

import pytest

from winnable.analysis import rating as ratings
from winnable.analysis.rating import FILE, rating_of, shipped_ratings
from winnable.contract.abilities import Rates
from winnable.contract.core import Budget, finish
from winnable.contract.registry import load_game, loaded_games
from winnable.levels import files
from winnable.levels.files import NamedLevel, shipped_level, shipped_levels
from winnable.levels.find import find_level

RATED = [game.name for game in loaded_games() if isinstance(game, Rates)]
WORDS = ("easy", "medium", "tricky", "hard", "fiendish")


def test_games_that_prove_or_play_out_say_it() -> None:
    assert {"triple", "tetris", "rotate", "drops", "2048"} <= set(RATED)


def test_days_of_2048_are_as_hard_as_each_other() -> None:
    """There chance follows the moves."""
    days = [finish(rating_of(find_level(f"2048:#{day}"), Budget())) for day in (20261126, 20261127)]
    assert days[0] == days[1] is not None


def test_pieces_to_come_count_in_tetris() -> None:
    kind, cruel = (finish(rating_of(find_level("tetris", board=f"x.........,pieces={queue}"), Budget()))
                   for queue in ("I" * 300, "SZ" * 150))  # fmt: skip
    assert kind is not None
    assert cruel is not None
    assert kind.figure < cruel.figure


@pytest.mark.parametrize("name", RATED)
def test_levels_that_ship_have_the_word_that_is_worked_out(name: str) -> None:
    """`scripts/rate_levels.py` writes them anew."""
    shipped, game = shipped_ratings(name), load_game(name)
    assert isinstance(game, Rates)
    names = [level for level, _ in shipped_levels(game)]
    assert set(shipped) <= set(names)
    assert len(shipped) > 0.7 * len(names)
    for level in [*shipped][::8]:
        named = shipped_level(level)
        assert named is not None
        found = finish(game.rate(named.level, Budget(), ratings.SEED))
        assert found is not None
        assert (found.word, round(found.figure, 1)) == (shipped[level].word, shipped[level].figure)
        assert finish(rating_of(named, Budget(0))) == shipped[level]


@pytest.mark.parametrize(
    ("easier", "harder"),
    [
        ("drops/01-first-drops", "drops/28-moth"),
        ("rotate/01-one-turn", "rotate/22-confetti"),
        ("triple/1-first-steps", "triple/5-tight-tray"),
        ("tetris/2-classic", "tetris/1-ten-by-ten"),
        ("2048/2-the-articles-1024", "2048/1-2048"),
    ],
)
def test_figures_grow(easier: str, harder: str) -> None:
    shipped = shipped_ratings(easier.partition("/")[0])
    assert shipped[easier].figure < shipped[harder].figure
    assert WORDS.index(shipped[easier].word) < WORDS.index(shipped[harder].word)


@pytest.mark.parametrize(
    "text",
    [
        "drops:mode=flash#1",
        "rotate:rows=12,columns=12#1",
        "tetris:rules=article#1",
        "2048:rows=8,columns=8#1",
    ],
)
def test_what_cannot_be_told_has_no_word(text: str) -> None:
    assert finish(rating_of(find_level(text), Budget(expanded=1000))) is None


@pytest.mark.parametrize("name", RATED)
def test_a_budget_that_is_over_leaves_it_open(name: str) -> None:
    level = finish(load_game(name).generate(load_game(name).daily, 7))
    assert finish(rating_of(NamedLevel(load_game(name), level, "new"), Budget(0))) is None


def test_a_level_of_many_clicks_is_fiendish() -> None:
    diagonal = "/".join("0" * row + "1" + "0" * (13 - row) for row in range(14))
    found = finish(rating_of(find_level("drops", board=diagonal), Budget()))
    assert found is not None
    assert (found.word, found.figure >= 40) == ("fiendish", True)


def test_a_damaged_file_costs_the_words_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_text('{"drops/01-first-drops": {"word": "funny", "figure": 1}}')

    class Elsewhere:
        folder = tmp_path

    elsewhere: Any = Elsewhere()
    monkeypatch.setattr(files, "GAMES", {"drops": elsewhere})
    shipped_ratings.cache_clear()
    try:
        assert shipped_ratings("drops") == {}
        assert "word" in caplog.text
        (tmp_path / FILE).unlink()
        shipped_ratings.cache_clear()
        assert shipped_ratings("drops") == {}
    finally:
        shipped_ratings.cache_clear()
