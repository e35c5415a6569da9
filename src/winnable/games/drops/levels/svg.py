"""A board of drops as an SVG picture."""

from __future__ import annotations

from math import sqrt
from typing import cast

from winnable.contract.core import Puzzle
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.rules.puzzle import Drops, State

CELL = 40
_COLOURS = ("#cfe3f3", "#7db8e8", "#3f93d6", "#1c6bb0", "#0d4578")


def svg(puzzle: Puzzle, state: State) -> str:
    """One circle for each cell with drops: its area and its number tell how many rest there."""
    drops = cast("Drops", puzzle)
    width, height = drops.columns * CELL, drops.rows * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="drops, {drops.columns} × {drops.rows}">',
        f'<rect width="{width}" height="{height}" fill="#f4f8fb"/>',
    ]
    for cell, number in enumerate(state.cells):
        row, column = divmod(cell, drops.columns)
        x, y = column * CELL, row * CELL
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="none" stroke="{_COLOURS[0]}"/>'
        )
        if number:
            radius = 0.44 * CELL * sqrt(number / FULL)
            middle_x, middle_y = x + CELL / 2, y + CELL / 2
            parts.append(
                f'<circle cx="{middle_x:g}" cy="{middle_y:g}" r="{radius:.1f}" fill="{_COLOURS[number]}"/>'
                f'<text x="{middle_x:g}" y="{middle_y:g}" fill="{"#fff" if number > 1 else "#0d2b45"}" '
                f'font-family="sans-serif" font-size="14" text-anchor="middle" dominant-baseline="central">'
                f"{number}</text>"
            )
    return "".join([*parts, "</svg>"])
