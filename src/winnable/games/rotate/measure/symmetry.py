"""Boards that are one picture: mirrored, turned as a whole, with other names for the colours."""

from __future__ import annotations

from winnable.games.rotate.rules.level import Level

Rows = tuple[tuple[int, ...], ...]


def picture(level: Level) -> str:
    """The name of a level that all its twins share: of the 8 symmetries of a square, the 4 of a rectangle,
    the least board whose colours are numbered as they come."""
    board: Rows = level.board
    boards = [board, _turned(_turned(board))]
    if level.rows == level.columns:
        boards += [_turned(board), _turned(_turned(_turned(board)))]
    numbered = (_numbered(rows) for one in boards for rows in (one, one[::-1]))
    return f"{level.rules} {min(numbered)}"


def _turned(board: Rows) -> Rows:
    """By a quarter."""
    return tuple(zip(*board[::-1], strict=True))


def _numbered(board: Rows) -> Rows:
    names: dict[int, int] = {}
    return tuple(tuple(names.setdefault(cell, len(names)) for cell in row) for row in board)
