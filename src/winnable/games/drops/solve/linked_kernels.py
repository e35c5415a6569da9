"""A whole chain on a linked board, droplet by droplet. It ends where `advance` of kernels.py does.

`advance` can stop at a hit, be saved and gone on with; it counts lost droplets and prices. For that it looks
at every hit. Here nothing is asked but the board at the end and the bursts, so that nearly all of it goes
without branches that a processor guesses wrong: a hit of any cell, the wall too, is one look-up of the next
value, and what may become an event is written in any case and kept or not. A cell is taken out of its lines
when it sends its droplets off. The chain's list holds each burst's tick beside its cell, and its arrivals
have keys as in kernels.py, but without a way: it follows from the age.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import borrowing_kernel
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.solve.kernels import Cells, Geometry, geometry_of, move_to_front, new_board, to_int
from winnable.inert.arrays import I64, U, np

LINKS, STEP, PER_STEP = range(3)
"""Rows of `Clicker.ways`."""
AFTER = 0x9000004320
"""What a cell holds after a hit, 4 bits for each that it may hold before: one drop more, none where it
bursts; the wall stays a wall."""


class Clicker(NamedTuple):
    """What plays whole chains under one rule set; but for the geometry, arrays to work in.

    ways:   int64 [3, 4], a column for each way in the order in which the droplets of one burst line up: where
            its links begin, the number of the neighbouring cell less that of a cell, and 2**16 divided by
            that: `(target - cell) * it >> 16` is how many cells a droplet flies
    board:  a linked board
    bursts: int64 [n + 1], the cells that burst, in order, as `tick << 16 | cell`
    queue:  int64 [4 (n + 1)], the arrivals, from place 1 on; what lies before all is less
    """

    geometry: Geometry
    ways: I64
    board: Cells
    bursts: I64
    queue: I64


def new_clicker(level: Level) -> Clicker:
    """A clicker for boards of this shape under these rules."""
    geometry = geometry_of(level)
    n, ways = geometry.cells, [geometry.order >> place & 3 for place in (0, 2, 4, 6)]
    links = [(way + 1) * (n + 1) for way in ways]
    steps = [(-geometry.columns, geometry.columns, -1, 1)[way] for way in ways]
    # Rounded away from 0; exact for multiples of the step, as there are at most 2**10 cells.
    per_step = [(1 << 16) // step if step < 0 else -(-(1 << 16) // step) for step in steps]
    queue = np.zeros(4 * (n + 1), np.int64)
    queue[0] = -1
    of_ways = np.array([links, steps, per_step], np.int64)
    return Clicker(geometry, of_ways, new_board(n), np.zeros(n + 1, np.int64), queue)


@borrowing_kernel
def is_swallowed(bursts: I64, count: U, tick: int, cell: U) -> bool:
    """Whether the cell is among the last of `count` bursts, those of this tick."""
    while count > U(0) and bursts[count - U(1)] >> 16 == tick:
        count -= U(1)
        if bursts[count] & 0xFFFF == to_int(cell):
            return True
    return False


@borrowing_kernel
def end_of_chain(clicker: Clicker, cell: int) -> int:
    """A drop more at a full cell, and all that follows; the number of bursts."""
    geometry, board, bursts, queue = clicker.geometry, clicker.board, clicker.bursts, clicker.queue
    n, ways = U(geometry.cells), clicker.ways
    up, down, left, right = n + U(1), U(2) * (n + U(1)), U(3) * (n + U(1)), U(4) * (n + U(1))
    first, further, absorb = geometry.first, geometry.further, geometry.absorb
    room_for_four = U(queue.size) - U(4)
    head = tail = U(1)
    sent, count = U(0), U(1)
    board[cell] = 0
    bursts[0] = cell
    while sent < count or head < tail:
        if tail > room_for_four:
            tail = move_to_front(queue, U(1), head, tail)
            head = U(1)
        if sent < count and (head == tail or queue[head] >> 24 > (bursts[sent] >> 16) + first):
            source = U(bursts[sent] & 0xFFFF)
            tick = (bursts[sent] >> 16) + first
            above, below = U(board[up + source]), U(board[down + source])
            before, behind = U(board[left + source]), U(board[right + source])
            board[down + above], board[up + below] = below, above
            board[right + before], board[left + behind] = behind, before
            age = sent << U(2)
            for way in range(U(4)):
                links = U(ways[LINKS, way])
                neighbour = to_int(source) + ways[STEP, way]
                target = U(board[links + source])
                drops = to_int(board[target])
                if drops == 0:
                    if absorb and to_int(target) == neighbour and is_swallowed(bursts, count, tick, target):
                        continue
                    while drops == 0:
                        target = U(board[links + target])
                        drops = to_int(board[target])
                beyond = 0 if target == n else to_int(target) - neighbour
                is_hit = to_int(beyond == 0)
                board[target] = (AFTER >> 4 * drops & 15) * is_hit + drops * (1 - is_hit)
                bursts[count] = tick << 16 | to_int(target)
                count += U(to_int(drops == FULL) & is_hit)
                later = tick + further * (beyond * ways[PER_STEP, way] >> 16)
                key = later << 24 | to_int((age + way) << U(12) | target << U(2))
                place = tail
                if is_hit == 0:
                    while queue[place - U(1)] > key:
                        queue[place] = queue[place - U(1)]
                        place -= U(1)
                queue[place] = key
                tail += U(1 - is_hit)
            sent += U(1)
            continue
        key = queue[head]
        head += U(1)
        tick = key >> 24
        source = U(key >> 2 & 1023)
        drops = to_int(board[source])
        if drops:
            board[source] = AFTER >> 4 * drops & 15
            bursts[count] = tick << 16 | to_int(source)
            count += U(drops == FULL)
        elif not (absorb and is_swallowed(bursts, count, tick, source)):
            way = U(key >> 12 & 3)
            links = U(ways[LINKS, way])
            target = source
            while board[target] == 0:
                target = U(board[links + target])
            if target != n:
                beyond = to_int(target) - to_int(source)
                later = tick + further * (beyond * ways[PER_STEP, way] >> 16)
                key = later << 24 | key & 0xFFF000 | to_int(target << U(2))
                place = tail
                while queue[place - U(1)] > key:
                    queue[place] = queue[place - U(1)]
                    place -= U(1)
                queue[place] = key
                tail += U(1)
    return to_int(count)
