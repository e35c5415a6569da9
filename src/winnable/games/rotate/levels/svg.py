"""A board of rotate as an SVG picture."""

from __future__ import annotations

from typing import cast

from winnable.contract.core import Puzzle
from winnable.games.rotate.levels.text import signs
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate, State

CELL = 32
HUE_STEP = 137.508
"""The golden angle: neighbouring numbers get colours that are far apart."""


def colour_of(number: int) -> str:
    """A pastel that dark text can be read on."""
    return f"hsl({number * HUE_STEP % 360:.0f} 62% {74 - 10 * (number % 3)}%)"


def svg(puzzle: Puzzle, state: State) -> str:
    """A square for each cell with its colour and its sign, and a line around each cluster."""
    rotate = cast("Rotate", puzzle)
    rows, columns, cells = rotate.rows, rotate.columns, state.cells
    width, height = columns * CELL, rows * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" '
        f'width="{width + 2}" height="{height + 2}" role="img" aria-label="rotate, {columns} × {rows}" '
        f'font-family="sans-serif" font-size="13" text-anchor="middle" dominant-baseline="central">',
    ]
    for place, (colour, sign) in enumerate(zip(cells, signs(cells), strict=True)):
        row, column = divmod(place, columns)
        x, y = column * CELL, row * CELL
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour_of(colour)}"/>'
            f'<text x="{x + CELL // 2}" y="{y + CELL // 2}" fill="#1b2733">{sign}</text>'
        )
    parts.append(
        f'<path d="{_borders(cells, rows, columns)}" fill="none" stroke="#1b2733" stroke-width="2"/></svg>'
    )
    return "".join(parts)


def _borders(cells: tuple[int, ...], rows: int, columns: int) -> str:
    """The edge of the board, and each side between two clusters."""
    numbers = cluster_numbers(cells, columns)
    path = [f"M0 0H{columns * CELL}V{rows * CELL}H0Z"]
    for place, number in enumerate(numbers):
        row, column = divmod(place, columns)
        x, y = column * CELL, row * CELL
        if column and numbers[place - 1] != number:
            path.append(f"M{x} {y}v{CELL}")
        if row and numbers[place - columns] != number:
            path.append(f"M{x} {y}h{CELL}")
    return "".join(path)
