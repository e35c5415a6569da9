"""Kernels of small boards are equal to the readable rules, images and sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.games.game2048.exact import kernels as exact_kernels
from winnable.games.game2048.exact import small_kernels
from winnable.games.game2048.exact.passes import BoardSet, Values
from winnable.games.game2048.exact.small import key, merged
from winnable.games.game2048.exact.small_boards import NO_GOAL
from winnable.games.game2048.exact.small_kernels import Shape, lines, shape
from winnable.games.game2048.exact.symmetry import images, lying
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State

SHAPES = ((2, 2), (2, 3), (2, 4), (2, 5), (3, 3))

Case = tuple[Game2048, State]


TILES = st.integers(0, 14) | st.integers(0, 2)
"""Any that small boards may have, or such that often merge."""


@st.composite
def boards(draw: st.DrawFn, tiles: st.SearchStrategy[int] = TILES) -> Case:
    rows, columns = draw(st.sampled_from(SHAPES))
    cells = draw(st.lists(tiles, min_size=rows * columns, max_size=rows * columns))
    return Game2048(Level(rows=rows, columns=columns, fours=draw(st.sampled_from((0, 10, 100))))), tuple(
        cells
    )


def packed(board: State) -> np.uint64:
    return np.uint64(sum(exponent << 4 * cell for cell, exponent in enumerate(board)))


def tables(game: Game2048) -> tuple[Shape, small_kernels.U64, small_kernels.U64]:
    return shape(game.rows, game.columns), lines(game.columns, 4), lines(game.rows, 4 * game.columns)


def after_all(game: Game2048, board: State) -> list[State]:
    return [game.afterstate(board, action)[0] for action in game.legal_actions(board)]


@given(boards())
def test_moves(case: Case) -> None:
    game, board = case
    moved = small_kernels.moves(packed(board), *tables(game))
    legal = game.legal_actions(board)
    assert [action for action in range(4) if moved[action] != packed(board)] == list(legal)
    assert [moved[action] for action in legal] == [packed(after) for after in after_all(game, board)]


@given(boards())
def test_images_have_the_same_key_which_is_the_least(case: Case) -> None:
    game, board = case
    of_images = [tuple(board[place] for place in image) for image in images(game.rows, game.columns)]
    assert len(set(images(game.rows, game.columns))) == (8 if game.rows == game.columns else 4)
    found = {small_kernels.canonical(packed(image), shape(game.rows, game.columns)) for image in of_images}
    assert found == {key(board, game.rows, game.columns)} == {min(map(packed, of_images))}


def test_a_board_that_stands_has_the_key_of_the_one_that_lies() -> None:
    standing = (1, 2, 3, 4, 5, 6)  # 3 × 2
    assert lying(standing, 3, 2) == (1, 3, 5, 2, 4, 6)
    assert lying(standing, 2, 3) == standing
    assert key(standing, 3, 2) == key((1, 3, 5, 2, 4, 6), 2, 3) != key(standing, 2, 3)


@given(boards(), st.integers(1, NO_GOAL))
def test_empty_cells_tiles_and_merged(case: Case, exponent: int) -> None:
    game, board = case
    word = packed(board)
    empty = sum(1 << 4 * cell for cell, tile in enumerate(board) if not tile)
    assert small_kernels.empty_on(word, shape(game.rows, game.columns)) == empty
    assert small_kernels.has(word, exponent) == (exponent in board)
    assert exact_kernels.merged(word) == merged(board)


def test_merged_grows_by_the_reward() -> None:
    """What the solver's bookkeeping rests on: also where two pairs merge, and where a 4 comes for two 2s."""
    game = Game2048(Level(rows=3, columns=3))
    board = (3, 3, 1, 5, 5, 2, 0, 0, 0)
    after, reward = game.afterstate(board, 3)
    assert reward == 16 + 64 == merged(after) - merged(board)
    assert merged((2,)) == 4
    assert merged((1, 1, 0)) == 0


@given(st.lists(st.integers(1, 2**40 - 1) | st.integers(1, 20), max_size=60))
def test_sets_hold_each_board_once(words: list[int]) -> None:
    found = BoardSet()
    for first in range(0, len(words), 7):
        found.add(np.array(words[first : first + 7], np.uint64))
    assert found.size == len(set(words))
    assert sorted(found.members()) == sorted(set(words))
    assert 2 * found.size <= found.slots.size == 1 << found.slots.size.bit_length() - 1
    distinct = np.array(sorted(set(words)), np.uint64)
    values = Values(distinct, distinct / 7)
    slots = [int(exact_kernels.find(word, values.slots)) for word in distinct]
    assert values.worths[slots].tolist() == (distinct / 7).tolist()


@given(boards(), st.sampled_from((1, 2)))
def test_boards_with_a_new_tile(case: Case, exponent: int) -> None:
    game, board = case
    found = np.empty(2 * len(board), np.uint64)
    word = np.array([packed(board), packed(board)])
    count = exact_kernels.with_new_tile(word, exponent, shape(game.rows, game.columns), found)
    following = [
        key((*board[:cell], exponent, *board[cell + 1 :]), game.rows, game.columns)
        for cell, tile in enumerate(board)
        if not tile
    ]
    assert sorted(found[:count].tolist()) == sorted(following * 2)


@given(boards(), st.integers(3, NO_GOAL))
def test_afterstates(case: Case, goal: int) -> None:
    game, board = case
    found = np.empty(4, np.uint64)
    count = exact_kernels.afterstates(np.array([packed(board)]), goal, *tables(game), found)
    expected = [key(after, game.rows, game.columns) for after in after_all(game, board) if goal not in after]
    assert sorted(found[:count].tolist()) == sorted(expected)


@pytest.mark.parametrize("scored", [False, True])
@given(case=boards(tiles=st.integers(0, 6)), goal=st.sampled_from((4, 5, NO_GOAL)))
def test_worth(scored: bool, case: Case, goal: int) -> None:
    """Of an afterstate, when what follows a 2 is worth something else than what follows a 4."""
    game, after = case
    after = (0, *after[1:])
    fours = game.level.fours / 100

    def of_state(board: State, later: bool) -> float:
        moves = after_all(game, board)
        if not moves:
            return merged(board) if scored else 0.0
        reached: float = max(
            [(merged(move) if scored else 1.0) for move in moves if goal in move], default=0.0
        )
        return max(reached, *[given_worth(move, later) for move in moves if goal not in move], 0.0)

    def given_worth(board: State, later: bool) -> float:
        return key(board, game.rows, game.columns) % 1000 / (1000 if later else 500)

    def layer(later: bool) -> Values:
        known = {
            key(move, game.rows, game.columns): given_worth(move, later)
            for _, state in game.outcomes(after)
            for move in after_all(game, state)
        }
        return Values(np.array(list(known), np.uint64), np.array(list(known.values())))

    expected = sum(
        chance * of_state(state, later=sum(state) == sum(after) + 2) for chance, state in game.outcomes(after)
    ) - (4 * fours if scored else 0)
    following, later = layer(False), layer(True)
    found = np.empty(1)
    exact_kernels.worth_of_afterstates(
        np.array([packed(after)]), fours, scored, goal, *tables(game), following.slots, following.worths,
        later.slots, later.worths, found,
    )  # fmt: skip
    assert found[0] == pytest.approx(expected, abs=1e-9)
