"""The features of surface.py on bits: added to the values of placements that kernels.py has found.

Again the wall is counted once a piece, and what a placement changes follows from that; only where rows are
cleared, or a piece may come to rest below an overhang, everything is counted anew.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.bit_kernels import bit_length, count_ones
from winnable.compiled.jit import kernel
from winnable.games.tetris.players import features
from winnable.games.tetris.players.kernels import (
    FULL_LEFT,
    FULL_RIGHT,
    HEIGHTS,
    HOLES,
    LACKS,
    PUBLISHED,
    STRIDE,
    SURFACE,
    Workspace,
    holes_of,
    place,
)
from winnable.games.tetris.players.shape_kernels import (
    BOTTOM,
    BUMPS,
    CELLS,
    FIELD,
    HEIGHT,
    LARGE,
    MOST_ACROSS,
    MOST_TURNS,
    NOWHERE,
    SMALL,
    TOP,
    WIDTH,
    large_step,
    must_travel,
    small_step,
)
from winnable.inert.arrays import F64, I64, U64, U, np

UNEVEN_LEFT: Final = SURFACE
"""Place in `sums`. Entry c: sizes of the steps up to column c."""
ONE_LEFT, TWO_LEFT, ONE_RIGHT, TWO_RIGHT = (LACKS + STRIDE * i for i in range(4))
"""Places in `rows`: rows that lack a cell, and two or more, of columns < c, or >= c."""
MARGIN: Final = 1e-6
"""More than sums of such weights are off by rounding."""
COLUMNS: Final = 2**FIELD - 1
EACH_FIELD: Final = 1 | 1 << FIELD | 1 << 2 * FIELD


class Surface(NamedTuple):
    """Of a wall.

    steps:       `small_step` of each column and its right neighbour, shifted by columns
    steps_two:   likewise `large_step`
    uneven:      sizes of all steps
    high:        rows
    thin:        columns whose highest cell lies on a hole, as bits
    hole_top:    the row above the highest one with holes, or 0
    covered:     columns with a hole there, as bits
    cover:       the most cells on one
    nearly_full: rows that lack one cell, which is no hole
    """

    steps: int
    steps_two: int
    uneven: int
    high: int
    thin: int
    hole_top: int
    covered: int
    cover: int
    nearly_full: int


@kernel
def surface_of(now: U64) -> Surface:
    """The surface of a wall."""
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
    nearly_full = count_ones(one & ~two & ~holes)
    return Surface(steps, steps_two, uneven, high, thin, top, covered, cover, nearly_full)


@kernel
def count_lacks(now: U64, sums: I64, rows: U64) -> None:
    """Counts what of the wall as it is lies left and right of each column."""
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
    """The bound that no placement gains more than by the features, `highest` and `rows_over_holes` aside."""
    most = 0.0
    for feature in range(PUBLISHED, len(weights)):
        greatest = 2
        if feature in (features.SINGLE_STEPS, features.DOUBLE_STEPS, features.CLIFFS, features.THIN_COVERS):
            greatest = width
        elif feature == features.FITTING_PIECES:
            greatest = 7
        elif feature == features.BUMPINESS:
            greatest = width * height
        elif feature in (features.COVER, features.NEARLY_FULL_ROWS):
            greatest = height
        if feature not in (features.HIGHEST, features.ROWS_OVER_HOLES):
            most += max(0.0, weights[feature]) * greatest
    return most


@kernel
def steps_with(
    before: Surface, shape: int, left: int, right: int, row: int, width: int, shapes: I64, sums: I64
) -> tuple[int, int, int]:
    """Steps, steps_two and uneven with the piece on the wall. Looks at arrays first and branches then, so
    that numba counts no references."""
    first, last = max(left - 1, 0), min(right, width - 1)
    kept = ~(((1 << last) - (1 << first)) * EACH_FIELD)
    steps = before.steps & kept | shapes[shape, SMALL] << left
    steps_two = before.steps_two & kept | shapes[shape, LARGE] << left
    uneven = before.uneven - sums[UNEVEN_LEFT + last] + sums[UNEVEN_LEFT + first] + shapes[shape, BUMPS]
    up = row + shapes[shape, TOP] - sums[HEIGHTS + first]
    down = sums[HEIGHTS + right] - row - shapes[shape, TOP + right - left - 1]
    if left > 0:
        steps |= small_step(up) << left - 1
        steps_two |= large_step(up) << left - 1
        uneven += abs(up)
    if right < width:
        steps |= small_step(down) << right - 1
        steps_two |= large_step(down) << right - 1
        uneven += abs(down)
    return int(steps), int(steps_two), int(uneven)


@kernel
def cover_with(
    cover: int, covered: int, hole_top: int, gaps: int, shape: int, left: int, row: int, shapes: I64
) -> int:
    """The most cells on a hole below `hole_top`. covered: columns below the piece with one that was there;
    gaps: columns of the piece with one that it makes."""
    for i in range(shapes[shape, WIDTH]):
        buried = gaps >> i & 1 and row + shapes[shape, BOTTOM + i] == hole_top
        if buried or covered >> left + i & 1:
            cover = max(cover, row + shapes[shape, TOP + i] - hole_top)
    return cover


@kernel
def value_with(value: float, surface: Surface, width: int, weights: F64) -> float:
    """The value of a placement that is worth so much without these features, and leaves the surface."""
    steps, steps_two, high, hole_top = surface.steps, surface.steps_two, surface.high, surface.hole_top
    level, up, down = steps & COLUMNS, steps >> FIELD & COLUMNS, steps >> 2 * FIELD
    up_two, down_two = steps_two & COLUMNS, steps_two >> FIELD
    flat = level & level >> 1
    s_lies, z_lies = 1 if level & up >> 1 else 0, 1 if down & level >> 1 else 0
    any_level, any_up, any_down = 1 if level else 0, 1 if up else 0, 1 if down else 0
    any_up_two, any_down_two = 1 if up_two else 0, 1 if down_two else 0
    any_flat, over_holes = 1 if flat else 0, high - hole_top if hole_top else 0
    hanging = (1 if level & down >> 1 else 0) + (1 if up & level >> 1 else 0)
    fitting = (
        any_level
        + (any_up | any_down | any_flat)
        + (any_down | s_lies)
        + (any_up | z_lies)
        + (any_level | any_up_two)
        + (any_level | any_down_two)
        + (1 if flat & level >> 2 else 0)
    )
    singles, doubles = count_ones(U(up | down)), count_ones(U(up_two | down_two))
    return (
        value
        + weights[features.LEVEL_PAIR] * any_level
        + weights[features.SINGLE_STEP_KINDS] * (any_up + any_down)
        + weights[features.DOUBLE_STEP_KINDS] * (any_up_two + any_down_two)
        + weights[features.LEVEL_TRIPLE] * any_flat
        + weights[features.LYING_S_Z] * (s_lies + z_lies)
        + weights[features.HANGING_J_L] * hanging
        + weights[features.SINGLE_STEPS] * singles
        + weights[features.DOUBLE_STEPS] * doubles
        + weights[features.CLIFFS] * (width - 1 - count_ones(U(level)) - singles - doubles)
        + weights[features.FITTING_PIECES] * fitting
        + weights[features.BUMPINESS] * surface.uneven
        + weights[features.HIGHEST] * high
        + weights[features.THIN_COVERS] * count_ones(U(surface.thin))
        + weights[features.ROWS_OVER_HOLES] * over_holes
        + weights[features.COVER] * surface.cover
        + weights[features.NEARLY_FULL_ROWS] * surface.nearly_full
    )


@kernel
def add_surface(
    now: U64, height: int, piece: int, shapes: I64, weights: F64, work: Workspace, likely: int
) -> int:
    """The action that is worth the most with these features, too; the first of equals. work.values: as
    `kernels.value_placements` left them, with `likely` the best of them; each gets its features added, or nan
    where they cannot make it the best.

    `likely` goes first, for then most of the others, that bury holes, are out of the question."""
    (sums, rows, spare, values), width, before = work, now.size - 2, surface_of(now)
    count_lacks(now, sums, rows)
    travels, others = must_travel(now, height, piece, shapes), most_of(weights, width, height)
    over_holes, holes_from = max(0.0, weights[features.ROWS_OVER_HOLES]), max(1, before.hole_top)
    best, best_action = -np.inf, NOWHERE
    for attempt in range(-1, MOST_TURNS):
        turns = likely // width if attempt < 0 else attempt
        shape = MOST_TURNS * piece + turns
        across = int(shapes[shape, WIDTH])
        if across == 0:
            break
        for left in range(width - across + 1):
            action = turns * width + left
            if (action == likely) != (attempt < 0) or values[action] == -np.inf:
                continue
            right, row = left + across, 0
            full = rows[FULL_LEFT + left] & rows[FULL_RIGHT + right]
            for i in range(MOST_ACROSS):
                if i == across:
                    break
                row = max(row, sums[HEIGHTS + left + i] - shapes[shape, BOTTOM + i])
            high = max(before.high, row + shapes[shape, HEIGHT])
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
                surface = surface_of(spare)
            else:
                most = values[action] + others + weights[features.HIGHEST] * high
                if most + over_holes * (high - holes_from) < best - MARGIN:
                    values[action] = np.nan
                    continue
                steps = steps_with(before, shape, left, right, row, width, shapes, sums)
                touched = (1 << right) - (1 << left)
                thin = before.thin & ~touched
                holes, hole_top, gaps = rows[HOLES], before.hole_top, 0
                for i in range(MOST_ACROSS):
                    if i == across:
                        break
                    bottom, tall = row + shapes[shape, BOTTOM + i], sums[HEIGHTS + left + i]
                    if bottom > tall:
                        holes |= (U(1) << U(bottom)) - (U(1) << U(tall))
                        hole_top = max(hole_top, bottom)
                        gaps |= 1 << i
                        cells = shapes[shape, CELLS + i]
                        thin |= 1 << left + i if cells & cells - 1 == 0 else 0
                cover, covered = before.cover, before.covered & touched
                if hole_top > before.hole_top:
                    cover, covered = 0, 0
                if covered or gaps:
                    cover = cover_with(cover, covered, hole_top, gaps, shape, left, row, shapes)
                nearly_full = count_ones(one & ~two & ~holes)
                surface = Surface(*steps, high, thin, hole_top, 0, cover, nearly_full)
            value = value_with(values[action], surface, width, weights)
            values[action] = value
            if value > best or (value == best and action < best_action):
                best, best_action = value, action
    return best_action
