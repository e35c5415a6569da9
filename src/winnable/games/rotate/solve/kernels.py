"""Turning a block and counting clusters, compiled.

A board is one array, int16 [cells], row-major: a colour for each cell. Blocks are rows of int64 [blocks, 3]:
left, top, side, in the order of `Rotate.blocks`. What is read often is an argument by itself.
"""

from __future__ import annotations

from itertools import chain
from typing import TypeAlias

from winnable.compiled.jit import borrowing_kernel, kernel
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.inert.arrays import I16, I64, np

Cells: TypeAlias = I16
Parents: TypeAlias = I16
"""Workspace of `count_clusters`: as large as the board."""
Blocks: TypeAlias = I64


def blocks_of(puzzle: Rotate) -> Blocks:
    """The puzzle's blocks as int64 [blocks, 3]."""
    return np.array([*chain.from_iterable(puzzle.blocks)], np.int64).reshape(-1, 3)


@borrowing_kernel
def turn(cells: Cells, columns: int, left: int, top: int, side: int, quarters: int) -> None:
    """Turns a block so many quarters clockwise, in place. Four cells change places at a time; the middle one
    of an odd block stays."""
    last = side - 1
    for row in range(side // 2):
        for column in range((side + 1) // 2):
            a = (top + row) * columns + left + column
            b = (top + column) * columns + left + last - row
            c = (top + last - row) * columns + left + last - column
            d = (top + last - column) * columns + left + row
            if quarters == 1:
                cells[a], cells[b], cells[c], cells[d] = cells[d], cells[a], cells[b], cells[c]
            elif quarters == 2:
                cells[a], cells[b], cells[c], cells[d] = cells[c], cells[d], cells[a], cells[b]
            else:
                cells[a], cells[b], cells[c], cells[d] = cells[b], cells[c], cells[d], cells[a]


@borrowing_kernel
def turn_block(cells: Cells, columns: int, blocks: Blocks, block: int, quarters: int) -> None:
    """Turns the block of that number."""
    turn(cells, columns, blocks[block, 0], blocks[block, 1], blocks[block, 2], quarters)


@borrowing_kernel
def turn_action(cells: Cells, columns: int, blocks: Blocks, ways: int, action: int, back: bool) -> None:
    """Does what the action says, which is `ways * block + quarters - 1` as in the rules, or takes it back."""
    quarters = action % ways + 1
    turn_block(cells, columns, blocks, action // ways, 4 - quarters if back else quarters)


@borrowing_kernel
def source(place: int, columns: int, left: int, top: int, side: int, quarters: int) -> int:
    """The place of the cell that the turn brings to the place."""
    row, column = place // columns - top, place % columns - left
    if row < 0 or row >= side or column < 0 or column >= side:
        return place
    last = side - 1
    if quarters == 1:
        return (top + last - column) * columns + left + row
    if quarters == 2:
        return (top + last - row) * columns + left + last - column
    return (top + column) * columns + left + last - row


@borrowing_kernel
def count_clusters(cells: Cells, columns: int, parents: Parents) -> int:
    """The number of clusters, by union and find. A root is the first cell of its cluster in reading order."""
    clusters = len(cells)
    column = 0
    for place in range(len(cells)):
        root = place
        if column > 0 and cells[place - 1] == cells[place]:
            root = root_of(parents, place - 1)
            clusters -= 1
        parents[place] = root
        if place >= columns and cells[place - columns] == cells[place]:
            above = root_of(parents, place - columns)
            if above != root:
                clusters -= 1
                parents[max(above, root)] = parents[place] = min(above, root)
        column = column + 1 if column + 1 < columns else 0
    return clusters


@borrowing_kernel
def root_of(parents: Parents, place: int) -> int:
    """The root of a cell's cluster. Each cell on the way then points to its grandparent."""
    while parents[place] != place:
        parents[place] = parents[parents[place]]
        place = int(parents[place])
    return place


@kernel
def perft(cells: Cells, columns: int, blocks: Blocks, ways: int, colours: int, depth: int) -> int:
    """Counts the sequences of so many turns; a finished board has none. The board is as it was afterwards.
    See `tests/reference/perft.py`."""
    parents = np.empty(len(cells), np.int16)
    turns, actions, lines, ply = np.full(depth + 1, -1), len(blocks) * ways, 0, 0
    while True:
        if turns[ply] < 0 and ply == depth:
            lines += 1
        elif turns[ply] + 1 < actions and (
            turns[ply] >= 0 or count_clusters(cells, columns, parents) > colours
        ):
            turns[ply] += 1
            turn_action(cells, columns, blocks, ways, turns[ply], False)
            ply += 1
            turns[ply] = -1
            continue
        if ply == 0:
            return lines
        ply -= 1
        turn_action(cells, columns, blocks, ways, turns[ply], True)
