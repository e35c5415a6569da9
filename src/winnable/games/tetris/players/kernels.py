"""The rules `simplified` and `travel` on bits, and a controller's choice of placements; equal to the rules,
travel.py and features.py. Which rules hold is told by the table of shapes.

A wall is `now`, uint64 [width + 2]: a word for each column from the left, with a full one on either side; bit
r is row r. Weights are in the order of `features.FEATURES`, and the value of a placement is summed up in this
order too, so that it is the same to the last bit as by the readable features.

A piece comes from above, so in each column that it touches it lands on top: it fills no hole, and what it
leaves empty below itself becomes holes. So the wall as it is is counted once a piece, and what a placement
changes follows from that in a few steps. Only where rows are cleared everything is counted anew, and of wells
that are not simple each cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from winnable.compiled.bit_kernels import bit_length, count_ones, trailing_zeros
from winnable.compiled.jit import kernel
from winnable.games.tetris.players import features
from winnable.games.tetris.players.shape_kernels import (
    BOTTOM,
    CELLS,
    EDGE,
    EDGES,
    FIELD,
    HEIGHT,
    LOW,
    MOST_ACROSS,
    MOST_TURNS,
    NOWHERE,
    STEPS,
    TOP,
    WIDTH,
    landing_row,
    must_travel,
    pivot_row,
    reached,
    step_of,
)
from winnable.games.tetris.rules.level import MAX_WIDTH
from winnable.games.tetris.rules.pieces import turned_bits
from winnable.inert.arrays import F64, I64, U64, U, np

PUBLISHED: Final = len(features.PUBLISHED)
"""Features that are counted here; those of surface_kernels.py come after them."""

STRIDE: Final = MAX_WIDTH + 2
HEIGHTS, HOLED, BURIED_WELLS, WELLS, STEPS_LEFT, STEPS_RIGHT, TOTALS = (STRIDE * i for i in range(7))
"""Where in `sums`, int64, each count of the wall begins. Entry c of the first three is about column c: its
height, whether it has holes, and its wells below its height. WELLS, STEPS_LEFT are about columns < c,
STEPS_RIGHT about columns >= c."""
FIGURES, TRANSITIONS = TOTALS, TOTALS + 1
SURFACE, SUMS = TOTALS + 2, TOTALS + 2 + STRIDE
PEAK, BURIED, BORDER, FULL_LEFT, FULL_RIGHT, HOLES = (STRIDE * i for i in range(6))
"""Likewise in `rows`, uint64. Of column c: the cell on top of it, its cells between two filled ones below its
height, where it differs from column c - 1; filled rows of columns < c, or >= c; rows with holes, of all."""
LACKS, ROWS = HOLES + 1, HOLES + 1 + 4 * STRIDE
"""SURFACE and LACKS belong to surface_kernels.py."""

MASK: Final = 2**FIELD - 1
"""A column's figures are three counts in one number: transitions, holes and hole depth."""
TRIANGLES: Final = 32
BOTH: Final = 1 | 1 << TRIANGLES
"""Of wells, too, there are two in one number: `wells`, and from bit 32 on `well_triangles`."""


def new_wall(width: int) -> U64:
    """An empty wall between two full columns."""
    wall = np.zeros(width + 2, np.uint64)
    wall[0] = wall[-1] = ~U(0)
    return wall


def pack_wall(rows: Sequence[int], width: int) -> U64:
    """The wall as words. rows: from the lowest, as bits, like `rules.State.wall`."""
    wall = new_wall(width)
    wall[1:-1] = turned_bits(rows, width)
    return wall


class Workspace(NamedTuple):
    """For the choice of one placement.

    sums, rows: what `count_wall` counts
    spare:      a wall
    values:     float64 [4 * width], of each action, -inf where it ends the game or is none
    """

    sums: I64
    rows: U64
    spare: U64
    values: F64


def new_workspace(width: int) -> Workspace:
    """The workspace for boards of this width."""
    return Workspace(
        np.zeros(SUMS, np.int64),
        np.zeros(ROWS, np.uint64),
        new_wall(width),
        np.zeros(MOST_TURNS * width),
    )


@kernel
def figures_of(column: U) -> int:
    """The transitions, holes and hole depth, packed."""
    filled = count_ones(column)
    transitions = count_ones(column ^ (column << U(1) | U(1)))
    return transitions | bit_length(column) - filled << FIELD | filled - trailing_zeros(~column) << 2 * FIELD


@kernel
def holes_of(column: U) -> U:
    """The holes of a column, as bits."""
    return ((U(1) << U(bit_length(column))) - U(1)) & ~column


@kernel
def wells_in(there: U, column: U) -> int:
    """Both figures of a column whose empty cells between two filled ones are `there`."""
    empty = ~column
    wells, step, stretches = 0, there, there
    while step:
        wells += count_ones(step)
        step = step >> U(1) & empty
        stretches |= step
    triangles = 0
    while stretches:
        triangles += count_ones(stretches)
        stretches = stretches >> U(1) & stretches
    return wells | triangles << TRIANGLES


@kernel
def triangle(depth: int) -> int:
    """1 + 2 + ... + depth."""
    return depth * (depth + 1) >> 1


@kernel
def wells_of(left: U, column: U, right: U) -> int:
    """Both figures; see `wells_beside`."""
    there = left & right & ~column
    if there & (there + (U(1) << U(bit_length(column)))):
        return wells_in(there, column)
    return triangle(count_ones(there)) * BOTH


@kernel
def wells_beside(now: U64, c: int, sums: I64, rows: U64) -> int:
    """Both figures of column c, as it was counted; its neighbours may have grown.

    Mostly its cells between two filled ones are those below its height, `buried` as before, and one stretch
    from its height upwards: adding the cell on top carries through such a stretch, and only `buried` is left.
    """
    there, buried = now[c] & now[c + 2] & ~now[c + 1], rows[BURIED + c]
    if there & (there + rows[PEAK + c]) != buried:
        return wells_in(there, now[c + 1])
    return sums[BURIED_WELLS + c] + triangle(count_ones(there ^ buried)) * BOTH


@kernel
def wells_around(now: U64, c: int, top: int, sums: I64, rows: U64) -> int:
    """Both figures of column c with a piece on it, up to row `top`: one stretch may end below it, and one
    begin there."""
    there, buried = now[c] & now[c + 2] & ~now[c + 1], rows[BURIED + c]
    if there & (there + rows[PEAK + c] + (U(1) << U(top))) != buried:
        return wells_in(there, now[c + 1])
    fresh = there ^ buried
    above = count_ones(fresh >> U(top))
    return sums[BURIED_WELLS + c] + (triangle(above) + triangle(count_ones(fresh) - above)) * BOTH


@kernel
def count_wall(now: U64, height: int, weights: F64, work: Workspace) -> None:
    """Fills its `sums` and `rows`; of those counts that have no weight, anything."""
    sums, rows, width = work.sums, work.rows, now.size - 2
    board = (U(1) << U(height)) - U(1)
    rows[FULL_LEFT], rows[FULL_RIGHT + width] = ~U(0), ~U(0)
    sums[STEPS_RIGHT + width] = sums[STEPS_RIGHT + width - 1] = 0
    transitions, figures, holes = 0, 0, U(0)
    for c in range(width):
        here, tall = now[c + 1], bit_length(now[c + 1])
        power = U(1) << U(tall)
        empty = (power - U(1)) & ~here
        holes |= empty
        figures += figures_of(here)
        sums[HEIGHTS + c], rows[PEAK + c] = tall, power
        sums[HOLED + c] = 1 if empty else 0
        rows[BORDER + c] = here ^ now[c]
        transitions += count_ones(rows[BORDER + c] & board)
        rows[FULL_LEFT + c + 1] = rows[FULL_LEFT + c] & here
        buried = now[c] & now[c + 2] & empty
        rows[BURIED + c] = buried
        sums[BURIED_WELLS + c] = wells_in(buried, here) if buried else 0
        sums[WELLS + c + 1] = sums[WELLS + c] + wells_beside(now, c, sums, rows)
        if weights[features.DIVERSITY] and c > 0:
            sums[STEPS_LEFT + c + 1] = sums[STEPS_LEFT + c] | step_of(sums[HEIGHTS + c - 1], tall)
    rows[BORDER + width] = ~now[width]
    sums[TRANSITIONS] = transitions + count_ones(~now[width] & board)
    sums[FIGURES], rows[HOLES] = figures, holes
    for c in range(width - 1, -1, -1):
        rows[FULL_RIGHT + c] = rows[FULL_RIGHT + c + 1] & now[c + 1]
        if weights[features.DIVERSITY] and c < width - 1:
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
    diversity: int,
    lines: int,
) -> float:
    """The weighted sum of the published features, in their order."""
    return (
        weights[features.LANDING_HEIGHT] * landing
        + weights[features.ERODED_CELLS] * eroded
        + weights[features.ROW_TRANSITIONS] * transitions
        + weights[features.COLUMN_TRANSITIONS] * (figures & MASK)
        + weights[features.HOLES] * (figures >> FIELD & MASK)
        + weights[features.WELLS] * (wells & (1 << TRIANGLES) - 1)
        + weights[features.HOLE_DEPTH] * (figures >> 2 * FIELD)
        + weights[features.ROWS_WITH_HOLES] * rows_with_holes
        + weights[features.WELL_TRIANGLES] * (wells >> TRIANGLES)
        + weights[features.DIVERSITY] * diversity
        + weights[features.LINES] * lines
    )


@kernel
def without(column: U, full: U) -> U:
    """A column with the full rows taken out."""
    while full:
        below = (U(1) << U(bit_length(full) - 1)) - U(1)
        column = (column & below) | (column >> U(1) & ~below)
        full &= below
    return column


@kernel
def clear(now: U64, full: U) -> None:
    """Takes the full rows out."""
    if full:
        for c in range(1, now.size - 1):
            now[c] = without(now[c], full)


@kernel
def value_cleared(
    now: U64, full: U, spare: U64, height: int, weights: F64, landing: float, eroded: int
) -> float:
    """The value of the wall `now` with rows that are to be cleared. spare: for a wall."""
    width = now.size - 2
    for c in range(1, width + 1):
        spare[c] = without(now[c], full)
    board = (U(1) << U(height)) - U(1)
    transitions, figures, wells, steps, holes = 0, 0, 0, 0, U(0)
    for c in range(1, width + 1):
        here = spare[c]
        transitions += count_ones((here ^ spare[c - 1]) & board)
        figures += figures_of(here)
        holes |= holes_of(here)
        wells += wells_of(spare[c - 1], here, spare[c + 1])
        if c > 1:
            steps |= step_of(bit_length(spare[c - 1]), bit_length(here))
    transitions += count_ones(~spare[width] & board)
    lines = count_ones(full)
    return value_of(
        weights, landing, lines * eroded, transitions, figures, wells, count_ones(holes),
        count_ones(U(steps)), lines,
    )  # fmt: skip


@kernel
def cells_in(full: U, shape: int, row: int, shapes: I64) -> int:
    """The number of the piece's cells in these rows."""
    cells = 0
    for i in range(shapes[shape, WIDTH]):
        cells += count_ones(U(shapes[shape, CELLS + i]) << U(row) & full)
    return cells


@kernel
def diversity_with(shape: int, left: int, right: int, row: int, width: int, shapes: I64, sums: I64) -> int:
    """The diversity of the wall with the piece on it."""
    steps = sums[STEPS_LEFT + left] | sums[STEPS_RIGHT + right] | shapes[shape, STEPS]
    one = step_of(sums[HEIGHTS + max(left - 1, 0)], row + shapes[shape, TOP])
    other = step_of(row + shapes[shape, TOP + right - left - 1], sums[HEIGHTS + right])
    return count_ones(U(steps | (one if left > 0 else 0) | (other if right < width else 0)))


@kernel
def value_placements(now: U64, height: int, piece: int, shapes: I64, weights: F64, work: Workspace) -> int:
    """The action whose placement is worth the most, the first of equals; NOWHERE when each ends the game, or
    the piece cannot appear. The wall is one that `count_wall` counted. Fills `work.values`.

    The loops over a shape's columns run to a fixed number, so that they are unrolled. And they stand here, as
    numba counts references in each call of what looks at arrays after it branched."""
    (sums, rows, spare, values), width, varied = work, now.size - 2, weights[features.DIVERSITY] != 0
    for action in range(MOST_TURNS * width):
        values[action] = -np.inf
    travels, pivot, columns = must_travel(now, height, piece, shapes), height, -1
    if travels:
        pivot = pivot_row(now, height, piece, shapes)
        if pivot == NOWHERE:
            return NOWHERE
    best, best_action = -np.inf, NOWHERE
    for turns in range(MOST_TURNS):
        shape = MOST_TURNS * piece + turns
        across, tall = int(shapes[shape, WIDTH]), int(shapes[shape, HEIGHT])
        if across == 0:
            break
        if travels:
            columns = reached(now, height, piece, turns, pivot, shapes)
            if columns == 0:
                break
        for left in range(width - across + 1):
            if not columns >> left & 1:
                continue
            right, row = left + across, 0
            if travels:
                row = landing_row(now, shape, left, pivot + shapes[shape, LOW], shapes)
            else:
                for i in range(MOST_ACROSS):
                    if i == across:
                        break
                    row = max(row, sums[HEIGHTS + left + i] - shapes[shape, BOTTOM + i])
            if row + tall > height:
                continue
            full = rows[FULL_LEFT + left] & rows[FULL_RIGHT + right]
            for i in range(MOST_ACROSS):
                if i == across:
                    break
                now[left + i + 1] |= U(shapes[shape, CELLS + i]) << U(row)
                full &= now[left + i + 1]
            landing = row + (tall - 1) / 2
            if full or travels:  # who travels may come to rest below an overhang
                eroded = cells_in(full, shape, row, shapes) if full else 0
                value = value_cleared(now, full, spare, height, weights, landing, eroded)
            else:
                first, last = max(left - 1, 0), min(right + 1, width)
                wells = sums[WELLS + first] + sums[WELLS + width] - sums[WELLS + last]
                if left > 0:
                    wells += wells_beside(now, first, sums, rows)
                if right < width:
                    wells += wells_beside(now, right, sums, rows)
                figures, holes, met = sums[FIGURES], rows[HOLES], 0
                for i in range(MOST_ACROSS):
                    if i == across:
                        break
                    c = left + i
                    bottom, top = row + shapes[shape, BOTTOM + i], row + shapes[shape, TOP + i]
                    gap = bottom - sums[HEIGHTS + c]
                    figures += (2 if gap else 0) | gap << FIELD
                    figures += (top - bottom if gap | sums[HOLED + c] else 0) << 2 * FIELD
                    holes |= (U(1) << U(bottom)) - rows[PEAK + c]
                    met += count_ones(rows[BORDER + c] & U(shapes[shape, EDGE + i]) << U(row))
                    wells += wells_around(now, c, top, sums, rows)
                met += count_ones(rows[BORDER + right] & U(shapes[shape, EDGE + across]) << U(row))
                transitions = sums[TRANSITIONS] + shapes[shape, EDGES] - 2 * met
                diversity = diversity_with(shape, left, right, row, width, shapes, sums) if varied else 0
                value = value_of(
                    weights, landing, 0, transitions, figures, wells, count_ones(holes), diversity, 0
                )
            for i in range(MOST_ACROSS):
                if i == across:
                    break
                now[left + i + 1] &= ~(U(shapes[shape, CELLS + i]) << U(row))
            values[turns * width + left] = value
            if value > best:
                best, best_action = value, turns * width + left
    return best_action


@kernel
def place(now: U64, height: int, piece: int, action: int, shapes: I64) -> int:
    """Sets the piece down and clears rows: how many, or NOWHERE when this ends the game. The piece must get
    there."""
    width = now.size - 2
    shape, left = MOST_TURNS * piece + action // width, action % width
    across, low = shapes[shape, WIDTH], height
    if must_travel(now, height, piece, shapes):
        low = pivot_row(now, height, piece, shapes) + shapes[shape, LOW]
    row = landing_row(now, shape, left, low, shapes)
    for i in range(across):
        now[left + i + 1] |= U(shapes[shape, CELLS + i]) << U(row)
    if row + shapes[shape, HEIGHT] > height:
        return NOWHERE
    full = ~U(0)
    for c in range(1, width + 1):
        full &= now[c]
    clear(now, full)
    return count_ones(full)
