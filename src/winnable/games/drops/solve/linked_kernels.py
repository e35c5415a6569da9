"""A whole chain on a linked board, droplet by droplet. It ends where `advance` of kernels.py does.

`advance` can stop at a hit, be saved and gone on with; it counts lost droplets and prices. For that it looks
at every hit. Here nothing is asked but the board at the end and the bursts, so that nearly all of it goes
without branches that a processor guesses wrong: a hit of any cell, the wall too, is one look-up of the next
value, and what may become an event is written in any case and kept or not. A cell is taken out of its lines
when it sends its droplets off. The chain's list holds each burst's tick beside its cell, and its arrivals
have keys as in kernels.py, but without a way: it follows from the age.
"""

from __future__ import annotations

from winnable.compiled.jit import borrowing_kernel
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.solve.kernels import (
    ABSORB,
    CELLS,
    FIRST,
    FURTHER,
    LINKS,
    LIST,
    PER_STEP,
    STEP,
    Cells,
    to_int,
)
from winnable.inert.arrays import I64, U

AFTER = 0x9000004320
"""What a cell holds after a hit, 4 bits for each that it may hold before: one drop more, none where it
bursts; the wall stays a wall."""


@borrowing_kernel
def is_swallowed(chain: I64, count: U, tick: int, cell: U) -> bool:
    """Whether the cell is among those that burst in this tick, the last ones of the list."""
    place = count - U(1)
    while place >= U(LIST) and chain[place] >> 16 == tick:
        if chain[place] & 0xFFFF == to_int(cell):
            return True
        place -= U(1)
    return False


@borrowing_kernel
def move_to_front(chain: I64, front: U, head: U, tail: U) -> U:
    """The arrivals of [head, tail); where they end then."""
    for place in range(tail - head):
        chain[front + U(place)] = chain[head + U(place)]
    return front + tail - head


@borrowing_kernel
def end_of_chain(board: Cells, chain: I64, geometry: I64, cell: int) -> int:
    """A drop more at a full cell, and all that follows; the number of bursts."""
    n = U(geometry[CELLS])
    up, down, left, right = n + U(1), U(2) * (n + U(1)), U(3) * (n + U(1)), U(4) * (n + U(1))
    first, further, absorb = geometry[FIRST], geometry[FURTHER], geometry[ABSORB] != 0
    queue = U(LIST) + U(2) * (n + U(1))
    room_for_four = U(chain.size) - U(4)
    head, tail = queue, queue
    sent, count = U(LIST), U(LIST) + U(1)
    board[cell] = 0
    chain[sent] = cell
    while sent < count or head < tail:
        if tail > room_for_four:
            tail = move_to_front(chain, queue, head, tail)
            head = queue
        if sent < count and (head == tail or chain[head] >> 24 > (chain[sent] >> 16) + first):
            source = U(chain[sent] & 0xFFFF)
            tick = (chain[sent] >> 16) + first
            above, below = U(board[up + source]), U(board[down + source])
            before, behind = U(board[left + source]), U(board[right + source])
            board[down + above], board[up + below] = below, above
            board[right + before], board[left + behind] = behind, before
            age = (sent - U(LIST)) << U(2)
            for way in range(U(4)):
                links = U(geometry[U(LINKS) + way])
                neighbour = to_int(source) + geometry[U(STEP) + way]
                target = U(board[links + source])
                drops = to_int(board[target])
                if drops == 0:
                    if absorb and to_int(target) == neighbour and is_swallowed(chain, count, tick, target):
                        continue
                    while drops == 0:
                        target = U(board[links + target])
                        drops = to_int(board[target])
                beyond = 0 if target == n else to_int(target) - neighbour
                is_hit = to_int(beyond == 0)
                board[target] = (AFTER >> 4 * drops & 15) * is_hit + drops * (1 - is_hit)
                chain[count] = tick << 16 | to_int(target)
                count += U(to_int(drops == FULL) & is_hit)
                later = tick + further * (beyond * geometry[U(PER_STEP) + way] >> 16)
                key = later << 24 | to_int((age + way) << U(12) | target << U(2))
                place = tail
                if is_hit == 0:
                    while chain[place - U(1)] > key:  # what lies before all arrivals is less
                        chain[place] = chain[place - U(1)]
                        place -= U(1)
                chain[place] = key
                tail += U(1 - is_hit)
            sent += U(1)
            continue
        key = chain[head]
        head += U(1)
        tick = key >> 24
        source = U(key >> 2 & 1023)
        drops = to_int(board[source])
        if drops:
            board[source] = AFTER >> 4 * drops & 15
            chain[count] = tick << 16 | to_int(source)
            count += U(drops == FULL)
        elif not (absorb and is_swallowed(chain, count, tick, source)):
            way = U(key >> 12 & 3)
            links = U(geometry[U(LINKS) + way])
            target = source
            while board[target] == 0:
                target = U(board[links + target])
            if target != n:
                beyond = to_int(target) - to_int(source)
                later = tick + further * (beyond * geometry[U(PER_STEP) + way] >> 16)
                key = later << 24 | key & 0xFFF000 | to_int(target << U(2))
                place = tail
                while chain[place - U(1)] > key:
                    chain[place] = chain[place - U(1)]
                    place -= U(1)
                chain[place] = key
                tail += U(1)
    return to_int(count) - LIST
