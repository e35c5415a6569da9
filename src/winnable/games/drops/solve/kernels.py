"""The chain of `chain.py`, compiled: cells hit one after another instead of droplets moved cell by cell.

A board of `n` cells is one array, uint16 [5 (n + 1)]: the cells, row-major, with WALL at index n; then, for
each way U, D, L, R, n + 1 links: from each cell with drops to the nearest one with drops in that way, or to n
when there is none. A cell that bursts is taken out of its row's and its column's list (Knuth's dancing
links); its own links stay as they were, so that a droplet on its way there finds on.

A burst sends its droplets off when they are due at the neighbouring cells: those that meet drops there are
absorbed at once, the others become one event each, the arrival at the next cell with drops. Of what is due
in one tick the arrivals come first: their droplets are older.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.drops.rules.chain import RULE_SETS
from winnable.games.drops.rules.level import FULL, Level
from winnable.inert.arrays import I64, U16, U, np
from winnable.inert.late import late

Cells: TypeAlias = U16
"""One type for all sizes: with a smaller one for small boards everything would be compiled twice."""
to_int: Any = late(lambda: np.int64)
WAYS = "UDLR"
WALL = 9
SCALE = 5040
"""A click in units of price."""
MOST_BITS = 8
"""Chains are priced on boards whose lines have at most so many cells."""
WORD = 64
"""Bits in one."""
END, OVER = -1, -2
"""What `advance` returns beside cells."""
NO_LIMIT = 1 << 40
UNPRICED = -1
HEAD, TAIL, TICK, SENT, BURSTS, NEXT_WAY, LOST, LEAST, PRICE, PRICED_BY = range(10)
"""Places in `Chain.counters`: the live part of the arrivals; the time; how many bursts have sent their
droplets off, and how many there were; the place in the order of the next droplet of the one that is at it;
how many droplets were lost over the edge or swallowed; how many at least the cells with drops will yet lose;
the price (see price_kernels.py), and the row of `Prices` that it is by, or UNPRICED."""
COUNTERS = 10
COLUMN_MASKS = 32
"""Where those of columns begin in what is kept of each line, int64 [64]: rows come first."""


class Geometry(NamedTuple):
    """The shape of a board and its rule set, as numbers alone: a kernel hands on each that it is handed.

    cells, rows, columns:   how many
    first, further, absorb: those of the `RuleSet`
    order:    in which the droplets of one burst line up: two bits for each way, the first one's lowest
    bits:     of a line's mask where chains are priced; 0: they are not
    on_board, not_left, not_right: uint64, of boards of at most 64 cells, the cells as bits: all, those that
              are not in the leftmost column, and those that are not in the rightmost
    """

    cells: int
    rows: int
    columns: int
    first: int
    further: int
    absorb: bool
    order: int
    bits: int
    on_board: U
    not_left: U
    not_right: U


class Chain(NamedTuple):
    """What a click has set off so far. It has room for n bursts, and for n chains it is one array more deep.

    counters: int64 [COUNTERS], see HEAD
    masks:    int64 [64], which cells of each line hold drops: 32 rows, 32 columns; only where it is priced
    bursts:   int64 [n + 1], the cells that burst, in order, `ways << 16 | cell` with a bit for each way in
              which nothing could absorb a droplet
    ticks:    int64 [n + 1], when each cell burst
    queue:    int64 [4 (n + 1)], the arrivals by tick and then by age, as keys
              `((tick << 12 | age) << 10 | cell) << 2 | way`
    """

    counters: I64
    masks: I64
    bursts: I64
    ticks: I64
    queue: I64


class Prices(NamedTuple):
    """What prices chains (see price_kernels.py), in several rows of which a chain has one.

    weights: int64 [rows, n + 1]
    worth:   int64 [rows, lines << BITS], what lines are worth by them
    """

    weights: I64
    worth: I64


class Play(NamedTuple):
    """A chain on a linked board, under a rule set, at prices."""

    board: Cells
    chain: Chain
    geometry: Geometry
    prices: Prices


def geometry_of(level: Level) -> Geometry:
    """The geometry of the level's board under its rules."""
    rule_set, rows, columns = RULE_SETS[level.rules], level.rows, level.columns
    n = rows * columns
    masks = np.zeros((3, WORD), np.bool_)
    if n <= WORD:
        at_column = np.arange(n) % columns
        masks[:, :n] = np.ones(n, np.bool_), at_column > 0, at_column < columns - 1
    return Geometry(
        n,
        rows,
        columns,
        rule_set.first,
        rule_set.further,
        rule_set.absorb,
        sum(WAYS.index(way) << 2 * place for place, way in enumerate(rule_set.order)),
        max(rows, columns) if max(rows, columns) <= MOST_BITS else 0,
        *np.packbits(masks, axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64),
    )


def new_chain(n: int, *several: int) -> Chain:
    """An idle chain on n cells, or arrays of several. Each droplet has one arrival at most in the queue;
    there is room for those of one burst more."""
    sizes = COUNTERS, 64, n + 1, n + 1, 4 * (n + 1)
    return Chain(*(np.zeros((*several, size), np.int64) for size in sizes))


def new_board(n: int) -> Cells:
    """A linked board of n empty cells, before `link`."""
    return np.zeros(5 * (n + 1), np.uint16)


def new_play(geometry: Geometry, price_rows: int = 1) -> Play:
    """An empty board, an idle chain and no prices, but room for so many rows of them."""
    n, lines = geometry.cells, geometry.rows + geometry.columns
    shapes = (price_rows, n + 1), (price_rows, lines << geometry.bits)
    prices = Prices(*(np.zeros(shape, np.int64) for shape in shapes))
    return Play(new_board(n), new_chain(n), geometry, prices)


@borrowing_kernel
def copy(source: Any, target: Any) -> None:
    """Copies an array of one dimension, of numbers of any type, into one of the same size."""
    for place in range(target.size):
        target[place] = source[place]


@borrowing_kernel
def link(board: Cells, geometry: Geometry) -> None:
    """Fills the links from the cells, and puts up the wall."""
    n, columns = geometry.cells, geometry.columns
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
def price_of_burst(play: Play, cell: int) -> int:
    """Takes the cell out of the masks of its lines; by how much the price grows, its four droplets
    counted."""
    geometry, masks, worth = play.geometry, play.chain.masks, play.prices.worth
    bits = geometry.bits
    by: int = play.chain.counters[PRICED_BY]
    row = cell // geometry.columns
    column = cell - row * geometry.columns
    across, along = masks[row], masks[COLUMN_MASKS + column]
    less_across, less_along = across & ~(1 << column), along & ~(1 << row)
    masks[row], masks[COLUMN_MASKS + column] = less_across, less_along
    row_worth, column_worth = row << bits, geometry.rows + column << bits
    before = worth[by, row_worth | across] + worth[by, column_worth | along]
    return before - worth[by, row_worth | less_across] - worth[by, column_worth | less_along] - 4 * SCALE


@borrowing_kernel
def lose(counters: I64, droplets: int) -> None:
    """Counts droplets that are lost, each of which costs a click."""
    counters[LOST] += droplets
    counters[PRICE] += SCALE * droplets


@inlined_kernel
def empty(play: Play, cell: U) -> None:
    """The cell bursts; its droplets are sent off when it is their turn."""
    chain, counters = play.chain, play.chain.counters
    if counters[PRICED_BY] >= 0:
        counters[PRICE] += price_of_burst(play, to_int(cell))
    play.board[cell] = 0
    less, nowhere = unlink(play.board, U(play.geometry.cells), cell)
    counters[LEAST] -= less
    lose(counters, nowhere >> 4)
    chain.bursts[U(counters[BURSTS])] = to_int(cell) | (nowhere & 15) << 16
    chain.ticks[cell] = counters[TICK]
    counters[BURSTS] += 1


@borrowing_kernel
def burst(play: Play, cell: int) -> None:
    """Gives the cell the drops that it lacks, so that it bursts."""
    counters = play.chain.counters
    if counters[PRICED_BY] >= 0:
        weight = play.prices.weights[counters[PRICED_BY], cell]
        counters[PRICE] -= (FULL + 1 - to_int(play.board[cell])) * weight
    empty(play, U(cell))


@inlined_kernel
def hit(play: Play, cell: U) -> int:
    """A droplet meets a cell with drops, which absorbs it, and bursts if it is full; the drops that it lacked
    until then."""
    board, counters = play.board, play.chain.counters
    if counters[PRICED_BY] >= 0:
        counters[PRICE] += SCALE - play.prices.weights[counters[PRICED_BY], cell]
    lacking = FULL - to_int(board[cell])
    if lacking == 0:
        empty(play, cell)
    else:
        board[cell] += 1
    return lacking


@borrowing_kernel
def begin(counters: I64, least: int, price: int, priced_by: int) -> None:
    """Begins a chain on a board that will lose at least so many droplets, and has this price."""
    counters[:] = 0
    counters[LEAST], counters[PRICE], counters[PRICED_BY] = least, price, priced_by


@inlined_kernel
def enqueue(chain: Chain, key: int) -> None:
    """Puts a key into its place among the arrivals; most belong near the end."""
    counters, queue = chain.counters, chain.queue
    first, place = U(counters[HEAD]), U(counters[TAIL])
    while place > first and queue[place - U(1)] > key:
        queue[place] = queue[place - U(1)]
        place -= U(1)
    queue[place] = key
    counters[TAIL] += 1


@inlined_kernel
def is_due(chain: Chain, first: int) -> bool:
    """Whether an arrival comes before the next droplet that is sent off, `first` ticks after its burst."""
    counters = chain.counters
    if counters[HEAD] == counters[TAIL] or counters[NEXT_WAY] > 0:
        return False
    if counters[SENT] == counters[BURSTS]:
        return True
    source = U(chain.bursts[U(counters[SENT])] & 0xFFFF)
    return chain.queue[U(counters[HEAD])] >> 24 <= chain.ticks[source] + first


@inlined_kernel
def fly_on(play: Play, key: int) -> None:
    """Lets a droplet that arrives where no drops are any more fly on."""
    board, chain, geometry = play.board, play.chain, play.geometry
    n, cell, way, tick = U(geometry.cells), U(key >> 2 & 1023), U(key & 3), chain.counters[TICK]
    links = (way + U(1)) * (n + U(1))
    target = cell
    if geometry.absorb and chain.ticks[cell] == tick:
        target = n
    while board[target] == 0:
        target = U(board[links + target])
    if target == n:
        lose(chain.counters, 1)
        return
    far = target - cell if target > cell else cell - target
    if way < U(2):
        far //= U(geometry.columns)
    later = tick + geometry.further * to_int(far)
    enqueue(chain, later << 24 | key & 0xFFF000 | to_int(target << U(2) | way))


@inlined_kernel
def send_off(play: Play, allowance: int) -> int:
    """Sends off the droplets of the next burst, as far as there is room for their arrivals; a cell as in
    `advance`, or END."""
    board, chain, geometry, counters = play.board, play.chain, play.geometry, play.chain.counters
    n, entry = U(geometry.cells), chain.bursts[U(counters[SENT])]
    source, gone = U(entry & 0xFFFF), entry >> 16
    counters[TICK] = tick = chain.ticks[source] + geometry.first
    while counters[NEXT_WAY] < 4 and counters[TAIL] < chain.queue.size:
        way = U(geometry.order >> 2 * counters[NEXT_WAY] & 3)
        links = (way + U(1)) * (n + U(1))
        step = U(geometry.columns) if way < U(2) else U(1)
        counters[NEXT_WAY] += 1
        if gone >> to_int(way) & 1:
            continue
        target = U(board[links + source])
        far = target - source if target > source else source - target
        if geometry.absorb and board[target] == 0 and far == step and chain.ticks[target] == tick:
            lose(counters, 1)
            continue
        while board[target] == 0:
            target = U(board[links + target])
        far = target - source if target > source else source - target
        if target == n:
            lose(counters, 1)
        elif far > step:
            later = tick + geometry.further * (to_int(far // step) - 1)
            age = 4 * counters[SENT] + counters[NEXT_WAY] - 1
            enqueue(chain, later << 24 | age << 12 | to_int(target << U(2) | way))
        elif 0 < hit(play, target) <= allowance:
            return to_int(target)
    if counters[NEXT_WAY] == 4:
        counters[NEXT_WAY] = 0
        counters[SENT] += 1
    return END


@borrowing_kernel
def advance(play: Play, allowance: int, most_lost: int, most_price: int) -> int:
    """Goes on with the chain to the next hit of a cell that does not burst and lacks at most `allowance`
    drops then: that cell. END when the chain is over; OVER as soon as more than `most_lost` droplets are
    lost, counted with those that the cells left will lose at least, or the price is more than
    `most_price`."""
    board, chain, counters = play.board, play.chain, play.chain.counters
    while True:
        if counters[TAIL] == chain.queue.size:
            counters[TAIL] = move_to_front(chain.queue, U(0), U(counters[HEAD]), U(counters[TAIL]))
            counters[HEAD] = 0
        if is_due(chain, play.geometry.first):
            key = chain.queue[U(counters[HEAD])]
            counters[HEAD] += 1
            counters[TICK] = key >> 24
            cell = U(key >> 2 & 1023)
            if board[cell]:
                if 0 < hit(play, cell) <= allowance:
                    return to_int(cell)
                continue
            fly_on(play, key)
        elif counters[SENT] < counters[BURSTS]:
            found = send_off(play, allowance)
            if found >= 0:
                return found
        else:
            return END
        if counters[LOST] + counters[LEAST] > most_lost:
            return OVER
        if counters[PRICED_BY] >= 0 and counters[PRICE] > most_price:
            return OVER


@borrowing_kernel
def move_to_front(queue: I64, front: U, head: U, tail: U) -> U:
    """Moves the arrivals of [head, tail); where they end then."""
    for place in range(tail - head):
        queue[front + U(place)] = queue[head + U(place)]
    return front + tail - head


@inlined_kernel
def chain_at(chains: Chain, place: int) -> Chain:
    """One of several chains."""
    return Chain(
        chains.counters[place],
        chains.masks[place],
        chains.bursts[place],
        chains.ticks[place],
        chains.queue[place],
    )


@inlined_kernel
def copy_chain(source: Chain, target: Chain, geometry: Geometry) -> None:
    """Copies what the chain still needs."""
    counters = source.counters
    copy(counters, target.counters)
    if counters[PRICED_BY] >= 0:
        copy(source.masks, target.masks)
    for place in range(counters[SENT], counters[BURSTS]):
        entry = source.bursts[place]
        target.bursts[place] = entry
        cell = entry & 0xFFFF
        target.ticks[cell] = source.ticks[cell]
    if geometry.absorb:
        copy(source.ticks, target.ticks)
    for place in range(counters[HEAD], counters[TAIL]):
        target.queue[place] = source.queue[place]


@borrowing_kernel
def full_price(play: Play) -> int:
    """The price of a chain under way. Its counter takes each droplet in flight to save a click; here it saves
    what it can at the most, the heaviest weight that it may still meet."""
    chain, counters = play.chain, play.chain.counters
    total: int = counters[PRICE]
    for place in range(counters[HEAD], counters[TAIL]):
        key = chain.queue[U(place)]
        total += SCALE - heaviest(play, U(key & 3), U(key >> 2 & 1023))
    first_way = counters[NEXT_WAY]
    for place in range(counters[SENT], counters[BURSTS]):
        entry = chain.bursts[U(place)]
        for number in range(first_way, 4):
            way = play.geometry.order >> 2 * number & 3
            if not entry >> 16 + way & 1:
                total += SCALE - heaviest(play, U(way), U(entry & 0xFFFF))
        first_way = 0
    return total


@borrowing_kernel
def heaviest(play: Play, way: U, cell: U) -> int:
    """The heaviest weight of the cells with drops from this one on in one way."""
    board, weights, by = play.board, play.prices.weights, play.chain.counters[PRICED_BY]
    n = U(play.geometry.cells)
    line = (way + U(1)) * (n + U(1))
    best = 0
    while cell != n:
        if board[cell]:
            best = max(best, weights[by, cell])
        cell = U(board[line + cell])
    return best
