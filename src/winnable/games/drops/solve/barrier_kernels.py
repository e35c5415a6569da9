"""The barrier: a lower bound for large boards, whose first bursts take more clicks than their last.

Let B be the first m cells to burst, whatever the order. What they lacked came from clicks, or as droplets
from cells of B: no others had burst. No droplet gets past a cell with drops, so such a droplet stays within a
*run*, cells of B next to each other in a row or column. A run of k cells absorbs at the most 2 k - 3 of its
own droplets (none for k = 1): the last to burst loses two, and an end of the run that bursts before loses
one, as in bounds.py. As each cell sends four,

    clicks so far >= cost(B) = sum of (1 - drops) over B + 3 for each run, 2 for a run of one cell.

So the fewest clicks are at least the minimum of cost(B) over all sets of m cells, for every m. All cells
together often cost nothing, where there is plenty of water; but sets of some dozen cells have long borders.

That minimum is bounded on boards without empty cells. There B falls apart into pieces, linked step by step;
costs add up. A piece touches each row and column of its bounding box. For each row of the box alone, the best
cells are chosen. A column costs 3, or 2 if it has a single cell: s such columns of b, in a box of a rows,
leave room for m <= s + (b - s) a cells. And the first of a piece to burst gets no droplet of B, so the piece
takes as many clicks as the fullest cell lacks. All this holds under every rule set: how droplets are timed,
ordered or lost plays no part in it."""

from __future__ import annotations

from winnable.compiled.jit import borrowing_kernel, kernel
from winnable.games.drops.solve.kernels import Cells, to_int
from winnable.inert.arrays import I64, np

SHORT, LONG = 2, 3
"""What a run of one cell costs, and any longer one."""
NEVER = 1 << 20
MOST = 64
"""Larger sets are not looked at: on boards of 20 × 20 cells with 1.3 units of water each, the barrier lies at
about 35 cells."""


@kernel
def span_costs(cells: Cells, rows: int, columns: int, costs: I64) -> None:
    """costs: [rows, columns, columns, columns + 1], of the best `count` cells of a row from one column to
    another, with their runs in the row."""
    size = columns + 2
    out, short, long = np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    for row in range(rows):
        for left in range(columns):
            for count in range(columns + 2):
                out[count], short[count], long[count] = NEVER, NEVER, NEVER
            out[0] = 0
            for right in range(left, columns):
                alone = 1 - to_int(cells[row * columns + right])
                for count in range(right - left + 1, -1, -1):
                    out[count] = min(out[count], short[count], long[count])
                    if count == 0:
                        short[0], long[0] = NEVER, NEVER
                    else:
                        long[count] = alone + min(short[count - 1] + LONG - SHORT, long[count - 1])
                        short[count] = alone + SHORT + out[count - 1]
                for count in range(columns + 1):
                    costs[row, left, right, count] = min(out[count], short[count], long[count])


@kernel
def piece_costs(rows: int, columns: int, costs: I64, left: int, piece: I64) -> None:
    """Lowers piece[m], int64 [most + 1], to a lower bound of what a linked piece of m cells costs whose first
    column is `left`."""
    most = piece.size - 1
    sets, longer = np.empty(most + 1, np.int64), np.empty(most + 1, np.int64)
    for right in range(left, columns):
        width = right - left + 1
        for top in range(rows):
            for m in range(most + 1):
                sets[m] = NEVER
            sets[0] = 0
            for bottom in range(top, min(rows, top + most)):
                height = bottom - top + 1
                for m in range(most + 1):
                    longer[m] = NEVER
                for m in range(min(most, (height - 1) * width) + 1):
                    for count in range(1, min(width, most - m) + 1):
                        cost = sets[m] + costs[bottom, left, right, count]
                        longer[m + count] = min(longer[m + count], cost)
                sets, longer = longer, sets
                for m in range(max(width, height), min(most, width * height) + 1):
                    singles = width
                    if height > 1:
                        singles = min(width, (width * height - m) // (height - 1))
                    piece[m] = min(piece[m], sets[m] + LONG * width - (LONG - SHORT) * singles)


@borrowing_kernel
def highest_cost(piece: I64, lacks: int) -> int:
    """The most that sets of any one number of cells cost at the least. lacks: what the fullest cell does."""
    highest = 0
    for m in range(1, piece.size):
        piece[m] = max(piece[m], lacks)
        for part in range(1, m):  # from here on of any set of m cells
            piece[m] = min(piece[m], piece[part] + piece[m - part])
        highest = max(highest, piece[m])
    return highest
