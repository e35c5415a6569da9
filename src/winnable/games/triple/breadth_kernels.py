"""Kernels of triple: all positions of one depth from those of the depth before.

How a position is packed: a row of uint64 words. First the set of done tiles (see plan.py), bit i % 64 of word
i // 64 for tile i; then the tiles that are open, alike; then two bits for each kind, the done tiles modulo 3,
32 kinds to a word; last the tiles in the tray and the hash of the set. Every position of a depth has as many
done tiles, so that only those of one depth are compared with each other, whole set by whole set.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from winnable.bit_kernels import trailing_zeros
from winnable.games.triple.kernels import I32, I64, RUNNING, TABLE_FULL, U64
from winnable.jit import inlined_kernel, kernel

U = np.uint64
DEPTH_DONE: Final = 5
"""All positions of one depth are expanded."""

# Indices into Frontier.at.
ROW, ROWS, NEXT, WIDE_EXPANDED, WIDE_GENERATED = range(5)


class Order(NamedTuple):
    """What the kernels need of one direction of a plan.

    kind:   int32[tiles]
    next:   int32; the tiles that wait for a tile directly: `next[next_start[i] : next_start[i + 1]]`
    needs:  uint64[tiles, words]; the tiles that a tile waits for directly, as bits
    keys:   uint64[tiles]; random, the hash of a set is the exclusive or of its tiles'
    change: int64[3]; of the tray, by one more tile of a kind of which so many, modulo 3, are done
    limit:  the most tiles that may rest in the tray
    """

    kind: I32
    next_start: I32
    next: I32
    needs: U64
    keys: U64
    change: I64
    limit: int


class Frontier(NamedTuple):
    """The positions of one depth, which are expanded, and of the next one, which are found.

    at:      int64[5], see the indices above
    here:    uint64[rows, row words]; `at[ROWS]` of them count, those before `at[ROW]` are expanded
    after:   the rows of the next depth, `at[NEXT]` so far; int32[rows] each: the row that one came from
             (`parents`) and the tile that was done (`tiles`)
    slots:   uint64[a power of two]; a hash table of the sets of the next depth: 0 when free, else the number
             of a row counted from 1, and above it 32 bits of its hash
    """

    at: I64
    here: U64
    after: U64
    parents: I32
    tiles: I32
    slots: U64


@inlined_kernel
def enter(slots: U64, rows: U64, row: int, words: int) -> bool:
    """Enters the set of a row; False when an equal one is there."""
    code = rows[row, rows.shape[1] - 1]
    mask = slots.size - 1
    slot = int(np.int64(code >> U(16))) & mask
    tag = code << U(32)
    while slots[slot] != U(0):
        found = slots[slot]
        if found & U(0xFFFFFFFF00000000) == tag:
            other = int(np.int64(found & U(0xFFFFFFFF))) - 1
            same = True
            for word in range(words):
                if rows[other, word] != rows[row, word]:
                    same = False
                    break
            if same:
                return False
        slot = (slot + 1) & mask
    slots[slot] = tag | U(row + 1)
    return True


@kernel
def enter_all(slots: U64, rows: U64, count: int, words: int) -> None:
    """Enters the first `count` rows, all different, into an empty table."""
    for row in range(count):
        enter(slots, rows, row, words)


@inlined_kernel
def follow_row(t: Order, s: Frontier, row: int) -> None:
    """Adds what follows a position to the next depth."""
    words = t.needs.shape[1]
    held = s.here.shape[1] - 2
    for place in range(words):
        opens = s.here[row, words + place]
        while opens != U(0):
            bit = opens & (~opens + U(1))
            opens ^= bit
            tile = 64 * place + trailing_zeros(bit)
            kind = int(t.kind[tile])
            pair = 2 * words + (kind >> 5)
            shift = U(2 * (kind & 31))
            count = s.here[row, pair] >> shift & U(3)
            tray = int(np.int64(s.here[row, held])) + t.change[int(np.int64(count))]
            if tray > t.limit:
                continue
            s.at[WIDE_GENERATED] += 1
            child = int(s.at[NEXT])
            for word in range(words):
                s.after[child, word] = s.here[row, word]
            s.after[child, place] |= bit
            s.after[child, held + 1] = s.here[row, held + 1] ^ t.keys[tile]
            if not enter(s.slots, s.after, child, words):
                continue
            for word in range(words, held):
                s.after[child, word] = s.here[row, word]
            s.after[child, words + place] ^= bit
            s.after[child, pair] += (U(1) << shift) if count != U(2) else U(0)
            s.after[child, pair] ^= (U(2) << shift) if count == U(2) else U(0)
            s.after[child, held] = U(tray)
            open_after(t, s.after, child, tile)
            s.parents[child] = row
            s.tiles[child] = tile
            s.at[NEXT] += 1


@inlined_kernel
def open_after(t: Order, rows: U64, row: int, tile: int) -> None:
    """Marks what has become open when `tile` was done."""
    words = t.needs.shape[1]
    for entry in range(t.next_start[tile], t.next_start[tile + 1]):
        other = int(t.next[entry])
        ready = True
        for word in range(words):
            if t.needs[other, word] & ~rows[row, word] != U(0):
                ready = False
                break
        if ready:
            rows[row, words + (other >> 6)] |= U(1) << U(other & 63)


@kernel
def breadth_slice(t: Order, s: Frontier, nodes: int) -> int:
    """Expands at most so many positions of this depth: RUNNING, DEPTH_DONE, or TABLE_FULL when there might be
    no room for what follows another."""
    stop = s.at[WIDE_EXPANDED] + nodes
    room = min(s.after.shape[0], s.tiles.size, s.slots.size // 2) - t.kind.size
    while s.at[WIDE_EXPANDED] < stop:
        if s.at[ROW] == s.at[ROWS]:
            return DEPTH_DONE
        if s.at[NEXT] > room:
            return TABLE_FULL
        follow_row(t, s, int(s.at[ROW]))
        s.at[ROW] += 1
        s.at[WIDE_EXPANDED] += 1
    return RUNNING
