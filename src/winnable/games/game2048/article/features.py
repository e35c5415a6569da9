"""The article's evaluation of a board: five features, added up as it says.

For boards of its size, 4 × 4, these are its numbers. On others, weights and lengths follow the same pattern.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from winnable.games.game2048.rules.puzzle import State

CORNER_WEIGHT: Final = 10
EMPTY_WEIGHT: Final = 10
TWO, FOUR = 0.95, 0.05
"""The weights of the new tiles in the article's search."""


def evaluate(state: State, rows: int, columns: int) -> int:
    """order + 10 corner + monotonicity + 10 empty + largest."""
    values = [1 << exponent if exponent else 0 for exponent in state]
    largest = max(values)
    return (
        order(values, rows, columns)
        + CORNER_WEIGHT * (largest if values[0] == largest else 0)
        + monotonicity(values, columns)
        + EMPTY_WEIGHT * values.count(0)
        + largest
    )


def place_weight(row: int, column: int, rows: int, columns: int) -> int:
    """4 in the corner at the top left, one less for each step away from it, down to 1."""
    return max(1, max(rows, columns) - row - column)


def order(values: list[int], rows: int, columns: int) -> int:
    """Tiles times the weights of their places: how much the board leans to the corner at the top left."""
    return sum(
        value * place_weight(cell // columns, cell % columns, rows, columns)
        for cell, value in enumerate(values)
    )


def monotonicity(values: list[int], columns: int) -> int:
    """Rates the first row: its tiles times 4, 3, 2, 1 when each is larger than the next one, else 0."""
    first = values[:columns]
    if any(a <= b for a, b in pairwise(first)):
        return 0
    return sum(value * (columns - column) for column, value in enumerate(first))
