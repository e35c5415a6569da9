"""Kernels of triple: moves, outlook and dominance, and the exhaustive depth-first search over them.

How a state is packed: the set of done tiles (see plan.py) is a row of uint64 words, bit i % 64 of word i //
64 for tile i. Beside it the kernels keep what follows from the set: `waits` (int16 per tile, -1 when done)
and `counts` (int16 per kind, modulo 3). `pack` and `unpack` lead from and to the rules' integers.

The same source runs as plain Python with WINNABLE_JIT=0. Literals that meet uint64 are wrapped in U(...).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from winnable.games.triple.plan import I16, I32, I64, LOG_ONE, U64, Tables
from winnable.games.triple.rules import Picked
from winnable.jit import kernel

U = np.uint64
FAR: Final = 32767
"""More than any tile waits for."""
CHAIN: Final = 64
"""So many tiles of its kind are compared with an open tile; fewer comparisons are sound, only weaker."""
WINDOW: Final = 16
"""So many neighbouring slots of the transposition table may hold one key: 2^4, see `remember`."""

# Indices into Exact.at.
DEPTH, TOP, OPEN, TRAY, EXPANDED, GENERATED, USED, LEFT = range(8)

# What exact_slice returns.
RUNNING, SOLVED, EXHAUSTED, TABLE_FULL, STACK_FULL = range(5)


def words_of(tiles: int) -> int:
    """Words in the set of done tiles."""
    return (tiles + 63) // 64


def pack(state: Picked, words: int) -> U64:
    """uint64[words] of the rules' integer."""
    return np.frombuffer(state.to_bytes(8 * words, "little"), dtype="<u8").astype(np.uint64)


def unpack(row: U64) -> Picked:
    """The rules' integer of uint64[words]."""
    return int.from_bytes(row.astype("<u8").tobytes(), "little")


@kernel
def open_tiles(waits: I16, opens: I32) -> int:
    """Writes the open tiles to `opens`, ascending; their number."""
    found = 0
    for tile in range(waits.size):
        if waits[tile] == 0:
            opens[found] = tile
            found += 1
    return found


@kernel
def do_tile(t: Tables, waits: I16, tile: int) -> tuple[int, int]:
    """Takes an open tile out of the waiting; (what that gains in the sum of `log`, newly open tiles)."""
    gain = 0
    opened = 0
    waits[tile] = -1
    for place in range(t.reach_start[tile], t.reach_start[tile + 1]):
        other = t.reach[place]
        before = waits[other]
        if before > 0:
            waits[other] = before - 1
            gain += t.log[before] - t.log[before - 1]
            if before == 1:
                opened += 1
    return int(gain), opened


@kernel
def undo_tile(t: Tables, waits: I16, tile: int) -> None:
    """The inverse of `do_tile`, for the tile done last."""
    waits[tile] = 0
    for place in range(t.reach_start[tile], t.reach_start[tile + 1]):
        other = t.reach[place]
        if waits[other] >= 0:
            waits[other] += 1


@kernel
def tray_size(t: Tables, count: I16) -> int:
    """Tiles that rest in the tray."""
    size = 0
    for kind in range(count.size):
        size += t.held[count[kind]]
    return int(size)


@kernel
def outlook(t: Tables, waits: I16, count: I16, tray: int, left: int) -> tuple[int, bool]:
    """(how far the begun kinds are from complete, in `log` units; whether the state may still be winnable).

    A kind is begun when 1 or 2 of its tiles (modulo 3) are done. False is a proof:

    Forward, the tray shrinks only when a triple completes. Let k be the kind that completes first; until
    its last pick every pick rests in the tray, so its p picks need tray + p - 1 <= limit. A kind that is
    not begun needs p >= 3, and p is at least 1 + (what the last of the needed tiles waits for). If no kind
    has p <= limit - tray + 1 then no triple ever completes, and the board (not empty) is lost.

    Backward, the first tile of a kind adds two to the tray and both others take one away. With room for
    fewer than two more, the next tile must belong to a begun kind, and with no room at all the next two
    must (as far as that many tiles are left): the first must be open, the second wait for no more than the
    first.
    """
    room = t.limit - tray
    alive = room >= 2
    cost = 0
    first = FAR
    second = FAR
    for kind in range(count.size):
        need = (3 - count[kind]) % 3
        if need == 0:
            continue
        near = FAR
        next_near = FAR
        for place in range(t.of_kind_start[kind], t.of_kind_start[kind + 1]):
            wait = waits[t.of_kind[place]]
            if wait < 0:
                continue
            if wait < near:
                next_near = near
                near = wait
            elif wait < next_near:
                next_near = wait
            if near == 0 and (need == 1 or next_near == 0):
                break
        if need == 1:
            next_near = near
        elif next_near < FAR:
            cost += t.log[next_near]
        if near < FAR:
            cost += t.log[near]
        if not t.backward:
            alive = alive or max(need, next_near + 1) <= room + 1
        elif near < first:
            second = first
            first = near
            if need == 2 and next_near < second:
                second = next_near
        elif near < second:
            second = near
    if t.backward and not alive:
        must = min(2 - room, left)
        alive = must <= 0 or (first == 0 and (must == 1 or second <= 1))
    return int(cost), bool(alive)


@kernel
def reaches(t: Tables, tile: int, other: int) -> bool:
    """Whether `other` waits for `tile` (by `Tables.reach`)."""
    low = t.reach_start[tile]
    high = t.reach_start[tile + 1]
    while low < high:
        middle = (low + high) >> 1
        if t.reach[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low < t.reach_start[tile + 1] and t.reach[low] == other


@kernel
def dominates(t: Tables, waits: I16, better: int, worse: int) -> bool:
    """Whether all that still waits for `worse` also waits for `better`; both are open."""
    for place in range(t.post_start[worse], t.post_start[worse + 1]):
        other = t.post[place]
        if waits[other] >= 0 and not reaches(t, better, other):
            return False
    return True


@kernel
def undominated(t: Tables, waits: I16, opens: I32, found: int, first: I32, chain: I32, kept: I32) -> int:
    """Writes to `kept` those of the `found` open tiles that suffice for a solution, if there is one.

    Of two open tiles a, b of one kind, b can be skipped when all that still waits for b also waits for a:
    in a solution that does b before a, exchange the two. Nothing between them waited for b (it would have to
    wait for a too, which came later), and the tray sees the same kinds in the same order. The relation is
    transitive; among equals the lowest index stays, so each skipped tile has one that is kept and beats it.
    Scratch: first int32[kinds], chain int32[tiles].
    """
    first[:] = -1
    for place in range(found - 1, -1, -1):
        tile = opens[place]
        chain[tile] = first[t.kind[tile]]
        first[t.kind[tile]] = tile
    count = 0
    for place in range(found):
        tile = int(opens[place])
        other = int(first[t.kind[tile]])
        keep = True
        for _ in range(CHAIN):
            if other < 0:
                break
            if (
                other != tile
                and dominates(t, waits, other, tile)
                and (other < tile or not dominates(t, waits, tile, other))
            ):
                keep = False
                break
            other = int(chain[other])
        if keep:
            kept[count] = tile
            count += 1
    return count


class Exact(NamedTuple):
    """A depth-first search that stops and goes on at any node.

    at: int64[8], see the indices above. The path (int32) holds the tiles done since the root, `stack` the
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
    """Where a stored key belongs."""
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
def move_entries(old_hash: U64, old_done: U64, start: int, new_hash: U64, new_done: U64) -> int:
    """Enters all sets of the old table from slot `start` on, up to 2^16 slots, into the new one; how many
    slots that took."""
    stop = min(start + 65536, old_hash.size)
    used = 0
    for slot in range(start, stop):
        if (
            old_hash[slot] != U(0)
            and remember(new_hash, new_done, old_hash[slot : slot + 1], old_done[slot]) == 1
        ):
            used += 1
    return used


@kernel
def step_exact(t: Tables, s: Exact, tile: int) -> None:
    """Does `tile`: everything but depth and path."""
    do_tile(t, s.waits, tile)
    kind = t.kind[tile]
    s.at[TRAY] -= t.held[s.counts[kind]]
    s.counts[kind] = (s.counts[kind] + 1) % 3
    s.at[TRAY] += t.held[s.counts[kind]]
    s.done[tile >> 6] ^= U(1) << U(tile & 63)
    s.hash[0] ^= t.zobrist[tile]


@kernel
def back_exact(t: Tables, s: Exact, tile: int) -> None:
    """The inverse of `step_exact`."""
    undo_tile(t, s.waits, tile)
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
    found = open_tiles(s.waits, s.opens)
    for place in range(undominated(t, s.waits, s.opens, found, s.first, s.chain, s.kept)):
        tile = s.kept[place]
        kind = t.kind[tile]
        before = s.counts[kind]
        after = (before + 1) % 3
        size = tray + t.held[after] - t.held[before]
        if size > t.limit:
            continue
        gain, opened = do_tile(t, s.waits, tile)
        s.counts[kind] = after
        cost, alive = outlook(t, s.waits, s.counts, size, left)
        s.counts[kind] = before
        undo_tile(t, s.waits, tile)
        if not alive and left > 0:
            continue
        rest = s.weights[3] * opened - s.weights[2] * size
        rank = s.weights[0] * gain - s.weights[1] * cost + rest * LOG_ONE
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
                return EXHAUSTED
            back_exact(t, s, int(s.path[depth - 1]))
            s.at[DEPTH] -= 1
            continue
        if s.at[USED] >= slots_to_use:
            return TABLE_FULL
        if s.at[TOP] + s.opens.size > s.stack.size:
            return STACK_FULL
        s.at[TOP] -= 1
        tile = int(s.stack[s.at[TOP]])
        step_exact(t, s, tile)
        s.path[depth] = tile
        if depth + 1 == s.at[LEFT]:
            s.at[DEPTH] = depth + 1
            return SOLVED
        fate = remember(s.slot_hash, s.slot_done, s.hash, s.done)
        if fate == 0:
            back_exact(t, s, tile)
            continue
        if fate == 1:
            s.at[USED] += 1
        s.at[DEPTH] = depth + 1
        s.base[depth + 1] = s.at[TOP]
        expand_exact(t, s)
    return RUNNING
