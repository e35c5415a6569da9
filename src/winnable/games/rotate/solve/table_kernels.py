"""Boards up to their colours' names and their symmetries, each as one exact number, in a hash table.

A board is labelled: uint8 [cells], colours numbered as they come. Its number is its place among all labelled
boards of so many cells and at most so many colours (restricted growth strings).
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import borrowing_kernel
from winnable.games.rotate.solve.mask_kernels import Ints, Masks, is_connected
from winnable.games.rotate.solve.turns import Turns
from winnable.inert.arrays import U8, U, np

Labels = U8
SPREAD = 0x9E3779B97F4A7C15
"""2 ** 64 divided by the golden ratio, as Knuth multiplies for hashing."""


class Table(NamedTuple):
    """All boards that were reached.

    keys:        uint64 [slots], their numbers + 1, or 0; a power of two
    distances:   uint8 [slots]
    queue:       uint64 [slots / 2], their numbers as they came
    queued:      int64 [1], how many these are
    images:      int64 [1], how many boards the last of them stand for
    symmetries:  int64 [images, cells], where the cells of each image of a board come from
    completions: uint64 [cells left + 1, colours so far + 1], how many ways there are to go on
    labels, after, names: room for one board, for another, and for its colours
    """

    keys: Masks
    distances: Labels
    queue: Masks
    queued: Ints
    images: Ints
    symmetries: Ints
    completions: Masks
    labels: Labels
    after: Labels
    names: Ints


@borrowing_kernel
def number_of(labels: Labels, order: Ints, completions: Masks, names: Ints) -> np.uint64:
    """The number of the board whose cells are those of `labels` in that order. names: room, int64
    [colours]."""
    names[:] = -1
    known, number = 0, U(0)
    left = len(order)
    for place in order:
        left -= 1
        label = labels[place]
        if names[label] < 0:
            names[label] = known
            number += U(known) * completions[left, known]
            known += 1
        else:
            number += U(names[label]) * completions[left, known]
    return number


@borrowing_kernel
def board_of(number: np.uint64, completions: Masks, labels: Labels) -> None:
    """Writes the board of that number, in reading order: the inverse of `number_of`."""
    known = 0
    for place in range(len(labels)):
        ways = completions[len(labels) - 1 - place, known]
        label = min(np.int64(number // ways), known)
        number -= U(label) * ways
        labels[place] = label
        if label == known:
            known += 1


@borrowing_kernel
def canonical(labels: Labels, symmetries: Ints, completions: Masks, names: Ints) -> tuple[np.uint64, int]:
    """The least number of all its images, and how many they are."""
    least, same = number_of(labels, symmetries[0], completions, names), 1
    for image in range(1, len(symmetries)):
        number = number_of(labels, symmetries[image], completions, names)
        if number < least:
            least, same = number, 1
        elif number == least:
            same += 1
    return least, len(symmetries) // same


@borrowing_kernel
def find(keys: Masks, number: np.uint64) -> int:
    """The slot of the number, or the empty one (0) where it belongs. keys: numbers + 1, a power of two of
    them."""
    slot = (number * U(SPREAD)) >> U(20)
    last = U(len(keys) - 1)
    while keys[np.int64(slot & last)] != U(0) and keys[np.int64(slot & last)] != number + U(1):
        slot += U(1)
    return int(np.int64(slot & last))


@borrowing_kernel
def move_keys(small: Table, large: Table) -> None:
    """Enters all boards of a smaller table in a larger one."""
    for slot in range(len(small.keys)):
        if small.keys[slot] != U(0):
            new = find(large.keys, small.keys[slot] - U(1))
            large.keys[new], large.distances[new] = small.keys[slot], small.distances[slot]


@borrowing_kernel
def add(table: Table, labels: Labels, distance: int) -> None:
    """Adds the board to the table, unless it is there."""
    number, images = canonical(labels, table.symmetries, table.completions, table.names)
    slot = find(table.keys, number)
    if table.keys[slot] == U(0):
        table.keys[slot] = number + U(1)
        table.distances[slot] = distance
        table.queue[table.queued[0]] = number
        table.queued[0] += 1
        table.images[0] += images


@borrowing_kernel
def expand(table: Table, first: int, last: int, distance: int, moves: Ints) -> None:
    """Adds at that distance all boards one turn from those at these places of the queue. moves: int64 [turns,
    cells], where the colour of each cell comes from."""
    cells = moves.shape[1]
    labels, after = table.labels, table.after
    for place in range(first, last):
        board_of(table.queue[place], table.completions, labels)
        for move in range(len(moves)):
            for cell in range(cells):
                after[cell] = labels[moves[move, cell]]
            add(table, after, distance)


@borrowing_kernel
def partitions(
    turns: Turns,
    depth: int,
    chosen: Ints,
    free: Masks,
    left: Ints,
    firsts: Ints,
    shapes: Masks,
    found: Masks,
) -> tuple[int, int]:
    """Finds boards on which each colour is one cluster: `found`, uint64 [most, colours], a mask for each.
    Returns how many, and the depth then; from there it goes on when called again, until that is -1.

    The first free cell is covered by a shape that has no cell before it: `shapes` are sorted by size and
    first cell, `firsts` int64 [sizes, cells + 1] says where they begin. left: of each size, how many colours
    are left. By depth: chosen [depth, 2] (a size and a shape), free.
    """
    count, colours = 0, found.shape[1]
    while depth >= 0 and count < len(found):
        size, shape = chosen[depth, 0], chosen[depth, 1]
        if shape >= 0:  # back from it
            left[size] += 1
        cell = 0
        while (free[depth] >> U(cell)) & U(1) == U(0):
            cell += 1
        placed = False
        while not placed and size < len(left):
            shape = firsts[size, cell] if shape < 0 else shape + 1
            while left[size] > 0 and shape < firsts[size, cell + 1] and shapes[shape] & ~free[depth] != U(0):
                shape += 1
            if left[size] > 0 and shape < firsts[size, cell + 1]:
                placed = True
            else:
                size, shape = size + 1, -1
        if not placed:
            depth -= 1
            continue
        chosen[depth, 0], chosen[depth, 1] = size, shape
        left[size] -= 1
        rest = free[depth] & ~shapes[shape]
        if depth + 2 < colours:
            depth += 1
            free[depth], chosen[depth, 0], chosen[depth, 1] = rest, 0, -1
        elif is_connected(turns, rest):
            for place in range(depth + 1):
                found[count, place] = shapes[chosen[place, 1]]
            found[count, colours - 1] = rest
            count += 1
    return count, depth


@borrowing_kernel
def add_finished(table: Table, found: Masks) -> None:
    """Adds boards given as masks of their colours, at distance 0."""
    labels = table.labels
    for board in range(len(found)):
        for colour in range(found.shape[1]):
            for cell in range(len(labels)):
                if (found[board, colour] >> U(cell)) & U(1) != U(0):
                    labels[cell] = colour
        add(table, labels, 0)
