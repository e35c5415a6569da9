"""Prices: a lower bound of the clicks to come that knows what each cell can absorb at the most.

The order in which the cells of a line burst makes a tree: the last one on top, below it the last one on
either side, and so on. When a cell absorbs a droplet, all cells between it and the sender have burst, the
sender too; so it stands above the sender in the tree. Hence each cell sends at the most one droplet to one of
those above it on its left, and one to one of those above it on its right, whatever the timing. With x the
droplets that a cell absorbs along both of its lines and `lacking` the drops that it lacks, x <= lacking; so
for any weights w of 0 to 1

    clicks = sum of (lacking - x) >= sum of w lacking - sum over the lines of the most that sum of w x can be.

With all weights 1 this is cells - drops + droplets lost at least. The best weights are the multipliers of a
Lagrangian relaxation, raised by subgradients; any others are valid too, for the board and for all that it can
become. Droplets in flight may each save one click more. Weights and prices are in units of 1 / SCALE clicks.

weights: int64 [n + 1]; worth: int64 [lines << BITS], rows first: the most that sum of w x can be on a line,
by the mask of its cells that hold drops."""

from __future__ import annotations

from winnable.compiled.jit import borrowing_kernel, inlined_kernel, kernel
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.solve.kernels import (
    COLUMN_MASKS,
    MOST_BITS,
    SCALE,
    Cells,
    Geometry,
    Prices,
    copy,
    to_int,
)
from winnable.inert.arrays import F64, I64, np

LONGEST = MOST_BITS + 2
TREES = (LONGEST, LONGEST, LONGEST, LONGEST)
FIRST_STEP, DECAY = 0.3, 0.3
"""Of the subgradients, in weight for each droplet too many or too few. After 100 steps the bound is within
some per cent of the linear program's on 6 × 6 boards; the last click often takes several hundred."""


@borrowing_kernel
def most_absorbed(weight: F64, length: int, value: F64, last: I64) -> float:
    """The most that sum of w x can be on one line; weight: [length + 2], 0 at both ends.

    value [left, right, best left, best right]: of what the cells between two places send, when those are
    above them in the tree, and so are the heaviest so far on either side; last: which cell is the last to
    burst then."""
    end = length + 1
    for span in range(1, length + 2):
        for left in range(length + 2 - span):
            right = left + span
            for before in range(left + 1):
                for behind in range(right, end + 1):
                    best = most_between(weight, left, right, before, behind, value, last) if span > 1 else 0.0
                    value[left, right, before, behind] = best
    return value[0, end, 0, end]


@inlined_kernel
def most_between(
    weight: F64, left: int, right: int, before: int, behind: int, value: F64, last: I64
) -> float:
    """The most that the cells between two places send, from what fewer of them do; see `most_absorbed`."""
    best = -1.0
    for middle in range(left + 1, right):
        here = weight[middle]
        above_left = middle if here > weight[before] else before
        above_right = middle if here > weight[behind] else behind
        worth = value[left, middle, before, above_right] + value[middle, right, above_left, behind]
        if worth > best:
            best = worth
            last[left, right, before, behind] = middle
    return best + (weight[before] + weight[behind])


@borrowing_kernel
def line_of(cells: Cells, geometry: Geometry, line: int, of_cell: F64, places: I64, weight: F64) -> int:
    """Writes the cells with drops of a line (rows first) to places[1:], and their weights, out of `of_cell`
    [n], to weight[1:] with a 0 behind them; their number."""
    rows, columns = geometry.rows, geometry.columns
    start, step, size = (line * columns, 1, columns) if line < rows else (line - rows, columns, rows)
    found = 0
    for place in range(size):
        if cells[start + place * step]:
            found += 1
            places[found] = start + place * step
            weight[found] = of_cell[places[found]]
    weight[found + 1] = 0.0
    return found


@borrowing_kernel
def absorbed_by(weight: F64, length: int, last: I64, places: I64, stack: I64, droplets: I64) -> None:
    """Adds to `droplets` [n] what each cell of the line absorbs in the best tree."""
    stack[0], stack[1], stack[2], stack[3] = 0, length + 1, 0, length + 1
    top = 4
    while top:
        top -= 4
        left, right, before, behind = stack[top], stack[top + 1], stack[top + 2], stack[top + 3]
        if right - left > 1:
            if before > 0:
                droplets[places[before]] += 1
            if behind <= length:
                droplets[places[behind]] += 1
            middle = last[left, right, before, behind]
            above_left = middle if weight[middle] > weight[before] else before
            above_right = middle if weight[middle] > weight[behind] else behind
            stack[top], stack[top + 1], stack[top + 2], stack[top + 3] = left, middle, before, above_right
            top += 4
            stack[top], stack[top + 1], stack[top + 2], stack[top + 3] = middle, right, above_left, behind
            top += 4


@kernel
def weigh(
    cells: Cells, geometry: Geometry, weights: I64, trial: F64, start: int, stop: int, enough: int
) -> int:
    """Improves the weights for this board, in the rounds from `start` on and before `stop`, or until the
    lower bound of its clicks is above `enough`; that bound. All weights tried are integers, so the bound
    found on the way holds as it is.

    trial: float64 [n + 1], from the rounds before: the weights that are tried next, and the best bound"""
    n, lines = geometry.cells, geometry.rows + geometry.columns
    value, last = np.zeros(TREES), np.zeros(TREES, np.int64)
    weight, places = np.zeros(LONGEST), np.zeros(LONGEST, np.int64)
    stack, droplets = np.zeros(8 * LONGEST, np.int64), np.empty(n, np.int64)
    if start == 0:
        copy(weights, trial[:n])
        trial[n] = -np.inf
    for number in range(start, stop):
        bound = 0.0
        for cell in range(n):
            droplets[cell] = 0
            if cells[cell]:
                bound += trial[cell] * (FULL + 1 - cells[cell])
        for line in range(lines):
            length = line_of(cells, geometry, line, trial, places, weight)
            bound -= most_absorbed(weight, length, value, last)
            absorbed_by(weight, length, last, places, stack, droplets)
        if bound > trial[n]:
            trial[n] = bound
            copy(trial, weights[:n])
            if bound > enough * SCALE:
                break
        step = SCALE * FIRST_STEP / (1.0 + DECAY * number)
        for cell in range(n):
            if cells[cell]:
                surplus = to_int(FULL + 1 - cells[cell]) - droplets[cell]
                trial[cell] = np.floor(min(float(SCALE), max(0.0, trial[cell] + step * surplus)) + 0.5)
    return -(-to_int(trial[n]) // SCALE)


@kernel
def tabulate(cells: Cells, geometry: Geometry, weights: I64, worth: I64) -> None:
    """Fills `worth` for all that the board can become."""
    rows, columns, bits = geometry.rows, geometry.columns, geometry.bits
    value, last = np.zeros(TREES), np.zeros(TREES, np.int64)
    weight = np.zeros(LONGEST)
    for line in range(rows + columns):
        start, step, size = (line * columns, 1, columns) if line < rows else (line - rows, columns, rows)
        full = 0
        for place in range(size):
            if cells[start + place * step]:
                full |= 1 << place
        mask = full
        while True:
            length = 0
            for place in range(size):
                if mask >> place & 1:
                    length += 1
                    weight[length] = float(weights[start + place * step])
            weight[length + 1] = 0.0
            worth[line << bits | mask] = to_int(most_absorbed(weight, length, value, last))
            if mask == 0:
                break
            mask = mask - 1 & full


@borrowing_kernel
def price(cells: Cells, geometry: Geometry, prices: Prices, by: int, masks: I64) -> int:
    """The price of a board at rest by one row of `prices`; fills the masks of its lines."""
    rows, columns, bits = geometry.rows, geometry.columns, geometry.bits
    weights, worth = prices.weights, prices.worth
    masks[:] = 0
    total = 0
    for row in range(rows):
        for column in range(columns):
            drops = to_int(cells[row * columns + column])
            if drops:
                masks[row] |= 1 << column
                masks[COLUMN_MASKS + column] |= 1 << row
                total += weights[by, row * columns + column] * (FULL + 1 - drops)
    for row in range(rows):
        total -= worth[by, row << bits | masks[row]]
    for column in range(columns):
        total -= worth[by, rows + column << bits | masks[COLUMN_MASKS + column]]
    return total
