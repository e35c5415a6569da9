"""The article's player on boards of one uint64, compiled. See `features.py`, `player.py`."""

from __future__ import annotations

from winnable.compiled.jit import kernel
from winnable.games.game2048.article import features as article_features
from winnable.games.game2048.article.features import FOUR, TWO
from winnable.games.game2048.board.kernels import (
    can_move,
    empty_cells,
    exponent_at,
    largest,
    moved,
    with_new_tile,
)
from winnable.inert.arrays import U64, U, np


@kernel
def evaluate(board: np.uint64) -> int:
    """The same as `features.evaluate`, compiled."""
    highest, total, empty, falling, first, before = largest(board), 0, 0, True, 0, 0
    for cell in range(16):
        exponent = exponent_at(board, cell)
        value = 1 << exponent if exponent else 0
        row, column = cell // 4, cell % 4
        total += value * max(1, 4 - row - column)
        empty += value == 0
        if row == 0:
            falling = falling and (column == 0 or before > value)
            first += value * (4 - column)
            before = value
    if exponent_at(board, 0) == highest:
        total += article_features.CORNER_WEIGHT << highest
    return total + (first if falling else 0) + article_features.EMPTY_WEIGHT * empty + (1 << highest)


@kernel
def summed(board: np.uint64, depth: int, slides: U64) -> float:
    """The same as `player.summed`, compiled."""
    if depth == 0:
        return float(evaluate(board))
    total, empty = 0.0, empty_cells(board)
    while empty != U(0):
        mark = empty & (~empty + U(1))
        empty ^= mark
        for tile in range(2):
            state = board | mark << U(tile)
            for action in range(4):
                after, _ = moved(state, action, slides)
                if after != state:
                    total += (TWO if tile == 0 else FOUR) * summed(after, depth - 1, slides)
    return total


@kernel
def expected(board: np.uint64, depth: int, fours: int, slides: U64) -> float:
    """The same as `player.expected`, compiled."""
    if depth == 0:
        return float(evaluate(board))
    total, cells, empty = 0.0, 0, empty_cells(board)
    while empty != U(0):
        mark = empty & (~empty + U(1))
        empty ^= mark
        cells += 1
        for tile in range(2):
            state, best = board | mark << U(tile), 0.0
            for action in range(4):
                after, _ = moved(state, action, slides)
                if after != state:
                    best = max(best, expected(after, depth - 1, fours, slides))
            total += (100 - fours if tile == 0 else fours) / 100 * best
    return total / cells


@kernel
def choose(board: np.uint64, sums: bool, depth: int, fours: int, slides: U64) -> int:
    """The action that `ArticlePlayer` chooses; -1: there is none."""
    best, chosen = -1.0, -1
    for action in range(4):
        after, _ = moved(board, action, slides)
        if after == board:
            continue
        value = summed(after, depth, slides) if sums else expected(after, depth, fours, slides)
        if value >= best:
            best, chosen = value, action
    return chosen


@kernel
def play(sums: bool, depth: int, fours: int, goal: int, slides: U64, dice: U64) -> tuple[int, np.uint64, int]:
    """A game from the beginning until a tile of exponent `goal` is made or no move is left -> the exponent of
    the largest tile, the score, the moves."""
    board = with_new_tile(with_new_tile(U(0), fours, dice), fours, dice)
    score, moves = U(0), 0
    while largest(board) < goal and can_move(board, slides):
        after, reward = moved(board, choose(board, sums, depth, fours, slides), slides)
        score += reward
        moves += 1
        board = with_new_tile(after, fours, dice)
    return largest(board), score, moves
