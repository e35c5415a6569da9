"""Levels of drops as one line of text, and boards as a picture for a terminal.

The share code: rows of digits joined by `/`, then what is not the default, joined by commas:

    012200/040020/300000,rules=snappers,drops=5,open

`drops=10,every=3`: a tank that gains a drop with every third burst. `flash=SERIES.ROUND` is a board of the
endless game, with `drops` in the tank. No quotes are needed in a shell or a URL.
"""

from __future__ import annotations

import re
from typing import Any, cast

from winnable.contract.core import LevelError, Puzzle
from winnable.games.drops.rules.level import MAX_DROPS, MAX_EVERY, MAX_ROUND, MAX_SIDE, Flash, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, State, need
from winnable.levels.options import FLAG, Option, choice, read_options, split_board, whole_number
from winnable.words import t

_FLASH = re.compile(r"([0-9]{1,16})\.([0-9]{1,7})")
_SYMBOLS = "·1234"


def format_board(level: Level) -> str:
    """The level in one line, without its title, provenance and certificate."""
    parts = ["/".join(level.board)]
    numbers = {"drops": level.drops, "every": level.every}
    parts += [f"rules={level.rules}"] if level.rules != "classic" else []
    parts += [f"{name}={number}" for name, number in numbers.items() if number is not None]
    if level.open:
        parts.append("open")
    if level.flash is not None:
        parts.append(f"flash={level.flash.series}.{level.flash.round}")
    return ",".join(parts)


def parse_board(text: str) -> Level:
    """Inverse of `format_board`. Raises LevelError that names the row or the field."""
    head, options = split_board(text)
    board = tuple(_parse_row(index, row) for index, row in enumerate(_rows(head)))
    return Level(board=board, **read_options(options, _OPTIONS))


def _rows(head: str) -> list[str]:
    if len(head) > (MAX_SIDE + 1) * MAX_SIDE * 4:
        raise LevelError("board.large", field="board", side=MAX_SIDE)
    rows = [row.strip() for row in head.split("/")]
    if len(rows) > MAX_SIDE:
        raise LevelError("rows.most", field="board", given=len(rows), most=MAX_SIDE)
    return rows


def _parse_row(index: int, row: str) -> str:
    if not row:
        raise LevelError("row.empty", field=f"board[{index}]")
    if len(row) > MAX_SIDE:
        raise LevelError("row.most", field=f"board[{index}]", given=len(row), most=MAX_SIDE)
    for column, cell in enumerate(row):
        if cell not in "01234":
            raise LevelError("cell.digit", field=f"board[{index}]", given=cell, column=column + 1)
    return row


def _parse_flash(key: str, text: str) -> Flash:
    match = _FLASH.fullmatch(text)
    if match is None or int(match[1]) >= 2**53 or not 1 <= int(match[2]) <= MAX_ROUND:
        raise LevelError("drops.series", field=key, given=text[:40])
    return Flash(int(match[1]), int(match[2]))


_OPTIONS = {
    "rules": choice(RuleName),
    "drops": whole_number(0, MAX_DROPS),
    "every": whole_number(1, MAX_EVERY),
    "open": FLAG,
    "flash": Option("SERIES.ROUND", _parse_flash),
}


def facts(level: Level) -> dict[str, Any]:
    """The level's size, and how much water is on it."""
    cells = level.cells
    water = sum(cells)
    return {
        "rows": level.rows,
        "columns": level.columns,
        "rules": level.rules,
        "cells with drops": len(cells) - cells.count(0),
        "units of water": water,
        "water per cell": f"{water / len(cells):.2f}",
        "units lacking": need(cells),
    }


def render(puzzle: Puzzle, state: State) -> str:
    """The board with its coordinates, and what is left."""
    drops = cast("Drops", puzzle)
    wide = len(str(drops.columns))
    margin = " " * (len(str(drops.rows)) + 1)
    lines = [margin + " ".join(f"{column + 1:>{wide}}" for column in range(drops.columns)) + "  x"]
    for row in range(drops.rows):
        cells = state.cells[row * drops.columns : (row + 1) * drops.columns]
        picture = " ".join(f"{_SYMBOLS[cell]:>{wide}}" for cell in cells)
        lines.append(f"{row + 1:>{len(margin) - 1}} {picture}")
    lines.append(f"{'y':>{len(margin) - 1}}")
    if state.left is not None:
        tank = drops.level.flash or drops.level.every
        lines.append(t("board.drops.tank" if tank else "board.drops.left", left=state.left))
    if drops.level.every:
        lines.append(t("board.drops.bursts", bursts=state.bursts, every=drops.level.every))
    return "\n".join(lines)
