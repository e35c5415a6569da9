"""Levels of tetris as one line of text, and boards as a picture for a terminal.

The notation: the wall's rows from the top joined by `/`, `-` when it is empty, then what is not the default:

    ...xx...../xxxx.xxxxx,rules=travel,height=12,dice=7
    -,width=8,preview,pieces=TIS,dice=7
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from winnable.contract.arguments import MAX_SEED
from winnable.contract.chance import Turn
from winnable.contract.core import LevelError, Puzzle
from winnable.games.tetris.rules.level import (
    MAX_HEIGHT,
    MAX_PIECES,
    MAX_WIDTH,
    MIN_HEIGHT,
    MIN_WIDTH,
    PIECES,
    Level,
    RuleName,
)
from winnable.games.tetris.rules.puzzle import SeededTetris, State
from winnable.levels.options import FLAG, choice, matching, read_options, split_board, whole_number
from winnable.words import t

EMPTY = "-"
_DEFAULT = Level()


def format_board(level: Level) -> str:
    """The level in one line, without its title, provenance and certificate."""
    parts = ["/".join(level.wall) or EMPTY]
    width = () if level.wall else ("width",)
    for name in (*width, "height", "rules", "preview", "top", "pieces", "dice"):
        value = getattr(level, name)
        if value != getattr(_DEFAULT, name):
            parts.append(name if value is True else f"{name}={value}")
    return ",".join(parts)


def parse_board(text: str) -> Level:
    """Read a level: the inverse of `format_board`. Raises LevelError that names the row or the field."""
    head, options = split_board(text)
    given = read_options(options, _OPTIONS)
    wall = _parse_wall(head)
    if wall:
        width = given.setdefault("width", len(wall[0]))
        if not MIN_WIDTH <= width <= MAX_WIDTH:
            raise LevelError("columns.range", field="board", given=width, low=MIN_WIDTH, high=MAX_WIDTH)
    return Level(wall=wall, **given)


def _parse_wall(head: str) -> tuple[str, ...]:
    if head.strip() == EMPTY:
        return ()
    rows = [row.strip() for row in head[: 2 * MAX_HEIGHT * MAX_WIDTH].split("/")]
    if len(rows) > MAX_HEIGHT:
        raise LevelError("rows.over", field="board", most=MAX_HEIGHT)
    for index, row in enumerate(rows):
        if not row:
            raise LevelError("tetris.row.empty", field=f"board[{index}]", empty=EMPTY)
        for column, cell in enumerate(row):
            if cell not in ".x":
                raise LevelError("tetris.cell", field=f"board[{index}]", given=cell, column=column + 1)
    return tuple(rows)


_OPTIONS = {
    "rules": choice(RuleName),
    "preview": FLAG,
    "width": whole_number(MIN_WIDTH, MAX_WIDTH),
    "height": whole_number(MIN_HEIGHT, MAX_HEIGHT),
    "top": whole_number(1, MAX_HEIGHT - 2),
    "pieces": matching("PIECES", PIECES, MAX_PIECES),
    "dice": whole_number(0, MAX_SEED),
}


def facts(level: Level) -> dict[str, Any]:
    """State how large the level is, and what is on its board."""
    return {
        "columns": level.width,
        "rows": level.height,
        "rules": level.rules,
        "rows with cells": len(level.wall),
        "cells": sum(row.count("x") for row in level.wall),
    }


def render(puzzle: Puzzle, state: Turn[State]) -> str:
    """The board with its columns numbered, the piece above it, and the next one beside it."""
    seen = cast("SeededTetris", puzzle).observe(state)
    over = "   " + t("board.over") if seen.status == "over" else ""
    lines = [t("board.tetris.lines", lines=seen.lines, pieces=seen.placed) + over]
    if seen.piece:
        known = "board.tetris.next" if seen.following else "board.tetris.piece"
        lines.append(t(known, piece=seen.piece, following=seen.following))
        lines += _turns(seen.shapes)
    wall = (*["." * seen.width] * (seen.height - len(seen.wall)), *seen.wall)
    for row, cells in enumerate(wall):
        number = len(wall) - row
        lines.append(f"{number:>3} |{cells.replace('.', ' ').replace('x', '█')}|")
    lines.append("    +" + "-" * seen.width + "+")
    lines.append("     " + "".join(str((column + 1) % 10) for column in range(seen.width)))
    return "\n".join(lines)


def _turns(shapes: Sequence[Sequence[str]]) -> list[str]:
    """All turns of a piece beside each other, each under its number: placements are named turns:column."""
    tallest = max(map(len, shapes))
    lines = ["".join(f"{turns}:".ljust(len(shape[0]) + 3) for turns, shape in enumerate(shapes))]
    for row in range(tallest):
        drawn = [
            shape[row - tallest + len(shape)] if row >= tallest - len(shape) else "." * len(shape[0])
            for shape in shapes
        ]
        lines.append("".join(cells.ljust(len(cells) + 3, ".") for cells in drawn))
    return ["     " + line.replace(".", " ").replace("x", "█").rstrip() for line in lines]
