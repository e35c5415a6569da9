"""A board of tetris as an SVG picture."""

from __future__ import annotations

from typing import cast

from winnable.contract.chance import Turn
from winnable.contract.core import Puzzle
from winnable.games.tetris.rules.pieces import NAMES
from winnable.games.tetris.rules.puzzle import SeededTetris, State

CELL = 24
ABOVE = 4
"""Rows in which the piece to come is shown."""
_COLOURS = dict(
    zip(NAMES, ("#31a7c9", "#d9b310", "#9b59b6", "#4caf50", "#d9534f", "#4169c9", "#e08a2e"), strict=True)
)


def svg(puzzle: Puzzle, state: Turn[State]) -> str:
    """The wall, and above it the piece to come, in the middle. A wall that is too high reaches up there, so
    that all pictures of a game have one size."""
    seen = cast("SeededTetris", puzzle).observe(state)
    rows = seen.height
    width, height = seen.width * CELL, (rows + ABOVE) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" '
        f'aria-label="tetris, {seen.width} × {seen.height}, {seen.lines} lines">',
        f'<rect width="{width}" height="{height}" fill="#f6f7f9"/>',
        f'<rect y="{(rows + ABOVE - seen.height) * CELL}" width="{width}" height="{seen.height * CELL}" '
        'fill="#fff" stroke="#b9c2cc"/>',
    ]
    for index, row in enumerate(seen.wall):
        line = rows + ABOVE - len(seen.wall) + index
        parts += [_cell(column, line, "#5b6875") for column, cell in enumerate(row) if cell == "x"]
    if seen.piece:
        shape = seen.shapes[0]
        left = (seen.width - len(shape[0])) // 2
        parts += [
            _cell(left + column, row, _COLOURS[seen.piece])
            for row, cells in enumerate(shape)
            for column, cell in enumerate(cells)
            if cell == "x"
        ]
    return "".join([*parts, "</svg>"])


def _cell(column: int, row: int, colour: str) -> str:
    return (
        f'<rect x="{column * CELL + 1}" y="{row * CELL + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="3" '
        f'fill="{colour}"/>'
    )
