"""The chain of `chain.py`, compiled: cells hit one after another instead of droplets moved cell by cell.

A board of `n` cells is one array, uint16 [5 (n + 1)]: the cells, row-major, with WALL at index n; then, for
each way U, D, L, R, n + 1 links: from each cell with drops to the nearest one with drops in that way, or to n
when there is none. A cell that bursts is taken out of its row's and its column's list (Knuth's dancing
links); its own links stay as they were, so that a droplet on its way there finds on.

A burst sends its droplets off when they are due at the neighbouring cells: those that meet drops there are
absorbed at once, the others become one event each, the arrival at the next cell with drops. A chain is one
array, int64: FLOW counters (see HEAD), the cells that burst, in order, the tick of each cell's burst, and the
arrivals by tick and then by age, as keys `((tick << 12 | age) << 10 | cell) << 2 | way`. Of what is due in
one tick the arrivals come first: their droplets are older.

Everything is in few arrays, and these are arguments, because taking an array out of a tuple costs more than a
droplet does.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.games.drops.chain import RULE_SETS
from winnable.games.drops.level import FULL, RuleName
from winnable.jit import kernel

U: TypeAlias = np.uint64
I64: TypeAlias = NDArray[np.int64]
Cell: TypeAlias = np.uint16
"""One type for all sizes: with a smaller one for small boards everything would be compiled twice."""
Cells: TypeAlias = NDArray[Any]
"""Of Cell."""
to_int: Any = np.int64
WAYS = "UDLR"
WALL = 9
CELLS, COLUMNS, FIRST, FURTHER, ABSORB, BITS = range(6)
ORDER, LINKS, STEP, PER_STEP = range(6, 22, 4)
ON_BOARD, NOT_LEFT, NOT_RIGHT = range(22, 25)
"""Places in a geometry, int64 [25]: the number of cells, of columns, the rule set's ticks and whether it
absorbs, the bits of a line's mask where chains are priced (0: they are not); then four each, for the four
ways in the order in which the droplets of one burst line up: the way, where its links begin, the number of
the neighbouring cell less that of a cell, and 2**16 divided by that: `(target - cell) * it >> 16` is how many
cells a droplet flies; last, for boards of at most 64 cells, the cells as bits: all, those that are not in the
leftmost column, and those that are not in the rightmost."""
HEAD, TAIL, TICK, SENT, BURSTS, WAY, LOST, LEAST, PRICE = range(9)
"""The counters of a chain: the live part of the arrivals; the time; how many bursts have sent their droplets
off, and how many there were; the place in the order of the next droplet of the one that is at it; how many
droplets were lost over the edge or swallowed; how many at least the cells with drops will yet lose; and the
price (see price_kernels.py)."""
MASKS = 9
"""There each line's mask begins, which of its cells hold drops: 32 rows, 32 columns."""
LIST = MASKS + 64
"""There the cells that burst begin."""
SCALE = 5040
"""A click in units of price."""
MOST_BITS = 8
"""Chains are priced on boards whose lines have at most so many cells."""
WORD = 64
"""Bits in one."""
END, OVER = -1, -2
"""What `advance` returns beside cells."""
NO_LIMIT = 1 << 40


def geometry_of(rows: int, columns: int, rules: RuleName) -> I64:
    rule_set = RULE_SETS[rules]
    n = rows * columns
    bits = max(rows, columns) if max(rows, columns) <= MOST_BITS else 0
    ways = [WAYS.index(way) for way in rule_set.order]
    steps = [(-columns, columns, -1, 1)[way] for way in ways]
    at_column = np.arange(n) % columns
    masks = [np.ones(n, np.bool_), at_column > 0, at_column < columns - 1]
    geometry = np.array(
        [
            *(n, columns, rule_set.first, rule_set.further, rule_set.absorb, bits),
            *ways,
            *((way + 1) * (n + 1) for way in ways),
            *steps,
            # Rounded away from 0; exact for multiples of the step, as there are at most 2**10 cells.
            *((1 << 16) // step if step < 0 else -(-(1 << 16) // step) for step in steps),
            *(0, 0, 0),
        ],
        np.int64,
    )
    if n <= WORD:
        bits = np.packbits([np.pad(mask, (0, WORD - n)) for mask in masks], axis=1, bitorder="little")
        geometry[ON_BOARD:] = bits.view("<i8").ravel()
    return geometry


def new_chain(n: int) -> I64:
    """Each droplet has one arrival at most in the queue; there is room for those of one burst more."""
    return np.zeros(LIST + 2 * (n + 1) + 4 * (n + 1), np.int64)


def new_board(n: int) -> Cells:
    return np.zeros(5 * (n + 1), Cell)


def pack(cells: bytes, geometry: I64) -> Cells:
    """cells: row-major, n bytes."""
    board = new_board(len(cells))
    board[: len(cells)] = np.frombuffer(cells, np.uint8)
    link(board, geometry)
    return board


def unpack(board: Cells) -> bytes:
    return board[: board.size // 5 - 1].astype(np.uint8).tobytes()


@kernel
def link(board: Cells, geometry: I64) -> None:
    """Fills the links from the cells, and puts up the wall."""
    n, columns = geometry[CELLS], geometry[COLUMNS]
    up, down, left, right = n + 1, 2 * (n + 1), 3 * (n + 1), 4 * (n + 1)
    board[n] = WALL
    for place in range(n + 1, board.size):
        board[place] = n
    begin_of_row, column = 0, 0
    for cell in range(n):
        if board[cell]:
            above = cell - columns
            while above >= 0 and board[above] == 0:
                above -= columns
            if above >= 0:
                board[up + cell] = above
                board[down + above] = cell
            before = cell - 1
            while before >= begin_of_row and board[before] == 0:
                before -= 1
            if before >= begin_of_row:
                board[left + cell] = before
                board[right + before] = cell
        column += 1
        if column == columns:
            column = 0
            begin_of_row = cell + 1


@kernel
def unlink(board: Cells, n: U, cell: U) -> tuple[int, int]:
    """Takes the cell out of its lines. By how much less these will lose at least: a line of one cell loses 2
    of its droplets and any longer one 3; and the ways in which nothing is left that could absorb a droplet,
    as bits, with their number times 16."""
    less, nowhere = 0, 0
    for axis in range(2):
        back = U(1 + 2 * axis) * (n + U(1))
        forth = back + n + U(1)
        before, after = U(board[back + cell]), U(board[forth + cell])
        board[forth + before] = after
        board[back + after] = before
        if before == n:
            nowhere += 16 + (1 << 2 * axis)
            if after == n:
                less += 2
            elif U(board[forth + after]) == n:
                less += 1
        elif after == n and U(board[back + before]) == n:
            less += 1
        if after == n:
            nowhere += 16 + (2 << 2 * axis)
    return less, nowhere


@kernel
def price_of_burst(chain: I64, geometry: I64, worth: I64, by: int, cell: int) -> int:
    """Takes the cell out of the masks of its lines; by how much the price grows, its four droplets
    counted."""
    columns, bits = geometry[COLUMNS], geometry[BITS]
    row = cell // columns
    column = cell - row * columns
    across, along = chain[MASKS + row], chain[MASKS + 32 + column]
    less_across, less_along = across & ~(1 << column), along & ~(1 << row)
    chain[MASKS + row], chain[MASKS + 32 + column] = less_across, less_along
    row_worth, column_worth = row << bits, geometry[CELLS] // columns + column << bits
    before = worth[by, row_worth | across] + worth[by, column_worth | along]
    return before - worth[by, row_worth | less_across] - worth[by, column_worth | less_along] - 4 * SCALE


@kernel
def burst(
    board: Cells, chain: I64, geometry: I64, weights: I64, worth: I64, priced: bool, by: int, cell: int
) -> None:
    """Empties the cell, which gets the drops that it lacks; its droplets are sent off when it is their
    turn."""
    if priced:
        lacking = FULL + 1 - to_int(board[cell])
        chain[PRICE] += price_of_burst(chain, geometry, worth, by, cell) - lacking * weights[by, cell]
    n = U(geometry[CELLS])
    board[cell] = 0
    less, nowhere = unlink(board, n, U(cell))
    lost = to_int(nowhere >> 4)
    chain[LEAST] -= less
    chain[LOST] += lost
    chain[PRICE] += SCALE * lost
    chain[LIST + chain[BURSTS]] = cell | to_int(nowhere & 15) << 16
    chain[LIST + geometry[CELLS] + 1 + cell] = chain[TICK]
    chain[BURSTS] += 1


@kernel
def begin(chain: I64, least: int, price: int) -> None:
    """A chain on a board that will lose at least so many droplets, and has this price."""
    for place in range(MASKS):
        chain[place] = 0
    chain[LEAST], chain[PRICE] = least, price


@kernel
def enqueue(chain: I64, queue: U, head: U, tail: U, key: int) -> None:
    """Into its place among the arrivals; most keys belong near the end."""
    place = queue + tail
    while place > queue + head and chain[place - U(1)] > key:
        chain[place] = chain[place - U(1)]
        place -= U(1)
    chain[place] = key


@kernel
def advance(
    board: Cells,
    chain: I64,
    geometry: I64,
    weights: I64,
    worth: I64,
    priced: bool,
    by: int,
    allowance: int,
    most_lost: int,
    most_price: int,
) -> int:
    """Goes on with the chain to the next hit of a cell that does not burst and lacks at most `allowance`
    drops then: that cell. END when the chain is over; OVER as soon as more than `most_lost` droplets are
    lost, counted with those that the cells left will lose at least, or the price is more than
    `most_price`."""
    n, columns = U(geometry[CELLS]), U(geometry[COLUMNS])
    first, further, absorb = geometry[FIRST], geometry[FURTHER], geometry[ABSORB]
    bursts = U(LIST)
    ticks = bursts + n + U(1)
    queue = ticks + n + U(1)
    room = U(chain.size) - queue
    head, tail, sent, count = U(chain[HEAD]), U(chain[TAIL]), U(chain[SENT]), U(chain[BURSTS])
    way, tick, lost, least = U(chain[WAY]), chain[TICK], chain[LOST], chain[LEAST]
    price = chain[PRICE]
    result = END
    while True:
        if tail == room:
            for place in range(tail - head):
                chain[queue + U(place)] = chain[queue + head + U(place)]
            tail -= head
            head = U(0)
        if (
            head < tail
            and way == U(0)
            and (
                sent == count
                or chain[queue + head] >> 24 <= chain[ticks + U(chain[bursts + sent] & 0xFFFF)] + first
            )
        ):
            key = chain[queue + head]
            head += U(1)
            tick = key >> 24
            cell = U(key >> 2 & 1023)
            drops = board[cell]
            if drops == FULL:
                board[cell] = 0
                less, nowhere = unlink(board, n, cell)
                least -= less
                lost += nowhere >> 4
                chain[ticks + cell] = tick
                chain[bursts + count] = to_int(cell) | (nowhere & 15) << 16
                count += U(1)
                if priced:
                    price += (
                        SCALE - weights[by, cell] + price_of_burst(chain, geometry, worth, by, to_int(cell))
                    )
                continue
            if drops:
                board[cell] = drops + 1
                if priced:
                    price += SCALE - weights[by, cell]
                if FULL - drops <= allowance:
                    result = to_int(cell)
                    break
                continue
            if absorb and chain[ticks + cell] == tick:
                lost += 1
            else:
                along = U(key & 3)
                line = (along + U(1)) * (n + U(1))
                target = U(board[line + cell])
                while board[target] == 0:
                    target = U(board[line + target])
                if target == n:
                    lost += 1
                else:
                    far = target - cell if target > cell else cell - target
                    if along < U(2):
                        far //= columns
                    later = tick + further * to_int(far)
                    arrival = to_int(target << U(2) | along)
                    enqueue(chain, queue, head, tail, later << 24 | key & 0xFFF000 | arrival)
                    tail += U(1)
        elif sent < count:
            source = U(chain[bursts + sent] & 0xFFFF)
            gone = chain[bursts + sent] >> 16
            tick = chain[ticks + source] + first
            while way < U(4) and tail < room:
                along = U(geometry[U(ORDER) + way])
                line = (along + U(1)) * (n + U(1))
                step = columns if along < U(2) else U(1)
                target = U(board[line + source])
                far = target - source if target > source else source - target
                way += U(1)
                if gone >> to_int(along) & 1:
                    continue
                if absorb and board[target] == 0 and far == step and chain[ticks + target] == tick:
                    lost += 1
                    continue
                while board[target] == 0:
                    target = U(board[line + target])
                far = target - source if target > source else source - target
                if far == step or target == n:
                    drops = board[target]
                    if drops == FULL:
                        board[target] = 0
                        less, nowhere = unlink(board, n, target)
                        least -= less
                        lost += nowhere >> 4
                        chain[ticks + target] = tick
                        chain[bursts + count] = to_int(target) | (nowhere & 15) << 16
                        count += U(1)
                        if priced:
                            price += SCALE - weights[by, target]
                            price += price_of_burst(chain, geometry, worth, by, to_int(target))
                    elif drops == WALL:
                        lost += 1
                    else:
                        board[target] = drops + 1
                        if priced:
                            price += SCALE - weights[by, target]
                        if FULL - drops <= allowance:
                            result = to_int(target)
                            break
                else:
                    if along < U(2):
                        far //= columns
                    later = tick + further * (to_int(far) - 1)
                    age = (sent << U(2)) + way - U(1)
                    arrival = to_int(age << U(12) | target << U(2) | along)
                    enqueue(chain, queue, head, tail, later << 24 | arrival)
                    tail += U(1)
            if result >= 0:
                break
            if way == U(4):
                way = U(0)
                sent += U(1)
        else:
            break
        if lost + least > most_lost or (priced and price + SCALE * (lost - chain[LOST]) > most_price):
            result = OVER
            break
    chain[HEAD], chain[TAIL], chain[SENT], chain[BURSTS] = head, tail, sent, count
    if priced:
        chain[PRICE] = price + SCALE * (lost - chain[LOST])
    chain[WAY], chain[TICK], chain[LOST], chain[LEAST] = way, tick, lost, least
    return result


@kernel
def next_hit(board: Cells, chain: I64, geometry: I64, unpriced: I64) -> int:
    """Goes on to the next droplet that is absorbed by a cell which does not burst; END at the chain's end.
    unpriced: int64 [1, 1]."""
    return advance(board, chain, geometry, unpriced, unpriced, False, 0, FULL, NO_LIMIT, NO_LIMIT)
