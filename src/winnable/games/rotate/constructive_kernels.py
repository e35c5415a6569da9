"""Filling a board along a path, compiled: constructive.py tells the method.

A board has n cells, int16, row-major. Blocks are those of even sides, int64 [blocks, 3], numbered as in
`Rotate` with the rules `clusters`; firsts: int64 [side + 1], the number of the first block of each side.
Arrays of one path, all int64: path [n], places in the order in which they are filled; ranks [n], where on the
path a place comes; lowest [blocks], the least rank of each block's cells; begins, ends [colours], the ranks
of each colour's stretch. What has a rank below `lock` stays as it is.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.games.rotate.kernels import Cells, count_clusters, turn
from winnable.jit import kernel

I64: TypeAlias = NDArray[np.int64]

NODES: Final = 8000
"""Of one search for ways, which looks no further. That is room for all places of one cell on 64 × 64, and for
two cells that are within three turns of squares of 2 × 2 beside locked cells."""
SLOTS: Final = 1 << 15
WAYS: Final = 64
"""That are compared at the most."""
NOWHERE: Final = -1
"""In place of the second token, when there is one only."""


@kernel
def lowest_ranks(ranks: I64, rows: int, columns: int, firsts: I64, lowest: I64) -> None:
    """Fills `lowest`: a square is covered by its four corners, whose side is two less, or one."""
    for side in range(2, min(rows, columns) + 1, 2):
        across, step = columns - side + 1, 1 if side == 2 else 2
        for top in range(rows - side + 1):
            for left in range(across):
                least = rows * columns
                for row in (top, top + step):
                    for column in (left, left + step):
                        if side == 2:
                            least = min(least, ranks[row * columns + column])
                        else:
                            least = min(least, lowest[firsts[side - 2] + row * (across + 2) + column])
                lowest[firsts[side] + top * across + left] = least


@kernel
def fill(
    cells: Cells, rows: int, columns: int, blocks: I64, firsts: I64, lowest: I64, path: I64,
    together: I64, begins: I64, ends: I64, stop: int, nodes: I64, slots: I64, turns: I64,
) -> int:  # fmt: skip
    """Fills the path up to rank `stop`, or until each colour is one cluster. Returns how many `turns`, int64
    [some, 2] of block and quarters, that took.

    together: int64 [n], at each rank how many cells are placed at once, 1 or 2.
    """
    found, parents = np.empty(WAYS, np.int64), np.empty(len(cells), np.int16)
    largest, made, rank = min(rows, columns), 0, 0
    wanted = np.empty(len(cells), np.int64)
    for colour in range(len(begins)):
        wanted[begins[colour] : ends[colour] + 1] = colour
    while True:
        rank = filled(cells, path, wanted, together, rank, stop)
        if rank == stop or count_clusters(cells, columns, parents) == len(begins):
            return made
        one, other, second = path[rank], NOWHERE, 0
        if together[rank] == 2:
            other, second = path[rank + 1], wanted[rank + 1]
        # fmt: off
        ways = find_ways(
            cells, rows, columns, firsts, lowest, rank, largest,
            one, other, wanted[rank], second, nodes, slots, found,
        )
        if ways == 0:  # one by one, the second beside its place: from there three turns of squares do
            for step in range(2):
                place, colour = (path[rank + 2], second) if step else (one, wanted[rank])
                if cells[place] != colour and filled(cells, path, wanted, together, rank, stop) == rank:
                    find_ways(
                        cells, rows, columns, firsts, lowest, rank + 2 * step, largest,
                        place, NOWHERE, colour, 0, nodes, slots, found,
                    )
                    made = follow(cells, columns, blocks, nodes, found[0], turns, made)
            if filled(cells, path, wanted, together, rank, stop) > rank:
                continue
            ways = find_ways(
                cells, rows, columns, firsts, lowest, rank, 2,
                one, other, wanted[rank], second, nodes, slots, found,
            )
        # fmt: on
        best, most_filled, least_far = 0, -1, 0
        for way in range(ways):
            before = made
            made = follow(cells, columns, blocks, nodes, found[way], turns, made)
            now_filled, far = filled(cells, path, wanted, together, rank, stop), 0
            if now_filled >= most_filled:
                for index in range(rank, len(cells)):
                    colour = cells[path[index]]
                    far += max(0, begins[colour] - index, index - ends[colour])
                if now_filled > most_filled or far < least_far:
                    best, most_filled, least_far = way, now_filled, far
            while made > before:
                made -= 1
                block = turns[made, 0]
                turn(cells, columns, blocks[block, 0], blocks[block, 1], blocks[block, 2], 4 - turns[made, 1])
        made = follow(cells, columns, blocks, nodes, found[best], turns, made)


@kernel
def needed(cells: Cells, columns: int, colours: int, blocks: I64, turns: I64) -> int:
    """How many of these turns, int64 [m, 2], are made until each colour is one cluster; -1: all, and more."""
    parents, made = np.empty(len(cells), np.int16), 0
    while count_clusters(cells, columns, parents) > colours:
        if made == len(turns):
            return -1
        block, quarters = turns[made, 0], turns[made, 1]
        turn(cells, columns, blocks[block, 0], blocks[block, 1], blocks[block, 2], quarters)
        made += 1
    return made


@kernel
def filled(cells: Cells, path: I64, wanted: I64, together: I64, rank: int, stop: int) -> int:
    """The rank up to which the path is as wanted, from this one on, by groups of cells placed together."""
    while rank < stop and cells[path[rank]] == wanted[rank]:
        if together[rank] == 2:
            if cells[path[rank + 1]] != wanted[rank + 1]:
                break
            rank += 1
        rank += 1
    return rank


@kernel
def follow(cells: Cells, columns: int, blocks: I64, nodes: I64, node: int, turns: I64, made: int) -> int:
    """Turns what the way from this node says, and notes it; returns how many turns there are then."""
    while nodes[node, 2] >= 0:
        block, quarters = nodes[node, 3], nodes[node, 4]
        turn(cells, columns, blocks[block, 0], blocks[block, 1], blocks[block, 2], quarters)
        turns[made, 0], turns[made, 1] = block, quarters
        made += 1
        node = nodes[node, 2]
    return made


@kernel
def find_ways(
    cells: Cells, rows: int, columns: int, firsts: I64, lowest: I64, lock: int, largest: int,
    one: int, other: int, colour: int, second: int, nodes: I64, slots: I64, found: I64,
) -> int:  # fmt: skip
    """Ways of the fewest turns that bring a cell of `colour` to the place `one` and, unless it is NOWHERE,
    one of the colour `second` to `other`; how many, and in `found` the nodes from which they lead. Blocks
    have sides of `largest` at the most.

    Breadth first and backwards over the places of these tokens. nodes: int64 [room, 7]: both places, the
    node to which the turn leads, its block and quarters, how many turns it is in all, its slot. slots: int64
    [SLOTS] of node + 1, all 0 before and after.
    """
    nodes[0, 0], nodes[0, 1], nodes[0, 2], nodes[0, 5] = one, other, -1, 0
    nodes[0, 6] = slot_of(nodes, slots, one, other)
    slots[nodes[0, 6]] = 1
    count, ways, node = 1, 0, 0
    while node < count and ways < WAYS and count < len(nodes):
        if ways and nodes[node, 5] == nodes[found[0], 5]:
            break
        one, other = nodes[node, 0], nodes[node, 1]
        for token in range(1 if other == NOWHERE else 2):
            place = other if token else one
            row, column = place // columns, place % columns
            for side in range(2, largest + 1, 2):
                for top in range(max(0, row - side + 1), min(row, rows - side) + 1):
                    for left in range(max(0, column - side + 1), min(column, columns - side) + 1):
                        block = firsts[side] + top * (columns - side + 1) + left
                        if lowest[block] < lock:
                            continue
                        for quarters in range(1, 4):
                            if ways == WAYS or count == len(nodes):
                                break
                            from_one = source(one, columns, left, top, side, quarters)
                            if token and from_one != one:
                                break  # it was there for the first token
                            from_other = other
                            right = cells[from_one] == colour
                            if other != NOWHERE:
                                from_other = source(other, columns, left, top, side, quarters)
                                right = right and cells[from_other] == second
                            slot = slot_of(nodes, slots, from_one, from_other)
                            if slots[slot] and not right:
                                continue
                            nodes[count, 0], nodes[count, 1], nodes[count, 2] = from_one, from_other, node
                            nodes[count, 3], nodes[count, 4] = block, quarters
                            nodes[count, 5], nodes[count, 6] = nodes[node, 5] + 1, slot
                            count += 1
                            slots[slot] = count
                            if right:
                                found[ways] = count - 1
                                ways += 1
        node += 1
    for node in range(count):
        slots[nodes[node, 6]] = 0
    return ways


@kernel
def slot_of(nodes: I64, slots: I64, one: int, other: int) -> int:
    """Where the node of these places stands, else a free slot."""
    slot = (one * 40_503 + (other + 1) * 60_493) % SLOTS
    while slots[slot]:
        node = slots[slot] - 1
        if nodes[node, 0] == one and nodes[node, 1] == other:
            break
        slot = (slot + 1) % SLOTS
    return slot


@kernel
def source(place: int, columns: int, left: int, top: int, side: int, quarters: int) -> int:
    """Where the cell lies that the turn brings here."""
    row, column = place // columns - top, place % columns - left
    if row < 0 or row >= side or column < 0 or column >= side:
        return place
    last = side - 1
    if quarters == 1:
        return (top + last - column) * columns + left + row
    if quarters == 2:
        return (top + last - row) * columns + left + last - column
    return (top + column) * columns + left + last - row


@kernel
def finish(
    cells: Cells, columns: int, colours: int, blocks: I64, window: I64, inside: I64, room: int,
    turns: I64, made: int,
) -> int:  # fmt: skip
    """The fewest turns of the blocks `inside` a window of at most 9 places after which each colour is one
    cluster, breadth first over all arrangements of its cells; `room` is how many there are. Returns how many
    `turns` there are then; -1: no arrangement that these blocks reach is finished."""
    size, parents = len(window), np.empty(len(cells), np.int16)
    if count_clusters(cells, columns, parents) == colours:
        return made
    names = np.empty(size, np.int16)
    """A short name is a place in it."""
    known = 0
    for index in range(size):
        if short_name(names, known, cells[int(window[index])]) == known:
            names[known] = cells[window[index]]
            known += 1
    keys, steps = np.empty(room, np.int64), np.empty((room, 3), np.int64)
    slots = np.zeros(4 * room + 1, np.int64)
    keys[0] = key_of(cells, window, names, known)
    slots[keys[0] % len(slots)] = 1
    steps[0, 0], count, node = -1, 1, 0
    while node < count:
        for index in range(size):
            cells[window[index]] = names[(keys[node] >> (4 * index)) & 15]
        for index in range(len(inside)):
            block = inside[index]
            left, top, side = blocks[block, 0], blocks[block, 1], blocks[block, 2]
            for quarters in range(1, 4):
                turn(cells, columns, left, top, side, 1)
                key = key_of(cells, window, names, known)
                slot = key % len(slots)
                while slots[slot] and keys[slots[slot] - 1] != key:
                    slot = (slot + 1) % len(slots)
                if slots[slot]:
                    continue
                keys[count], steps[count, 0], steps[count, 1], steps[count, 2] = key, node, block, quarters
                count += 1
                slots[slot] = count
                if count_clusters(cells, columns, parents) == colours:
                    return made + note_steps(steps, count - 1, turns, made)
            turn(cells, columns, left, top, side, 1)
        node += 1
    return -1


@kernel
def short_name(names: Cells, known: int, colour: int) -> int:
    for name in range(known):
        if names[name] == colour:
            return name
    return known


@kernel
def key_of(cells: Cells, window: I64, names: Cells, known: int) -> int:
    """Four bits for each cell."""
    key = 0
    for index in range(len(window)):
        key |= short_name(names, known, cells[int(window[index])]) << (4 * index)
    return key


@kernel
def note_steps(steps: I64, node: int, turns: I64, made: int) -> int:
    """Notes the turns that led to this node; returns how many they are."""
    length, back = 0, node
    while steps[back, 0] >= 0:
        length, back = length + 1, steps[back, 0]
    for index in range(length - 1, -1, -1):
        turns[made + index, 0], turns[made + index, 1] = steps[node, 1], steps[node, 2]
        node = steps[node, 0]
    return length
