"""Turns on masks, ranks, the pairs of turns worth trying, and the pattern databases."""

from itertools import combinations, pairwise
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from winnable.contract.core import Budget, finish
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.blocks import turned
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import mask_kernels
from winnable.games.rotate.solve.patterns import UNKNOWN, database, low_ranks, rank_bases, ranking_of
from winnable.games.rotate.solve.turns import BLOCKS_PER_WORD, Turns, all_turns, turn_bit, turns_of
from winnable.search import memory


def mask_of(cells: tuple[int, ...], colour: int = 1) -> int:
    return sum(1 << place for place, cell in enumerate(cells) if cell == colour)


def after_turn(turns: Turns, mask: int, turn: int) -> int:
    return int(mask_kernels.turn_mask(turns, np.uint64(mask), turns.blocks[turn // 3], turn))


@given(st.integers(2, 8), st.integers(2, 8), st.randoms(use_true_random=False))
def test_turns_of_masks(rows: int, columns: int, rng: Random) -> None:
    """All but those of the whole board, as the rules turn them; connected as clusters say."""
    turns = turns_of(rows, columns)
    cells = tuple(int(rng.random() < 0.6) for _ in range(rows * columns))
    rotate = Rotate(parse_board("/".join(["0" * columns] * (rows - 1) + ["0" * (columns - 1) + "1"])))
    some = [
        action for action in range(rotate.num_actions) if rotate.block(action)[0].side < max(rows, columns)
    ]
    assert sorted(turns.actions) == some
    for turn, action in enumerate(map(int, turns.actions)):
        after = turned(cells, columns, *rotate.block(action))
        assert after_turn(turns, mask_of(cells), turn) == mask_of(after)
    if 1 in cells:
        ours = mask_kernels.is_connected(turns, np.uint64(mask_of(cells)))
        numbers = cluster_numbers(cells, columns)
        assert ours == (len({number for number, cell in zip(numbers, cells, strict=True) if cell}) == 1)


@pytest.mark.parametrize(("cells", "size"), [(4, 1), (9, 4), (12, 7), (15, 15)])
def test_ranks_are_places_in_ascending_order(cells: int, size: int) -> None:
    ranking = ranking_of(cells, [size])
    masks = sorted(sum(1 << place for place in places) for places in combinations(range(cells), size))
    assert [mask_kernels.rank(ranking, np.uint64(mask), 0) for mask in masks] == list(
        range(comb(cells, size))
    )
    for mask, after in pairwise(masks):
        assert mask_kernels.next_mask(np.uint64(mask)) == after


@pytest.mark.parametrize(("rows", "columns", "depth"), [(3, 3, 4), (4, 4, 3), (2, 5, 5), (3, 5, 3)])
def test_the_turns_worth_trying_lose_nothing(rows: int, columns: int, depth: int) -> None:
    """Each rearrangement of the cells is reached with as few turns as by all lines."""
    turns = turns_of(rows, columns)
    count = len(turns.places)
    rotate = Rotate(parse_board("/".join(["0" * columns] * (rows - 1) + ["0" * (columns - 1) + "1"])))
    origin = tuple(range(rows * columns))
    moves = [turned(origin, columns, *rotate.block(int(action))) for action in turns.actions]
    follows = [
        [then for then in range(count) if int(turns.after[turn, turn_bit(then)[0]]) >> turn_bit(then)[1] & 1]
        for turn in range(count)
    ]
    everywhere, reached = {origin}, {origin}
    layer, lines = {origin}, {(origin, -1)}
    for _ in range(depth):
        layer = {tuple(board[place] for place in move) for board in layer for move in moves} - everywhere
        everywhere |= layer
        lines = {
            (tuple(board[place] for place in moves[turn]), turn)
            for board, last in lines
            for turn in (range(count) if last < 0 else follows[last])
        }
        reached |= {board for board, _ in lines}
        assert reached == everywhere
    assert sum(map(len, follows)) < 0.8 * count**2


def test_sets_of_turns_hold_each_turn_once() -> None:
    turns = turns_of(6, 7)
    places = [turn_bit(turn) for turn in range(len(turns.places))]
    assert len(set(places)) == len(places) == sum(int(word).bit_count() for word in all_turns(turns))
    assert all(word == turn // (3 * BLOCKS_PER_WORD) and bit < 63 for turn, (word, bit) in enumerate(places))


@pytest.mark.parametrize(("rows", "columns", "size"), [(2, 2, 2), (2, 3, 3), (3, 3, 4), (3, 4, 3), (4, 4, 5)])
def test_databases_against_a_plain_search(rows: int, columns: int, size: int) -> None:
    turns, distances = turns_of(rows, columns), finish(database(rows, columns, size))
    assert distances is not None
    masks = [sum(1 << place for place in places) for places in combinations(range(rows * columns), size)]
    layer = {mask for mask in masks if mask_kernels.is_connected(turns, np.uint64(mask))}
    found, depth = dict.fromkeys(layer, 0), 0
    while layer:
        depth += 1
        layer = {after_turn(turns, mask, turn) for mask in layer for turn in range(len(turns.places))} - set(
            found
        )
        found |= dict.fromkeys(layer, depth)
    assert list(distances) == [found.get(mask, UNKNOWN) for mask in sorted(masks)]


def test_a_database_that_is_stopped_is_none() -> None:
    over = Budget(seconds=0)
    assert finish(database(4, 5, 9, lambda: over.allows("databases", 0, 0))) is None
    assert finish(database(4, 5, 9)) is not None


def test_databases_are_kept_while_somebody_plays() -> None:
    kept: NDArray[np.uint8] | None = finish(database(3, 4, 3))
    assert finish(database(3, 4, 3)) is kept
    ranks, bases = low_ranks(12), rank_bases(12, 3)
    memory.give_back("rotate")
    assert low_ranks(12) is not ranks
    assert rank_bases(12, 3) is not bases
    again: NDArray[np.uint8] | None = finish(database(3, 4, 3))
    assert kept is not None
    assert again is not None
    assert again is not kept
    assert np.array_equal(again, kept)
