"""The chain of `chain.py`, compiled: cells hit one after another instead of droplets moved cell by cell.

A board of `n` cells is two arrays. cells: uint8 [n + 1], row-major; links: int16 [4, n + 1], for each cell
with drops the nearest one with drops in direction U, D, L, R; `n` stands for "none", and what is written to
index n has no meaning. A cell that bursts is taken out of its row's and its column's list (Knuth's dancing
links); its own links stay as they were, so that a droplet on its way there finds on.

A flight is one event: the cell where it arrives, and when. Events lie in `queue` in the order in which the
rules look at droplets, by tick and then by age: int64 keys `((tick << 12 | age) << 10 | cell) << 2 | way`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnable.games.drops.chain import RULE_SETS
from winnable.games.drops.level import FULL, RuleName
from winnable.jit import kernel

UP, DOWN, LEFT, RIGHT = range(4)
WAYS = "UDLR"
HEAD, TAIL, TICK, BORN, BURSTS, LOST = range(6)
"""Places in `flow`, int64 [6]: the live part of the queue, the time, and what was counted so far."""


class Geometry(NamedTuple):
    """What never changes while a board is played.

    row, column: int16 [n + 1] of each cell. timing: int64 [3]: first, further, absorb (0 or 1) of the rule
    set. order: int64 [4], the ways in which droplets of one burst line up.
    """

    row: NDArray[np.int16]
    column: NDArray[np.int16]
    timing: NDArray[np.int64]
    order: NDArray[np.int64]


class Board(NamedTuple):
    cells: NDArray[np.uint8]
    links: NDArray[np.int16]


class Chain(NamedTuple):
    """Room for one chain. queue: int64 [4 n + 4]; burst_tick: int64 [n + 1]; flow: see HEAD."""

    queue: NDArray[np.int64]
    burst_tick: NDArray[np.int64]
    flow: NDArray[np.int64]


def geometry_of(rows: int, columns: int, rules: RuleName) -> Geometry:
    cells = np.arange(rows * columns + 1)
    rule_set = RULE_SETS[rules]
    return Geometry(
        (cells // columns).astype(np.int16),
        (cells % columns).astype(np.int16),
        np.array([rule_set.first, rule_set.further, rule_set.absorb], np.int64),
        np.array([WAYS.index(way) for way in rule_set.order], np.int64),
    )


def new_chain(n: int) -> Chain:
    return Chain(np.zeros(4 * n + 4, np.int64), np.zeros(n + 1, np.int64), np.zeros(6, np.int64))


def pack(cells: bytes, geometry: Geometry) -> Board:
    """cells: row-major, n bytes."""
    board = Board(np.zeros(len(cells) + 1, np.uint8), np.empty((4, len(cells) + 1), np.int16))
    board.cells[:-1] = np.frombuffer(cells, np.uint8)
    link(board, geometry)
    return board


def unpack(board: Board) -> bytes:
    return board.cells[:-1].tobytes()


@kernel
def link(board: Board, geometry: Geometry) -> None:
    """Fills the links from the cells."""
    n = board.cells.size - 1
    columns = 1
    while columns < n and geometry.row[columns] == 0:
        columns += 1
    board.links[:] = n
    for cell in range(n):
        if board.cells[cell]:
            other = cell - columns
            while other >= 0 and board.cells[other] == 0:
                other -= columns
            if other >= 0:
                board.links[UP, cell] = other
                board.links[DOWN, other] = cell
            other = cell - 1
            while other >= 0 and geometry.row[other] == geometry.row[cell] and board.cells[other] == 0:
                other -= 1
            if other >= 0 and geometry.row[other] == geometry.row[cell]:
                board.links[LEFT, cell] = other
                board.links[RIGHT, other] = cell


@kernel
def enqueue(chain: Chain, key: int) -> None:
    """Keeps the queue in order; most keys belong near its end."""
    place = chain.flow[TAIL]
    head = chain.flow[HEAD]
    while place > head and chain.queue[place - 1] > key:
        chain.queue[place] = chain.queue[place - 1]
        place -= 1
    chain.queue[place] = key
    chain.flow[TAIL] += 1


@kernel
def burst(board: Board, geometry: Geometry, chain: Chain, cell: int) -> None:
    """Empties the cell and sends its droplets off."""
    n = board.cells.size - 1
    links, flow = board.links, chain.flow
    board.cells[cell] = 0
    chain.burst_tick[cell] = flow[TICK]
    flow[BURSTS] += 1
    up, down, left, right = links[UP, cell], links[DOWN, cell], links[LEFT, cell], links[RIGHT, cell]
    links[DOWN, up] = down
    links[UP, down] = up
    links[RIGHT, left] = right
    links[LEFT, right] = left
    for place in range(4):
        way = geometry.order[place]
        target = links[way, cell]
        if target == n:
            flow[LOST] += 1
        else:
            tick = flow[TICK] + geometry.timing[0] + geometry.timing[1] * (_steps(geometry, cell, target) - 1)
            enqueue(chain, ((tick << 12 | flow[BORN]) << 10 | target) << 2 | way)
        flow[BORN] += 1


@kernel
def _steps(geometry: Geometry, cell: int, other: int) -> int:
    """Between two cells of one row or column."""
    return abs(geometry.row[cell] - geometry.row[other]) + abs(geometry.column[cell] - geometry.column[other])


@kernel
def begin(board: Board, geometry: Geometry, chain: Chain, cell: int) -> None:
    """A full cell gets one drop more."""
    chain.flow[:] = 0
    burst(board, geometry, chain, cell)


@kernel
def next_hit(board: Board, geometry: Geometry, chain: Chain) -> int:
    """Goes on to the next droplet that is absorbed by a cell which does not burst; -1 at the chain's end."""
    n = board.cells.size - 1
    cells, links, flow = board.cells, board.links, chain.flow
    while flow[HEAD] < flow[TAIL]:
        key = chain.queue[flow[HEAD]]
        flow[HEAD] += 1
        way, cell, tick = key & 3, key >> 2 & 1023, key >> 24
        flow[TICK] = tick
        if cells[cell]:
            if cells[cell] == FULL:
                burst(board, geometry, chain, cell)
                continue
            cells[cell] += 1
            return cell
        if geometry.timing[2] and chain.burst_tick[cell] == tick:
            flow[LOST] += 1
            continue
        target = links[way, cell]
        while target != n and cells[target] == 0:
            target = links[way, target]
        if target == n:
            flow[LOST] += 1
        else:
            later = tick + geometry.timing[1] * _steps(geometry, cell, target)
            enqueue(chain, (later << 12 | key >> 12 & 4095) << 12 | target << 2 | way)
    return -1


@kernel
def click(board: Board, geometry: Geometry, chain: Chain, cell: int) -> int:
    """One drop more at a cell that is not empty, and all that follows; the number of bursts."""
    if board.cells[cell] < FULL:
        board.cells[cell] += 1
        return 0
    begin(board, geometry, chain, cell)
    while next_hit(board, geometry, chain) >= 0:
        pass
    return chain.flow[BURSTS]
