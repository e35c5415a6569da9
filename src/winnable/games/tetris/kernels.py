"""The rules `simplified` on bits, and a controller's choice of placements; equal to rules.py, features.py.

A wall is `now`, uint64 [width + 2]: a word for each column from the left, with a full one on either side; bit
r is row r. Weights are in the order of `features.FEATURES`, and the value of a placement is summed up in this
order too, so that it is the same to the last bit as by the readable features.

A placement changes the columns that the piece touches, and only what neighbours them. So the wall as it is is
counted once a piece, in sums from the left (or right) up to each column, and for each placement only what
changes is counted anew. Where rows are cleared, everything is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.bit_kernels import bit_length, count_ones, trailing_zeros
from winnable.games.tetris.level import MAX_WIDTH
from winnable.games.tetris.pieces import SHAPES, turned_bits
from winnable.jit import kernel

U64: TypeAlias = NDArray[np.uint64]
I64: TypeAlias = NDArray[np.int64]
F64: TypeAlias = NDArray[np.float64]
U = np.uint64

FEATURE_COUNT: Final = 11
MOST_TURNS: Final = 4
NOWHERE: Final = -1

WIDTH, HEIGHT, BOTTOM, TOP, CELLS = 0, 1, 2, 6, 10
"""Places in a row of the table of shapes: one number, one, and three times four, one for each column."""

STRIDE: Final = MAX_WIDTH + 2
HEIGHTS, FIGURES, TRANSITIONS, WELLS, TRIANGLES, STEPS_LEFT, STEPS_RIGHT = (STRIDE * i for i in range(7))
"""Where in `sums`, int64, each count of the wall begins. Its entry c is about columns < c (or >= c, for
`right`); HEIGHTS has the column itself, TRANSITIONS also the border to column c - 1."""
HOLES_LEFT, HOLES_RIGHT, FULL_LEFT, FULL_RIGHT = (STRIDE * i for i in range(4))
"""Likewise in `rows`, uint64: rows with holes, and rows that are filled."""

FIELD: Final = 16
MASK: Final = 2**FIELD - 1
"""A column's figures are three counts in one number: transitions, holes and hole depth."""


def shape_table() -> I64:
    """int64 [7 * 4, 14]; the row of a piece and its turns is `4 * piece + turns`. Width 0: no such turns."""
    table = np.zeros((MOST_TURNS * len(SHAPES), 14), np.int64)
    for piece, shapes in enumerate(SHAPES):
        for turns, shape in enumerate(shapes):
            row = table[MOST_TURNS * piece + turns]
            row[WIDTH], row[HEIGHT] = shape.width, shape.height
            for column in range(shape.width):
                row[BOTTOM + column], row[TOP + column] = shape.bottoms[column], shape.tops[column]
                row[CELLS + column] = shape.columns[column]
    return table


def new_wall(width: int) -> U64:
    wall = np.zeros(width + 2, np.uint64)
    wall[0] = wall[-1] = ~U(0)
    return wall


def pack_wall(rows: Sequence[int], width: int) -> U64:
    """rows: of the wall from the lowest, as bits, like `rules.State.wall`."""
    wall = new_wall(width)
    wall[1:-1] = turned_bits(rows, width)
    return wall


def new_sums() -> I64:
    return np.zeros(7 * STRIDE, np.int64)


def new_rows() -> U64:
    return np.zeros(4 * STRIDE, np.uint64)


@kernel
def figures_of(column: U) -> int:
    """Its transitions, holes and hole depth, packed."""
    filled = count_ones(column)
    transitions = count_ones(column ^ (column << U(1) | U(1)))
    return transitions | bit_length(column) - filled << FIELD | filled - trailing_zeros(~column) << 2 * FIELD


@kernel
def holes_of(column: U) -> U:
    """As bits."""
    return ((U(1) << U(bit_length(column))) - U(1)) & ~column


@kernel
def wells_of(left: U, column: U, right: U) -> int:
    empty = ~column
    there = left & right & empty
    total = 0
    while there:
        total += count_ones(there)
        there = there >> U(1) & empty
    return total


@kernel
def triangles_of(left: U, column: U, right: U) -> int:
    empty = ~column
    there = left & right & empty
    new = there
    while new:
        new = new >> U(1) & empty & ~there
        there |= new
    total = 0
    while there:
        total += count_ones(there)
        there = there >> U(1) & there
    return total


@kernel
def step_of(left: int, right: int) -> int:
    """A bit for the step from one height to the next; 0 for those that do not count."""
    step = right - left + 2
    return 1 << step if 0 <= step <= 4 else 0


@kernel
def count_wall(now: U64, height: int, weights: F64, sums: I64, rows: U64) -> None:
    """Fills `sums` and `rows`; of those counts that have no weight, anything."""
    width = now.size - 2
    board = (U(1) << U(height)) - U(1)
    rows[HOLES_LEFT], rows[FULL_LEFT] = U(0), ~U(0)
    rows[HOLES_RIGHT + width], rows[FULL_RIGHT + width] = U(0), ~U(0)
    for c in range(width):
        here = now[c + 1]
        sums[HEIGHTS + c] = bit_length(here)
        sums[FIGURES + c + 1] = sums[FIGURES + c] + figures_of(here)
        sums[TRANSITIONS + c + 1] = sums[TRANSITIONS + c] + count_ones((here ^ now[c]) & board)
        rows[HOLES_LEFT + c + 1] = rows[HOLES_LEFT + c] | holes_of(here)
        rows[FULL_LEFT + c + 1] = rows[FULL_LEFT + c] & here
        if weights[5]:
            sums[WELLS + c + 1] = sums[WELLS + c] + wells_of(now[c], here, now[c + 2])
        if weights[8]:
            sums[TRIANGLES + c + 1] = sums[TRIANGLES + c] + triangles_of(now[c], here, now[c + 2])
        if weights[9] and c > 0:
            step = step_of(sums[HEIGHTS + c - 1], sums[HEIGHTS + c])
            sums[STEPS_LEFT + c + 1] = sums[STEPS_LEFT + c] | step
    sums[TRANSITIONS + width + 1] = sums[TRANSITIONS + width] + count_ones(~now[width] & board)
    for c in range(width - 1, -1, -1):
        rows[HOLES_RIGHT + c] = rows[HOLES_RIGHT + c + 1] | holes_of(now[c + 1])
        rows[FULL_RIGHT + c] = rows[FULL_RIGHT + c + 1] & now[c + 1]
        if weights[9] and c < width - 1:
            step = step_of(sums[HEIGHTS + c], sums[HEIGHTS + c + 1])
            sums[STEPS_RIGHT + c] = sums[STEPS_RIGHT + c + 1] | step


@kernel
def value_of(
    weights: F64,
    landing: float,
    eroded: int,
    transitions: int,
    figures: int,
    wells: int,
    rows_with_holes: int,
    triangles: int,
    diversity: int,
    lines: int,
) -> float:
    return (
        weights[0] * landing
        + weights[1] * eroded
        + weights[2] * transitions
        + weights[3] * (figures & MASK)
        + weights[4] * (figures >> FIELD & MASK)
        + weights[5] * wells
        + weights[6] * (figures >> 2 * FIELD)
        + weights[7] * rows_with_holes
        + weights[8] * triangles
        + weights[9] * diversity
        + weights[10] * lines
    )


@kernel
def clear(now: U64, full: U) -> None:
    """Takes the full rows out."""
    while full:
        below = (U(1) << U(bit_length(full) - 1)) - U(1)
        for c in range(1, now.size - 1):
            now[c] = (now[c] & below) | (now[c] >> U(1) & ~below)
        full &= below


@kernel
def value_cleared(
    now: U64, full: U, spare: U64, height: int, weights: F64, landing: float, eroded: int
) -> float:
    """Of the wall `now` with rows that are to be cleared. spare: room for a wall."""
    width = now.size - 2
    for c in range(now.size):
        spare[c] = now[c]
    clear(spare, full)
    board = (U(1) << U(height)) - U(1)
    transitions, figures, wells, triangles, steps, holes = 0, 0, 0, 0, 0, U(0)
    for c in range(1, width + 1):
        here = spare[c]
        transitions += count_ones((here ^ spare[c - 1]) & board)
        figures += figures_of(here)
        holes |= holes_of(here)
        if weights[5]:
            wells += wells_of(spare[c - 1], here, spare[c + 1])
        if weights[8]:
            triangles += triangles_of(spare[c - 1], here, spare[c + 1])
        if c > 1:
            steps |= step_of(bit_length(spare[c - 1]), bit_length(here))
    transitions += count_ones(~spare[width] & board)
    lines = count_ones(full)
    return value_of(
        weights, landing, lines * eroded, transitions, figures, wells, count_ones(holes), triangles,
        count_ones(U(steps)), lines,
    )  # fmt: skip


@kernel
def choose(
    now: U64, height: int, piece: int, shapes: I64, weights: F64, sums: I64, rows: U64, spare: U64
) -> int:
    """The action whose placement is worth the most; the first of equals. NOWHERE when each ends the game.
    sums, rows, spare: room, see `new_sums`, `new_rows`, `new_wall`."""
    width = now.size - 2
    board = (U(1) << U(height)) - U(1)
    count_wall(now, height, weights, sums, rows)
    best, best_action = -np.inf, NOWHERE
    for turns in range(MOST_TURNS):
        shape = MOST_TURNS * piece + turns
        across, tall = int(shapes[shape, WIDTH]), int(shapes[shape, HEIGHT])
        if across == 0:
            break
        for left in range(width - across + 1):
            row = 0
            for i in range(across):
                row = max(row, sums[HEIGHTS + left + i] - shapes[shape, BOTTOM + i])
            if row + tall > height:
                continue
            right = left + across
            full = rows[FULL_LEFT + left] & rows[FULL_RIGHT + right]
            for i in range(across):
                now[left + i + 1] |= U(shapes[shape, CELLS + i]) << U(row)
                full &= now[left + i + 1]
            landing = row + (tall - 1) / 2
            if full:
                eroded = 0
                for i in range(across):
                    eroded += count_ones(U(shapes[shape, CELLS + i]) << U(row) & full)
                value = value_cleared(now, full, spare, height, weights, landing, eroded)
            else:
                figures = sums[FIGURES + left] + sums[FIGURES + width] - sums[FIGURES + right]
                holes = rows[HOLES_LEFT + left] | rows[HOLES_RIGHT + right]
                transitions = (
                    sums[TRANSITIONS + left] + sums[TRANSITIONS + width + 1] - sums[TRANSITIONS + right + 1]
                )
                for i in range(left + 1, right + 1):
                    here = now[i]
                    figures += figures_of(here)
                    holes |= holes_of(here)
                    transitions += count_ones((here ^ now[i - 1]) & board)
                transitions += count_ones((now[right] ^ now[right + 1]) & board)
                first, last = max(left - 1, 0), min(right + 1, width)
                wells, triangles, steps = 0, 0, 0
                if weights[5]:
                    wells = sums[WELLS + first] + sums[WELLS + width] - sums[WELLS + last]
                    for i in range(first + 1, last + 1):
                        wells += wells_of(now[i - 1], now[i], now[i + 1])
                if weights[8]:
                    triangles = sums[TRIANGLES + first] + sums[TRIANGLES + width] - sums[TRIANGLES + last]
                    for i in range(first + 1, last + 1):
                        triangles += triangles_of(now[i - 1], now[i], now[i + 1])
                if weights[9]:
                    steps = sums[STEPS_LEFT + left] | sums[STEPS_RIGHT + right]
                    before = int(sums[HEIGHTS + left - 1]) if left > 0 else NOWHERE
                    for i in range(across):
                        here_height = row + shapes[shape, TOP + i]
                        if before >= 0:
                            steps |= step_of(before, here_height)
                        before = here_height
                    if right < width:
                        steps |= step_of(before, int(sums[HEIGHTS + right]))
                value = value_of(
                    weights, landing, 0, transitions, figures, wells, count_ones(holes), triangles,
                    count_ones(U(steps)), 0,
                )  # fmt: skip
            for i in range(across):
                now[left + i + 1] &= ~(U(shapes[shape, CELLS + i]) << U(row))
            if value > best:
                best, best_action = value, turns * width + left
    return best_action


@kernel
def place(now: U64, height: int, piece: int, action: int, shapes: I64) -> int:
    """Sets the piece down and clears rows: how many, or NOWHERE when this ends the game."""
    width = now.size - 2
    shape, left = MOST_TURNS * piece + action // width, action % width
    across, row = shapes[shape, WIDTH], 0
    for i in range(across):
        row = max(row, bit_length(now[left + i + 1]) - shapes[shape, BOTTOM + i])
    for i in range(across):
        now[left + i + 1] |= U(shapes[shape, CELLS + i]) << U(row)
    if row + shapes[shape, HEIGHT] > height:
        return NOWHERE
    full = ~U(0)
    for c in range(1, width + 1):
        full &= now[c]
    clear(now, full)
    return count_ones(full)
