"""A board of 2048 as an SVG picture."""

from __future__ import annotations

from typing import cast

from winnable.contract.chance import Turn
from winnable.contract.core import Puzzle
from winnable.games.game2048.rules.puzzle import Seeded2048, State

CELL, GAP = 64, 8
_FILLS = (
    *("#e8ecf1", "#d5e4f5", "#b9d7f2", "#f7d9a8", "#f5bd7a", "#f09a63", "#e8764f", "#dcb93f", "#c9a227"),
    *("#a8b545", "#74a857", "#1f7f57", "#1d758a", "#2f66b0", "#4a55a8", "#6b3f9c", "#872f83", "#a3215c"),
)
"""Of exponents 0, 1, 2 ...; larger tiles look like the last one."""
_DARK_FROM = 11
"""The exponent from which on numbers are white."""


def svg(puzzle: Puzzle, state: Turn[State]) -> str:
    """Tiles with their numbers."""
    seen = cast("Seeded2048", puzzle).observe(state)
    width, height = (GAP + side * (CELL + GAP) for side in (seen.columns, seen.rows))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" '
        f'aria-label="2048, {seen.rows} × {seen.columns}, score {seen.score}" '
        'font-family="sans-serif" font-weight="bold" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" rx="8" fill="#b9c2cc"/>',
    ]
    for cell, exponent in enumerate(seen.cells):
        row, column = divmod(cell, seen.columns)
        x, y = GAP + column * (CELL + GAP), GAP + row * (CELL + GAP)
        fill = _FILLS[min(exponent, len(_FILLS) - 1)]
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="6" fill="{fill}"/>')
        if exponent:
            number = str(1 << exponent)
            size = min(28, CELL * 3 // 2 // len(number))
            ink = "#fff" if exponent >= _DARK_FROM else "#1b232b"
            parts.append(
                f'<text x="{x + CELL // 2}" y="{y + CELL // 2 + size // 3}" font-size="{size}" '
                f'fill="{ink}">{number}</text>'
            )
    return "".join([*parts, "</svg>"])
