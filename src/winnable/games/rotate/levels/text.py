"""Levels of rotate as one line of text, and boards as a picture for a terminal.

The share code: rows joined by `/`, a sign from 0 to 9 and a to z for each cell, or numbers joined by `.`
where there are more than 36; then what is not the default, joined by commas:

    1234/4321/1122/3344,turns=7
    0.1.2.3/3.2.1.0,rules=pairs
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from winnable.contract.core import LevelError, Puzzle
from winnable.games.rotate.rules.clusters import cluster_numbers, largest_clusters
from winnable.games.rotate.rules.level import MAX_LABEL, MAX_SIDE, MAX_TURNS, Level, RuleName, rows_of
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.levels.options import choice, read_options, split_board, whole_number
from winnable.words import t

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"


def have_signs(cells: Sequence[int]) -> bool:
    """Whether there is one for each, so that they need no numbers."""
    return max(cells) < len(SIGNS)


def signs(cells: Sequence[int]) -> list[str]:
    """The signs of a board's cells: a letter or digit each, or its number where some cell has no sign."""
    return [SIGNS[cell] for cell in cells] if have_signs(cells) else list(map(str, cells))


def format_board(level: Level) -> str:
    """The level in one line, without its title, provenance and certificate."""
    between = "" if have_signs(level.cells) else "."
    parts = ["/".join(between.join(row) for row in rows_of(signs(level.cells), level.columns))]
    if level.rules != "clusters":
        parts.append(f"rules={level.rules}")
    if level.turns is not None:
        parts.append(f"turns={level.turns}")
    return ",".join(parts)


def parse_board(text: str) -> Level:
    """Read a level: the inverse of `format_board`. Raises LevelError that names the row or the field."""
    head, options = split_board(text)
    rows = [row.strip() for row in head[: 6 * MAX_SIDE * MAX_SIDE].split("/")]
    if len(rows) > MAX_SIDE:
        raise LevelError("rows.over", field="board", most=MAX_SIDE)
    board = tuple(_parse_row(index, row) for index, row in enumerate(rows))
    given = read_options(options, _OPTIONS)
    if len(board) < 2:
        raise LevelError("rotate.one_row", field="board")
    return Level(board=board, **given)


def _parse_row(index: int, row: str) -> tuple[int, ...]:
    if not row:
        raise LevelError("row.empty", field=f"board[{index}]")
    cells = row.lower().split(".") if "." in row else list(row.lower())
    if not 2 <= len(cells) <= MAX_SIDE:
        raise LevelError("row.length", field=f"board[{index}]", given=len(cells), low=2, high=MAX_SIDE)
    return tuple(_parse_cell(index, column, cell, "." in row) for column, cell in enumerate(cells))


def _parse_cell(index: int, column: int, cell: str, wide: bool) -> int:
    where = f"board[{index}]"
    if not wide:
        if cell not in SIGNS:
            raise LevelError("cell.sign", field=where, given=cell[:10], column=column + 1)
        return SIGNS.index(cell)
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 4 and int(cell) <= MAX_LABEL):
        raise LevelError("cell.whole", field=where, given=cell[:10], column=column + 1, low=0, high=MAX_LABEL)
    return int(cell)


_OPTIONS = {"rules": choice(RuleName), "turns": whole_number(0, MAX_TURNS)}


def facts(level: Level) -> dict[str, Any]:
    """State how large the level is, and how scattered."""
    numbers = cluster_numbers(level.cells, level.columns)
    clusters = max(numbers) + 1
    return {
        "rows": level.rows,
        "columns": level.columns,
        "rules": level.rules,
        "colours": level.colours,
        "clusters": clusters,
        "clusters too many": clusters - level.colours,
        "cells in largest clusters": sum(largest_clusters(level.cells, numbers).values()),
    }


def render(puzzle: Puzzle, state: State) -> str:
    """The board and how far it is. A vertex has the numbers of the column on its left and the row above."""
    rotate = cast("Rotate", puzzle)
    shown = signs(state.cells)
    wide = 1 + max(*map(len, shown), len(str(rotate.columns)))
    margin = " " * (len(str(rotate.rows)) + 1)
    header = "".join(f"{vertex:>{wide}}" for vertex in range(1, rotate.columns))
    lines = [f"{margin}{header}{'x':>{wide}}"]
    for number, row in enumerate(rows_of(shown, rotate.columns), 1):
        mark = number if number < rotate.rows else "y"
        lines.append(f"{mark:>{len(margin) - 1}} " + "".join(f"{sign:>{wide}}" for sign in row))
    seen = rotate.observe(state)
    clusters = seen.excess + rotate.colours
    lines.append(t("board.rotate.clusters", clusters=clusters, colours=rotate.colours, score=seen.score))
    if state.left is not None:
        lines.append(t("board.rotate.left", left=state.left))
    return "\n".join(lines)
