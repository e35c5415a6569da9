"""Shortest ways of two cells over a board, compiled."""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import kernel
from winnable.games.rotate.solve.kernels import source
from winnable.inert.arrays import I64, np


class Area(NamedTuple):
    """Where blocks may turn: in the rows `top` to before `bottom` and the columns `left` to before `right` of
    a board; those at the row `top` begin right of the column `after`."""

    top: int
    left: int
    bottom: int
    right: int
    after: int
    columns: int


@kernel
def route(area: Area, stays: bool, one: int, other: int, to: int) -> I64:
    """The blocks to turn, clockwise, until what is at `one` and `other` is at `one` and `to`, in either
    order: as few as can be. int64 [blocks, 3]: left, top, side; none of them when there is no way.


    Breadth first over pairs of places, backwards: few blocks hold a place beside what is filled. stays: no
    block holds `one`.
    """
    top, columns = area.top, area.columns
    first, span = top * columns, (area.bottom - top) * columns
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
    if stays and hop(area, other, to, blocks[start]):
        leads_to[start] = waiting[0]
    read, most = 0, min(area.bottom - top, area.right - area.left)
    while leads_to[start] < 0 and read < written:
        here = waiting[read]
        read += 1
        a, b = one if stays else first + here // span, first + here % span
        for moved in range(1 if stays else 2):
            place = b if moved == 0 else a
            row, column = place // columns, place % columns
            for side in range(2, most + 1):
                above, before = max(top, row - side + 1), max(area.left, column - side + 1)
                tall = min(row, area.bottom - side) + 1 - above
                wide = min(column, area.right - side) + 1 - before
                for spot in range(max(tall, 0) * max(wide, 0)):
                    block_top, block_left = above + spot // wide, before + spot % wide
                    if block_top == top and block_left <= area.after:
                        continue
                    moved_from = source(b, columns, block_left, block_top, side, 1)
                    there = moved_from - first
                    if not stays:
                        there += (source(a, columns, block_left, block_top, side, 1) - first) * span
                    if leads_to[there] >= 0:
                        continue
                    leads_to[there] = here
                    blocks[there, 0], blocks[there, 1], blocks[there, 2] = block_left, block_top, side
                    waiting[written] = there
                    written += 1
                    if stays and there != start and hop(area, other, moved_from, blocks[start]):
                        leads_to[start] = there
                    if leads_to[start] >= 0:
                        return _blocks_from(start, leads_to, blocks)
    return _blocks_from(start, leads_to, blocks)


@kernel
def hop(area: Area, start: int, to: int, block: I64) -> bool:
    """Whether one turn brings a cell from one place to another, and with which block; see `route`."""
    row, column = start // area.columns, start % area.columns
    down, across = to // area.columns - row, to % area.columns - column
    most = min(area.bottom - area.top, area.right - area.left)
    for side in range(1 + max(abs(down), abs(across), 1), most + 1):
        twice = side - 1 - across - down
        top, left = row - twice // 2, column - twice // 2 - down
        inside = area.top <= top <= row < top + side <= area.bottom
        inside = inside and area.left <= left <= column < left + side <= area.right
        if twice % 2 == 0 and inside and (top > area.top or left > area.after):
            block[0], block[1], block[2] = left, top, side
            return True
    return False


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
