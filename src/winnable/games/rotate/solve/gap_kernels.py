"""How far the clusters of a colour lie apart."""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import borrowing_kernel
from winnable.games.rotate.rules.clusters import neighbours
from winnable.games.rotate.solve.kernels import Cells, Parents, root_of
from winnable.inert.arrays import I32, np


class Growth(NamedTuple):
    """Workspace of `total_gap`, int32.

    neighbours: [cells, 4], the places beside each, then -1
    labels:     [cells], the root of the cluster that a cell is nearest to; -1: not reached yet
    distances:  [cells], cells on the way from that cluster
    queue:      [cells], places that were reached, in order
    joined:     [cells], of each root another one of its group, or itself
    counts:     [cells], of each colour, its clusters
    """

    neighbours: I32
    labels: I32
    distances: I32
    queue: I32
    joined: I32
    counts: I32


def new_growth(rows: int, columns: int) -> Growth:
    """The workspace for boards of this size."""
    size = rows * columns
    beside = [[*neighbours(place, size, columns), -1, -1][:4] for place in range(size)]
    return Growth(np.array(beside, np.int32), *(np.zeros(size, np.int32) for _ in range(5)))


@borrowing_kernel
def total_gap(cells: Cells, colours: int, parents: Parents, growth: Growth) -> int:
    """The gap between two clusters of a colour is the number of cells on the shortest path between them. The
    gaps along the minimum spanning tree of each colour's clusters, summed over colours.

    parents: as `count_clusters` left them.
    """
    counts, total = growth.counts, 0
    for colour in range(colours):
        counts[colour] = 0
    for place in range(len(cells)):
        counts[cells[place]] += parents[place] == place
    for colour in range(colours):
        if counts[colour] > 1:
            total += gap_of(colour, cells, parents, growth)
    return total


@borrowing_kernel
def gap_of(colour: int, cells: Cells, parents: Parents, growth: Growth) -> int:
    """The share of one colour in `total_gap`. All its clusters grow at once, a cell at a time; where two meet
    is an edge of the tree, shorter ones first (K. Mehlhorn, Inf. Process. Lett. 27, 1988)."""
    labels, distances, queue, joined = growth.labels, growth.distances, growth.queue, growth.joined
    clusters, begin, end, distance, total = growth.counts[colour], 0, 0, 0, 0
    for place in range(len(cells)):
        labels[place] = -1
        if cells[place] == colour:
            root = root_of(parents, place)
            labels[place], distances[place], joined[root] = root, 0, root
            queue[end] = place
            end += 1
    while clusters > 1 and begin < end:
        layer = end
        for odd in range(2):
            for queued in range(begin, layer):
                place = queue[queued]
                for direction in range(4):
                    near = growth.neighbours[place, direction]
                    if near < 0 or labels[near] == labels[place]:
                        continue
                    if labels[near] < 0 and odd:
                        labels[near], distances[near] = labels[place], distance + 1
                        queue[end] = near
                        end += 1
                    elif labels[near] >= 0 and distances[near] == distance + odd:
                        met = join(joined, int(labels[place]), int(labels[near]))
                        clusters -= met
                        total += met * (2 * distance + odd)
        begin = layer
        distance += 1
    return total


@borrowing_kernel
def join(joined: I32, one: int, other: int) -> int:
    """Makes the groups of these roots one; 1, or 0 where they are one already."""
    one, other = group_of(joined, one), group_of(joined, other)
    joined[one] = other
    return 1 if one != other else 0


@borrowing_kernel
def group_of(joined: I32, root: int) -> int:
    """The root that stands for the group of this one."""
    while joined[root] != root:
        joined[root] = joined[joined[root]]
        root = joined[root]
    return root
