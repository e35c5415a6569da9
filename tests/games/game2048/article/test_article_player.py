"""The article's player: its features by hand, its two searches, and the kernels beside them."""

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from winnable.compiled.dice_kernels import U
from winnable.contract.chance import Turn
from winnable.contract.core import Budget, finish
from winnable.games.game2048.article import games as article_games
from winnable.games.game2048.article import kernels as article_kernels
from winnable.games.game2048.article.features import evaluate, monotonicity, order, place_weight
from winnable.games.game2048.article.player import ARTICLE_PLAYERS, ArticlePlayer, expected, summed
from winnable.games.game2048.board import kernels
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State
from winnable.search.meter import Meter

GAME = Game2048(Level(fours=5))
BOARDS = (
    st.lists(st.sampled_from([0, 0, 1, 2, 3]) | st.integers(0, 12), min_size=16, max_size=16)
    .map(tuple)
    .filter(any)
)


def test_the_weights_of_places_are_the_articles() -> None:
    assert [[place_weight(row, column, 4, 4) for column in range(4)] for row in range(4)] == [
        [4, 3, 2, 1],
        [3, 2, 1, 1],
        [2, 1, 1, 1],
        [1, 1, 1, 1],
    ]


def test_features_by_hand() -> None:
    values = [16, 8, 4, 2, 0, 2, *[0] * 10]
    assert order(values, 4, 4) == 4 * 16 + 3 * 8 + 2 * 4 + 2 + 2 * 2
    assert monotonicity(values, 4) == 4 * 16 + 3 * 8 + 2 * 4 + 2
    assert monotonicity([16, 8, 8, 2], 4) == 0
    assert evaluate((4, 3, 2, 1, 0, 1, *[0] * 10), 4, 4) == 102 + 160 + 98 + 110 + 16
    assert evaluate((0, 1, *[0] * 14), 4, 4) == 6 + 0 + 0 + 150 + 2


def test_the_sum_grows_with_empty_cells_and_moves() -> None:
    """One empty cell, one level deep: by hand from the article's lines."""
    after: State = (0, 1, 2, 3)
    game = Game2048(Level(rows=2, columns=2))
    total = 0.0
    for tile, weight in ((1, 0.95), (2, 0.05)):
        state = (tile, *after[1:])
        total += sum(
            weight * evaluate(game.afterstate(state, action)[0], 2, 2) for action in game.legal_actions(state)
        )
    assert finish(summed(game, after, 1, Meter(Budget()))) == pytest.approx(total)
    assert finish(expected(game, after, 1, Meter(Budget()))) < total


@settings(max_examples=30, deadline=None)
@given(BOARDS, st.sampled_from([0, 1]))
def test_kernels_are_the_readable_player(board: State, depth: int) -> None:
    word, slides = U(kernels.pack(board)), kernels.slides()
    assert article_kernels.evaluate(word) == evaluate(board, 4, 4)
    if not board.count(0):
        return
    assert article_kernels.summed(word, depth, slides) == pytest.approx(
        finish(summed(GAME, board, depth, Meter(Budget())))
    )
    assert article_kernels.expected(word, depth, 5, slides) == pytest.approx(
        finish(expected(GAME, board, depth, Meter(Budget())))
    )


@settings(max_examples=30, deadline=None)
@given(BOARDS, st.sampled_from(["article", "article-expectimax"]))
def test_kernels_choose_what_the_player_chooses(board: State, name: str) -> None:
    puzzle = Seeded2048(Level(fours=5))
    if puzzle.game.legal_actions(board):
        player, turn = cast("ArticlePlayer", ARTICLE_PLAYERS[name](puzzle, 0)), Turn(board, 0, 0)
        value = summed if name == "article" else expected
        chosen, readably = (
            finish(value(puzzle.game, puzzle.game.afterstate(board, action)[0], 1, Meter(Budget())))
            for action in (finish(player.choose(turn)), finish(player.choose_readably(turn)))
        )
        assert chosen == pytest.approx(readably), "sums that differ in their last bits decide between equals"


def test_of_equal_moves_the_last_one_is_played() -> None:
    puzzle = Seeded2048(Level(rows=2, columns=2, board=((2, 0), (0, 2))))
    values = [
        finish(summed(puzzle.game, puzzle.game.afterstate((1, 0, 0, 1), action)[0], 1, Meter(Budget())))
        for action in range(4)
    ]
    best = max(action for action in range(4) if values[action] == max(values))
    assert finish(ARTICLE_PLAYERS["article"](puzzle, 0).choose(puzzle.initial())) == best


def test_whole_games() -> None:
    games = [article_games.play(True, 1, 5, 10, seed) for seed in range(60)]
    wins = sum(game.largest == 10 for game in games)
    assert 20 <= wins <= 48, "57 % are known; 4 standard errors"
    assert all(game.largest <= 10 for game in games)
    assert games[0] == article_games.play(True, 1, 5, 10, 0)


def test_the_same_as_plain_python() -> None:
    printed_either_way(
        """
from winnable.games.game2048.article import games as article_games
print(article_games.play(True, 1, 5, 6, 3), article_games.play(False, 1, 5, 5, 3))
"""
    )
