"""Boards that are the same to whoever plays them: turned and mirrored ones."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from winnable.games.game2048.rules.puzzle import State
from winnable.inert.arrays import np

Places: TypeAlias = tuple[int, ...]
"""Of each cell of an image, which cell of the board it shows."""


@cache
def images(rows: int, columns: int) -> tuple[Places, ...]:
    """The board itself, mirrored, upside down, and both; of a square also each of them transposed."""
    board = np.arange(rows * columns).reshape(rows, columns)
    found = [board, np.fliplr(board), np.flipud(board), np.flipud(np.fliplr(board))]
    if rows == columns:
        found += [image.T for image in found]
    return tuple(tuple(map(int, image.ravel())) for image in found)


def lying(board: State, rows: int, columns: int) -> State:
    """The board as it is, but a board that is taller than wide transposed."""
    if rows <= columns:
        return board
    return tuple(board[row * columns + column] for column in range(columns) for row in range(rows))
