"""Kernels of triple: the exhaustive depth-first search, over the moves of kernels.py.

How a state is packed: see kernels.py; here the set itself is kept beside what follows from it, as
the key of the transposition table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.jit import kernel
from winnable.games.triple.solve import kernels
from winnable.games.triple.solve.kernels import Tables
from winnable.inert.arrays import I16, I32, I64, U64, U, np

WINDOW: Final = 16
"""So many neighbouring slots of the transposition table may hold one key: 2^4, see `remember`."""

# Indices into Exact.at.
DEPTH, TOP, TRAY, EXPANDED, GENERATED, USED, LEFT = range(7)


class Exact(NamedTuple):
    """A depth-first search that stops and goes on at any node.

    at: int64[7], see the indices above. The path (int32) holds the tiles done since the root, `stack` the
    tiles still to be tried; those of depth d start at `base[d]`. `done` is the current set. A slot of the
    transposition table holds the hash (uint64[slots], 0 = free) and the set itself (uint64[slots, words]):
    every state that was entered. A state that is met again was therefore searched in vain, as a deeper
    state never leads back to it.
    """

    waits: I16
    counts: I16
    done: U64
    at: I64
    hash: U64
    path: I32
    base: I64
    stack: I32
    ranks: I64
    opens: I32
    kept: I32
    first: I32
    chain: I32
    weights: I64
    slot_hash: U64
    slot_done: U64


@kernel
def stored_key(code: np.uint64) -> np.uint64:
    """The hash as a table stores it: never 0."""
    return code | U(1)


@kernel
def first_slot(key: np.uint64, slots: int) -> int:
    """The slot that a stored key belongs in."""
    return int(np.int64((key >> U(1)) % U(slots)))


@kernel
def remember(slot_hash: U64, slot_done: U64, code: U64, done: U64) -> int:
    """Enters the set with hash code[0]: 0 when it was there, 1 when it took a free slot, 2 when it took
    another's.

    Only equal sets are ever taken for the same. Forgetting one costs time, never a wrong verdict.
    """
    slots = slot_hash.size
    key = stored_key(code[0])
    home = first_slot(key, slots)
    for step in range(WINDOW):
        slot = home + step
        if slot >= slots:
            slot -= slots
        if slot_hash[slot] == U(0):
            slot_hash[slot] = key
            slot_done[slot, :] = done
            return 1
        if slot_hash[slot] == key:
            same = True
            for word in range(done.size):
                if slot_done[slot, word] != done[word]:
                    same = False
                    break
            if same:
                return 0
    slot = (home + np.int64(key >> U(60))) % slots  # one of WINDOW
    slot_hash[slot] = key
    slot_done[slot, :] = done
    return 2


@kernel
def move_entries(old_hash: U64, old_done: U64, new_hash: U64, new_done: U64) -> int:
    """Enters all sets of the old table, or of a part of it, into the new one; how many slots that took."""
    used = 0
    for slot in range(old_hash.size):
        if (
            old_hash[slot] != U(0)
            and remember(new_hash, new_done, old_hash[slot : slot + 1], old_done[slot]) == 1
        ):
            used += 1
    return used


@kernel
def step_exact(t: Tables, s: Exact, tile: int) -> None:
    """Does `tile`: everything but depth and path."""
    kernels.do_tile(t, s.waits, tile)
    kind = t.kind[tile]
    s.at[TRAY] -= t.held[s.counts[kind]]
    s.counts[kind] = (s.counts[kind] + 1) % 3
    s.at[TRAY] += t.held[s.counts[kind]]
    s.done[tile >> 6] ^= U(1) << U(tile & 63)
    s.hash[0] ^= t.zobrist[tile]


@kernel
def back_exact(t: Tables, s: Exact, tile: int) -> None:
    """The inverse of `step_exact`."""
    kernels.undo_tile(t, s.waits, tile)
    kind = t.kind[tile]
    s.at[TRAY] -= t.held[s.counts[kind]]
    s.counts[kind] = (s.counts[kind] + 2) % 3
    s.at[TRAY] += t.held[s.counts[kind]]
    s.done[tile >> 6] ^= U(1) << U(tile & 63)
    s.hash[0] ^= t.zobrist[tile]


@kernel
def sort_by_rank(tiles: I32, ranks: I64) -> None:
    """Ascending (Shell's sort: nearly always there are few tiles, but there can be 100,000)."""
    gap = 1
    while 3 * gap < tiles.size:
        gap = 3 * gap + 1
    while gap > 0:
        for place in range(gap, tiles.size):
            tile = tiles[place]
            rank = ranks[place]
            hole = place
            while hole >= gap and ranks[hole - gap] > rank:
                tiles[hole] = tiles[hole - gap]
                ranks[hole] = ranks[hole - gap]
                hole -= gap
            tiles[hole] = tile
            ranks[hole] = rank
        gap //= 3


@kernel
def expand_exact(t: Tables, s: Exact) -> None:
    """Pushes the promising successors of the current state, the best one last."""
    start = s.at[TOP]
    top = start
    tray = s.at[TRAY]
    left = s.at[LEFT] - s.at[DEPTH] - 1
    found = kernels.open_tiles(s.waits, s.opens)
    for place in range(kernels.undominated(t, s.waits, s.opens, found, s.first, s.chain, s.kept)):
        tile = s.kept[place]
        kind = t.kind[tile]
        before = s.counts[kind]
        after = (before + 1) % 3
        size = tray + t.held[after] - t.held[before]
        if size > t.limit:
            continue
        gain, opened = kernels.do_tile(t, s.waits, tile)
        s.counts[kind] = after
        cost, alive = kernels.outlook(t, s.waits, s.counts, size, left)
        s.counts[kind] = before
        kernels.undo_tile(t, s.waits, tile)
        if not alive and left > 0:
            continue
        rest = s.weights[3] * opened - s.weights[2] * size
        rank = s.weights[0] * gain - s.weights[1] * cost + rest
        s.stack[top] = tile
        s.ranks[top - start] = rank
        top += 1
    sort_by_rank(s.stack[start:top], s.ranks)
    s.at[TOP] = top
    s.at[EXPANDED] += 1
    s.at[GENERATED] += top - start


@kernel
def exact_slice(t: Tables, s: Exact, nodes: int, slots_to_use: int) -> int:
    """Goes on with the search for at most `nodes` expanded nodes.

    Returns RUNNING; SOLVED: path[:DEPTH] is a line; EXHAUSTED: there is none; TABLE_FULL, STACK_FULL: call
    again with a larger one. Starts with the root expanded by `expand_exact`.
    """
    stop = s.at[EXPANDED] + nodes
    while s.at[EXPANDED] < stop:
        depth = s.at[DEPTH]
        if s.at[TOP] == s.base[depth]:
            if depth == 0:
                return kernels.EXHAUSTED
            back_exact(t, s, int(s.path[depth - 1]))
            s.at[DEPTH] -= 1
            continue
        if s.at[USED] >= slots_to_use:
            return kernels.TABLE_FULL
        if s.at[TOP] + s.opens.size > s.stack.size:
            return kernels.STACK_FULL
        s.at[TOP] -= 1
        tile = int(s.stack[s.at[TOP]])
        step_exact(t, s, tile)
        s.path[depth] = tile
        if depth + 1 == s.at[LEFT]:
            s.at[DEPTH] = depth + 1
            return kernels.SOLVED
        fate = remember(s.slot_hash, s.slot_done, s.hash, s.done)
        if fate == 0:
            back_exact(t, s, tile)
            continue
        if fate == 1:
            s.at[USED] += 1
        s.at[DEPTH] = depth + 1
        s.base[depth + 1] = s.at[TOP]
        expand_exact(t, s)
    return kernels.RUNNING
