"""Shortest ways of two cells over a board, compiled."""

from __future__ import annotations

from winnable.compiled.jit import kernel
from winnable.inert.arrays import I64, np


@kernel
def route(
    top: int, left: int, bottom: int, right: int, after: int, stays: bool, columns: int, one: int,
    other: int, to: int,
) -> I64:  # fmt: skip
    """Blocks to turn, clockwise, until what is at `one` and `other` is at `one` and `to`, in either order: as
    few as can be. int64 [blocks, 3]: left, top, side; none of them when there is no way.

    Breadth first over pairs of places, backwards: few blocks hold a place beside what is filled. Blocks lie
    in the rows `top` to before `bottom` and the columns `left` to before `right`; those at the row `top`
    begin right of the column `after`. stays: no block holds `one`.
    """
    first, span = top * columns, (bottom - top) * columns
    boards = span if stays else span * span
    leads_to = np.full(boards, -1, np.int64)
    blocks = np.empty((boards, 3), np.int64)
    waiting = np.empty(boards, np.int64)
    start = other - first if stays else (one - first) * span + other - first
    waiting[0] = to - first if stays else (one - first) * span + to - first
    written = 1
    if not stays:
        waiting[1] = (to - first) * span + one - first
        written = 2
    for index in range(written):
        leads_to[waiting[index]] = waiting[index]
    if stays and hop(top, left, bottom, right, after, columns, other, to, blocks[start]):
        leads_to[start] = waiting[0]
    read, most = 0, min(bottom - top, right - left)
    while leads_to[start] < 0 and read < written:
        here = waiting[read]
        read += 1
        a, b = one if stays else first + here // span, first + here % span
        for moved in range(1 if stays else 2):
            place = b if moved == 0 else a
            row, column = place // columns, place % columns
            for side in range(2, most + 1):
                for block_top in range(max(top, row - side + 1), min(row, bottom - side) + 1):
                    least = max(left, column - side + 1, after + 1 if block_top == top else 0)
                    for block_left in range(least, min(column, right - side) + 1):
                        before = _place_before(b, columns, block_left, block_top, side - 1)
                        there = before - first
                        if not stays:
                            mate_before = _place_before(a, columns, block_left, block_top, side - 1)
                            there += (mate_before - first) * span
                        if leads_to[there] >= 0:
                            continue
                        leads_to[there] = here
                        blocks[there, 0], blocks[there, 1], blocks[there, 2] = block_left, block_top, side
                        waiting[written] = there
                        written += 1
                        if (
                            stays
                            and there != start
                            and hop(top, left, bottom, right, after, columns, other, before, blocks[start])
                        ):
                            leads_to[start] = there
                        if leads_to[start] >= 0:
                            return _blocks_from(start, leads_to, blocks)
    return _blocks_from(start, leads_to, blocks)


@kernel
def hop(
    top: int, left: int, bottom: int, right: int, after: int, columns: int, start: int, to: int, block: I64
) -> bool:
    """Whether one turn brings a cell from one place to another, and with which block; see `route`."""
    row, column = start // columns, start % columns
    down, across = to // columns - row, to % columns - column
    for side in range(1 + max(abs(down), abs(across), 1), min(bottom - top, right - left) + 1):
        twice = side - 1 - across - down
        if twice % 2 == 0:
            block_top, block_left = row - twice // 2, column - twice // 2 - down
            inside = top <= block_top <= row < block_top + side <= bottom
            inside &= left <= block_left <= column < block_left + side <= right
            if inside and (block_top > top or block_left > after):
                block[0], block[1], block[2] = block_left, block_top, side
                return True
    return False


@kernel
def _place_before(place: int, columns: int, left: int, top: int, last: int) -> int:
    row, column = place // columns - top, place % columns - left
    if 0 <= row <= last and 0 <= column <= last:
        return (top + last - column) * columns + left + row
    return place


@kernel
def _blocks_from(start: int, leads_to: I64, blocks: I64) -> I64:
    count, here = 0, start
    while leads_to[here] >= 0 and leads_to[here] != here:
        count += 1
        here = leads_to[here]
    line = np.empty((count, 3), np.int64)
    here = start
    for index in range(count):
        for column in range(3):  # not as a row, which takes numba two seconds to compile
            line[index, column] = blocks[here, column]
        here = leads_to[here]
    return line
