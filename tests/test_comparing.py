"""Rounds of games, as the command and the page drive them: which games, in which order, what ends them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driving import told
from winnable.comparing import Ground, Row, chosen, ground, new_rows, play, play_rounds
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import Answer, Budget, Limit, Progress, Search, WinnableError, finish
from winnable.levels.files import NamedLevel
from winnable.levels.find import find_level, is_kind, made_level
from winnable.levels.identity import Identity

TINY = "triple:layers=2,sets=1,kinds=4,side=3"


def grounds_of(*texts: str, seed: int = 1) -> list[Ground]:
    return [finish(ground(text, seed, Budget(60), lambda text: [find_level(text)])) for text in texts]


def rows_of(*texts: str, by: str = "greedy,random", games: int = 2, seed: int = 1) -> list[Row]:
    found = grounds_of(*texts, seed=seed)
    return new_rows(found, chosen(found[0].first, by), lambda one: games, seed)


def test_which_levels_a_text_means() -> None:
    kinds = ["triple", "triple:", "triple:layers=12", "2048:goal=10,ends=yes"]
    assert all(map(is_kind, kinds))
    others = [
        "triple:daily",
        "triple:layers=12#3",
        "triple/1-first-steps",
        "drops:012/340",
        "chess",
        "7:0@0.0",
    ]
    assert not any(map(is_kind, others))
    new, shipped = grounds_of("triple:layers=12", "triple/1-first-steps")
    assert (new.several, shipped.several) == (0, 1)
    made = [finish(new.made(seed, Budget(60))).id for seed in (1, 2)]
    assert made == [f"triple:layers=12#{n}" for n in (1, 2)]
    assert finish(shipped.made(5, Budget(60))).level == shipped.first.level


def test_rounds_are_fair_and_each_level_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(identity: Identity, budget: Budget | None = None) -> NamedLevel:
        made.append(str(identity))
        return finish(made_level(identity, budget))

    monkeypatch.setattr("winnable.comparing.made_level", make)
    rows = rows_of(TINY, "triple/1-first-steps", games=2)
    order = [(row.ground.name, row.by.name) for row in told(play_rounds(Budget(), rows, 60))]
    one_round = [(name, by) for name in (TINY, "triple/1-first-steps") for by in ("greedy", "random")]
    assert order == one_round * 2
    assert made == [f"{TINY}#{seed}" for seed in (1, 2)]
    standings = [row.standing for row in rows]
    assert [(one.level, one.name, one.games, one.seed) for one in standings] == [
        (name, by, 2, 1) for name, by in one_round
    ]


def test_each_row_plays_as_many_games_as_it_is_to() -> None:
    found = grounds_of(TINY, "triple/1-first-steps")
    by = chosen(found[0].first, "random")
    rows = new_rows(found, by, lambda one: 3 if one.several else 1, 1)
    assert [len(row.played) for row in rows] == [0, 0]
    told(play_rounds(Budget(), rows, 60))
    assert [len(row.played) for row in rows] == [1, 3]


def test_an_interruption_ends_the_rounds_with_whole_games() -> None:
    budget, rows = Budget(), rows_of(TINY, games=10)
    for row in play_rounds(budget, rows, 60):
        if isinstance(row, Row) and row.by.name == "random" and len(row.played) == 2:
            budget.cancel()
    assert [len(row.played) for row in rows] == [2, 2]
    assert told(play_rounds(budget, rows_of(TINY), 60)) == []
    assert told(play_rounds(Budget(0), rows_of(TINY), 60)) == []


def test_an_interruption_in_the_middle_of_a_game_leaves_nothing_of_it() -> None:
    budget, rows, heard = Budget(), rows_of(TINY, by="random", games=10), list[Progress]()
    for one in play_rounds(budget, rows, 60):
        if isinstance(one, Progress):
            heard.append(one)
            if len(rows[0].played) == 1 and one.expanded > 0:
                budget.cancel()
    assert {one.stage for one in heard} == {"playing"}
    assert [len(row.played) for row in rows] == [1]


def test_rounds_that_nobody_goes_on_with_end_where_they_are() -> None:
    rows = rows_of(TINY, games=10)
    rounds = play_rounds(Budget(), rows, 60)
    while len(rows[0].played) < 2:
        next(rounds)
    del rounds
    assert [len(row.played) for row in rows] == [2, 1]


def test_a_solver_may_be_a_search_or_answer_at_once() -> None:
    named = find_level(f"{TINY}#1")

    def undecided(puzzle: Any, state: Any, budget: Budget, seed: int) -> Search[Answer]:
        while (yield from budget.allows("trying", 1, 1)):
            pass
        return Answer("budget", limit=Limit("time", budget.seconds))

    def at_once(puzzle: Any, state: Any, budget: Budget, seed: int) -> Answer:
        return Answer("unsolvable")

    (by,) = chosen(named, "exact")
    game = finish(play(Budget(), named, by._replace(method=undecided), 1, 0.05, is_solver=True))
    assert game is not None
    assert (game.won, game.decided, game.cut) == (False, False, True)
    game = finish(play(Budget(), named, by._replace(method=at_once), 1, 60, is_solver=True))
    assert game is not None
    assert (game.won, game.decided, game.cut) == (False, True, False)


def test_what_the_article_tells_stands_beside_the_row_however_it_is_named() -> None:
    rows = rows_of("triple:layers=12", "triple:sets=10,layers=12", "triple:layers=12,slots=8", games=1)
    told(play_rounds(Budget(), rows, 60))
    article = {"win_rate": 0.36, "mean_completion": 0.7954}
    assert [row.standing.article for row in rows] == [article, {}, article, {}, {}, {}]


def test_seeds_that_cannot_be_counted_are_refused() -> None:
    rows_of(TINY, games=1, seed=MAX_SEED)
    with pytest.raises(WinnableError, match="seed"):
        rows_of(TINY, games=2, seed=MAX_SEED)
