"""How a piece travels under the rules `travel`: as in C. Fahey's program (Standard Tetris, 2003 to 2007,
https://colinfahey.com/tetris), in which P. Dellacherie's controller was first measured.

A piece appears with its pivot in the topmost row and in the middle column (the right one of two), T, J and L
pointing down. Without a chance to act it falls a row, because there the top is no longer in the way of turns;
if it cannot fall, it rests where it appeared. Then it turns, a quarter counterclockwise each time, then it
moves sideways, then it falls straight down. Every turn and every column on the way must be free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from winnable.games.tetris.rules.pieces import NAMES, SHAPES, Shape, collides

_DRAWINGS = {
    "I": "##o#",
    "O": "#o|##",
    "T": "#o#|.#.",
    "S": ".o#|##.",
    "Z": "#o.|.##",
    "J": "#o#|..#",
    "L": "#o#|#..",
}
"""As they appear, rows from the top; `o` is the pivot."""


class Turned(NamedTuple):
    """left, low: the leftmost column and the lowest row, counted from those of the pivot."""

    shape: Shape
    left: int
    low: int


def _turned(name: str) -> tuple[Turned, ...]:
    rows = _DRAWINGS[name].split("|")
    pivot = rows[0].index("o")
    cells = [(x - pivot, -y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "."]
    shapes = SHAPES[NAMES.index(name)]
    turned: list[Turned] = []
    for _ in shapes:
        left, low = min(x for x, _ in cells), min(y for _, y in cells)
        high = max(y for _, y in cells)
        bits = tuple(sum(1 << x - left for x, y in cells if y == row) for row in range(low, high + 1))
        shape = next(shape for shape in shapes if shape.rows == bits)
        turned.append(Turned(shape, left, low))
        cells = [(-y, x) for x, y in cells]
    return tuple(turned)


TURNS: tuple[tuple[Turned, ...], ...] = tuple(map(_turned, NAMES))
"""Of each piece, after so many turns; what looks the same as before is not repeated."""


def reached(wall: Sequence[int], width: int, height: int, piece: int) -> dict[tuple[int, int], int]:
    """The places that the piece gets to: (turns, leftmost column) -> the row of its lowest cells there, from
    which the piece falls straight down. Empty when it cannot appear. wall: rows from the lowest, as bits."""

    def is_free(turned: Turned, left: int, pivot: int) -> bool:
        inside = 0 <= left <= width - turned.shape.width
        return inside and not collides(wall, turned.shape, left, pivot + turned.low)

    appears = TURNS[piece][0]
    home = width // 2 + appears.left
    if not is_free(appears, home, height - 1):
        return {}
    pivot = height - 2
    if not is_free(appears, home, pivot):
        return {(0, home): height - 1 + appears.low}
    found: dict[tuple[int, int], int] = {}
    for turns, turned in enumerate(TURNS[piece]):
        home = width // 2 + turned.left
        if not is_free(turned, home, pivot):
            break
        for step in (-1, 1):
            left = home
            while is_free(turned, left, pivot):
                found[turns, left] = pivot + turned.low
                left += step
    return found
