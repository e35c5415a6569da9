"""Filling a board along a path, compiled: constructive.py tells the method.

A board has n cells, int16, row-major, numbered by where each colour's stretch comes on the path. Blocks are
those of even sides, numbered as in `Rotate` with the rules `clusters`. What has a rank, a place on the path,
below `lock` stays as it is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.rotate.solve.kernels import Cells, Parents, count_clusters, source, turn_block
from winnable.inert.arrays import I64

NODES: Final = 8000
"""Of one search for ways, which looks no further. That is room for all places of one cell on 64 × 64, and for
two cells that are within three turns of squares of 2 × 2 beside locked cells."""
SLOTS: Final = 1 << 15
WAYS: Final = 64
"""That are compared at the most."""
NOWHERE: Final = -1
"""In place of the second token, when there is one only."""
FROM_ONE, FROM_OTHER, LEADS_TO, BLOCK, QUARTERS, LENGTH, SLOT = range(7)
"""Of a node: both places, the node to which the turn leads, its block and quarters, how many turns it is in
all, its slot."""
BEFORE, TURNED, BY = range(3)
"""Of a step: the arrangement before it, its block and quarters."""
STAGE, RANK, NODE, COUNT, NUMBER = range(5)
"""Places in `Ways.at`: where the filling stands, and on which rank; the next node, how many there are, and
how many ways were found."""
WHOLE, FIRST, SECOND, NARROW, FILLED = range(5)
"""Stages of what comes at a rank. FIRST and SECOND: where nothing brings two cells to their places at once,
they come one by one, the second beside its place; NARROW: from there three turns of squares do."""
PAUSED: Final = -2
TRIED, LOOKED_AT = 300_000, 500_000
"""Blocks that a search for ways tries, and cells that `finish` looks at, before they pause."""


class Path(NamedTuple):
    """A way through all cells of a board; arrays are int64.

    blocks:   [blocks, 3]: left, top, side
    firsts:   [side + 1], the number of the first block of each side
    places:   [n], in the order in which they are filled
    ranks:    [n], where on the path a place comes
    lowest:   [blocks], the least rank of each block's cells
    together: [n], at each rank how many cells are placed at once, 1 or 2
    stop:     the rank of the first of the last cells
    """

    rows: int
    columns: int
    blocks: I64
    firsts: I64
    places: I64
    ranks: I64
    lowest: I64
    together: I64
    stop: int


class Stretches(NamedTuple):
    """colours: int64 [n], the one at each rank; begins, ends: int64 [colours], the ranks of its stretch."""

    colours: I64
    begins: I64
    ends: I64


class Goal(NamedTuple):
    """A cell of the colour `first` comes to the place `one` and, unless that is NOWHERE, one of the colour
    `second` to the place `other`. No block turns with a rank below `lock`, or a side above `largest`."""

    one: int
    other: int
    first: int
    second: int
    lock: int
    largest: int


class Ways(NamedTuple):
    """A search for ways.

    at:    int64 [5], all 0 at first; see STAGE
    nodes: int64 [some, 7], columns FROM_ONE to SLOT
    slots: int64 [SLOTS], node + 1; all 0 before and after
    found: int64 [WAYS], the nodes from which ways lead
    """

    at: I64
    nodes: I64
    slots: I64
    found: I64


class Window(NamedTuple):
    """The last cells, at most 9, and room for all their arrangements.

    places: int64, blocks: int64, those inside
    names:  int16 [places], colours; a short name is a place in it
    keys:   int64 [arrangements], four bits for each cell
    steps:  int64 [arrangements, 3], columns BEFORE to BY
    slots:  int64 [some], the number of an arrangement + 1; all 0 before
    at:     int64 [3]: names that are known, the next arrangement and how many there are; all 0 at first
    """

    places: I64
    blocks: I64
    names: Cells
    keys: I64
    steps: I64
    slots: I64
    at: I64


@borrowing_kernel
def lowest_ranks(path: Path) -> None:
    """Fills `lowest`: a square is covered by its four corners, whose side is two less, or one."""
    rows, columns, firsts, lowest = path.rows, path.columns, path.firsts, path.lowest
    corners, begin, stride, step = path.ranks, 0, columns, 1  # of cells, and then of blocks that are smaller
    for side in range(2, min(rows, columns) + 1, 2):
        across = columns - side + 1
        for top in range(rows - side + 1):
            for left in range(across):
                above = begin + top * stride + left
                below = above + step * stride
                least = min(corners[above], corners[above + step], corners[below], corners[below + step])
                lowest[firsts[side] + top * across + left] = least
        corners, begin, stride, step = lowest, firsts[side], across, 2


@borrowing_kernel
def fill(
    path: Path,
    stretches: Stretches,
    cells: Cells,
    ways: Ways,
    parents: Parents,
    turns: I64,
    made: int,
    most: int,
) -> int:
    """Fills the path up to the rank `stop`, or until each colour is one cluster: then the stage is FILLED.
    Goes on from `made` turns, int64 [some, 2] of block and quarters, until they are `most` or more, or a
    search for ways pauses. Returns how many there are then."""
    at, rank = ways.at, 0
    while made < most:
        rank = filled(path, stretches, cells, rank)
        if rank > at[RANK]:
            at[RANK], at[STAGE] = rank, WHOLE
        stage = at[STAGE]
        if (
            stage == WHOLE
            and at[COUNT] == 0
            and (rank == path.stop or count_clusters(cells, path.columns, parents) == len(stretches.begins))
        ):
            at[STAGE] = FILLED
            return made
        goal, number = goal_of(path, stretches, rank, stage), 0
        if stage in (WHOLE, NARROW) or cells[goal.one] != goal.first:
            number = find_ways(path, cells, goal, ways)
            if number == PAUSED:
                return made
        if number:
            best = ways.found[0]
            if stage in (WHOLE, NARROW):
                best = best_way(path, stretches, cells, rank, ways, number, turns, made)
            made = follow(path, cells, ways.nodes, best, turns, made)
        at[STAGE] = WHOLE if number and stage in (WHOLE, NARROW) else stage + 1
    return made


@inlined_kernel
def goal_of(path: Path, stretches: Stretches, rank: int, stage: int) -> Goal:
    """What is to come at this rank."""
    largest, colours = 2 if stage == NARROW else min(path.rows, path.columns), stretches.colours
    if stage in (FIRST, SECOND):
        step = stage - FIRST
        lock = rank + 2 * step
        return Goal(path.places[lock], NOWHERE, colours[rank + step], 0, lock, largest)
    other, second = NOWHERE, 0
    if path.together[rank] == 2:
        other, second = path.places[rank + 1], colours[rank + 1]
    return Goal(path.places[rank], other, colours[rank], second, rank, largest)


@inlined_kernel
def best_way(
    path: Path, stretches: Stretches, cells: Cells, rank: int, ways: Ways, found: int, turns: I64, made: int
) -> int:
    """The node from which the best of so many ways leads: most cells are filled after it, and of equals all
    lie least far from their stretches. The board is as it was afterwards."""
    best, most_filled, least_far = 0, -1, 0
    for way in range(found):
        after = follow(path, cells, ways.nodes, ways.found[way], turns, made)
        now_filled, far = filled(path, stretches, cells, rank), 0
        if now_filled >= most_filled:
            for index in range(rank, len(cells)):
                colour = cells[path.places[index]]
                far += max(0, stretches.begins[colour] - index, index - stretches.ends[colour])
            if now_filled > most_filled or far < least_far:
                best, most_filled, least_far = way, now_filled, far
        while after > made:
            after -= 1
            turn_block(cells, path.columns, path.blocks, turns[after, 0], 4 - turns[after, 1])
    return ways.found[best]


@borrowing_kernel
def needed(path: Path, stretches: Stretches, cells: Cells, parents: Parents, turns: I64) -> int:
    """Counts how many of these turns, int64 [m, 2], are made until each colour is one cluster; -1: all, and
    more."""
    made = 0
    while count_clusters(cells, path.columns, parents) > len(stretches.begins):
        if made == len(turns):
            return -1
        turn_block(cells, path.columns, path.blocks, turns[made, 0], turns[made, 1])
        made += 1
    return made


@borrowing_kernel
def filled(path: Path, stretches: Stretches, cells: Cells, rank: int) -> int:
    """The rank up to which the path has its colours, from this one on, by groups of cells placed together."""
    while rank < path.stop and cells[path.places[rank]] == stretches.colours[rank]:
        if path.together[rank] == 2:
            if cells[path.places[rank + 1]] != stretches.colours[rank + 1]:
                break
            rank += 1
        rank += 1
    return rank


@borrowing_kernel
def follow(path: Path, cells: Cells, nodes: I64, node: int, turns: I64, made: int) -> int:
    """Turns what the way from this node says, and notes it; returns how many turns there are then."""
    while nodes[node, LEADS_TO] >= 0:
        turns[made, 0], turns[made, 1] = nodes[node, BLOCK], nodes[node, QUARTERS]
        turn_block(cells, path.columns, path.blocks, turns[made, 0], turns[made, 1])
        made += 1
        node = nodes[node, LEADS_TO]
    return made


@borrowing_kernel
def find_ways(path: Path, cells: Cells, goal: Goal, ways: Ways) -> int:
    """Finds ways of the fewest turns to the goal; returns how many, and writes to `found` the nodes from
    which they lead. Or PAUSED, after so many blocks: the next call with this goal goes on.

    Breadth first and backwards over the places of its one or two tokens.
    """
    rows, columns, nodes, slots, at = path.rows, path.columns, ways.nodes, ways.slots, ways.at
    if at[COUNT] == 0:
        nodes[0, FROM_ONE], nodes[0, FROM_OTHER] = goal.one, goal.other
        nodes[0, LEADS_TO], nodes[0, LENGTH] = -1, 0
        nodes[0, SLOT] = slot_of(nodes, slots, goal.one, goal.other)
        slots[nodes[0, SLOT]] = 1
        at[NODE], at[COUNT], at[NUMBER] = 0, 1, 0
    node, count, number, tried = at[NODE], at[COUNT], at[NUMBER], 0
    while node < count and number < WAYS and count < len(nodes):
        if number and nodes[node, LENGTH] == nodes[ways.found[0], LENGTH]:
            break
        if tried > TRIED:
            at[NODE], at[COUNT], at[NUMBER] = node, count, number
            return PAUSED
        for token in range(1 if goal.other == NOWHERE else 2):
            place = nodes[node, FROM_OTHER] if token else nodes[node, FROM_ONE]
            row, column = place // columns, place % columns
            for side in range(2, goal.largest + 1, 2):
                across = columns - side + 1
                for top in range(max(0, row - side + 1), min(row, rows - side) + 1):
                    for left in range(max(0, column - side + 1), min(column, across - 1) + 1):
                        block = path.firsts[side] + top * across + left
                        count, number = add_turns(path, cells, goal, ways, node, token, block, count, number)
                        tried += 1
        node += 1
    for node in range(count):
        slots[nodes[node, SLOT]] = 0
    at[COUNT] = 0
    return number


@inlined_kernel
def add_turns(
    path: Path,
    cells: Cells,
    goal: Goal,
    ways: Ways,
    node: int,
    token: int,
    block: int,
    count: int,
    number: int,
) -> tuple[int, int]:
    """Adds to the nodes and to the ways found, of which there are so many, what leads to this node by a turn
    of the block, in which that token lies; how many there are then."""
    nodes, slots = ways.nodes, ways.slots
    one, other = nodes[node, FROM_ONE], nodes[node, FROM_OTHER]
    left, top, side = path.blocks[block, 0], path.blocks[block, 1], path.blocks[block, 2]
    for quarters in range(1, 4 if path.lowest[block] >= goal.lock else 1):
        if number == WAYS or count == len(nodes):
            break
        from_one, from_other = source(one, path.columns, left, top, side, quarters), other
        if token and from_one != one:
            break  # it was there for the first token
        right = cells[from_one] == goal.first
        if other != NOWHERE:
            from_other = source(other, path.columns, left, top, side, quarters)
            right = right and cells[from_other] == goal.second
        slot = slot_of(nodes, slots, from_one, from_other)
        if slots[slot] and not right:
            continue
        nodes[count, FROM_ONE], nodes[count, FROM_OTHER] = from_one, from_other
        nodes[count, LEADS_TO], nodes[count, SLOT] = node, slot
        nodes[count, BLOCK], nodes[count, QUARTERS] = block, quarters
        nodes[count, LENGTH] = nodes[node, LENGTH] + 1
        count += 1
        slots[slot] = count
        if right:
            ways.found[number] = count - 1
            number += 1
    return count, number


@borrowing_kernel
def slot_of(nodes: I64, slots: I64, one: int, other: int) -> int:
    """The slot of the node of these places, else a free one."""
    slot = (one * 40_503 + (other + 1) * 60_493) % SLOTS
    while slots[slot]:
        node = slots[slot] - 1
        if nodes[node, FROM_ONE] == one and nodes[node, FROM_OTHER] == other:
            break
        slot = (slot + 1) % SLOTS
    return slot


@borrowing_kernel
def finish(
    path: Path, stretches: Stretches, cells: Cells, window: Window, parents: Parents, turns: I64, made: int
) -> int:
    """Adds the fewest turns of the blocks inside the window after which each colour is one cluster, breadth
    first over all arrangements of its cells. Returns how many `turns` there are then; -1: no arrangement that
    these blocks reach is finished; PAUSED: there is more to look at."""
    places, names, keys, steps, slots = window.places, window.names, window.keys, window.steps, window.slots
    size, colours, columns, blocks = len(places), len(stretches.begins), path.columns, path.blocks
    known, node, count = window.at[0], window.at[1], window.at[2]
    if count == 0:
        if count_clusters(cells, columns, parents) == colours:
            return made
        for index in range(size):
            if short_name(names, known, cells[int(places[index])]) == known:
                names[known] = cells[places[index]]
                known += 1
        keys[0] = key_of(cells, places, names, known)
        slots[keys[0] % len(slots)] = 1
        steps[0, BEFORE], count = -1, 1
    looked_at = 0
    while node < count:
        if looked_at > LOOKED_AT:
            window.at[0], window.at[1], window.at[2] = known, node, count
            return PAUSED
        for index in range(size):
            cells[places[index]] = names[(keys[node] >> (4 * index)) & 15]
        for index in range(len(window.blocks)):
            block = window.blocks[index]
            for quarters in range(1, 5):
                turn_block(cells, columns, blocks, block, 1)
                if quarters == 4:
                    break
                key = key_of(cells, places, names, known)
                slot = key % len(slots)
                while slots[slot] and keys[slots[slot] - 1] != key:
                    slot = (slot + 1) % len(slots)
                if slots[slot]:
                    continue
                keys[count], steps[count, BEFORE] = key, node
                steps[count, TURNED], steps[count, BY] = block, quarters
                count += 1
                slots[slot] = count
                looked_at += len(cells)
                if count_clusters(cells, columns, parents) == colours:
                    return made + note_steps(steps, count - 1, turns, made)
        node += 1
    return -1


@borrowing_kernel
def short_name(names: Cells, known: int, colour: int) -> int:
    """The place of the colour among the `known` first names, or `known`."""
    for name in range(known):
        if names[name] == colour:
            return name
    return known


@borrowing_kernel
def key_of(cells: Cells, places: I64, names: Cells, known: int) -> int:
    """The arrangement of these cells: four bits for each."""
    key = 0
    for index in range(len(places)):
        key |= short_name(names, known, cells[int(places[index])]) << (4 * index)
    return key


@borrowing_kernel
def note_steps(steps: I64, node: int, turns: I64, made: int) -> int:
    """Notes the turns that led to this node; returns how many they are."""
    length, back = 0, node
    while steps[back, BEFORE] >= 0:
        length, back = length + 1, steps[back, BEFORE]
    for index in range(length - 1, -1, -1):
        turns[made + index, 0], turns[made + index, 1] = steps[node, TURNED], steps[node, BY]
        node = steps[node, BEFORE]
    return length
