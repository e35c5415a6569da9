"""The chain of `chain.py`, compiled: cells hit one after another instead of droplets moved cell by cell.

A board of `n` cells is two arrays. cells: uint8 [n + 1], row-major, and WALL at index n; links: uint16
[4, n + 1], for each cell with drops the nearest one with drops in direction U, D, L, R, or n when there is
none. A cell that bursts is taken out of its row's and its column's list (Knuth's dancing links); its own
links stay as they were, so that a droplet on its way there finds on.

A burst sends its droplets off when they are due at the neighbouring cells: those that meet drops there are
absorbed at once, the others become one event each, the arrival at the next cell with drops. The order of
bursts is kept in `bursts`, that of arrivals in `queue`, by tick and then by age: int64 keys
`((tick << 12 | age) << 10 | cell) << 2 | way`. Of what is due in one tick the arrivals come first: their
droplets are older.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.games.drops.chain import RULE_SETS
from winnable.games.drops.level import FULL, RuleName
from winnable.jit import kernel

U: TypeAlias = np.uint64
UP, DOWN, LEFT, RIGHT = range(4)
WAYS = "UDLR"
WALL = 9
HEAD, TAIL, TICK, SENT, BURSTS, WAY, LOST, LEAST = range(8)
"""Places in `flow`, int64 [8]: the live part of the queue; the time; how many bursts have sent their droplets
off, and how many there were; the place in the order of the next droplet of the one that is at it; how many
droplets were lost over the edge or swallowed; and how many at least the cells with drops will yet lose."""
END, OVER = -1, -2
"""What `advance` returns beside cells."""
NO_LIMIT = 1 << 40


class Geometry(NamedTuple):
    """What never changes while a board is played.

    row, column: int16 [n + 1] of each cell. step: int64 [4], from a cell to its neighbour in each way, without
    the sign. timing: int64 [3]: first, further, absorb (0 or 1) of the rule set. order: int64 [4], the ways in
    which droplets of one burst line up.
    """

    row: NDArray[np.int16]
    column: NDArray[np.int16]
    step: NDArray[np.int64]
    timing: NDArray[np.int64]
    order: NDArray[np.int64]


class Board(NamedTuple):
    cells: NDArray[np.uint8]
    links: NDArray[np.uint16]


class Chain(NamedTuple):
    """Room for one chain. queue: int64 [4 n + 4]; bursts: uint16 [n + 1], in order; burst_tick: int64 [n + 1],
    of each cell; flow: int64 [8], see HEAD."""

    queue: NDArray[np.int64]
    bursts: NDArray[np.uint16]
    burst_tick: NDArray[np.int64]
    flow: NDArray[np.int64]


def geometry_of(rows: int, columns: int, rules: RuleName) -> Geometry:
    cells = np.arange(rows * columns + 1)
    rule_set = RULE_SETS[rules]
    return Geometry(
        (cells // columns).astype(np.int16),
        (cells % columns).astype(np.int16),
        np.array([columns, columns, 1, 1], np.int64),
        np.array([rule_set.first, rule_set.further, rule_set.absorb], np.int64),
        np.array([WAYS.index(way) for way in rule_set.order], np.int64),
    )


def new_chain(n: int) -> Chain:
    return Chain(
        np.zeros(4 * n + 4, np.int64),
        np.zeros(n + 1, np.uint16),
        np.zeros(n + 1, np.int64),
        np.zeros(8, np.int64),
    )


def pack(cells: bytes, geometry: Geometry) -> Board:
    """cells: row-major, n bytes."""
    board = Board(np.zeros(len(cells) + 1, np.uint8), np.empty((4, len(cells) + 1), np.uint16))
    board.cells[:-1] = np.frombuffer(cells, np.uint8)
    link(board, geometry)
    return board


def unpack(board: Board) -> bytes:
    return board.cells[:-1].tobytes()


@kernel
def link(board: Board, geometry: Geometry) -> None:
    """Fills the links from the cells, and puts up the wall."""
    cells, links = board.cells, board.links
    n = cells.size - 1
    columns = geometry.step[UP]
    cells[n] = WALL
    links[:] = n
    for cell in range(n):
        if cells[cell]:
            above = cell - columns
            while above >= 0 and cells[above] == 0:
                above -= columns
            if above >= 0:
                links[UP, cell] = above
                links[DOWN, above] = cell
            begin_of_row = cell - geometry.column[cell]
            before = cell - 1
            while before >= begin_of_row and cells[before] == 0:
                before -= 1
            if before >= begin_of_row:
                links[LEFT, cell] = before
                links[RIGHT, before] = cell


@kernel
def burst(board: Board, geometry: Geometry, chain: Chain, cell: int) -> None:
    """Empties the cell; its droplets are sent off when it is their turn."""
    board.cells[cell] = 0
    chain.burst_tick[cell] = chain.flow[TICK]
    chain.bursts[chain.flow[BURSTS]] = cell
    chain.flow[BURSTS] += 1


@kernel
def begin(board: Board, geometry: Geometry, chain: Chain, cell: int) -> None:
    """A chain from this cell, which gets the drops that it lacks."""
    chain.flow[:] = 0
    burst(board, geometry, chain, cell)


@kernel
def enqueue(queue: NDArray[np.int64], head: U, tail: U, key: int) -> None:
    """Into its place in queue[head:tail + 1]; most keys belong near the end."""
    place = tail
    while place > head and queue[place - U(1)] > key:
        queue[place] = queue[place - U(1)]
        place -= U(1)
    queue[place] = key


@kernel
def steps(geometry: Geometry, way: U, cell: U, other: U) -> int:
    """Between two cells of one line."""
    place = geometry.row if way < U(2) else geometry.column
    return abs(np.int64(place[cell]) - np.int64(place[other]))


@kernel
def unlink(links: NDArray[np.uint16], n: U, cell: U) -> int:
    """Takes the cell out of both lines; by how much less these will lose at least (see `least_lost`)."""
    less = 0
    up, down, left, right = U(links[0, cell]), U(links[1, cell]), U(links[2, cell]), U(links[3, cell])
    links[1, up] = down
    links[0, down] = up
    links[3, left] = right
    links[2, right] = left
    if up == n:
        if down == n:
            less += 2
        elif links[1, down] == n:
            less += 1
    elif down == n and links[0, up] == n:
        less += 1
    if left == n:
        if right == n:
            less += 2
        elif links[3, right] == n:
            less += 1
    elif right == n and links[2, left] == n:
        less += 1
    return less


@kernel
def advance(board: Board, geometry: Geometry, chain: Chain, allowance: int, most: int) -> int:
    """Goes on with the chain to the next hit of a cell that does not burst and lacks at most `allowance`
    drops then: that cell. END when the chain is over; OVER as soon as more than `most` droplets are lost,
    counted with those that the cells left will lose at least."""
    cells, links, queue, bursts = board.cells, board.links, chain.queue, chain.bursts
    burst_tick, flow = chain.burst_tick, chain.flow
    n = U(cells.size - 1)
    first, further, absorb = geometry.timing[0], geometry.timing[1], geometry.timing[2]
    head, tail, sent, burst_count = U(flow[HEAD]), U(flow[TAIL]), U(flow[SENT]), U(flow[BURSTS])
    way, tick, lost, least = U(flow[WAY]), flow[TICK], flow[LOST], flow[LEAST]
    result = END
    while True:
        due = NO_LIMIT
        if sent < burst_count:
            due = burst_tick[U(bursts[sent])] + first
        if head < tail and way == U(0) and queue[head] >> 24 <= due:
            key = queue[head]
            head += U(1)
            tick = key >> 24
            cell = U(key >> 2 & 1023)
            drops = cells[cell]
            if drops == FULL:
                cells[cell] = 0
                burst_tick[cell] = tick
                bursts[burst_count] = cell
                burst_count += U(1)
                continue
            if drops:
                cells[cell] = drops + 1
                if FULL - drops <= allowance:
                    result = np.int64(cell)
                    break
                continue
            if absorb and burst_tick[cell] == tick:
                lost += 1
            else:
                along = U(key & 3)
                target = U(links[along, cell])
                while cells[target] == 0:
                    target = U(links[along, target])
                if target == n:
                    lost += 1
                else:
                    later = tick + further * steps(geometry, along, cell, target)
                    arrival = np.int64(target << U(2) | along)
                    enqueue(queue, head, tail, later << 24 | key & 0xFFF000 | arrival)
                    tail += U(1)
        elif sent < burst_count:
            source = U(bursts[sent])
            tick = due
            if way == U(0):
                least -= unlink(links, n, source)
            while way < U(4):
                along = U(geometry.order[way])
                way += U(1)
                step = U(geometry.step[along])
                target = U(links[along, source])
                if absorb and cells[target] == 0 and burst_tick[target] == tick:
                    if (target - source if target > source else source - target) == step:
                        lost += 1
                        continue
                while cells[target] == 0:
                    target = U(links[along, target])
                far = target - source if target > source else source - target
                if far == step or target == n:
                    drops = cells[target]
                    if drops == FULL:
                        cells[target] = 0
                        burst_tick[target] = tick
                        bursts[burst_count] = target
                        burst_count += U(1)
                    elif drops == WALL:
                        lost += 1
                    else:
                        cells[target] = drops + 1
                        if FULL - drops <= allowance:
                            result = np.int64(target)
                            break
                else:
                    later = tick + further * (steps(geometry, along, source, target) - 1)
                    age_and_arrival = ((sent << U(2)) + way - U(1)) << U(12) | target << U(2) | along
                    enqueue(queue, head, tail, later << 24 | np.int64(age_and_arrival))
                    tail += U(1)
            if result >= 0:
                break
            way = U(0)
            sent += U(1)
        else:
            break
        if lost + least > most:
            result = OVER
            break
    flow[HEAD], flow[TAIL], flow[SENT], flow[BURSTS] = head, tail, sent, burst_count
    flow[WAY], flow[TICK], flow[LOST], flow[LEAST] = way, tick, lost, least
    return result


@kernel
def next_hit(board: Board, geometry: Geometry, chain: Chain) -> int:
    """Goes on to the next droplet that is absorbed by a cell which does not burst; END at the chain's end."""
    return advance(board, geometry, chain, FULL, NO_LIMIT)


@kernel
def click(board: Board, geometry: Geometry, chain: Chain, cell: int) -> int:
    """One drop more at a cell that is not empty, and all that follows; the number of bursts."""
    if board.cells[cell] < FULL:
        board.cells[cell] += 1
        return 0
    begin(board, geometry, chain, cell)
    advance(board, geometry, chain, -1, NO_LIMIT)
    return chain.flow[BURSTS]
