"""All that takes long goes on in steps, and may be dropped at any."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.driving import leaves_nothing, most_at_once, progress_of
from winnable.contract.core import Budget, Found, Search, finish, searching
from winnable.contract.registry import load_game
from winnable.games.tetris.levels.text import parse_board
from winnable.games.tetris.measure import outlook
from winnable.games.tetris.measure.judge import herd_of
from winnable.games.tetris.measure.long_run import Board, calm_below, find_calm
from winnable.games.tetris.measure.outlook import forecast
from winnable.games.tetris.measure.weighing import AT_ONCE, PIECES
from winnable.games.tetris.players import first
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import begun
from winnable.games.tetris.players.play_kernels import Until
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.tuning.process import NO_CEILING

pytestmark = pytest.mark.usefixtures("no_clock")
GAME: Any = load_game("tetris")
HIGH = "xxxxxxxxx./xxxxxxxx.x/xxxxxxx.xx/xxxxxx.xxx/xxxxx.xxxx/xxxx.xxxxx,height=10,dice=1"
Case = tuple[Callable[[], Search[Any]], int]


def asked(board: str, ask: Callable[..., Found[Any]]) -> Callable[[], Search[Any]]:
    puzzle = SeededTetris(parse_board(board))
    return lambda: searching(ask(puzzle, puzzle.initial(), Budget(expanded=20_000), 1))


def chosen(board: str, by: str) -> Callable[[], Search[Any]]:
    puzzle = SeededTetris(parse_board(board))
    return lambda: searching(GAME.players[by](puzzle, 0).choose(puzzle.initial()))


def looked(puzzle: Any, state: Any, budget: Budget, seed: int) -> Search[Any]:
    return forecast(puzzle.level, state.state, budget, seed)


def rated(puzzle: Any, state: Any, budget: Budget, seed: int) -> Search[Any]:
    return GAME.rate(puzzle.level, budget, seed)


CASES: dict[str, Case] = {
    "where walls are calm": (lambda: find_calm(Board(7, 9)), 32),
    "outlook": (asked(HIGH, looked), 10 * outlook.SLICE),
    "weigh": (asked(HIGH, GAME.weigh), 40 * 256 * PIECES),
    "first": (asked(HIGH, GAME.first), first.COPIES),
    "rate": (asked("-,width=6,height=8,dice=1", rated), 1),
    "player wary": (chosen(HIGH, "wary"), 1),
    "player dt-20-ahead": (chosen("-,width=5,height=6,rules=travel,dice=1", "dt-20-ahead"), 40),
}
"""Of each what it may have to do at the most between two steps, in what it counts."""


@pytest.mark.parametrize("name", CASES)
def test_it_tells_as_it_goes_along(name: str) -> None:
    make, most = CASES[name]
    assert most_at_once(make()) <= most


@pytest.mark.parametrize("name", CASES)
def test_it_may_be_dropped(name: str) -> None:
    make, _ = CASES[name]
    leaves_nothing(make, (1, 2, 3))


def test_more_placements_are_weighed_in_more_steps() -> None:
    finish(calm_below(Board(4, 10)))
    few, many = (
        len(progress_of(asked(board, GAME.weigh)())) for board in ("-,width=4,height=10,dice=1", HIGH)
    )
    assert many > 3 * few


def test_a_leap_in_parts_is_the_same() -> None:
    """Some copies die, some are stopped by each of the bounds."""
    herd = herd_of(6, 8, CONTROLLERS["dt-20"].weights)
    states = herd.start(2 * AT_ONCE + 7, np.random.default_rng(0))
    low, high, limit = (np.full(len(states), bound) for bound in (-1, 6, 30))
    whole = herd.leap(states, low, high, limit, np.random.default_rng(1))
    part, steps = begun(states), 0
    for _ in herd.leaping(part, Until(low, high, limit), np.random.default_rng(1), AT_ONCE):
        steps += 1
    assert steps == 3
    assert all(np.array_equal(one, other) for one, other in zip(whole, part, strict=True))
    assert NO_CEILING > int(whole.steps.max()) > int(whole.steps.min())
