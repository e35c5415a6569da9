"""Large boards of pairs, strip by strip: what a beam wants to finish first.

A beam over a whole large board leaves holes everywhere, and few turns help a hole among joined pairs. So it
is to finish two rows at the top, then two columns on the right, and so around the board, until a square is
left that it can take at once.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

LARGE = 16
"""Boards with a longer side are large."""
LAST = 12
"""The longest side of what the last stage takes at once."""
THICK = 2
"""Rows or columns of a strip."""

Wanted: TypeAlias = NDArray[np.bool_]
"""[rows, columns]: cells that are to be finished."""


def stages(rows: int, columns: int) -> list[Wanted]:
    """Each with the ones before; the last one holds what the ones before have left free, too."""
    made: list[Wanted] = []
    if max(rows, columns) <= LARGE:
        return [np.ones((rows, columns), np.bool_)]
    top, left, bottom, right = 0, 0, rows, columns
    wanted = np.zeros((rows, columns), np.bool_)
    side = 0
    while bottom - top > LAST or right - left > LAST:
        strip = wanted.copy()
        tall = bottom - top > LAST
        if side in (0, 2) and tall:
            first = top if side == 0 else bottom - THICK
            strip[first : first + THICK, left:right] = True
            top, bottom = (top + THICK, bottom) if side == 0 else (top, bottom - THICK)
        elif side in (1, 3) and right - left > LAST:
            first = right - THICK if side == 1 else left
            strip[top:bottom, first : first + THICK] = True
            left, right = (left, right - THICK) if side == 1 else (left + THICK, right)
        side = (side + 1) % 4
        if not np.array_equal(strip, wanted):
            made.append(strip)
            wanted = strip
    return [*made, np.ones((rows, columns), np.bool_)]


def loose_cells(boards: NDArray[np.int16], columns: int) -> Wanted:
    """[boards, cells]: whether the mate is not beside the cell. boards: int16 [boards, cells], see
    pairs_kernels."""
    places = np.array(range(boards.shape[1]), np.int64)
    mates = boards.astype(np.int64)
    down, across = mates // columns - places // columns, mates % columns - places % columns
    return np.not_equal(np.abs(down) + np.abs(across), 1)


def middle_distance(free: Wanted) -> NDArray[np.float64]:
    """Of each cell from the middle of what is free: 0 there, 1 at its edge and beyond. [rows, columns]"""
    down = _from_middle([any(row) for row in free.tolist()])
    across = _from_middle([any(column) for column in free.T.tolist()])
    return np.minimum(np.maximum(down[:, None], across), 1)


def _from_middle(free: list[bool]) -> NDArray[np.float64]:
    """Along one side of the board. [rows] or [columns]"""
    places = [place for place, is_free in enumerate(free) if is_free]
    middle, size = (places[0] + places[-1]) / 2, places[-1] - places[0] + 1
    return np.array([abs(place - middle) * 2 / size for place in range(len(free))], np.float64)
