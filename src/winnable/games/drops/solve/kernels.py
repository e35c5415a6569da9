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
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from winnable.compiled.jit import borrowing_kernel, kernel
from winnable.games.drops.rules.chain import RULE_SETS
from winnable.games.drops.rules.level import FULL, RuleName
from winnable.inert.arrays import I64, U16, U, np
from winnable.inert.late import late

Cells: TypeAlias = U16
"""One type for all sizes: with a smaller one for small boards everything would be compiled twice."""
to_int: Any = late(lambda: np.int64)
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


class Prices(NamedTuple):
    """What prices a chain (see price_kernels.py): weights, int64 [rows, n + 1], and what lines are worth by
    them, int64 [rows, lines << BITS]. by: the row that counts; negative: chains are not priced."""

    weights: I64
    worth: I64
    by: int


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
    return np.zeros(5 * (n + 1), np.uint16)


def pack(cells: bytes, geometry: I64) -> Cells:
    """cells: row-major, n bytes."""
    board = new_board(len(cells))
    board[: len(cells)] = np.frombuffer(cells, np.uint8)
    link(board, geometry)
    return board


def unpack(board: Cells) -> bytes:
    return board[: board.size // 5 - 1].astype(np.uint8).tobytes()


@kernel
def unpriced() -> Prices:
    """For chains that are not priced."""
    return Prices(np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64), -1)


@borrowing_kernel
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


@borrowing_kernel
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


@borrowing_kernel
def price_of_burst(chain: I64, geometry: I64, prices: Prices, cell: int) -> int:
    """Takes the cell out of the masks of its lines; by how much the price grows, its four droplets
    counted."""
    columns, bits, worth, by = geometry[COLUMNS], geometry[BITS], prices.worth, prices.by
    row = cell // columns
    column = cell - row * columns
    across, along = chain[MASKS + row], chain[MASKS + 32 + column]
    less_across, less_along = across & ~(1 << column), along & ~(1 << row)
    chain[MASKS + row], chain[MASKS + 32 + column] = less_across, less_along
    row_worth, column_worth = row << bits, geometry[CELLS] // columns + column << bits
    before = worth[by, row_worth | across] + worth[by, column_worth | along]
    return before - worth[by, row_worth | less_across] - worth[by, column_worth | less_along] - 4 * SCALE


@borrowing_kernel
def lose(chain: I64, droplets: int) -> None:
    chain[LOST] += droplets
    chain[PRICE] += SCALE * droplets


@borrowing_kernel
def empty(board: Cells, chain: I64, geometry: I64, prices: Prices, cell: U) -> None:
    """The cell bursts; its droplets are sent off when it is their turn."""
    if prices.by >= 0:
        chain[PRICE] += price_of_burst(chain, geometry, prices, to_int(cell))
    n = U(geometry[CELLS])
    board[cell] = 0
    less, nowhere = unlink(board, n, cell)
    chain[LEAST] -= less
    lose(chain, nowhere >> 4)
    chain[U(LIST + chain[BURSTS])] = to_int(cell) | (nowhere & 15) << 16
    chain[U(LIST) + n + U(1) + cell] = chain[TICK]
    chain[BURSTS] += 1


@borrowing_kernel
def burst(board: Cells, chain: I64, geometry: I64, prices: Prices, cell: int) -> None:
    """Gives the cell the drops that it lacks, so that it bursts."""
    if prices.by >= 0:
        chain[PRICE] -= (FULL + 1 - to_int(board[cell])) * prices.weights[prices.by, cell]
    empty(board, chain, geometry, prices, U(cell))


@borrowing_kernel
def hit(board: Cells, chain: I64, geometry: I64, prices: Prices, cell: U) -> int:
    """A droplet meets a cell with drops, which absorbs it, and bursts if it is full; the drops that it lacked
    until then."""
    if prices.by >= 0:
        chain[PRICE] += SCALE - prices.weights[prices.by, cell]
    lacking = FULL - to_int(board[cell])
    if lacking == 0:
        empty(board, chain, geometry, prices, cell)
    else:
        board[cell] += 1
    return lacking


@borrowing_kernel
def begin(chain: I64, least: int, price: int) -> None:
    """A chain on a board that will lose at least so many droplets, and has this price."""
    for place in range(MASKS):
        chain[place] = 0
    chain[LEAST], chain[PRICE] = least, price


@borrowing_kernel
def enqueue(chain: I64, queue: U, key: int) -> None:
    """Into its place among the arrivals; most keys belong near the end."""
    first, place = queue + U(chain[HEAD]), queue + U(chain[TAIL])
    while place > first and chain[place - U(1)] > key:
        chain[place] = chain[place - U(1)]
        place -= U(1)
    chain[place] = key
    chain[TAIL] += 1


@borrowing_kernel
def is_due(chain: I64, geometry: I64, queue: U) -> bool:
    """Whether an arrival comes before the next droplet that is sent off."""
    if chain[HEAD] == chain[TAIL] or chain[WAY] > 0:
        return False
    if chain[SENT] == chain[BURSTS]:
        return True
    source = U(chain[U(LIST + chain[SENT])] & 0xFFFF)
    sent_off = chain[U(LIST + 1) + U(geometry[CELLS]) + source] + geometry[FIRST]
    return chain[queue + U(chain[HEAD])] >> 24 <= sent_off


@borrowing_kernel
def fly_on(board: Cells, chain: I64, geometry: I64, queue: U, key: int) -> None:
    """A droplet arrives where no drops are any more."""
    n, cell, way = U(geometry[CELLS]), U(key >> 2 & 1023), U(key & 3)
    links = (way + U(1)) * (n + U(1))
    target = cell
    if geometry[ABSORB] and chain[U(LIST + 1) + n + cell] == chain[TICK]:
        target = n
    while board[target] == 0:
        target = U(board[links + target])
    if target == n:
        lose(chain, 1)
        return
    far = target - cell if target > cell else cell - target
    if way < U(2):
        far //= U(geometry[COLUMNS])
    later = chain[TICK] + geometry[FURTHER] * to_int(far)
    enqueue(chain, queue, later << 24 | key & 0xFFF000 | to_int(target << U(2) | way))


@borrowing_kernel
def send_off(board: Cells, chain: I64, geometry: I64, prices: Prices, queue: U, allowance: int) -> int:
    """The droplets of the next burst, as far as there is room for their arrivals; a cell as in `advance`, or
    END."""
    n, room = U(geometry[CELLS]), chain.size - to_int(queue)
    source, gone = U(chain[U(LIST + chain[SENT])] & 0xFFFF), chain[U(LIST + chain[SENT])] >> 16
    ticks, absorb = U(LIST + 1) + n, geometry[ABSORB]
    chain[TICK] = tick = chain[ticks + source] + geometry[FIRST]
    while chain[WAY] < 4 and chain[TAIL] < room:
        way = U(geometry[U(ORDER + chain[WAY])])
        links = (way + U(1)) * (n + U(1))
        step = U(geometry[COLUMNS]) if way < U(2) else U(1)
        chain[WAY] += 1
        if gone >> to_int(way) & 1:
            continue
        target = U(board[links + source])
        far = target - source if target > source else source - target
        if absorb and board[target] == 0 and far == step and chain[ticks + target] == tick:
            lose(chain, 1)
            continue
        while board[target] == 0:
            target = U(board[links + target])
        far = target - source if target > source else source - target
        if target == n:
            lose(chain, 1)
        elif far > step:
            later = tick + geometry[FURTHER] * (to_int(far // step) - 1)
            age = 4 * chain[SENT] + chain[WAY] - 1
            enqueue(chain, queue, later << 24 | age << 12 | to_int(target << U(2) | way))
        elif 0 < hit(board, chain, geometry, prices, target) <= allowance:
            return to_int(target)
    if chain[WAY] == 4:
        chain[WAY] = 0
        chain[SENT] += 1
    return END


@borrowing_kernel
def advance(
    board: Cells, chain: I64, geometry: I64, prices: Prices, allowance: int, most_lost: int, most_price: int
) -> int:
    """Goes on with the chain to the next hit of a cell that does not burst and lacks at most `allowance`
    drops then: that cell. END when the chain is over; OVER as soon as more than `most_lost` droplets are
    lost, counted with those that the cells left will lose at least, or the price is more than
    `most_price`."""
    queue = U(LIST) + U(2) * U(geometry[CELLS] + 1)
    while True:
        if chain[TAIL] == chain.size - to_int(queue):
            move_to_front(chain, queue)
        if is_due(chain, geometry, queue):
            key = chain[queue + U(chain[HEAD])]
            chain[HEAD] += 1
            chain[TICK] = key >> 24
            cell = U(key >> 2 & 1023)
            if board[cell]:
                if 0 < hit(board, chain, geometry, prices, cell) <= allowance:
                    return to_int(cell)
                continue
            fly_on(board, chain, geometry, queue, key)
        elif chain[SENT] < chain[BURSTS]:
            found = send_off(board, chain, geometry, prices, queue, allowance)
            if found >= 0:
                return found
        else:
            return END
        if chain[LOST] + chain[LEAST] > most_lost or (prices.by >= 0 and chain[PRICE] > most_price):
            return OVER


@borrowing_kernel
def move_to_front(chain: I64, queue: U) -> None:
    """The arrivals, where there is no more room behind them."""
    head, waiting = queue + U(chain[HEAD]), chain[TAIL] - chain[HEAD]
    for place in range(U(waiting)):
        chain[queue + place] = chain[head + place]
    chain[HEAD], chain[TAIL] = 0, waiting


@borrowing_kernel
def next_hit(board: Cells, chain: I64, geometry: I64, prices: Prices) -> int:
    """Goes on to the next droplet that is absorbed by a cell which does not burst; END at the chain's end."""
    return advance(board, chain, geometry, prices, FULL, NO_LIMIT, NO_LIMIT)
