"""The estimate of a person's chance where faces are hidden."""

from typing import Any

import pytest

from bench.triple import chance
from winnable.batches.measuring import measured
from winnable.contract.abilities import Chance
from winnable.contract.core import Budget, Progress, collected, finish, replay
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.text import parse_board
from winnable.games.triple.measure.difficulty import GAMES as RATED_GAMES
from winnable.games.triple.measure.difficulty import rate
from winnable.games.triple.players.fair_players import QUICK, Quick
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.levels.find import find_level


def chances(puzzle: Triple | TripleWithTools, state: Any, seed: int) -> list[Chance]:
    return finish(collected(GAME.chance(puzzle, state, Budget(), seed)))


def test_it_is_of_many_games_and_the_same_for_the_same_seed() -> None:
    puzzle = Triple(find_level("triple/4-two-towers").level)
    told = chances(puzzle, puzzle.initial(), 3)
    assert [chance.games for chance in told] == sorted({chance.games for chance in told})
    assert told == chances(puzzle, puzzle.initial(), 3)
    *_, last = told
    assert last.low < last.won / last.games < last.high
    assert last.high - last.low < 0.1


def test_at_the_start_it_is_the_games_that_measure_plays() -> None:
    """The same seeds, the same games: one number on the page and in the terminal."""
    named = find_level("triple/4-two-towers")
    puzzle = Triple(named.level)
    *_, last = chances(puzzle, puzzle.initial(), 3)
    told = finish(measured(named, ["careful"], last.games, 3, 600, Budget()))
    assert told is not None
    (row,) = told.measured.players
    assert (row.won, row.games, row.ci_low, row.ci_high) == (last.won, last.games, last.low, last.high)


def test_the_rating_is_the_difficulty_that_measure_fits() -> None:
    named = find_level("triple/4-two-towers")
    rating = finish(rate(named.level, Budget(), 5))
    told = finish(measured(named, list(QUICK), RATED_GAMES, 5, 600, Budget()))
    assert rating is not None
    assert told is not None
    assert (rating.figure, rating.low, rating.high) == (
        told.measured.difficulty, told.measured.ci_low, told.measured.ci_high
    )  # fmt: skip


def test_in_the_middle_of_a_game_it_is_about_this_very_level() -> None:
    """As somebody plays on who chooses pick by pick by the readable rules."""
    puzzle = Triple(find_level("triple/5-tight-tray").level)
    state = replay(puzzle, Quick(puzzle, "careful", 2).play()[:30])
    assert [*Quick(puzzle, "careful", 7).play_from(state, 20)] == [
        plays_on(puzzle, state, Quick(puzzle, "careful", seed)) for seed in range(7, 27)
    ]


def plays_on(puzzle: Triple, state: int, player: Quick) -> bool:
    while puzzle.legal_actions(state):
        state = puzzle.apply(state, player.choose(state))
    return puzzle.is_goal(state)


def test_it_is_held_to_measured_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """In short what `winnable bench triple-chance` does, on the kinds that are soon made: on levels dealt
    by chance, and on some made to order, which other deals of the same tiles are unlike."""
    for kind in ("our layouts", "piles of 144 tiles", "144 tiles, made to order: 20 %"):
        monkeypatch.delitem(chance.KINDS, kind)
    *_, inside, more = chance.rows(games=1000, runs=5)
    assert inside.n == 10
    assert inside.value >= 6 / 10  # 90 % are meant to be; fewer than that in one of six hundred runs
    assert abs(more.value) < 2


def test_where_all_can_be_seen_or_the_game_is_over_there_is_none() -> None:
    flat = Triple(parse_board("3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"))
    assert chances(flat, flat.initial(), 0) == []
    puzzle = Triple(find_level("triple/2-pyramid").level)
    assert chances(puzzle, (1 << puzzle.num_actions) - 1, 0) == []


def test_the_budget_ends_it() -> None:
    puzzle, budget = Triple(find_level("triple/4-two-towers").level), Budget()
    told = GAME.chance(puzzle, puzzle.initial(), budget, 0)
    assert next(one for one in told if not isinstance(one, Progress)).games > 0
    budget.cancel()
    assert finish(collected(told)) == []


def test_with_tools_it_is_as_if_there_were_none() -> None:
    puzzle = TripleWithTools(find_level("triple/6-second-chance").level)
    *_, last = chances(puzzle, puzzle.initial(), 0)
    assert last.games > last.won > 0
