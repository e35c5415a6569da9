"""How far the clusters of a colour lie apart."""

from __future__ import annotations

from winnable.compiled.jit import borrowing_kernel
from winnable.games.rotate.solve.kernels import Cells, Parents, root_of
from winnable.inert.arrays import NDArray, np

LABEL, DISTANCE, QUEUE, JOINED, COUNT, COLUMN = range(6)
"""Rows of the workspace, int32 [6, cells]. COLUMN is looked up, as a division takes longer."""


@borrowing_kernel
def total_gap(
    cells: Cells,
    rows: int,
    columns: int,
    colours: int,
    parents: Parents,
    work: NDArray[np.int32],
) -> int:
    """The gap between two clusters of a colour is the number of cells on the shortest path between them. The
    gaps along the minimum spanning tree of each colour's clusters, summed over colours.

    parents: as `count_clusters` left them. All clusters of a colour grow at once, a cell at a time; where two
    meet is an edge of the tree, shorter ones first (K. Mehlhorn, Inf. Process. Lett. 27, 1988).
    """
    total, size = 0, rows * columns
    for colour in range(colours):
        work[COUNT, colour] = 0
    column = 0
    for place in range(size):
        work[COUNT, cells[place]] += parents[place] == place
        work[COLUMN, place] = column
        column = column + 1 if column + 1 < columns else 0
    for colour in range(colours):
        clusters, end = work[COUNT, colour], 0
        if clusters == 1:
            continue
        for place in range(size):
            if cells[place] == colour:
                root = root_of(parents, place)
                work[LABEL, place], work[DISTANCE, place] = root, 0
                work[JOINED, root] = root
                work[QUEUE, end] = place
                end += 1
            else:
                work[LABEL, place] = -1
        begin, distance = 0, 0
        while clusters > 1 and begin < end:
            layer = end
            for odd in range(2):
                for queued in range(begin, layer):
                    place = work[QUEUE, queued]
                    column = work[COLUMN, place]
                    for direction in range(4):
                        if direction == 0:
                            near = place - columns
                            there = near >= 0
                        elif direction == 1:
                            near = place + columns
                            there = near < size
                        elif direction == 2:
                            near = place - 1
                            there = column > 0
                        else:
                            near = place + 1
                            there = column + 1 < columns
                        if not there:
                            continue
                        if work[LABEL, near] < 0:
                            if odd:
                                work[LABEL, near] = work[LABEL, place]
                                work[DISTANCE, near] = distance + 1
                                work[QUEUE, end] = near
                                end += 1
                        elif (
                            work[DISTANCE, near] == distance + odd and work[LABEL, near] != work[LABEL, place]
                        ):
                            one, other = group_of(work, work[LABEL, place]), group_of(work, work[LABEL, near])
                            if one != other:
                                work[JOINED, one] = other
                                total += 2 * distance + odd
                                clusters -= 1
            begin = layer
            distance += 1
    return total


@borrowing_kernel
def group_of(work: NDArray[np.int32], root: int) -> int:
    while work[JOINED, root] != root:
        work[JOINED, root] = work[JOINED, work[JOINED, root]]
        root = work[JOINED, root]
    return root
