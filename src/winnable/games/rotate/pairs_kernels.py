"""One depth of a beam over boards of pairs, compiled.

Labels do not count, so a board is its `mates`, int16 [cells]: the place of each cell's mate, row-major. A
pair is *joined* when its cells are neighbours; cells of other pairs are *loose*. Bits of a row, uint64
[rows], say which are loose (`LOOSE`), which have their mate on their right (`RIGHT`), which below (`BELOW`).

The cost of a board has two parts. Each loose pair costs something for how far its cells are from each
other and from the middle. And each loose cell costs something for the sides that touch the edge or a joined
pair: so a hole among joined pairs, which is hard to fill later, is not left behind.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.bit_kernels import count_ones, trailing_zeros
from winnable.jit import kernel

I16: TypeAlias = NDArray[np.int16]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U64: TypeAlias = NDArray[np.uint64]
U = np.uint64

LOOSE, RIGHT, BELOW, AFTER = range(4)
"""Rows of `bits`, uint64 [4, rows]; AFTER: the loose cells after a turn."""
KEPT, SEEN, RATED = range(3)
"""Of `at`, int64 [3]: children kept, entries of the table of hashes, turns whose cost was reckoned."""
TURN_BITS, SLOT_BITS = 20, 32
"""Of entries of the heaps, below the cost."""


@kernel
def board_cost(mates: I16, columns: int, far: I32, away: I32) -> int:
    """Of all pairs: 0 when the board is finished.

    far: int32 [rows + columns], of a pair by the steps from cell to cell; 0 for neighbours alone. away: int32
    [cells], of each cell of a pair that is not joined.
    """
    total = 0
    for place in range(len(mates)):
        mate = int(mates[place])
        if place < mate:
            row, column = place // columns, place % columns
            cost = apart(far, away, columns, row, column, mate // columns, mate % columns)
            total += cost + away[place] + away[mate]
    return total


@kernel
def find_bits(mates: I16, columns: int, bits: U64) -> None:
    for row in range(bits.shape[1]):
        loose, right, below = U(0), U(0), U(0)
        for column in range(columns):
            apart = mates[row * columns + column] - row * columns - column
            bit = U(1) << U(column)
            if apart == columns:
                below |= bit
            elif apart == 1 and column < columns - 1:
                right |= bit
            elif apart != -columns and (apart != -1 or column == 0):
                loose |= bit
        bits[LOOSE, row], bits[RIGHT, row], bits[BELOW, row] = loose, right, below


@kernel
def cuts(bits: U64, left: int, top: int, side: int, most: int) -> int:
    """Joined pairs that lie across the block's border; -1 when there is no loose cell in the block. It stops
    to count above `most`."""
    inside = ((U(1) << U(side)) - U(1)) << U(left) if side < 64 else ~U(0)
    total = count_ones(bits[BELOW, top + side - 1] & inside)
    if top > 0:
        total += count_ones(bits[BELOW, top - 1] & inside)
    if total > most:
        return total
    ends = U(1) << U(left + side - 1)
    if left > 0:
        ends |= U(1) << U(left - 1)
    loose = U(0)
    for row in range(top, top + side):
        total += count_ones(bits[RIGHT, row] & ends)
        loose |= bits[LOOSE, row] & inside
    return total if loose != U(0) else -1


@kernel
def find_mates(mates: I16, columns: int, far: I32, away: I32, of_mates: I32) -> None:
    """of_mates: int32 [cells, 3], for each cell the row and the column of its mate, and `apart` of both."""
    for place in range(len(mates)):
        row, column = mates[place] // columns, mates[place] % columns
        of_mates[place, 0], of_mates[place, 1] = row, column
        of_mates[place, 2] = apart(far, away, columns, place // columns, place % columns, row, column)


@kernel
def apart(far: I32, away: I32, columns: int, row: int, column: int, mate_row: int, mate_column: int) -> int:
    """What a pair costs besides `away` of both its cells: so less than nothing for neighbours, whose cost is
    0 altogether."""
    cost = far[abs(row - mate_row) + abs(column - mate_column)]
    if cost == 0:
        return -away[row * columns + column] - away[mate_row * columns + mate_column]
    return cost


@kernel
def rate(of_mates: I32, bits: U64, columns: int, left: int, top: int, side: int, far: I32, away: I32) -> int:
    """By how much a turn of the block changes the cost of all pairs. Only its loose cells count, and joined
    pairs across its border."""
    change, last = 0, side - 1
    bottom, end = top + last, left + last
    inside = ((U(1) << U(side)) - U(1)) << U(left) if side < 64 else ~U(0)
    ends = U(1) << U(left + last)
    start = U(1) << U(left)
    for row in range(top, top + side):
        moved = bits[LOOSE, row] & inside | bits[RIGHT, row] & ends
        if row == top and top > 0:
            moved |= bits[BELOW, top - 1] & inside
        if row == top + last:
            moved |= bits[BELOW, row] & inside
        if left > 0:
            moved |= bits[RIGHT, row] << U(1) & start
        column_after = left + last - (row - top)
        while moved != U(0):
            column = trailing_zeros(moved)
            moved &= moved - U(1)
            place = row * columns + column
            row_after = top + column - left
            after = away[row_after * columns + column_after]
            mate_row, mate_column = of_mates[place, 0], of_mates[place, 1]
            cost = far[abs(row_after - mate_row) + abs(column_after - mate_column)]
            if cost == 0:
                cost = -after - away[mate_row * columns + mate_column]
            cost -= of_mates[place, 2]
            change += after - away[place]
            within = (top <= mate_row) & (mate_row <= bottom) & (left <= mate_column) & (mate_column <= end)
            change += 0 if within else cost  # by a mask and not by a jump, which nobody could foresee
    return change


@kernel
def find_loose_after(mates: I16, bits: U64, columns: int, left: int, top: int, side: int) -> None:
    """Sets AFTER."""
    last = side - 1
    inside = ((U(1) << U(side)) - U(1)) << U(left) if side < 64 else ~U(0)
    for row in range(bits.shape[1]):
        bits[AFTER, row] = bits[LOOSE, row]
    for row in range(top, top + side):
        bits[AFTER, row] &= ~inside
    for row in range(top, top + side):
        moved = bits[LOOSE, row] & inside | bits[RIGHT, row] & U(1) << U(left + last)
        if row == top and top > 0:
            moved |= bits[BELOW, top - 1] & inside
        if row == top + last:
            moved |= bits[BELOW, row] & inside
        if left > 0:
            moved |= bits[RIGHT, row] << U(1) & U(1) << U(left)
        column_after = left + last - (row - top)
        while moved != U(0):
            column = trailing_zeros(moved)
            moved &= moved - U(1)
            mate = int(mates[row * columns + column])
            mate_row = mate // columns
            mate_column = mate - mate_row * columns
            row_after = top + column - left
            within = top <= mate_row < top + side and left <= mate_column < left + side
            if within or abs(row_after - mate_row) + abs(column_after - mate_column) > 1:
                bits[AFTER, row_after] |= U(1) << U(column_after)
                if not within:
                    bits[AFTER, mate_row] |= U(1) << U(mate_column)
            else:
                bits[AFTER, mate_row] &= ~(U(1) << U(mate_column))


@kernel
def border_cost(loose: U64, which: int, border: I32) -> int:
    """Of all loose cells (bits of the row `which`). border: int32 [5], by how many of a cell's sides touch
    the edge or a joined pair; 0 for none."""
    total, last = 0, loose.shape[1] - 1
    for row in range(last + 1):
        here = loose[which, row]
        if here == U(0):
            continue
        above = ~loose[which, row - 1] if row > 0 else ~U(0)
        below = ~loose[which, row + 1] if row < last else ~U(0)
        before, behind = ~(here << U(1)), ~(here >> U(1))
        odd, odd_beside = above ^ below, before ^ behind
        two, two_beside, two_crossed = above & below, before & behind, odd & odd_beside
        ones, four = odd ^ odd_beside, two & two_beside
        twos = two | two_beside | two_crossed
        total += border[1] * count_ones(here & ones & ~twos) + border[2] * count_ones(
            here & twos & ~ones & ~four
        )
        total += border[3] * count_ones(here & twos & ones) + border[4] * count_ones(here & four)
    return total


@kernel
def pair_key(keys: U64, place: int, mate: int) -> np.uint64:
    """keys: random, uint64 [cells], below 2**32, so that no product overflows."""
    product = keys[place] * keys[mate]
    return product ^ product >> U(29)


@kernel
def hash_of(mates: I16, keys: U64) -> np.uint64:
    total = U(0)
    for place in range(len(mates)):
        if place < mates[place]:
            total ^= pair_key(keys, place, mates[place])
    return total


@kernel
def hash_after(
    mates: I16, columns: int, left: int, top: int, side: int, keys: U64, before: np.uint64
) -> np.uint64:
    """Of the board with the block turned, from its hash before."""
    total, last = before, side - 1
    for row in range(side):
        for column in range(side):
            place = (top + row) * columns + left + column
            after = (top + column) * columns + left + last - row
            mate = int(mates[place])
            mate_row = mate // columns
            mate_column = mate - mate_row * columns - left
            mate_row -= top
            if 0 <= mate_row < side and 0 <= mate_column < side:
                if place < mate:
                    mate_after = (top + mate_column) * columns + left + last - mate_row
                    total ^= pair_key(keys, after, mate_after) ^ pair_key(keys, place, mate)
            else:
                total ^= pair_key(keys, after, mate) ^ pair_key(keys, place, mate)
    return total


@kernel
def turn_mates(mates: I16, after: I16, columns: int, left: int, top: int, side: int) -> None:
    """after: becomes the board with the block turned."""
    last = side - 1
    for place in range(len(mates)):
        after[place] = mates[place]
    for row in range(side):
        for column in range(side):
            place = (top + row) * columns + left + column
            turned = (top + column) * columns + left + last - row
            mate = int(mates[place])
            mate_row = mate // columns
            mate_column = mate - mate_row * columns - left
            mate_row -= top
            if 0 <= mate_row < side and 0 <= mate_column < side:
                after[turned] = (top + mate_column) * columns + left + last - mate_row
            else:
                after[turned] = mate
                after[mate] = turned


@kernel
def push(heap: I64, size: int, entry: int) -> None:
    """To a heap of so many entries with room for one more, the largest on top."""
    spot = size
    while spot > 0 and heap[(spot - 1) // 2] < entry:
        heap[spot] = heap[(spot - 1) // 2]
        spot = (spot - 1) // 2
    heap[spot] = entry


@kernel
def replace_top(heap: I64, size: int, entry: int) -> None:
    spot = 0
    while True:
        below = 2 * spot + 1
        if below >= size:
            break
        if below + 1 < size and heap[below + 1] > heap[below]:
            below += 1
        if heap[below] <= entry:
            break
        heap[spot] = heap[below]
        spot = below
    heap[spot] = entry


@kernel
def is_new(seen: U64, key: np.uint64, at: I64) -> bool:
    """Adds it to the table, while that is less than half full."""
    mask = U(len(seen) - 1)
    slot = key & mask
    while seen[slot] != U(0):
        if seen[slot] == key:
            return False
        slot = (slot + U(1)) & mask
    if 2 * at[SEEN] < len(seen):
        seen[slot] = key
        at[SEEN] += 1
    return True


@kernel
def expand(
    boards: I16,
    costs: I32,
    hashes: U64,
    first: int,
    last: int,
    blocks: I64,
    columns: int,
    far: I32,
    away: I32,
    border: I32,
    keys: U64,
    most_cuts: int,
    short: int,
    heap: I64,
    kept_cost: I32,
    kept_parent: I32,
    kept_turn: I32,
    kept_hash: U64,
    seen: U64,
    at: I64,
) -> None:
    """Offers the turns of the boards `first` to `last` to the heap of the best children, as many as the heap
    is long.

    boards: int16 [width, cells]; costs, hashes: of their pairs, int32 and uint64 [width]. Turns that cut more
    than `most_cuts` joined pairs or have no loose cell in their block are not looked at; of the others, the
    `short` ones that are best for the pairs alone are offered by their whole cost.
    """
    cells, width = boards.shape[1], len(heap)
    mates = np.empty(cells, np.int16)
    bits = np.zeros((4, cells // columns), np.uint64)
    of_mates = np.empty((cells, 3), np.int32)
    few = np.empty(short, np.int64)
    for parent in range(first, last):
        for place in range(cells):
            mates[place] = boards[parent, place]
        find_bits(mates, columns, bits)
        find_mates(mates, columns, far, away, of_mates)
        listed = 0
        for number in range(blocks.shape[0]):
            left, top, side = blocks[number, 0], blocks[number, 1], blocks[number, 2]
            cut = cuts(bits, left, top, side, most_cuts)
            if cut < 0 or cut > most_cuts:
                continue
            at[RATED] += 1
            cost = int(costs[parent]) + int(rate(of_mates, bits, columns, left, top, side, far, away))
            entry = cost << TURN_BITS | number
            if listed < short:
                push(few, listed, entry)
                listed += 1
            elif entry < few[0]:
                replace_top(few, short, entry)
        for index in range(listed):
            number = few[index] & ((1 << TURN_BITS) - 1)
            left, top, side = blocks[number, 0], blocks[number, 1], blocks[number, 2]
            cost = few[index] >> TURN_BITS
            if at[KEPT] == width and cost > heap[0] >> SLOT_BITS:
                continue
            find_loose_after(mates, bits, columns, left, top, side)
            whole = cost + border_cost(bits, AFTER, border)
            if at[KEPT] == width and whole >= heap[0] >> SLOT_BITS:
                continue
            key = hash_after(mates, columns, left, top, side, keys, hashes[parent])
            if not is_new(seen, key, at):
                continue
            if at[KEPT] < width:
                slot = at[KEPT]
                push(heap, slot, whole << SLOT_BITS | slot)
                at[KEPT] += 1
            else:
                slot = heap[0] & ((1 << SLOT_BITS) - 1)
                replace_top(heap, width, whole << SLOT_BITS | slot)
            kept_cost[slot], kept_parent[slot], kept_turn[slot], kept_hash[slot] = cost, parent, number, key


@kernel
def make_children(
    boards: I16, children: I16, kept: int, kept_parent: I32, kept_turn: I32, blocks: I64, columns: int
) -> None:
    cells = boards.shape[1]
    mates, after = np.empty(cells, np.int16), np.empty(cells, np.int16)
    for child in range(kept):
        number = kept_turn[child]
        for place in range(cells):
            mates[place] = boards[kept_parent[child], place]
        turn_mates(mates, after, columns, blocks[number, 0], blocks[number, 1], blocks[number, 2])
        for place in range(cells):
            children[child, place] = after[place]
