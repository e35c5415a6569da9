"""Kernels of drops: a beam search over phases.

In a phase one cell is clicked until it bursts, after missing drops were put on some cells of its chain. Such
*payments* are found while the chain runs: each hit of a cell that does not burst is a chance to have paid
what it still lacks. Every solution is a sequence of phases.

States at rest are sorted by how many cells hold drops: bucket `m` keeps the `width` states of `m` such cells
that promise the lowest cost, and buckets are expanded from the fullest down. As every cell bursts exactly
once, all ways to the empty board pass through ever lower buckets.

States are told apart by a 64-bit hash: two that share one would cost the beam a state, never a false line, as
lines are replayed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnable.games.drops.kernels import Board, Chain, Geometry, begin, burst, link, next_hit
from winnable.games.drops.level import FULL
from winnable.jit import kernel

U = np.uint64

PAYMENTS = 6
"""At most so many cells are paid for in one phase."""
TRIGGERS, FIRST_EXTENDED, EXTENDED = range(3)
"""Places in `limits`, int64 [3]: how many triggers of a state are tried, about; how many of these phases are
tried with one payment; how many of those with some payments are tried with one more."""
ROOM = 64
"""The most that the last two may be."""
OF_LEAST, SOFTNESS, OF_LOST, OF_ALONE, OF_CELL = range(5)
"""Places in `weights`, float64 [16]; the last twelve are those of inner cells with 1 to 4 drops, then of
cells that are an end of their row or column, then of both."""
BEST, BEST_PARENT, GENERATED = range(3)
"""Places in `at`, int64 [3]: the cost of the best line, the slot of the state before its last phase (-1: no
line was found), and how many phases were tried."""


class Beam(NamedTuple):
    """Buckets of `width` slots each; slot `m * width + i` belongs to bucket m, and bucket 0 stays empty.

    states: uint8 [slots, n]. cost: int32 [slots], clicks so far. rank: float64 [slots], promised cost of the
    whole line, the lower the better. hash: uint64 [slots]. parent: int32 [slots]. moves: int16
    [slots, PAYMENTS + 1], `cell << 2 | clicks - 1`, the trigger first, then payments, then -1. heap: int32
    [buckets, width], slots of each bucket, worst first; kept: int64 [buckets], how many. seen_hash: uint64
    [a power of two], 0 = free; seen_cost: int32, the least cost at which a state was reached. best_moves:
    int16 [PAYMENTS + 1]. zobrist: uint64 [n, FULL + 1]. weights: see OF_LEAST. limits: see TRIGGERS.
    """

    at: NDArray[np.int64]
    states: NDArray[np.uint8]
    cost: NDArray[np.int32]
    rank: NDArray[np.float64]
    hash: NDArray[np.uint64]
    parent: NDArray[np.int32]
    moves: NDArray[np.int16]
    heap: NDArray[np.int32]
    kept: NDArray[np.int64]
    seen_hash: NDArray[np.uint64]
    seen_cost: NDArray[np.int32]
    best_moves: NDArray[np.int16]
    zobrist: NDArray[np.uint64]
    weights: NDArray[np.float64]
    limits: NDArray[np.int64]


class Phases(NamedTuple):
    """Room for the phases of one expansion: two banks of those that are extended by one payment more.

    pays: int64 [2, room, PAYMENTS], which hits of the chain are paid; trigger, hits: int64 [2, room]; rank:
    float64 [2, room], ascending; listed: int64 [2], how many. trial: int64 [PAYMENTS], moves: int16
    [PAYMENTS + 1]: of the phase being played. lines: int64 [rows + columns], how many cells hold drops in
    each; ends: int64 [2, rows + columns], the first and the last of them.
    """

    pays: NDArray[np.int64]
    trigger: NDArray[np.int64]
    hits: NDArray[np.int64]
    rank: NDArray[np.float64]
    listed: NDArray[np.int64]
    trial: NDArray[np.int64]
    moves: NDArray[np.int16]
    lines: NDArray[np.int64]
    ends: NDArray[np.int64]


@kernel
def play(
    state: NDArray[np.uint8],
    board: Board,
    geometry: Geometry,
    chain: Chain,
    phases: Phases,
    trigger: int,
    payments: int,
) -> tuple[int, int]:
    """One phase of `state` that pays at the hits phases.trial[:payments]; leaves what rests in `board` and
    the clicks in phases.moves. Returns how many clicks it took and how many hits could have been paid."""
    n = state.size
    moves = phases.moves
    board.cells[:n] = state
    link(board, geometry)
    cost = FULL + 1 - state[trigger]
    moves[:] = -1
    moves[0] = trigger << 2 | cost - 1
    begin(board, geometry, chain, trigger)
    hits, paid = 0, 0
    while True:
        cell = next_hit(board, geometry, chain)
        if cell < 0:
            return cost, hits
        if paid < payments and phases.trial[paid] == hits:
            lacking = FULL + 1 - board.cells[cell]
            cost += lacking
            paid += 1
            moves[paid] = cell << 2 | lacking - 1
            burst(board, geometry, chain, cell)
        hits += 1


@kernel
def outlook(
    cells: NDArray[np.uint8], geometry: Geometry, phases: Phases, weights: NDArray[np.float64], n: int
) -> tuple[int, int, float]:
    """How many cells hold drops, a lower bound of the clicks to come, and an estimate of them.

    The bound: clicks = cells - water + droplets lost, of which a line of one cell loses 2 and any other 3;
    and some cell must be the first to be clicked until it bursts. The estimate: a soft maximum of 0 and a
    weighted sum like that, in which a cell's weight depends on its drops and on whether it is an end of its
    row and of its column. Ends should stay until all between them have burst, so drops there are worth less.
    """
    lines, ends = phases.lines, phases.ends
    lines[:] = 0
    rows = geometry.row[n - 1] + 1
    filled, water, fullest = 0, 0, 0
    for cell in range(n):
        drops = int(cells[cell])
        if drops:
            filled += 1
            water += drops
            fullest = max(fullest, drops)
            for axis in range(2):
                line = geometry.row[cell] if axis == 0 else rows + geometry.column[cell]
                if lines[line] == 0:
                    ends[0, line] = cell
                ends[1, line] = cell
                lines[line] += 1
    if filled == 0:
        return 0, 0, 0.0
    lost = 0
    for line in range(lines.size):
        if lines[line] > 0:
            lost += 2 if lines[line] == 1 else 3
    least = max(filled - water + lost, FULL + 1 - fullest)
    total = weights[OF_LOST] * lost
    for cell in range(n):
        drops = int(cells[cell])
        if drops:
            row, column = geometry.row[cell], rows + geometry.column[cell]
            end_of = int(ends[0, row] == cell or ends[1, row] == cell)
            end_of += int(ends[0, column] == cell or ends[1, column] == cell)
            total += weights[OF_CELL + FULL * end_of + drops - 1]
            if lines[row] == 1 and lines[column] == 1:
                total += weights[OF_ALONE]
    softness = weights[SOFTNESS]
    above = max(total, 0.0) + softness * np.log1p(np.exp(-abs(total) / softness))
    return filled, least, weights[OF_LEAST] * least + above


@kernel
def worse(beam: Beam, one: int, other: int) -> bool:
    """Ties go by hash, so that no order of cells is preferred."""
    if beam.rank[one] != beam.rank[other]:
        return beam.rank[one] > beam.rank[other]
    return beam.hash[one] > beam.hash[other]


@kernel
def sift_up(beam: Beam, bucket: int, place: int) -> None:
    heap = beam.heap[bucket]
    while place > 0:
        above = (place - 1) >> 1
        if not worse(beam, heap[place], heap[above]):
            return
        heap[place], heap[above] = heap[above], heap[place]
        place = above


@kernel
def sift_down(beam: Beam, bucket: int) -> None:
    heap, count = beam.heap[bucket], beam.kept[bucket]
    place = 0
    while True:
        worst, child = place, 2 * place + 1
        if child < count and worse(beam, heap[child], heap[worst]):
            worst = child
        if child + 1 < count and worse(beam, heap[child + 1], heap[worst]):
            worst = child + 1
        if worst == place:
            return
        heap[place], heap[worst] = heap[worst], heap[place]
        place = worst


@kernel
def is_cheaper(beam: Beam, code: U, cost: int) -> bool:
    """Enters the state unless it was reached for as little. A crowded table forgets what is in the way."""
    mask = beam.seen_hash.size - 1
    slot = int(code >> U(20)) & mask
    for _ in range(8):
        if beam.seen_hash[slot] == code:
            if beam.seen_cost[slot] <= cost:
                return False
            break
        if beam.seen_hash[slot] == U(0):
            break
        slot = (slot + 1) & mask
    beam.seen_hash[slot] = code
    beam.seen_cost[slot] = cost
    return True


@kernel
def is_outdated(beam: Beam, slot: int) -> bool:
    """Whether the same state was reached for less since."""
    mask = beam.seen_hash.size - 1
    place = int(beam.hash[slot] >> U(20)) & mask
    for _ in range(8):
        if beam.seen_hash[place] == beam.hash[slot]:
            return beam.seen_cost[place] < beam.cost[slot]
        place = (place + 1) & mask
    return False


@kernel
def keep(
    beam: Beam, phases: Phases, cells: NDArray[np.uint8], parent: int, bucket: int, cost: int, rank: float
) -> None:
    """Puts a state into its bucket, if it is among the best there and new."""
    n, width = beam.states.shape[1], beam.heap.shape[1]
    full = beam.kept[bucket] == width
    if full and rank > beam.rank[beam.heap[bucket, 0]]:
        return
    code = U(0)
    for cell in range(n):
        code ^= beam.zobrist[cell, cells[cell]]
    if not is_cheaper(beam, code, cost):
        return
    slot = beam.heap[bucket, 0] if full else bucket * width + beam.kept[bucket]
    beam.states[slot] = cells[:n]
    beam.cost[slot], beam.rank[slot], beam.hash[slot], beam.parent[slot] = cost, rank, code, parent
    beam.moves[slot] = phases.moves
    if full:
        sift_down(beam, bucket)
    else:
        beam.heap[bucket, beam.kept[bucket]] = slot
        beam.kept[bucket] += 1
        sift_up(beam, bucket, beam.kept[bucket] - 1)


@kernel
def consider(
    beam: Beam,
    phases: Phases,
    board: Board,
    geometry: Geometry,
    chain: Chain,
    slot: int,
    trigger: int,
    payments: int,
    bank: int,
) -> None:
    """Plays one phase, keeps where it leads to, and enters it in `bank` if it is worth extending."""
    n = beam.states.shape[1]
    clicks, hits = play(beam.states[slot], board, geometry, chain, phases, trigger, payments)
    beam.at[GENERATED] += 1
    cost = beam.cost[slot] + clicks
    if cost >= beam.at[BEST]:
        return
    filled, least, more = outlook(board.cells, geometry, phases, beam.weights, n)
    if filled == 0:
        beam.at[BEST], beam.at[BEST_PARENT] = cost, slot
        beam.best_moves[:] = phases.moves
        return
    if cost + least >= beam.at[BEST]:
        return
    rank = cost + more
    keep(beam, phases, board.cells, slot, filled, cost, rank)
    if payments == PAYMENTS or hits == 0:
        return
    count, room = phases.listed[bank], phases.rank.shape[1]
    if count == room:
        if rank >= phases.rank[bank, room - 1]:
            return
        count -= 1
    place = count
    while place > 0 and phases.rank[bank, place - 1] > rank:
        phases.rank[bank, place] = phases.rank[bank, place - 1]
        phases.trigger[bank, place] = phases.trigger[bank, place - 1]
        phases.hits[bank, place] = phases.hits[bank, place - 1]
        phases.pays[bank, place] = phases.pays[bank, place - 1]
        place -= 1
    phases.rank[bank, place], phases.trigger[bank, place] = rank, trigger
    phases.hits[bank, place] = hits
    phases.pays[bank, place] = phases.trial
    phases.listed[bank] = count + 1


@kernel
def is_tried(beam: Beam, slot: int, bucket: int, trigger: int) -> bool:
    """Of many triggers some are drawn; the draw follows from the state."""
    if bucket <= beam.limits[TRIGGERS]:
        return True
    drawn = int((beam.hash[slot] ^ beam.zobrist[trigger, 0]) >> U(39))  # below 2**24
    return drawn * bucket < beam.limits[TRIGGERS] << 24


@kernel
def expand(beam: Beam, phases: Phases, board: Board, geometry: Geometry, chain: Chain, slot: int) -> None:
    """Tries phases from one state: triggers without payments, then the best phases of each level with one
    payment more, later in the chain than the others."""
    n = beam.states.shape[1]
    if is_outdated(beam, slot):
        return
    bucket = slot // beam.heap.shape[1]
    phases.listed[:] = 0
    for trigger in range(n):
        if beam.states[slot, trigger] and is_tried(beam, slot, bucket, trigger):
            consider(beam, phases, board, geometry, chain, slot, trigger, 0, 0)
    bank = 0
    for payments in range(1, PAYMENTS + 1):
        phases.listed[1 - bank] = 0
        limit = beam.limits[FIRST_EXTENDED if payments == 1 else EXTENDED]
        for one in range(min(phases.listed[bank], limit)):
            phases.trial[:] = phases.pays[bank, one]
            first = phases.trial[payments - 2] + 1 if payments > 1 else 0
            for hit in range(first, phases.hits[bank, one]):
                phases.trial[payments - 1] = hit
                trigger = phases.trigger[bank, one]
                consider(beam, phases, board, geometry, chain, slot, trigger, payments, 1 - bank)
        bank = 1 - bank
