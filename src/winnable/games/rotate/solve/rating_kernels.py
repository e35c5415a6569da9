"""Every turn of a board rated at once: what it does to like neighbours, squares and spread, without turning.

A turn changes nothing within its block and nothing outside, only which cells meet across the border. Those
are compared 64 at a time, on boards of bits: a colour's number in binary, one *plane* for each digit.

*links*: pairs of like neighbours. *Euler number*: cells - links + one-coloured 2 × 2 squares. By Euler's
formula that is clusters less holes (places that a cluster surrounds), so it tells the change of clusters
nearly, and no board with more colours than its Euler number is finished. *spread*: for each colour, the
squared sum of its cells' offsets from the middle of the board, by the colour's weight. The sum of squared
distances to the colour's own centroid, weighted alike, falls by as much as this rises.
"""

from __future__ import annotations

from typing import TypeAlias

from winnable.compiled.bit_kernels import count_ones
from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.rotate.solve.kernels import Cells
from winnable.inert.arrays import I64, U64, U, np

Words: TypeAlias = U64

LINE = 66
"""Words of a plane: one for each row or column, from 1, and an empty one on either side."""
ROWS, COLUMNS, ROWS_BACK, COLUMNS_BACK = range(4)
"""The readings of a board. Words of ROWS hold a row from left to right, lowest bit first; those of COLUMNS a
column from top to bottom; the others the same from the other end."""
LEFTS = 64
"""Lefts that a row of blocks can have, at most."""
PADDED = 8
"""Colours are padded to a multiple of this, so that they are handled several at a time."""


def new_words(planes: int) -> tuple[Words, Words]:
    """Arrays for `read_bits`: planes [4 planes, LINE] and likes [4, LINE]."""
    return np.zeros((4 * planes, LINE), np.uint64), np.zeros((4, LINE), np.uint64)


def new_sums(rows: int, columns: int, colours: int) -> I64:
    """An array for `read_sums`: int64 [3, rows + 1, columns + 1, colours padded]."""
    return np.zeros((3, rows + 1, columns + 1, padded(colours)), np.int64)


def padded(colours: int) -> int:
    """The number of colours with the padding."""
    return -(-colours // PADDED) * PADDED


@borrowing_kernel
def reversed_bits(word: np.uint64) -> np.uint64:
    """The word in reverse: the highest bit becomes the lowest."""
    word = (word >> U(1)) & U(0x5555555555555555) | (word & U(0x5555555555555555)) << U(1)
    word = (word >> U(2)) & U(0x3333333333333333) | (word & U(0x3333333333333333)) << U(2)
    word = (word >> U(4)) & U(0x0F0F0F0F0F0F0F0F) | (word & U(0x0F0F0F0F0F0F0F0F)) << U(4)
    word = (word >> U(8)) & U(0x00FF00FF00FF00FF) | (word & U(0x00FF00FF00FF00FF)) << U(8)
    word = (word >> U(16)) & U(0x0000FFFF0000FFFF) | (word & U(0x0000FFFF0000FFFF)) << U(16)
    return word >> U(32) | word << U(32)


@borrowing_kernel
def ones(count: int) -> np.uint64:
    """A word with so many low bits set, at most 64."""
    return ~U(0) if count >= 64 else (U(1) << U(count)) - U(1)


@borrowing_kernel
def read_bits(cells: Cells, rows: int, columns: int, planes: Words, likes: Words) -> tuple[int, int]:
    """Fills `planes` with the board's four readings, and `likes`: bit i of a word tells whether cells i and
    i + 1 of that line are alike. Returns the links and the Euler number."""
    count = planes.shape[0] // 4
    for plane in range(count):
        for line in range(LINE):
            planes[ROWS * count + plane, line] = U(0)
            planes[COLUMNS * count + plane, line] = U(0)
        place = 0
        for row in range(rows):
            word = U(0)
            for column in range(columns):
                bit = U((cells[place] >> plane) & 1)
                word |= bit << U(column)
                planes[COLUMNS * count + plane, column + 1] |= bit << U(row)
                place += 1
            planes[ROWS * count + plane, row + 1] = word
    links, squares = 0, 0
    for reading in range(2):
        lines, length = (rows, columns) if reading == ROWS else (columns, rows)
        for line in range(1, lines + 1):
            differ = U(0)
            for plane in range(count):
                word = planes[reading * count + plane, line]
                differ |= word ^ word >> U(1)
                planes[(reading + 2) * count + plane, line] = reversed_bits(word) >> U(64 - length)
            like = ~differ & ones(length - 1)
            likes[reading, line] = like
            likes[reading + 2, line] = reversed_bits(like) >> U(65 - length)
            links += count_ones(like)
    for row in range(1, rows):
        differ = U(0)
        for plane in range(count):
            differ |= planes[ROWS * count + plane, row] ^ planes[ROWS * count + plane, row + 1]
        squares += count_ones(likes[ROWS, row] & likes[ROWS, row + 1] & ~differ)
    return links, len(cells) - links + squares


@borrowing_kernel
def read_sums(cells: Cells, rows: int, columns: int, sums: I64) -> None:
    """Fills `sums` for each corner (row, column) of cells and each colour: how many cells lie above and left
    of it, and the sums of their columns and rows."""
    colours = sums.shape[3]
    for row in range(rows):
        for column in range(columns):
            for kind in range(3):
                for colour in range(colours):
                    sums[kind, row + 1, column + 1, colour] = (
                        sums[kind, row, column + 1, colour]
                        + sums[kind, row + 1, column, colour]
                        - sums[kind, row, column, colour]
                    )
            colour = int(cells[row * columns + column])
            sums[0, row + 1, column + 1, colour] += 1
            sums[1, row + 1, column + 1, colour] += column
            sums[2, row + 1, column + 1, colour] += row


@borrowing_kernel
def rate_borders(
    rows: int, columns: int, planes: Words, likes: Words, sides: I64, borders: Words, links: I64, euler: I64
) -> None:
    """Writes what each turn adds to the links and to the Euler number of the board that was read.


    sides: int64 [...], those of the blocks. borders: uint64 [16 LEFTS]. links, euler: int64 [3 blocks],
    number `3 * block + quarters - 1` with blocks in the order of `Rotate.blocks`.
    """
    count, block = planes.shape[0] // 4, 0
    for side in sides:
        inner, pairs = ones(side), ones(side - 1)
        below, beyond = U(columns - side), U(rows - side)
        last = U(side - 1)
        for top in range(rows - side + 1):
            lefts = columns - side + 1
            meet_borders(planes, count, top, side, rows, columns, borders)
            outer_top, outer_bottom = likes[ROWS, top], likes[ROWS, top + side + 1]
            open_top = inner if top > 0 else U(0)
            open_bottom = inner if top + side < rows else U(0)
            for left in range(lefts):
                open_left = inner if left > 0 else U(0)
                open_right = inner if left + side < columns else U(0)
                # like pairs along the four sides of the block, clockwise
                like_0 = likes[ROWS, top + 1] >> U(left) & pairs
                like_1 = likes[COLUMNS, left + side] >> U(top) & pairs
                like_2 = likes[ROWS_BACK, top + side] >> (below - U(left)) & pairs
                like_3 = likes[COLUMNS_BACK, left + 1] >> (beyond - U(top)) & pairs
                # outside, from the cell beside a corner to the one beyond it
                corner_0 = outer_top >> (U(left) + last)
                corner_1 = outer_bottom >> (U(left) + last)
                corner_2 = outer_bottom << U(1) >> U(left)
                corner_3 = outer_top << U(1) >> U(left)
                before_links, before_squares = 0, 0
                for quarters in range(4):
                    # side i of the block comes to lie at side (i + quarters) % 4
                    like = like_0, like_1, like_2, like_3
                    meet_0 = ~borders[((4 - quarters) % 4 * 4 + 0) * LEFTS + left] & open_top
                    meet_1 = ~borders[((5 - quarters) % 4 * 4 + 1) * LEFTS + left] & open_right
                    meet_2 = ~borders[((6 - quarters) % 4 * 4 + 2) * LEFTS + left] & open_bottom
                    meet_3 = ~borders[((7 - quarters) % 4 * 4 + 3) * LEFTS + left] & open_left
                    met = count_ones(meet_0) + count_ones(meet_1) + count_ones(meet_2) + count_ones(meet_3)
                    squares = (
                        count_ones(meet_0 & meet_0 >> U(1) & like[(4 - quarters) % 4])
                        + count_ones(meet_1 & meet_1 >> U(1) & like[(5 - quarters) % 4])
                        + count_ones(meet_2 & meet_2 >> U(1) & like[(6 - quarters) % 4])
                        + count_ones(meet_3 & meet_3 >> U(1) & like[(7 - quarters) % 4])
                    )
                    corners = (meet_0 >> last & meet_1 & corner_0 & U(1)) + (
                        meet_1 >> last & meet_2 & corner_1 & U(1)
                    )
                    corners += (meet_2 >> last & meet_3 & corner_2 & U(1)) + (
                        meet_3 >> last & meet_0 & corner_3 & U(1)
                    )
                    squares += np.int64(corners)
                    if quarters == 0:
                        before_links, before_squares = met, squares
                    else:
                        number = 3 * (block + left) + quarters - 1
                        links[number] = met - before_links
                        euler[number] = squares - before_squares - links[number]
            block += lefts


@borrowing_kernel
def meet_borders(
    planes: Words, count: int, top: int, side: int, rows: int, columns: int, borders: Words
) -> None:
    """Fills borders[(4 i + j) LEFTS + left]: where side i of the block, clockwise, differs from what lies
    outside its side j."""
    below, beyond = U(columns - side), U(rows - side - top)
    for place in range(16 * LEFTS):
        borders[place] = U(0)
    for plane in range(count):
        rows_at, columns_at = ROWS * count + plane, COLUMNS * count + plane
        back_at, up_at = ROWS_BACK * count + plane, COLUMNS_BACK * count + plane
        in_top, out_top = planes[rows_at, top + 1], planes[rows_at, top]
        in_bottom, out_bottom = planes[back_at, top + side], planes[back_at, top + side + 1]
        for left in range(columns - side + 1):
            in_0, out_0 = in_top >> U(left), out_top >> U(left)
            in_1, out_1 = (
                planes[columns_at, left + side] >> U(top),
                planes[columns_at, left + side + 1] >> U(top),
            )
            in_2, out_2 = in_bottom >> (below - U(left)), out_bottom >> (below - U(left))
            in_3, out_3 = planes[up_at, left + 1] >> beyond, planes[up_at, left] >> beyond
            borders[0 * LEFTS + left] |= in_0 ^ out_0
            borders[1 * LEFTS + left] |= in_0 ^ out_1
            borders[2 * LEFTS + left] |= in_0 ^ out_2
            borders[3 * LEFTS + left] |= in_0 ^ out_3
            borders[4 * LEFTS + left] |= in_1 ^ out_0
            borders[5 * LEFTS + left] |= in_1 ^ out_1
            borders[6 * LEFTS + left] |= in_1 ^ out_2
            borders[7 * LEFTS + left] |= in_1 ^ out_3
            borders[8 * LEFTS + left] |= in_2 ^ out_0
            borders[9 * LEFTS + left] |= in_2 ^ out_1
            borders[10 * LEFTS + left] |= in_2 ^ out_2
            borders[11 * LEFTS + left] |= in_2 ^ out_3
            borders[12 * LEFTS + left] |= in_3 ^ out_0
            borders[13 * LEFTS + left] |= in_3 ^ out_1
            borders[14 * LEFTS + left] |= in_3 ^ out_2
            borders[15 * LEFTS + left] |= in_3 ^ out_3


@inlined_kernel
def sum_in(sums: I64, kind: int, top: int, left: int, side: int, colour: int) -> int:
    """What `sums` says of the colour's cells in a block."""
    bottom, right = top + side, left + side
    return (
        sums[kind, bottom, right, colour]
        - sums[kind, top, right, colour]
        - sums[kind, bottom, left, colour]
        + sums[kind, top, left, colour]
    )


@borrowing_kernel
def rate_spread(
    rows: int, columns: int, sums: I64, weights: I64, sides: I64, pulls: I64, spread: I64
) -> None:
    """Writes what each turn adds to the spread, in the order of `rate_borders`. Offsets count half cells.


    weights: int64 [colours padded]. pulls: int64 [2, colours padded], borders.
    """
    colours = sums.shape[3]
    for colour in range(colours):
        number = sums[0, rows, columns, colour]
        for axis, length in ((0, columns), (1, rows)):
            offset = 2 * sums[1 + axis, rows, columns, colour] - (length - 1) * number
            pulls[axis, colour] = weights[colour] * offset
    block = 0
    for side in sides:
        for top in range(rows - side + 1):
            for left in range(columns - side + 1):
                along, across, within = 0, 0, 0
                for colour in range(colours):
                    number = sum_in(sums, 0, top, left, side, colour)
                    x = 2 * sum_in(sums, 1, top, left, side, colour) - number * (2 * left + side - 1)
                    y = 2 * sum_in(sums, 2, top, left, side, colour) - number * (2 * top + side - 1)
                    along += pulls[0, colour] * x + pulls[1, colour] * y
                    across += pulls[1, colour] * x - pulls[0, colour] * y
                    within += weights[colour] * (x * x + y * y)
                # a quarter takes (x, y) to (-y, x)
                spread[3 * block] = 2 * (across - along + within)
                spread[3 * block + 1] = 4 * (within - along)
                spread[3 * block + 2] = 2 * (within - along - across)
                block += 1
