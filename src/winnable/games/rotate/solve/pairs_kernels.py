"""One depth of a beam over boards of pairs, compiled.

Labels do not count, so a board is its `mates`, int16 [cells]: the place of each cell's mate, row-major. A
pair is *joined* when its cells are neighbours; cells of other pairs are *loose*. Bits of a row, uint64
[rows], say which are loose (`LOOSE`), which have their mate on their right (`RIGHT`), which below (`BELOW`).

The cost of a board has two parts. Each loose pair costs something for how far its cells are from each
other and from the middle. And each loose cell costs something for the sides that touch the edge or a joined
pair: so a hole among joined pairs, which is hard to fill later, is not left behind.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.bit_kernels import count_ones, trailing_zeros
from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.rotate.solve.rating_kernels import ones
from winnable.inert.arrays import I16, I32, I64, U64, U, np

LOOSE, RIGHT, BELOW, AFTER = range(4)
"""Rows of `bits`, uint64 [4, rows]; AFTER: the loose cells after a turn."""
ROW, COLUMN, APART = range(3)
"""Of `of_mates`."""
TURN_BITS, SLOT_BITS = 20, 32
"""Of entries of the heaps, below the cost."""


class Shape(NamedTuple):
    """What is true of all boards of a beam.

    blocks:    int64 [blocks, 3], those that turn: left, top, side
    far:       int32 [rows + columns], what a pair costs by the steps from cell to cell; 0 for neighbours only
    away:      int32 [cells], what each cell of a pair costs that is not joined
    border:    int32 [5], what a loose cell costs by how many of its sides touch the edge or a joined pair; 0
               for none
    keys:      uint64 [cells], random, below 2**32, so that no product overflows
    most_cuts: turns that cut more joined pairs are not looked at, nor those of blocks without a loose cell
    """

    columns: int
    blocks: I64
    far: I32
    away: I32
    border: I32
    keys: U64
    most_cuts: int


class Layer(NamedTuple):
    """Boards of one depth, what their pairs cost, and their hashes; all [width, ...]."""

    boards: I16
    costs: I32
    hashes: U64


class Workspace(NamedTuple):
    """What `expand` writes for one board and reads again.

    of_mates: int32 [cells, 3], for each cell the row and the column of its mate, and `apart` of both
    short:    int64 [some], a heap of the turns that are best for the pairs alone: only these are offered by
              their whole cost
    """

    mates: I16
    bits: U64
    of_mates: I32
    short: I64


class Children(NamedTuple):
    """The best so far, as many as the heap is long.

    heap:   int64: of each its whole cost and where the rest of it stands
    parent, turn: int32, of each; layer: where their costs and hashes stand, and in the end their boards
    seen:   uint64 [a power of two], hashes; 0 = free
    kept, hashed, rated: int64 [1]: children kept, hashes in `seen`, turns whose cost was reckoned
    """

    heap: I64
    parent: I32
    turn: I32
    layer: Layer
    seen: U64
    kept: I64
    hashed: I64
    rated: I64


@borrowing_kernel
def board_cost(shape: Shape, mates: I16) -> int:
    """The cost of all pairs: 0 when the board is finished."""
    columns, total = shape.columns, 0
    for place in range(len(mates)):
        mate = int(mates[place])
        if place < mate:
            row, column = place // columns, place % columns
            cost = apart(shape, row, column, mate // columns, mate % columns)
            total += cost + shape.away[place] + shape.away[mate]
    return total


@borrowing_kernel
def find_bits(mates: I16, columns: int, bits: U64) -> None:
    """Fills the rows LOOSE, RIGHT and BELOW of `bits`."""
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


@borrowing_kernel
def cuts(bits: U64, left: int, top: int, side: int, most: int) -> int:
    """Joined pairs that lie across the block's border; -1 when there is no loose cell in the block. It stops
    to count above `most`."""
    inside = ones(side) << U(left)
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


@borrowing_kernel
def find_mates(shape: Shape, mates: I16, of_mates: I32) -> None:
    """Fills `of_mates` of `Workspace`."""
    columns = shape.columns
    for place in range(len(mates)):
        row, column = mates[place] // columns, mates[place] % columns
        of_mates[place, ROW], of_mates[place, COLUMN] = row, column
        of_mates[place, APART] = apart(shape, place // columns, place % columns, row, column)


@borrowing_kernel
def apart(shape: Shape, row: int, column: int, mate_row: int, mate_column: int) -> int:
    """The cost of a pair besides `away` of both its cells: so less than nothing for neighbours, whose cost is
    0 altogether."""
    cost = shape.far[abs(row - mate_row) + abs(column - mate_column)]
    if cost == 0:
        return -shape.away[row * shape.columns + column] - shape.away[mate_row * shape.columns + mate_column]
    return cost


@inlined_kernel
def moved_in(bits: U64, row: int, inside: np.uint64, left: int, top: int, side: int) -> np.uint64:
    """The cells of a row of the block that count when it turns: its loose ones, and those of joined pairs
    across its border. inside: its columns."""
    last = side - 1
    moved = bits[LOOSE, row] & inside | bits[RIGHT, row] & U(1) << U(left + last)
    if row == top and top > 0:
        moved |= bits[BELOW, top - 1] & inside
    if row == top + last:
        moved |= bits[BELOW, row] & inside
    if left > 0:
        moved |= bits[RIGHT, row] << U(1) & U(1) << U(left)
    return moved


@borrowing_kernel
def rate(shape: Shape, of_mates: I32, bits: U64, left: int, top: int, side: int) -> int:
    """The change of the cost of all pairs by a turn of the block. Only its loose cells count, and joined
    pairs across its border."""
    columns, far, away = shape.columns, shape.far, shape.away
    change, last = 0, side - 1
    bottom, end = top + last, left + last
    inside = ones(side) << U(left)
    for row in range(top, top + side):
        moved = moved_in(bits, row, inside, left, top, side)
        column_after = left + last - (row - top)
        while moved != U(0):
            column = trailing_zeros(moved)
            moved &= moved - U(1)
            place = row * columns + column
            row_after = top + column - left
            after = away[row_after * columns + column_after]
            mate_row, mate_column = of_mates[place, ROW], of_mates[place, COLUMN]
            cost = far[abs(row_after - mate_row) + abs(column_after - mate_column)]
            if cost == 0:
                cost = -after - away[mate_row * columns + mate_column]
            cost -= of_mates[place, APART]
            change += after - away[place]
            within = (top <= mate_row) & (mate_row <= bottom) & (left <= mate_column) & (mate_column <= end)
            change += 0 if within else cost  # by a mask and not by a jump, which nobody could foresee
    return change


@borrowing_kernel
def find_loose_after(mates: I16, bits: U64, columns: int, left: int, top: int, side: int) -> None:
    """Fills the row AFTER for a turn of the block."""
    last = side - 1
    inside = ones(side) << U(left)
    for row in range(bits.shape[1]):
        bits[AFTER, row] = bits[LOOSE, row]
    for row in range(top, top + side):
        bits[AFTER, row] &= ~inside
    for row in range(top, top + side):
        moved = moved_in(bits, row, inside, left, top, side)
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


@borrowing_kernel
def border_cost(shape: Shape, loose: U64, which: int) -> int:
    """The cost of all loose cells (bits of the row `which`)."""
    border = shape.border
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


@borrowing_kernel
def pair_key(keys: U64, place: int, mate: int) -> np.uint64:
    """The share of one pair in the hash of a board."""
    product = keys[place] * keys[mate]
    return product ^ product >> U(29)


@borrowing_kernel
def hash_of(mates: I16, keys: U64) -> np.uint64:
    """The hash of a board: all its pairs' keys by exclusive or."""
    total = U(0)
    for place in range(len(mates)):
        if place < mates[place]:
            total ^= pair_key(keys, place, mates[place])
    return total


@borrowing_kernel
def hash_after(shape: Shape, mates: I16, left: int, top: int, side: int, before: np.uint64) -> np.uint64:
    """The hash of the board with the block turned, from its hash before."""
    columns, keys = shape.columns, shape.keys
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


@borrowing_kernel
def turn_mates(mates: I16, after: I16, columns: int, left: int, top: int, side: int) -> None:
    """Writes the board with the block turned to `after`."""
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


@borrowing_kernel
def push(heap: I64, size: int, entry: int) -> None:
    """Adds an entry to a heap of so many entries with room for one more, the largest on top."""
    spot = size
    while spot > 0 and heap[(spot - 1) // 2] < entry:
        heap[spot] = heap[(spot - 1) // 2]
        spot = (spot - 1) // 2
    heap[spot] = entry


@borrowing_kernel
def replace_top(heap: I64, size: int, entry: int) -> None:
    """Puts the entry in the place of the heap's largest."""
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


@borrowing_kernel
def is_new(children: Children, key: np.uint64) -> bool:
    """Whether the hash is not in the table yet; adds it, while that is less than half full."""
    seen, mask = children.seen, U(len(children.seen) - 1)
    slot = key & mask
    while seen[slot] != U(0):
        if seen[slot] == key:
            return False
        slot = (slot + U(1)) & mask
    if 2 * children.hashed[0] < len(seen):
        seen[slot] = key
        children.hashed[0] += 1
    return True


@borrowing_kernel
def expand(shape: Shape, layer: Layer, first: int, last: int, work: Workspace, children: Children) -> None:
    """Offers the turns of the boards `first` to `last` to the children."""
    mates, bits, blocks = work.mates, work.bits, shape.blocks
    for parent in range(first, last):
        for place in range(len(mates)):
            mates[place] = layer.boards[parent, place]
        find_bits(mates, shape.columns, bits)
        find_mates(shape, mates, work.of_mates)
        for index in range(shortlist(shape, layer.costs[parent], work, children.rated)):
            number = work.short[index] & ((1 << TURN_BITS) - 1)
            left, top, side = blocks[number, 0], blocks[number, 1], blocks[number, 2]
            cost = work.short[index] >> TURN_BITS
            if is_full(children) and cost > children.heap[0] >> SLOT_BITS:
                continue
            find_loose_after(mates, bits, shape.columns, left, top, side)
            whole = cost + border_cost(shape, bits, AFTER)
            if is_full(children) and whole >= children.heap[0] >> SLOT_BITS:
                continue
            key = hash_after(shape, mates, left, top, side, layer.hashes[parent])
            if is_new(children, key):
                slot = take_slot(children, whole)
                children.layer.costs[slot], children.layer.hashes[slot] = cost, key
                children.parent[slot], children.turn[slot] = parent, number


@inlined_kernel
def shortlist(shape: Shape, before: int, work: Workspace, rated: I64) -> int:
    """Fills `short`, for a board whose pairs cost so much before; how many turns are on it."""
    blocks, listed = shape.blocks, 0
    for number in range(len(blocks)):
        left, top, side = blocks[number, 0], blocks[number, 1], blocks[number, 2]
        cut = cuts(work.bits, left, top, side, shape.most_cuts)
        if cut < 0 or cut > shape.most_cuts:
            continue
        rated[0] += 1
        cost = int(before) + int(rate(shape, work.of_mates, work.bits, left, top, side))
        entry = cost << TURN_BITS | number
        if listed < len(work.short):
            push(work.short, listed, entry)
            listed += 1
        elif entry < work.short[0]:
            replace_top(work.short, listed, entry)
    return listed


@inlined_kernel
def is_full(children: Children) -> bool:
    """Whether as many children are kept as may be."""
    return children.kept[0] == len(children.heap)


@inlined_kernel
def take_slot(children: Children, whole: int) -> int:
    """The slot for a child of that cost: a free place, or that of the worst, which leaves."""
    heap, kept = children.heap, children.kept
    if is_full(children):
        slot = heap[0] & ((1 << SLOT_BITS) - 1)
        replace_top(heap, len(heap), whole << SLOT_BITS | slot)
    else:
        slot = kept[0]
        push(heap, slot, whole << SLOT_BITS | slot)
        kept[0] += 1
    return slot


@borrowing_kernel
def make_children(shape: Shape, layer: Layer, first: int, last: int, children: Children) -> None:
    """Makes the boards of the children `first` to `last` that are kept."""
    blocks = shape.blocks
    for child in range(first, last):
        number, mates = children.turn[child], layer.boards[children.parent[child]]
        left, top, side = blocks[number, 0], blocks[number, 1], blocks[number, 2]
        turn_mates(mates, children.layer.boards[child], shape.columns, left, top, side)
