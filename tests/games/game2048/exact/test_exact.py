"""Exact play beside plain recursion, known figures, games played out, and the value of its own choices."""

from __future__ import annotations

import sys
import threading
from functools import cache
from unittest.mock import Mock

import numpy as np
import pytest

from bench.game2048 import exact as game2048_exact
from tests.fresh_python import printed_either_way
from tests.games.game2048.plain import mean_of, plain_values
from winnable.contract.core import Budget, WinnableError, finish
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.exact.small import Exact, Solution, solution_of, solve
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State

SQUARE, WIDE, TALL = (Level(rows=rows, columns=columns) for rows, columns in ((2, 2), (2, 3), (3, 2)))
VALUE_WIDE = plain_values(WIDE)


@pytest.fixture(scope="module")
def square() -> Solution:
    return finish(solve(SQUARE))


@pytest.fixture(scope="module")
def tall() -> Solution:
    return finish(solve(TALL))


@pytest.mark.parametrize("board", game2048_exact.BOARDS[:3], ids=str)
def test_known_figures(board: game2048_exact.Board) -> None:
    found = finish(solve(Level(rows=board.rows, columns=board.columns)))
    assert (found.states, found.afterstates) == (board.states, board.afterstates)
    assert finish(found.mean()) == pytest.approx(board.mean, abs=1e-6)


@pytest.mark.parametrize(("rows", "columns", "tile", "known"), [(2, 2, 32, 8.2887), (3, 2, 64, 93.9264)])
def test_known_chances(rows: int, columns: int, tile: int, known: float) -> None:
    level = Level(rows=rows, columns=columns, goal=tile, ends=True)
    assert 100 * finish(finish(solve(level)).mean()) == pytest.approx(known, abs=1e-4)


@pytest.mark.parametrize(
    "level",
    [
        *(Level(rows=2, columns=2, fours=fours) for fours in (0, 5, 50, 100)),
        *(Level(rows=2, columns=2, goal=goal, fours=20, ends=True) for goal in (8, 16, 2**20)),
        Level(rows=2, columns=3, goal=16, fours=40, ends=True),
        Level(rows=3, columns=2, goal=16, fours=100, ends=True),
        Level(rows=2, columns=3, goal=32, fours=0, ends=True),
        WIDE,
    ],
)
def test_plain_recursion_finds_the_same(level: Level) -> None:
    value = VALUE_WIDE if level is WIDE else plain_values(level)
    assert finish(finish(solve(level, aim="score")).mean()) == pytest.approx(mean_of(level, value), rel=1e-12)
    if level.ends:
        chance = mean_of(level, plain_values(level, chance=True))
        assert finish(finish(solve(level)).mean()) == pytest.approx(chance, abs=1e-12)


def test_a_goal_may_be_aimed_at_that_does_not_end_the_game() -> None:
    goes_on, ends = (Level(rows=2, columns=2, goal=16, ends=ends) for ends in (False, True))
    assert finish(finish(solve(goes_on)).mean()) == finish(finish(solve(SQUARE)).mean())
    chance = finish(solve(goes_on, aim="goal"))
    assert finish(chance.mean()) == finish(finish(solve(ends)).mean())
    assert finish(chance.value((4, 1, 0, 0))) == 1
    assert set(finish(chance.values((4, 1, 0, 0))).values()) == {1}
    with pytest.raises(WinnableError, match="goal: the level has none"):
        finish(solve(SQUARE, aim="goal"))


def test_a_goal_that_ends_the_game_costs_score() -> None:
    level = Level(rows=2, columns=2, goal=16, ends=True)
    assert 0 < finish(finish(solve(level, aim="score")).mean()) < finish(finish(solve(SQUARE)).mean())


@pytest.mark.parametrize("level", [SQUARE, Level(rows=3, columns=2, goal=16, ends=True)])
def test_its_choices_earn_what_it_says(level: Level) -> None:
    """Whoever plays as `best` says has the mean, followed through all new tiles by the rules."""
    game, solution = Game2048(level), finish(solve(level, aim="score"))

    @cache
    def earned(state: State) -> float:
        if not game.legal_actions(state):
            return 0.0
        after, reward = game.afterstate(state, finish(solution.best(state)))
        return reward + sum(chance * earned(following) for chance, following in game.outcomes(after))

    assert mean_of(level, earned) == pytest.approx(finish(solution.mean()), rel=1e-12)


def test_games_played_out_agree(square: Solution) -> None:
    scores: list[int] = []
    for dice in range(1000):
        puzzle = Seeded2048(Level(rows=2, columns=2, dice=dice))
        player, state = Exact(puzzle), puzzle.initial()
        while puzzle.legal_actions(state):
            state = puzzle.apply(state, finish(player.choose(state)))
        scores.append(state.score)
    assert abs(np.mean(scores) - finish(square.mean())) < 4 * np.std(scores) / len(scores) ** 0.5


def test_values_are_of_each_legal_action_in_order(tall: Solution) -> None:
    value = plain_values(TALL)
    state = (6, 5, 4, 2, 0, 2)
    values = finish(tall.values(state))
    assert list(values) == list(Game2048(TALL).legal_actions(state)) == [0, 2, 3]
    for action, found in values.items():
        after, reward = Game2048(TALL).afterstate(state, action)
        following = sum(chance * value(board) for chance, board in Game2048(TALL).outcomes(after))
        assert found == pytest.approx(reward + following, rel=1e-12)
    assert finish(tall.value(state)) == max(values.values()) == values[finish(tall.best(state))]


@pytest.mark.parametrize(
    "cells", [(5, 5, 4, 4), (11, 11, 10, 10), (11, 1, 11, 1), (1, 1, 1, 1), (3, 0, 0, 3)]
)
def test_boards_that_cannot_come_up_are_solved_from_there_on(square: Solution, cells: State) -> None:
    board = tuple(tuple(1 << cell if cell else 0 for cell in cells[row : row + 2]) for row in (0, 2))
    level = Level(rows=2, columns=2, board=board)
    game, value = Game2048(level), plain_values(level)
    solution = finish(solve(level))
    assert finish(solution.mean()) == finish(solution.value(cells)) == pytest.approx(value(cells), abs=1e-9)
    state, _ = game.afterstate(cells, finish(solution.best(cells)))
    for _, following in game.outcomes(state):
        assert finish(solution.value(following)) == pytest.approx(value(following), abs=1e-9)
    assert finish(solution.value((1, 1, 0, 0))) == finish(square.value((1, 1, 0, 0)))
    assert finish(solution.value((1, 2, 3, 4))) == 0, "the game is over"


def test_only_what_is_missing_is_solved() -> None:
    solution, value = finish(solve(WIDE)), VALUE_WIDE
    for state in ((5, 5, 5, 4, 4, 4), (6, 0, 0, 0, 0, 6), (5, 4, 3, 2, 5, 4)):
        assert finish(solution.value(state, Budget(expanded=2000))) == pytest.approx(value(state), abs=1e-9)
    with pytest.raises(WinnableError, match="budget"):
        finish(solution.value((7, 7, 1, 0, 0, 0), Budget(expanded=2000)))


def test_refusals_name_the_cause(square: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    for rows, columns in ((3, 4), (6, 2), (4, 4), (8, 8)):
        level = Level(rows=rows, columns=columns)
        with pytest.raises(
            WinnableError, match=f"rows, columns: .* at most 10 cells, not for {rows} × {columns}"
        ):
            finish(solve(level))
        with pytest.raises(WinnableError, match="at most 10 cells"):
            Exact(Seeded2048(level))
    with pytest.raises(WinnableError, match="folder: boards of more than 9 cells"):
        finish(solve(Level(rows=5, columns=2)))
    for cells in ((12, 12, 0, 0), (35, 35, 0, 0)):
        with pytest.raises(WinnableError, match="board: exact play knows tiles up to 2,048"):
            finish(square.value(cells))
    monkeypatch.setattr(exact, "IN_MEMORY", 3)
    with pytest.raises(WinnableError, match="board: of over 3 cells, only those of games from the beginning"):
        finish(square.value((5, 5, 4, 4)))


def test_a_budget_ends_it(square: Solution) -> None:
    with pytest.raises(WinnableError, match="budget"):
        finish(solve(WIDE, Budget(expanded=100)))
    with pytest.raises(WinnableError, match="budget"):
        finish(square.values((6, 6, 5, 5), Budget(seconds=0)))


def test_players_share_what_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept() -> int:
        return len(exact._kept)  # pyright: ignore[reportPrivateUsage]

    monkeypatch.setattr(exact, "_kept", {})
    levels = [Level(rows=2, columns=2, fours=fours) for fours in range(exact.KEPT + 1)]
    means = [finish(finish(solution_of(level)).mean()) for level in levels]
    assert kept() == exact.KEPT
    monkeypatch.setattr(exact, "fill", None)
    assert [finish(finish(solution_of(level)).mean()) for level in levels[1:]] == means[1:]


def test_browsers_have_no_threads(square: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
    assert finish(finish(solve(SQUARE)).mean()) == finish(square.mean())


def test_it_is_the_same_without_the_compiler() -> None:
    printed_either_way(
        "from winnable.contract.core import finish\n"
        "from winnable.games.game2048.exact.small import solve\n"
        "from winnable.games.game2048.rules.level import Level\n"
        "for goal in (None, 16):\n"
        "    found = finish(solve(Level(rows=2, columns=2, goal=goal, ends=goal is not None)))\n"
        "    print(found.states, found.afterstates, finish(found.mean()))\n"
        "    print(finish(found.values((1, 1, 0, 2))))\n"
        "    print(finish(found.values((9, 9, 1, 1))))\n"
    )


def test_the_benchmark_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game2048_exact, "BOARDS", game2048_exact.BOARDS[:2])
    monkeypatch.setattr(game2048_exact, "AT_ONCE", 4)
    calls: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        calls.append((done, total))

    rows = {row.name: row for row in game2048_exact.rows(games=10, progress=note)}
    assert calls[0] == (0, 2)
    assert calls[-1] == (2, 2)
    for board in game2048_exact.BOARDS:
        assert rows[f"{board}: mean score"].reference == board.mean
        assert rows[f"{board}, exact: score"].reference == rows[f"{board}: mean score"].value
        assert rows[f"{board}, random: share of the best"].value < 0.8
    assert [path.name for path in exact.tables_folder().iterdir()] == ["2x3-fours-10-score.layers"]
