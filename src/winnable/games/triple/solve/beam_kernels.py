"""Kernels of triple: a beam search, level by level, over the moves of kernels.py.

How a state is packed: one row each of `waits`, `counts`, `gain`, `hash` and `tray` in one of two banks; the
rows of the current level lie in bank `at[BANK]`. The set itself is not kept: states are told apart by a
64-bit hash. Two that share one would cost the beam a state, never a verdict, as a beam proves nothing and
its line is replayed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.jit import inlined_kernel, kernel
from winnable.games.triple.solve import kernels
from winnable.games.triple.solve.exact_kernels import first_slot, stored_key
from winnable.games.triple.solve.kernels import Tables
from winnable.inert.arrays import I16, I32, I64, U64, U, np

# Indices into Beam.at. KEEP is the width, SHIFT says which bits of the hash break ties, FLOOR is a rank below
# which no child of this level can survive, SEEN counts entries of the table `seen`, MADE rows of the next
# level.
BANK, ROWS, ROW, CHILDREN, BEAM_DEPTH, BEAM_LEFT, BEAM_EXPANDED, BEAM_GENERATED = range(8)
KEEP, SHIFT, FLOOR, SEEN, MADE = range(8, 13)
LOWEST = -(2**62)
LEVEL: Final = 5
"""A slice ends before its time at a level of more than WIDE states, as those of the next one may take another
time each; and when it has made MOST_MADE of them."""
WIDE: Final = 500
MOST_MADE: Final = 4000


class Beam(NamedTuple):
    """A beam search that stops and goes on between any two expanded states.

    Banks: waits int16[2, width, tiles], counts int16[2, width, kinds], gain int64[2, width] (so far, see
    do_tile), hash uint64[2, width], tray int64[2, width]. Children: five arrays of equal length, at least
    width + tiles, and the hash set `seen` (a power of two, 0 = free). Line: parents and tiles, int32[left,
    width]. weights: int64[4] of waiting, finishing, tray, open tiles.
    """

    at: I64
    weights: I64
    waits: I16
    counts: I16
    gain: I64
    hash: U64
    tray: I64
    child_rank: I64
    child_hash: U64
    child_gain: I64
    child_parent: I32
    child_tile: I32
    seen: U64
    parents: I32
    tiles: I32
    opens: I32


@kernel
def is_new(b: Beam, code: U64) -> bool:
    """Enters code[0] into the hash set of this level; False when it was there."""
    mask = b.seen.size - 1
    key = stored_key(code[0])
    slot = first_slot(key, b.seen.size)
    while b.seen[slot] != U(0):
        if b.seen[slot] == key:
            return False
        slot = (slot + 1) & mask
    b.seen[slot] = key
    b.at[SEEN] += 1
    return True


@kernel
def swap_children(b: Beam, i: int, j: int) -> None:
    """Exchanges two children in all five arrays."""
    b.child_rank[i], b.child_rank[j] = b.child_rank[j], b.child_rank[i]
    b.child_hash[i], b.child_hash[j] = b.child_hash[j], b.child_hash[i]
    b.child_gain[i], b.child_gain[j] = b.child_gain[j], b.child_gain[i]
    b.child_parent[i], b.child_parent[j] = b.child_parent[j], b.child_parent[i]
    b.child_tile[i], b.child_tile[j] = b.child_tile[j], b.child_tile[i]


@kernel
def keep_best(b: Beam) -> None:
    """Drops all but the KEEP best children of this level (quickselect, Hoare's partition)."""
    keep = b.at[KEEP]
    if b.at[CHILDREN] <= keep:
        return
    low = 0
    high = b.at[CHILDREN] - 1
    while low < high:
        pivot = b.child_rank[(low + high) >> 1]
        i = low
        j = high
        while i <= j:
            while b.child_rank[i] > pivot:
                i += 1
            while b.child_rank[j] < pivot:
                j -= 1
            if i <= j:
                swap_children(b, i, j)
                i += 1
                j -= 1
        if keep - 1 <= j:
            high = j
        elif keep - 1 >= i:
            low = i
        else:
            break
    b.at[CHILDREN] = keep
    b.at[FLOOR] = b.child_rank[keep - 1]


@kernel
def make_room(b: Beam) -> None:
    """Keeps the best children when another state might not find room for its own."""
    if b.at[CHILDREN] + b.opens.size > b.child_rank.size:
        keep_best(b)
    if 2 * (b.at[SEEN] + b.opens.size) > b.seen.size:
        b.seen[:] = U(0)
        b.at[SEEN] = 0
        for child in range(b.at[CHILDREN]):
            is_new(b, b.child_hash[child : child + 1])


@kernel
def expand_row(t: Tables, b: Beam, row: int) -> None:
    """Adds the promising successors of one state of the level to the children."""
    bank = b.at[BANK]
    waits = b.waits[bank, row]
    count = b.counts[bank, row]
    left = b.at[BEAM_LEFT] - b.at[BEAM_DEPTH] - 1
    code = np.zeros(1, np.uint64)
    found = kernels.open_tiles(waits, b.opens)
    for place in range(found):
        tile = b.opens[place]
        kind = t.kind[tile]
        before = count[kind]
        after = (before + 1) % 3
        tray = b.tray[bank, row] + t.held[after] - t.held[before]
        if tray > t.limit:
            continue
        gain, opened = kernels.do_tile(t, waits, tile)
        count[kind] = after
        cost, alive = kernels.outlook(t, waits, count, tray, left)
        count[kind] = before
        kernels.undo_tile(t, waits, tile)
        b.at[BEAM_GENERATED] += 1
        if not alive and left > 0:
            continue
        gain += b.gain[bank, row]
        code[0] = b.hash[bank, row] ^ t.zobrist[tile]
        tie = np.int64((code[0] >> U(b.at[SHIFT])) & U(1023))
        rest = b.weights[3] * (found - 1 + opened) - b.weights[2] * tray
        rank = (b.weights[0] * gain - b.weights[1] * cost + rest) * 1024 + tie
        if rank <= b.at[FLOOR] or not is_new(b, code):
            continue
        child = int(b.at[CHILDREN])
        b.child_rank[child] = rank
        b.child_hash[child] = code[0]
        b.child_gain[child] = gain
        b.child_parent[child] = row
        b.child_tile[child] = tile
        b.at[CHILDREN] += 1


@inlined_kernel
def do_in_row(t: Tables, b: Beam, bank: int, row: int, tile: int) -> int:
    """Does an open tile in the state of a row, its gain and hash excepted; what is gained."""
    gain, _ = kernels.do_tile(t, b.waits[bank, row], tile)
    kind = t.kind[tile]
    before = b.counts[bank, row, kind]
    after = (before + 1) % 3
    b.counts[bank, row, kind] = after
    b.tray[bank, row] += t.held[after] - t.held[before]
    return gain


@kernel
def next_level(t: Tables, b: Beam) -> bool:
    """Makes the best children the states of the next level, or some more of them; whether it is complete."""
    if b.at[MADE] == 0:
        keep_best(b)
    bank = b.at[BANK]
    other = 1 - bank
    depth = b.at[BEAM_DEPTH]
    last = min(b.at[CHILDREN], b.at[MADE] + MOST_MADE)
    for row in range(b.at[MADE], last):
        parent = b.child_parent[row]
        tile = b.child_tile[row]
        b.waits[other, row, :] = b.waits[bank, parent]
        b.counts[other, row, :] = b.counts[bank, parent]
        b.tray[other, row] = b.tray[bank, parent]
        do_in_row(t, b, other, row, tile)
        b.gain[other, row] = b.child_gain[row]
        b.hash[other, row] = b.child_hash[row]
        b.parents[depth, row] = parent
        b.tiles[depth, row] = tile
    b.at[MADE] = last
    if last < b.at[CHILDREN]:
        return False
    b.seen[:] = U(0)
    b.at[BANK] = other
    b.at[ROWS] = b.at[CHILDREN]
    b.at[ROW] = 0
    b.at[CHILDREN] = 0
    b.at[BEAM_DEPTH] = depth + 1
    b.at[FLOOR] = LOWEST
    b.at[SEEN] = 0
    b.at[MADE] = 0
    return True


@kernel
def do_starts(t: Tables, b: Beam, starts: I32, first: int, last: int) -> None:
    """Does the tiles of each row of `starts` from the position that is the first row of the beam; what comes
    of these are the rows to begin with. Those from `first` on and before `last`: of all, the last ones
    first."""
    for row in range(last - 1, first - 1, -1):
        b.waits[0, row, :] = b.waits[0, 0]
        b.counts[0, row, :] = b.counts[0, 0]
        b.tray[0, row] = b.tray[0, 0]
        for tile in starts[row]:
            b.gain[0, row] += do_in_row(t, b, 0, row, tile)
            b.hash[0, row] ^= t.zobrist[tile]
    b.at[ROWS] = starts.shape[0]
    b.at[BEAM_DEPTH] = starts.shape[1]


@kernel
def beam_slice(t: Tables, b: Beam, nodes: int) -> int:
    """Goes on for at most `nodes` expanded states: RUNNING, LEVEL, SOLVED, or EXHAUSTED when no state is left
    (which proves nothing: others were dropped)."""
    stop = b.at[BEAM_EXPANDED] + nodes
    while b.at[BEAM_EXPANDED] < stop:
        if b.at[ROW] < b.at[ROWS]:
            make_room(b)
            expand_row(t, b, b.at[ROW])
            b.at[ROW] += 1
            b.at[BEAM_EXPANDED] += 1
            continue
        if b.at[CHILDREN] == 0:
            return kernels.EXHAUSTED
        if not next_level(t, b):
            return LEVEL
        if b.at[BEAM_DEPTH] == b.at[BEAM_LEFT]:
            return kernels.SOLVED
        if b.at[ROWS] > WIDE:
            return LEVEL
    return kernels.RUNNING
