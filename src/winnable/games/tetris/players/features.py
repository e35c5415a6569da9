"""What controllers look at: figures about a placement and the wall that it leaves, full rows cleared.

The definitions are those of MDPTetris (C. Thiery, B. Scherrer, Building controllers for Tetris, ICGA Journal
32, 2009), checked against its program. H is the height of the board and W its width; side walls and floor
count as filled, what is above the board as empty.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from winnable.games.tetris.players import surface
from winnable.games.tetris.players.placement import Placement, holes_in


def landing_height(placed: Placement) -> float:
    """The height of the piece's middle, in rows from the floor, before rows are cleared."""
    return placed.landing.row + (placed.landing.shape.height - 1) / 2


def eroded_cells(placed: Placement) -> float:
    """Rows cleared times the cells of the piece that were cleared with them."""
    return placed.lines * placed.eroded


def lines(placed: Placement) -> float:
    """Rows cleared."""
    return placed.lines


def row_transitions(placed: Placement) -> float:
    """Neighbours in a row of which one is filled and the other not; 2 in an empty row."""
    return sum(
        left != right
        for cells in zip(*placed.columns, strict=True)
        for left, right in pairwise((True, *cells, True))
    )


def column_transitions(placed: Placement) -> float:
    """Neighbours in a column of which one is filled and the other not; 1 in an empty column."""
    return sum(
        below != above for column in placed.columns for below, above in pairwise((True, *column, False))
    )


def holes(placed: Placement) -> float:
    """Empty cells with a filled one somewhere above."""
    return sum(len(holes_in(column)) for column in placed.columns)


def rows_with_holes(placed: Placement) -> float:
    """The rows in which there is a hole."""
    return len({row for column in placed.columns for row in holes_in(column)})


def hole_depth(placed: Placement) -> float:
    """Filled cells in a column with an empty one somewhere below."""
    return sum(cell and not all(column[:row]) for column in placed.columns for row, cell in enumerate(column))


def _wells(placed: Placement, column: int) -> list[int]:
    """Rows of the empty cells between two filled ones, from the top."""
    side = [True] * len(placed.rows)
    left, here, right = [side, *placed.columns, side][column : column + 3]
    return [row for row in reversed(range(len(here))) if left[row] and right[row] and not here[row]]


def _depth(placed: Placement, column: int, row: int) -> int:
    """Empty cells from here down to the next filled one."""
    depth = 0
    while not placed.is_filled(column, row - depth):
        depth += 1
    return depth


def wells(placed: Placement) -> float:
    """The empty cells downwards from each empty cell between two filled ones, added up (Dellacherie)."""
    return sum(
        _depth(placed, column, row) for column in range(placed.width) for row in _wells(placed, column)
    )


def well_triangles(placed: Placement) -> float:
    """The second form of wells: 1 + 2 + ... + d for each stretch of d empty cells that begins with one
    between two filled ones."""
    total = 0
    for column in range(placed.width):
        below = len(placed.rows)
        for row in _wells(placed, column):
            if row < below:
                depth = _depth(placed, column, row)
                total += depth * (depth + 1) // 2
                below = row - depth
    return total


def diversity(placed: Placement) -> float:
    """The number of different steps of -2 ... 2 from a column's height to the next."""
    steps = {right - left for left, right in pairwise(placed.heights)}
    return len(steps & {-2, -1, 0, 1, 2})


PUBLISHED: dict[str, Callable[[Placement], float]] = {
    "landing_height": landing_height,
    "eroded_cells": eroded_cells,
    "row_transitions": row_transitions,
    "column_transitions": column_transitions,
    "holes": holes,
    "wells": wells,
    "hole_depth": hole_depth,
    "rows_with_holes": rows_with_holes,
    "well_triangles": well_triangles,
    "diversity": diversity,
    "lines": lines,
}
FEATURES = PUBLISHED | surface.SURFACE
"""In the order of the kernels' weights."""

(LANDING_HEIGHT, ERODED_CELLS, ROW_TRANSITIONS, COLUMN_TRANSITIONS, HOLES, WELLS) = range(6)
(HOLE_DEPTH, ROWS_WITH_HOLES, WELL_TRIANGLES, DIVERSITY, LINES) = range(6, len(PUBLISHED))
(LEVEL_PAIR, SINGLE_STEP_KINDS, DOUBLE_STEP_KINDS, LEVEL_TRIPLE, LYING_S_Z, HANGING_J_L) = range(11, 17)
(SINGLE_STEPS, DOUBLE_STEPS, CLIFFS, FITTING_PIECES, BUMPINESS, HIGHEST) = range(17, 23)
(THIN_COVERS, ROWS_OVER_HOLES, COVER, NEARLY_FULL_ROWS) = range(23, len(FEATURES))
"""Where in this order each is."""
