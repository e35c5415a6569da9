"""Kernels for boards of any size are the readable rules; rollouts and their player."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import finish
from winnable.games.game2048.board import grid_kernels, kernels
from winnable.games.game2048.players import rollouts
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State


@st.composite
def positions(pick: st.DrawFn) -> tuple[Game2048, State]:
    rows, columns = pick(st.integers(2, 8)), pick(st.integers(2, 8))
    cells = st.integers(0, 4) | st.integers(0, 40)
    state = pick(st.lists(cells, min_size=rows * columns, max_size=rows * columns))
    return Game2048(Level(rows=rows, columns=columns)), tuple(state)


@given(positions())
def test_moves(position: tuple[Game2048, State]) -> None:
    game, state = position
    legal = game.legal_actions(state)
    for action in range(4):
        cells = grid_kernels.pack(state)
        reward = grid_kernels.move(cells, action, grid_kernels.lines_of(game))
        if action in legal:
            assert (tuple(cells.tolist()), reward) == game.afterstate(state, action)
        else:
            assert (tuple(cells.tolist()), reward) == (state, -1)


@given(positions(), st.integers(0, 100), st.integers(0, 2**32))
def test_a_new_tile_is_one_of_the_outcomes(position: tuple[Game2048, State], fours: int, seed: int) -> None:
    _, state = position
    after = (*state[:-1], 0)
    game = Game2048(Level(rows=position[0].rows, columns=position[0].columns, fours=fours))
    cells = grid_kernels.pack(after)
    grid_kernels.add_tile(cells, fours, new_dice(seed))
    assert tuple(cells.tolist()) in {outcome for _, outcome in game.outcomes(after)}


def test_random_games_score_as_those_on_words() -> None:
    """Means of 4,000 games on 4 × 4; about 1,092, with a standard error of 8."""
    game, dice = Game2048(Level()), new_dice(3)
    lines = grid_kernels.lines_of(game)
    empty = np.zeros(16, np.uint8)
    scores: list[int] = []
    for _ in range(4000):
        cells = empty.copy()
        for _ in range(2):
            grid_kernels.add_tile(cells, 10, dice)
        scores.append(grid_kernels.random_moves(cells, lines, 10, 10_000, dice))
    _, score = kernels.random_games(4000, 10, kernels.slides(), new_dice(4))
    assert abs(np.mean(scores) - score / 4000) < 50


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 5), (8, 8)])
def test_the_player_makes_legal_moves(rows: int, columns: int) -> None:
    puzzle = Seeded2048(Level(rows=rows, columns=columns, dice=1))
    state, player = puzzle.initial(), rollouts.Rollouts(puzzle, 5)
    for _ in range(6):
        state = puzzle.apply(state, finish(player.choose(state)))


def test_the_player_sees_what_is_plainly_better() -> None:
    """Merging two 512s keeps a full board going; every other move ends it soon."""
    puzzle = Seeded2048(Level(board=((512, 512, 4, 2), (2, 4, 8, 16), (16, 8, 4, 2), (2, 4, 8, 16)), dice=1))
    found = rollouts.values(puzzle.game, puzzle.initial().state, 1)
    assert set(found) == {1, 3}
    assert min(found.values()) > 1024
    assert found == rollouts.values(puzzle.game, puzzle.initial().state, 1)


def test_the_same_as_plain_python() -> None:
    printed_either_way(
        """
from winnable.games.game2048.players import rollouts
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048
puzzle = Seeded2048(Level(rows=2, columns=3))
print(rollouts.values(puzzle.game, puzzle.initial().state, 1, runs=3))
"""
    )
