"""Shortest ways of two cells over a board, compiled."""

from __future__ import annotations

import numpy as np

from winnable.games.rotate.kernels import Blocks
from winnable.games.rotate.pairs_kernels import I64
from winnable.jit import kernel


@kernel
def route(
    blocks: Blocks, columns: int, first: int, span: int, stays: bool, one: int, other: int, to: int
) -> I64:
    """Numbers of the blocks that turn, clockwise, until what is at `one` and `other` is at `one` and `to`, in
    either order: as few as can be. [-1] when there is no way.

    Breadth first over pairs of places. All lie among the `span` places from `first`. stays: no block holds
    `one`.
    """
    boards = span if stays else span * span
    came_from = np.full(boards, -1, np.int64)
    turned = np.zeros(boards, np.int64)
    waiting = np.empty(boards, np.int64)
    start = other - first if stays else (one - first) * span + other - first
    came_from[start] = start
    waiting[0] = start
    read, written = 0, 1
    while read < written:
        here = waiting[read]
        read += 1
        a, b = one if stays else first + here // span, first + here % span
        if (a == one and b == to) or (a == to and b == one):
            return _turns_to(here, came_from, turned)
        for number in range(len(blocks)):
            left, top, last = blocks[number, 0], blocks[number, 1], blocks[number, 2] - 1
            after = _place_after(b, columns, left, top, last) - first
            if not stays:
                after += (_place_after(a, columns, left, top, last) - first) * span
            if came_from[after] < 0:
                came_from[after] = here
                turned[after] = number
                waiting[written] = after
                written += 1
    return np.full(1, -1, np.int64)


@kernel
def _place_after(place: int, columns: int, left: int, top: int, last: int) -> int:
    row, column = place // columns - top, place % columns - left
    if 0 <= row <= last and 0 <= column <= last:
        return (top + column) * columns + left + last - row
    return place


@kernel
def _turns_to(end: int, came_from: I64, turned: I64) -> I64:
    count, here = 0, end
    while came_from[here] != here:
        count += 1
        here = came_from[here]
    turns = np.empty(count, np.int64)
    here = end
    while count > 0:
        count -= 1
        turns[count] = turned[here]
        here = came_from[here]
    return turns
