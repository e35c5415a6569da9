"""Levels of 2048 as one line of text, and boards as a picture for a terminal.

The notation: rows joined by `/`, a sign for each cell, which is the tile's exponent of two in base 36 (0 is
empty, 1 a 2, a a 1,024, f a 32,768), `-` for a game from the beginning; then what is not the default:

    1230/0000/0001/0000,goal=2048,dice=7
    1000/0000/0001/0000,given=3.c8,dice=7
    -,rows=3,columns=5,fours=5,goal=1024,ends,dice=7

16 signs in a row are a board of 4 × 4, as other programs write it: 1230000000010000. What `given` holds says
the level's schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from winnable.contract.arguments import MAX_SEED
from winnable.contract.chance import Turn
from winnable.contract.core import LevelError, Puzzle
from winnable.games.game2048.rules.level import (
    FOURS,
    GIVEN,
    MAX_EXPONENT,
    MAX_GIVEN,
    MAX_SIDE,
    MIN_SIDE,
    Level,
)
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.levels.options import FLAG, matching, read_options, split_board, whole_number
from winnable.words import t

BEGINNING = "-"
_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
_DEFAULT = Level()


def format_cells(cells: State, columns: int) -> str:
    """Rows of exponents, as in a level's line."""
    signs = "".join(_SIGNS[exponent] for exponent in cells)
    return "/".join(signs[start : start + columns] for start in range(0, len(signs), columns))


def format_board(level: Level) -> str:
    """The level in one line, without its title, provenance and certificate."""
    parts = [format_cells(level.cells, level.columns) if level.board else BEGINNING]
    if not level.board:
        parts += [
            f"{name}={side}"
            for name, side in (("rows", level.rows), ("columns", level.columns))
            if side != _DEFAULT.rows
        ]
    if level.goal is not None:
        parts.append(f"goal={level.goal}")
    if level.ends:
        parts.append("ends")
    if level.fours != FOURS:
        parts.append(f"fours={level.fours}")
    if level.given:
        parts.append(f"given={level.given}")
    if level.dice:
        parts.append(f"dice={level.dice}")
    return ",".join(parts)


def parse_board(text: str) -> Level:
    """Inverse of `format_board`. Raises LevelError that names the row or the field."""
    head, options = split_board(text)
    given = read_options(options, _OPTIONS)
    board = _parse_rows(head)
    if board:
        for key, length in (("rows", len(board)), ("columns", len(board[0]))):
            if not MIN_SIDE <= length <= MAX_SIDE:
                raise LevelError(
                    "rows.range" if key == "rows" else "columns.range",
                    field="board",
                    given=length,
                    low=MIN_SIDE,
                    high=MAX_SIDE,
                )
            given.setdefault(key, length)
    return Level(board=board, **given)


def _parse_rows(head: str) -> tuple[tuple[int, ...], ...]:
    head = head.strip().lower()
    if head == BEGINNING:
        return ()
    rows = [row.strip() for row in head[: 4 * MAX_SIDE * MAX_SIDE].split("/")]
    if len(rows) == 1 and len(rows[0]) == 16:
        rows = [rows[0][start : start + 4] for start in range(0, 16, 4)]
    for index, row in enumerate(rows):
        if not row:
            raise LevelError("2048.row.empty", field=f"board[{index}]", beginning=BEGINNING)
        for column, sign in enumerate(row):
            if sign not in _SIGNS:
                raise LevelError("2048.sign", field=f"board[{index}]", given=sign, column=column + 1)
    return tuple(tuple(1 << int(sign, 36) if sign != "0" else 0 for sign in row) for row in rows)


_OPTIONS = {
    "ends": FLAG,
    "rows": whole_number(MIN_SIDE, MAX_SIDE),
    "columns": whole_number(MIN_SIDE, MAX_SIDE),
    "goal": whole_number(8, 1 << MAX_EXPONENT),
    "fours": whole_number(0, 100),
    "given": matching("TILES", GIVEN, 2 * MAX_GIVEN),
    "dice": whole_number(0, MAX_SEED),
}


def facts(level: Level) -> dict[str, Any]:
    """How large the level is, and what is on its board."""
    return {
        "rows": level.rows,
        "columns": level.columns,
        "goal": "none" if level.goal is None else level.goal,
        "fours, percent": level.fours,
        "tiles": sum(map(bool, level.cells)),
        "largest tile": max((value for row in level.board for value in row), default=0),
    }


def render(puzzle: Puzzle, state: Turn[State]) -> str:
    """The board as a grid of numbers, with score and moves above it."""
    seen = cast("Seeded2048", puzzle).observe(state)
    words = [t("board.2048.score", score=seen.score), t("board.2048.moves", moves=seen.moves)]
    if seen.goal:
        words.append(t("board.2048.reached" if seen.reached else "board.2048.goal", goal=1 << seen.goal))
    if seen.status == "over":
        words.append(t("board.over"))
    values = [str(1 << exponent) if exponent else "" for exponent in seen.cells]
    width = max(4, *map(len, values))
    rule = "+" + ("-" * (width + 2) + "+") * seen.columns
    lines = ["   ".join(words), rule]
    for start in range(0, len(values), seen.columns):
        lines += [_line(values[start : start + seen.columns], width), rule]
    return "\n".join(lines)


def _line(values: Sequence[str], width: int) -> str:
    return "|" + "|".join(f" {value:>{width}} " for value in values) + "|"
