"""The features of surface.py on bits: added to the values of placements that kernels.py has found.

Again the wall is counted once a piece, and what a placement changes follows from that; only where rows are
cleared, or a piece may come to rest below an overhang, everything is counted anew.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from winnable.bit_kernels import bit_length, count_ones
from winnable.games.tetris.kernels import (
    FULL_LEFT,
    FULL_RIGHT,
    HEIGHTS,
    HOLES,
    LACKS,
    PUBLISHED,
    STRIDE,
    SURFACE,
    Room,
    holes_of,
    place,
)
from winnable.games.tetris.shape_kernels import (
    BOTTOM,
    BUMPS,
    CELLS,
    F64,
    FIELD,
    HEIGHT,
    I64,
    LARGE,
    MOST_ACROSS,
    MOST_TURNS,
    NOWHERE,
    SMALL,
    TOP,
    U64,
    WIDTH,
    U,
    large_step,
    must_travel,
    small_step,
)
from winnable.jit import kernel

NOW: Final = SURFACE
THEN: Final = SURFACE + 10
STEPS, STEPS_TWO, UNEVEN, HIGH, THIN, HOLE_TOP, COVERED, COVER, NEARLY_FULL = range(9)
"""Places in `sums`, from NOW on for the wall as it is, from THEN on for one after a placement. STEPS and
STEPS_TWO: `small_step` and `large_step` of each column and its right neighbour, shifted by columns. UNEVEN:
sizes of all steps. THIN: columns whose highest cell lies on a hole, as bits. HOLE_TOP: the row above the
highest one with holes, or 0; COVERED: columns with a hole there, as bits; COVER: the most cells on one."""
UNEVEN_LEFT: Final = SURFACE + 20
"""Entry c: sizes of the steps up to column c."""
ONE_LEFT, TWO_LEFT, ONE_RIGHT, TWO_RIGHT = (LACKS + STRIDE * i for i in range(4))
"""Places in `rows`: rows that lack a cell, and two or more, of columns < c, or >= c."""
SINGLE_STEPS, DOUBLE_STEPS, CLIFFS, FITTING_PIECES, BUMPINESS = range(6, 11)
HIGHEST, THIN_COVERS, ROWS_OVER_HOLES, COVER_OF, NEARLY_FULL_ROWS = range(11, 16)
"""Weights, counted from PUBLISHED on; those before are of features that are 2 at the most."""
MARGIN: Final = 1e-6
"""More than sums of such weights are off by rounding."""
COLUMNS: Final = 2**FIELD - 1
EACH_FIELD: Final = 1 | 1 << FIELD | 1 << 2 * FIELD


@kernel
def count_surface(now: U64, sums: I64, at: int) -> None:
    """at: NOW or THEN."""
    steps, steps_two, uneven, high, thin, before = 0, 0, 0, 0, 0, 0
    holes, one, two = U(0), U(0), U(0)
    for c in range(now.size - 2):
        here = now[c + 1]
        tall = bit_length(here)
        high = max(high, tall)
        holes |= holes_of(here)
        if tall > 1 and not here >> U(tall - 2) & U(1):
            thin |= 1 << c
        two |= one & ~here
        one |= ~here
        if c > 0:
            steps |= small_step(tall - before) << c - 1
            steps_two |= large_step(tall - before) << c - 1
            uneven += abs(tall - before)
        before = tall
    top, covered, cover = bit_length(holes), 0, 0
    if top:
        for c in range(now.size - 2):
            if holes_of(now[c + 1]) >> U(top - 1) & U(1):
                covered |= 1 << c
                cover = max(cover, bit_length(now[c + 1]) - top)
    sums[at + STEPS], sums[at + STEPS_TWO], sums[at + UNEVEN] = steps, steps_two, uneven
    sums[at + HIGH], sums[at + THIN] = high, thin
    sums[at + HOLE_TOP], sums[at + COVERED], sums[at + COVER] = top, covered, cover
    sums[at + NEARLY_FULL] = count_ones(one & ~two & ~holes)


@kernel
def count_lacks(now: U64, sums: I64, rows: U64) -> None:
    """What of the wall as it is lies left and right of each column."""
    width = now.size - 2
    rows[ONE_LEFT] = rows[TWO_LEFT] = rows[ONE_RIGHT + width] = rows[TWO_RIGHT + width] = U(0)
    sums[UNEVEN_LEFT] = 0
    for c in range(width):
        empty = ~now[c + 1]
        rows[TWO_LEFT + c + 1] = rows[TWO_LEFT + c] | rows[ONE_LEFT + c] & empty
        rows[ONE_LEFT + c + 1] = rows[ONE_LEFT + c] | empty
        if c > 0:
            sums[UNEVEN_LEFT + c] = sums[UNEVEN_LEFT + c - 1] + abs(sums[HEIGHTS + c] - sums[HEIGHTS + c - 1])
    for c in range(width - 1, -1, -1):
        empty = ~now[c + 1]
        rows[TWO_RIGHT + c] = rows[TWO_RIGHT + c + 1] | rows[ONE_RIGHT + c + 1] & empty
        rows[ONE_RIGHT + c] = rows[ONE_RIGHT + c + 1] | empty


@kernel
def most_of(weights: F64, width: int, height: int) -> float:
    """No placement gains more by the features, `highest` and `rows_over_holes` aside."""
    most = 0.0
    for feature in range(NEARLY_FULL_ROWS + 1):
        greatest = 2
        if feature in (SINGLE_STEPS, DOUBLE_STEPS, CLIFFS, THIN_COVERS):
            greatest = width
        elif feature == FITTING_PIECES:
            greatest = 7
        elif feature == BUMPINESS:
            greatest = width * height
        elif feature in (COVER_OF, NEARLY_FULL_ROWS):
            greatest = height
        if feature not in (HIGHEST, ROWS_OVER_HOLES):
            most += max(0.0, weights[PUBLISHED + feature]) * greatest
    return most


@kernel
def add_surface(now: U64, height: int, piece: int, shapes: I64, weights: F64, room: Room, likely: int) -> int:
    """The action that is worth the most with these features, too; the first of equals. values: as
    `kernels.value_placements` left them, with `likely` the best of them; each gets its features added, or nan
    where they cannot make it the best.

    `likely` goes first, for then most of the others, that bury holes, are out of the question."""
    sums, rows, spare, values = room
    width = now.size - 2
    count_surface(now, sums, NOW)
    count_lacks(now, sums, rows)
    travels = must_travel(now, height, piece, shapes)
    others = most_of(weights, width, height)
    best, best_action = -np.inf, NOWHERE
    for attempt in range(2):
        for turns in range(MOST_TURNS):
            shape = MOST_TURNS * piece + turns
            across = int(shapes[shape, WIDTH])
            if across == 0:
                break
            for left in range(width - across + 1):
                action = turns * width + left
                if (action == likely) != (attempt == 0) or values[action] == -np.inf:
                    continue
                right, row = left + across, 0
                full = rows[FULL_LEFT + left] & rows[FULL_RIGHT + right]
                for i in range(MOST_ACROSS):
                    if i == across:
                        break
                    row = max(row, sums[HEIGHTS + left + i] - shapes[shape, BOTTOM + i])
                high = max(sums[NOW + HIGH], row + shapes[shape, HEIGHT])
                one = rows[ONE_LEFT + left] | rows[ONE_RIGHT + right]
                two = rows[TWO_LEFT + left] | rows[TWO_RIGHT + right]
                two |= rows[ONE_LEFT + left] & rows[ONE_RIGHT + right]
                for i in range(MOST_ACROSS):
                    if i == across:
                        break
                    filled = now[left + i + 1] | U(shapes[shape, CELLS + i]) << U(row)
                    full &= filled
                    two |= one & ~filled
                    one |= ~filled
                if full or travels:
                    for c in range(now.size):
                        spare[c] = now[c]
                    place(spare, height, piece, action, shapes)
                    count_surface(spare, sums, THEN)
                    steps, steps_two, uneven = sums[THEN + STEPS], sums[THEN + STEPS_TWO], sums[THEN + UNEVEN]
                    high, thin, hole_top = sums[THEN + HIGH], sums[THEN + THIN], sums[THEN + HOLE_TOP]
                    cover, nearly_full = sums[THEN + COVER], sums[THEN + NEARLY_FULL]
                else:
                    most = values[action] + others + weights[PUBLISHED + HIGHEST] * high
                    most += max(0.0, weights[PUBLISHED + ROWS_OVER_HOLES]) * (
                        high - max(1, sums[NOW + HOLE_TOP])
                    )
                    if most < best - MARGIN:
                        values[action] = np.nan
                        continue
                    first, last = max(left - 1, 0), min(right, width - 1)
                    kept = ~(((1 << last) - (1 << first)) * EACH_FIELD)
                    steps = sums[NOW + STEPS] & kept | shapes[shape, SMALL] << left
                    steps_two = sums[NOW + STEPS_TWO] & kept | shapes[shape, LARGE] << left
                    uneven = sums[NOW + UNEVEN] - sums[UNEVEN_LEFT + last] + sums[UNEVEN_LEFT + first]
                    uneven += shapes[shape, BUMPS]
                    if left > 0:
                        step = row + shapes[shape, TOP] - sums[HEIGHTS + left - 1]
                        steps |= small_step(step) << left - 1
                        steps_two |= large_step(step) << left - 1
                        uneven += abs(step)
                    if right < width:
                        step = sums[HEIGHTS + right] - row - shapes[shape, TOP + across - 1]
                        steps |= small_step(step) << right - 1
                        steps_two |= large_step(step) << right - 1
                        uneven += abs(step)
                    touched = (1 << right) - (1 << left)
                    thin = sums[NOW + THIN] & ~touched
                    holes, hole_top, gaps = rows[HOLES], sums[NOW + HOLE_TOP], 0
                    for i in range(MOST_ACROSS):
                        if i == across:
                            break
                        bottom, tall = row + shapes[shape, BOTTOM + i], sums[HEIGHTS + left + i]
                        if bottom > tall:
                            holes |= (U(1) << U(bottom)) - (U(1) << U(tall))
                            hole_top = max(hole_top, bottom)
                            gaps |= 1 << i
                            thin |= (
                                1 << left + i
                                if shapes[shape, CELLS + i] & shapes[shape, CELLS + i] - 1 == 0
                                else 0
                            )
                    cover, covered = sums[NOW + COVER], sums[NOW + COVERED] & touched
                    if hole_top > sums[NOW + HOLE_TOP]:
                        cover, covered = 0, 0
                    if covered or gaps:
                        for i in range(across):
                            buried = gaps >> i & 1 and row + shapes[shape, BOTTOM + i] == hole_top
                            if buried or covered >> left + i & 1:
                                cover = max(cover, row + shapes[shape, TOP + i] - hole_top)
                    nearly_full = count_ones(one & ~two & ~holes)
                level, up, down = steps & COLUMNS, steps >> FIELD & COLUMNS, steps >> 2 * FIELD
                up_two, down_two = steps_two & COLUMNS, steps_two >> FIELD
                flat = level & level >> 1
                s_lies, z_lies = 1 if level & up >> 1 else 0, 1 if down & level >> 1 else 0
                any_level, any_up, any_down = 1 if level else 0, 1 if up else 0, 1 if down else 0
                any_up_two, any_down_two = 1 if up_two else 0, 1 if down_two else 0
                hanging = (1 if level & down >> 1 else 0) + (1 if up & level >> 1 else 0)
                fitting = (
                    any_level
                    + (any_up | any_down | (1 if flat else 0))
                    + (any_down | s_lies)
                    + (any_up | z_lies)
                    + (any_level | any_up_two)
                    + (any_level | any_down_two)
                    + (1 if flat & level >> 2 else 0)
                )
                singles, doubles = count_ones(U(up | down)), count_ones(U(up_two | down_two))
                value = (
                    values[action]
                    + weights[PUBLISHED] * any_level
                    + weights[PUBLISHED + 1] * (any_up + any_down)
                    + weights[PUBLISHED + 2] * (any_up_two + any_down_two)
                    + weights[PUBLISHED + 3] * (1 if flat else 0)
                    + weights[PUBLISHED + 4] * (s_lies + z_lies)
                    + weights[PUBLISHED + 5] * hanging
                    + weights[PUBLISHED + 6] * singles
                    + weights[PUBLISHED + 7] * doubles
                    + weights[PUBLISHED + 8] * (width - 1 - count_ones(U(level)) - singles - doubles)
                    + weights[PUBLISHED + 9] * fitting
                    + weights[PUBLISHED + 10] * uneven
                    + weights[PUBLISHED + 11] * high
                    + weights[PUBLISHED + 12] * count_ones(U(thin))
                    + weights[PUBLISHED + 13] * (high - hole_top if hole_top else 0)
                    + weights[PUBLISHED + 14] * cover
                    + weights[PUBLISHED + 15] * nearly_full
                )
                values[action] = value
                if value > best or (value == best and action < best_action):
                    best, best_action = value, action
    return best_action
