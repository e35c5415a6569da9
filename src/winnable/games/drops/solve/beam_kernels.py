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

from winnable.compiled.jit import borrowing_kernel
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.solve.kernels import (
    NO_LIMIT,
    UNPRICED,
    Cells,
    Geometry,
    Play,
    advance,
    begin,
    burst,
    copy,
    link,
    to_int,
)
from winnable.inert.arrays import F64, I16, I32, I64, U8, U64, U, np

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
TRIED, PAID, ONE, HIT = range(4)
"""Places in the `at` of Phases, how far a state is expanded: triggers tried, payments that the phases made
which are extended now, which of these it is, and at which hit it is extended next."""
BEST, BEST_PARENT, GENERATED = range(3)
"""Places in the `at` of Beam, int64 [3]: the cost of the best line, the slot of the state before its last
phase (-1: no line was found), and how many phases were tried."""


class Beam(NamedTuple):
    """Buckets of `width` slots each; slot `m * width + i` belongs to bucket m, and bucket 0 stays empty.

    states: uint8 [slots, n]. cost: int32 [slots], clicks so far. rank: float64 [slots], promised cost of the
    whole line, the lower the better. hash: uint64 [slots]. parent: int32 [slots]. moves: int16
    [slots, PAYMENTS + 1], `cell << 2 | clicks - 1`, the trigger first, then payments, then -1. heap: int32
    [buckets, width], slots of each bucket, worst first; kept: int64 [buckets], how many. seen_hash: uint64
    [a power of two], 0 = free; seen_cost: int32, the least cost at which a state was reached. best_moves:
    int16 [PAYMENTS + 1]. zobrist: uint64 [n, FULL + 1]. weights: see OF_LEAST. limits: see TRIGGERS.
    """

    at: I64
    states: U8
    cost: I32
    rank: F64
    hash: U64
    parent: I32
    moves: I16
    heap: I32
    kept: I64
    seen_hash: U64
    seen_cost: I32
    best_moves: I16
    zobrist: U64
    weights: F64
    limits: I64


class Phases(NamedTuple):
    """Room for the phases of one expansion: two banks of those that are extended by one payment more.

    pays: int64 [2, room, PAYMENTS], which hits of the chain are paid; trigger, hits: int64 [2, room]; rank:
    float64 [2, room], ascending; listed: int64 [2], how many. trial: int64 [PAYMENTS], moves: int16
    [PAYMENTS + 1]: of the phase being played. lines: int64 [rows + columns], how many cells hold drops in
    each; ends: int64 [2, rows + columns], the first and the last of them. root: the linked board of the
    state; at: int64 [4], see TRIED, all 0 before and after.
    """

    pays: I64
    trigger: I64
    hits: I64
    rank: F64
    listed: I64
    trial: I64
    moves: I16
    lines: I64
    ends: I64
    root: Cells
    at: I64


@borrowing_kernel
def play_phase(phases: Phases, play: Play, trigger: int, payments: int) -> tuple[int, int]:
    """Plays one phase from `phases.root` that pays at the hits trial[:payments]; leaves what rests in
    `play.board` and the clicks in `phases.moves`. Returns how many clicks it took and how many hits could
    have been paid."""
    root, moves, board = phases.root, phases.moves, play.board
    copy(root, board)
    moves[:] = -1
    cost = FULL + 1 - to_int(root[trigger])
    moves[0] = trigger << 2 | cost - 1
    begin(play.chain.counters, 0, 0, UNPRICED)
    burst(play, trigger)
    hits, paid = 0, 0
    while True:
        cell = advance(play, FULL, NO_LIMIT, NO_LIMIT)
        if cell < 0:
            return cost, hits
        if paid < payments and phases.trial[paid] == hits:
            lacking = FULL + 1 - to_int(board[cell])
            cost += lacking
            paid += 1
            moves[paid] = cell << 2 | lacking - 1
            burst(play, cell)
        hits += 1


@borrowing_kernel
def outlook(cells: Cells, geometry: Geometry, lines: I64, ends: I64, weights: F64) -> tuple[int, int, float]:
    """The number of cells with drops, a lower bound of the clicks to come, and an estimate of them. lines,
    ends: to work in, see Phases.

    The bound: clicks = cells - water + droplets lost, of which a line of one cell loses 2 and any other 3;
    and some cell must be the first to be clicked until it bursts. The estimate: a soft maximum of 0 and a
    weighted sum like that, in which a cell's weight depends on its drops and on whether it is an end of its
    row and of its column. Ends should stay until all between them have burst, so drops there are worth less.
    """
    rows, columns = geometry.rows, geometry.columns
    lines[:] = 0
    filled, water, fullest, cell = 0, 0, 0, 0
    for row in range(rows):
        for line in range(rows, rows + columns):
            drops = to_int(cells[cell])
            if drops:
                filled += 1
                water += drops
                fullest = max(fullest, drops)
                if lines[row] == 0:
                    ends[0, row] = cell
                if lines[line] == 0:
                    ends[0, line] = cell
                ends[1, row], ends[1, line] = cell, cell
                lines[row] += 1
                lines[line] += 1
            cell += 1
    if filled == 0:
        return 0, 0, 0.0
    lost = 0
    for line in range(rows + columns):
        if lines[line] > 0:
            lost += 2 if lines[line] == 1 else 3
    least = max(filled - water + lost, FULL + 1 - fullest)
    total = weights[OF_LOST] * lost
    cell = 0
    for row in range(rows):
        for line in range(rows, rows + columns):
            drops = to_int(cells[cell])
            if drops:
                end_of = int(ends[0, row] == cell or ends[1, row] == cell)
                end_of += int(ends[0, line] == cell or ends[1, line] == cell)
                total += weights[OF_CELL + FULL * end_of + drops - 1]
                if lines[row] == 1 and lines[line] == 1:
                    total += weights[OF_ALONE]
            cell += 1
    softness = weights[SOFTNESS]
    above = max(total, 0.0) + softness * np.log1p(np.exp(-abs(total) / softness))
    return filled, least, weights[OF_LEAST] * least + above


@borrowing_kernel
def worse(rank: F64, code: U64, one: int, other: int) -> bool:
    """Whether one state ranks behind another. Ties go by hash, so that no order of cells is preferred."""
    if rank[one] != rank[other]:
        return rank[one] > rank[other]
    return code[one] > code[other]


@borrowing_kernel
def sift_up(beam: Beam, bucket: int, place: int) -> None:
    """Moves the state at `place` of a bucket's heap up to where it belongs."""
    heap, rank, code = beam.heap, beam.rank, beam.hash
    while place > 0:
        above = (place - 1) >> 1
        if not worse(rank, code, heap[bucket, place], heap[bucket, above]):
            return
        heap[bucket, place], heap[bucket, above] = heap[bucket, above], heap[bucket, place]
        place = above


@borrowing_kernel
def sift_down(beam: Beam, bucket: int) -> None:
    """Moves the first state of a bucket's heap down to where it belongs."""
    heap, rank, code, count = beam.heap, beam.rank, beam.hash, beam.kept[bucket]
    place = 0
    while True:
        worst, child = place, 2 * place + 1
        if child < count and worse(rank, code, heap[bucket, child], heap[bucket, worst]):
            worst = child
        if child + 1 < count and worse(rank, code, heap[bucket, child + 1], heap[bucket, worst]):
            worst = child + 1
        if worst == place:
            return
        heap[bucket, place], heap[bucket, worst] = heap[bucket, worst], heap[bucket, place]
        place = worst


@borrowing_kernel
def is_cheaper(beam: Beam, code: U, cost: int) -> bool:
    """Enters the state unless it was reached for as little. A crowded table forgets what is in the way."""
    seen_hash, seen_cost = beam.seen_hash, beam.seen_cost
    mask = seen_hash.size - 1
    slot = int(code >> U(20)) & mask
    for _ in range(8):
        if seen_hash[slot] == code:
            if seen_cost[slot] <= cost:
                return False
            break
        if seen_hash[slot] == U(0):
            break
        slot = (slot + 1) & mask
    seen_hash[slot] = code
    seen_cost[slot] = cost
    return True


@borrowing_kernel
def is_outdated(beam: Beam, slot: int) -> bool:
    """Whether the state in this slot was reached for less since."""
    seen_hash, code = beam.seen_hash, beam.hash[slot]
    mask = seen_hash.size - 1
    place = int(code >> U(20)) & mask
    for _ in range(8):
        if seen_hash[place] == code:
            return beam.seen_cost[place] < beam.cost[slot]
        place = (place + 1) & mask
    return False


@borrowing_kernel
def keep(beam: Beam, cells: Cells, moves: I16, parent: int, bucket: int, cost: int, rank: float) -> None:
    """Puts a state into its bucket, if it is among the best there and new."""
    states, heap, kept, zobrist = beam.states, beam.heap, beam.kept, beam.zobrist
    width = heap.shape[1]
    full = kept[bucket] == width
    if full and rank > beam.rank[heap[bucket, 0]]:
        return
    code = U(0)
    for cell in range(states.shape[1]):
        code ^= zobrist[cell, cells[cell]]
    if not is_cheaper(beam, code, cost):
        return
    slot = int(heap[bucket, 0]) if full else bucket * width + kept[bucket]
    copy(cells, states[slot])
    beam.cost[slot], beam.rank[slot], beam.hash[slot], beam.parent[slot] = cost, rank, code, parent
    copy(moves, beam.moves[slot])
    if full:
        sift_down(beam, bucket)
    else:
        heap[bucket, kept[bucket]] = slot
        kept[bucket] += 1
        sift_up(beam, bucket, kept[bucket] - 1)


@borrowing_kernel
def enlist(phases: Phases, bank: int, rank: float, trigger: int, hits: int) -> None:
    """Enters the phase just played among those of `bank` that are worth extending, if it is."""
    ranks, triggers, hits_of, pays = phases.rank, phases.trigger, phases.hits, phases.pays
    trial, listed = phases.trial, phases.listed
    place, room = listed[bank], ranks.shape[1]
    if place == room:
        if rank >= ranks[bank, room - 1]:
            return
        place -= 1
    listed[bank] = place + 1
    while place > 0 and ranks[bank, place - 1] > rank:
        ranks[bank, place] = ranks[bank, place - 1]
        triggers[bank, place] = triggers[bank, place - 1]
        hits_of[bank, place] = hits_of[bank, place - 1]
        copy(pays[bank, place - 1], pays[bank, place])
        place -= 1
    ranks[bank, place], triggers[bank, place], hits_of[bank, place] = rank, trigger, hits
    copy(trial, pays[bank, place])


@borrowing_kernel
def consider(
    beam: Beam, phases: Phases, play: Play, slot: int, trigger: int, payments: int, bank: int
) -> None:
    """Plays one phase of the state in `slot`, which `phases.root` holds; keeps where it leads to, and enters
    it in `bank` if it is worth extending."""
    at, moves, board = beam.at, phases.moves, play.board
    clicks, hits = play_phase(phases, play, trigger, payments)
    at[GENERATED] += 1
    cost = to_int(beam.cost[slot]) + clicks
    if cost >= at[BEST]:
        return
    filled, least, more = outlook(board, play.geometry, phases.lines, phases.ends, beam.weights)
    if filled == 0:
        at[BEST], at[BEST_PARENT] = cost, slot
        copy(moves, beam.best_moves)
        return
    if cost + least >= at[BEST]:
        return
    rank = cost + more
    keep(beam, board, moves, slot, filled, cost, rank)
    if payments < PAYMENTS and hits > 0:
        enlist(phases, bank, rank, trigger, hits)


@borrowing_kernel
def is_tried(beam: Beam, slot: int, bucket: int, trigger: int) -> bool:
    """Whether a phase with this trigger is tried. Of many triggers some are drawn; the draw follows from the
    state."""
    if bucket <= beam.limits[TRIGGERS]:
        return True
    drawn = int((beam.hash[slot] ^ beam.zobrist[trigger, 0]) >> U(39))  # below 2**24
    return drawn * bucket < beam.limits[TRIGGERS] << 24


@borrowing_kernel
def expand(beam: Beam, phases: Phases, play: Play, slot: int, steps: int) -> bool:
    """Tries phases from one state: triggers without payments, then the best phases of each level with one
    payment more, later in the chain than the others. Goes on for at most so many; whether these were all."""
    at, root, listed, trial = phases.at, phases.root, phases.listed, phases.trial
    n, limits = play.geometry.cells, beam.limits
    if at[TRIED] == 0:
        if is_outdated(beam, slot):
            return True
        copy(beam.states[slot], root[:n])
        link(root, play.geometry)
        listed[0], listed[1] = 0, 0
    bucket = slot // beam.heap.shape[1]
    while at[TRIED] < n:
        if steps == 0:
            return False
        trigger = int(at[TRIED])
        at[TRIED] += 1
        if root[trigger] and is_tried(beam, slot, bucket, trigger):
            consider(beam, phases, play, slot, trigger, 0, 0)
            steps -= 1
    while at[PAID] < PAYMENTS:
        payments, bank = at[PAID] + 1, at[PAID] % 2
        limit = limits[FIRST_EXTENDED if payments == 1 else EXTENDED]
        while at[ONE] < min(listed[bank], limit):
            one = at[ONE]
            copy(phases.pays[bank, one], trial)
            trigger = int(phases.trigger[bank, one])
            at[HIT] = max(at[HIT], trial[payments - 2] + 1 if payments > 1 else 0)
            while at[HIT] < phases.hits[bank, one]:
                if steps == 0:
                    return False
                trial[payments - 1] = at[HIT]
                at[HIT] += 1
                consider(beam, phases, play, slot, trigger, payments, 1 - bank)
                steps -= 1
            at[ONE] += 1
            at[HIT] = 0
        listed[bank] = 0
        at[PAID] += 1
        at[ONE] = 0
    at[:] = 0
    return True
