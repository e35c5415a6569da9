"""Levels of drops as one line of text, and boards as a picture for a terminal.

The share code: rows of digits joined by `/`, then what is not the default, joined by commas:

    012200/040020/300000,rules=snappers,drops=5,open

`drops=10,every=3`: a tank that gains a drop with every third burst. `flash=SERIES.ROUND` is a board of the
endless game, with `drops` in the tank. No quotes are needed in a shell or a URL.
"""

from __future__ import annotations

import re
from typing import Any, cast, get_args

from winnable.core import LevelError, Puzzle
from winnable.games.drops.level import MAX_DROPS, MAX_EVERY, MAX_ROUND, MAX_SIDE, Flash, Level, RuleName
from winnable.games.drops.rules import Drops, State, need

_FLASH = re.compile(r"([0-9]{1,16})\.([0-9]{1,7})")
_SYMBOLS = "·1234"


def format_board(level: Level) -> str:
    """The level in one line, without its title, provenance and certificate."""
    parts = ["/".join(level.board)]
    if level.rules != "classic":
        parts.append(f"rules={level.rules}")
    if level.drops is not None:
        parts.append(f"drops={level.drops}")
    if level.every is not None:
        parts.append(f"every={level.every}")
    if level.open:
        parts.append("open")
    if level.flash is not None:
        parts.append(f"flash={level.flash.series}.{level.flash.round}")
    return ",".join(parts)


def parse_board(text: str) -> Level:
    """Inverse of `format_board`. Raises LevelError that names the row or the field."""
    head, *options = text.strip().split(",")
    board = tuple(_parse_row(index, row) for index, row in enumerate(_rows(head)))
    given: dict[str, Any] = {}
    for option in options:
        key, equals, value = (part.strip() for part in option.partition("="))
        if key in given:
            raise LevelError(f"board: {key} is given twice")
        if key == "open" and not equals:
            given[key] = True
        elif key in _OPTIONS and equals:
            given[key] = _OPTIONS[key](value)
        else:
            raise LevelError(
                f"board: {option[:40]!r} is none of rules=NAME, drops=N, every=N, open, flash=SERIES.ROUND"
            )
    return Level(board=board, **given)


def _rows(head: str) -> list[str]:
    if len(head) > (MAX_SIDE + 1) * MAX_SIDE * 4:
        raise LevelError(f"board: larger than {MAX_SIDE} × {MAX_SIDE} cells")
    rows = [row.strip() for row in head.split("/")]
    if len(rows) > MAX_SIDE:
        raise LevelError(f"board: {len(rows)} rows, over {MAX_SIDE} allowed")
    return rows


def _parse_row(index: int, row: str) -> str:
    if not row:
        raise LevelError(f"board[{index}]: an empty row")
    if len(row) > MAX_SIDE:
        raise LevelError(f"board[{index}]: {len(row)} cells, over {MAX_SIDE} allowed")
    for column, cell in enumerate(row):
        if cell not in "01234":
            raise LevelError(f"board[{index}]: {cell!r} at column {column + 1} is not a digit from 0 to 4")
    return row


def _parse_rules(text: str) -> RuleName:
    if text not in get_args(RuleName):
        raise LevelError(f"rules: {text[:40]!r} is none of {', '.join(get_args(RuleName))}")
    return cast("RuleName", text)


def _parse_drops(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and int(text) <= MAX_DROPS):
        raise LevelError(f"drops: {text[:40]!r} is not a whole number from 0 to {MAX_DROPS}")
    return int(text)


def _parse_every(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_EVERY):
        raise LevelError(f"every: {text[:40]!r} is not a whole number from 1 to {MAX_EVERY}")
    return int(text)


def _parse_flash(text: str) -> Flash:
    match = _FLASH.fullmatch(text)
    if match is None or int(match[1]) >= 2**53 or not 1 <= int(match[2]) <= MAX_ROUND:
        raise LevelError(f"flash: {text[:40]!r} is not SERIES.ROUND, two whole numbers")
    return Flash(int(match[1]), int(match[2]))


_OPTIONS = {"rules": _parse_rules, "drops": _parse_drops, "every": _parse_every, "flash": _parse_flash}


def facts(level: Level) -> dict[str, Any]:
    """How large the level is."""
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


def render(puzzle: Puzzle[Any], state: State) -> str:
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
        lines.append(f"{'In the tank' if tank else 'Drops left'}: {state.left}")
    if drops.level.every:
        lines.append(f"Bursts towards the next drop: {state.bursts} of {drops.level.every}")
    return "\n".join(lines)
