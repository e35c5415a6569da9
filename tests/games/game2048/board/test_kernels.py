"""Boards of one word are the readable rules on 4 × 4."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from winnable.compiled.dice_kernels import U, new_dice
from winnable.games.game2048.board import kernels
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State, slide

GAME = Game2048(Level())
BOARDS = st.lists(st.integers(0, 3) | st.integers(0, 14), min_size=16, max_size=16).map(tuple).filter(any)


@given(BOARDS)
def test_words_and_boards(board: State) -> None:
    word = kernels.pack(board)
    assert kernels.unpack(word) == board
    assert kernels.unpack(int(kernels.transposed(U(word)))) == tuple(
        board[cell % 4 * 4 + cell // 4] for cell in range(16)
    )
    assert kernels.unpack(int(kernels.mirrored(U(word)))) == tuple(
        board[cell // 4 * 4 + 3 - cell % 4] for cell in range(16)
    )
    assert kernels.largest(U(word)) == max(board)
    assert [kernels.exponent_at(U(word), cell) for cell in range(16)] == list(board)


@given(BOARDS)
def test_moves(board: State) -> None:
    word, slides = U(kernels.pack(board)), kernels.slides()
    legal = GAME.legal_actions(board)
    assert kernels.can_move(word, slides) == bool(legal)
    for action in range(4):
        after, reward = kernels.moved(word, action, slides)
        if action in legal:
            assert (kernels.unpack(int(after)), reward) == GAME.afterstate(board, action)
        else:
            assert (after, reward) == (word, 0)
    afters, rewards = kernels.afterstates(word, slides)
    assert [*zip(afters, rewards, strict=True)] == [kernels.moved(word, one, slides) for one in range(4)]


def test_all_rows_slide_by_the_rules() -> None:
    """Two of the largest aside."""
    for row, entry in enumerate(kernels.slides().tolist()):
        line = [row >> 4 * column & 15 for column in range(4)]
        if line.count(15) < 2:
            (left, reward), (right, _) = slide(line), slide(line[::-1])
            moved = sum(exponent << 4 * place for place, exponent in enumerate([*left, *right[::-1]]))
            assert entry == moved | reward << 32


def test_two_of_the_largest_tiles_stay_apart() -> None:
    word = U(kernels.pack((15, 15, 15, 15, 15, 1, 1, 0) + (0,) * 8))
    after, reward = kernels.moved(word, 3, kernels.slides())
    assert kernels.unpack(int(after)) == (15, 15, 15, 15, 15, 2, 0, 0) + (0,) * 8
    assert reward == 4


def test_new_tiles_have_their_chances() -> None:
    """As in test_rules: Pearson's statistic of 20,000 draws."""
    board = (0, 1, 0, 0, *[3] * 12)
    word, dice, draws = U(kernels.pack(board)), new_dice(5), 20_000
    counts = Counter(kernels.unpack(int(kernels.with_new_tile(word, 25, dice))) for _ in range(draws))
    outcomes = Game2048(Level(fours=25)).outcomes(board)
    assert set(counts) == {state for _, state in outcomes}
    assert sum((counts[state] - draws * p) ** 2 / (draws * p) for p, state in outcomes) < 30


@pytest.mark.parametrize(("depth", "lines"), list(enumerate((1, 116, 12_104, 1_198_392))))
def test_perft(depth: int, lines: int) -> None:
    start = U(kernels.pack(tuple(int(cell in (5, 6)) for cell in range(16))))
    assert kernels.perft(start, depth, kernels.slides()) == lines


def test_random_games_are_the_same_as_plain_python() -> None:
    printed_either_way(
        """
from winnable.compiled.dice_kernels import new_dice
from winnable.games.game2048.board import kernels
print([int(x) for x in kernels.random_games(3, 10, kernels.slides(), new_dice(1))])
"""
    )


def test_random_games_score_what_is_known() -> None:
    """Random play makes about 1,092 points in 118 moves; 4 standard errors of 20,000 games."""
    moves, score = kernels.random_games(20_000, 10, kernels.slides(), new_dice(2))
    assert abs(score / 20_000 - 1_092) < 20
    assert abs(moves / 20_000 - 118.2) < 1.5
