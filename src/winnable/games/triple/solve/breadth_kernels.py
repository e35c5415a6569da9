"""Kernels of triple: all positions of one depth from those of the depth before.

How a position is packed: a row of uint64 words. First the set of done tiles (see plan.py), bit i % 64 of word
i // 64 for tile i; then the tiles that are open, alike; then those of them that are *asleep*; then two bits
for each kind, the done tiles modulo 3, 32 kinds to a word; last the tiles in the tray and the hash of the
set. Every position of a depth has as many done tiles, so that only those of one depth are compared with each
other, whole set by whole set.

Two tiles that may be done in either order lead to the same position, and making it once is enough. So a tile
that was done from a position sleeps in what follows the position by its later tiles, as long as it may be
done there: with it, these positions follow the earlier one. In a position that follows several others, what
sleeps by all of them sleeps (sleep sets: Godefroid, Partial-Order Methods for the Verification of Concurrent
Systems, 1996). No position is lost by it, but half of the ways that lead to one are spared.

What waits for memory, not for the processor, is done for a batch at a time. The arrays of a tuple are taken
out of it once in each kernel: every time, the references to them are counted.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.bit_kernels import trailing_zeros
from winnable.compiled.jit import inlined_kernel, kernel
from winnable.games.triple.solve.kernels import RUNNING, TABLE_FULL
from winnable.inert.arrays import I32, I64, U64, U, np

DEPTH_DONE: Final = 5
"""All positions of one depth are expanded."""

# Indices into Frontier.at.
ROW, ROWS, NEXT, WIDE_EXPANDED, WIDE_GENERATED = range(5)


class Order(NamedTuple):
    """What the kernels need of one direction of a plan.

    kind:    int32[tiles]
    next:    int32; the tiles that wait for a tile directly: `next[next_start[i] : next_start[i + 1]]`
    needs:   uint64[tiles, words]; the tiles that a tile waits for directly, as bits
    of_kind: uint64[kinds, words]; the tiles of a kind, as bits
    keys:    uint64[tiles]; random, the hash of a set is the exclusive or of its tiles'
    change:  int64[3]; of the tray, by one more tile of a kind of which so many, modulo 3, are done
    limit:   the most tiles that may rest in the tray
    """

    kind: I32
    next_start: I32
    next: I32
    needs: U64
    of_kind: U64
    keys: U64
    change: I64
    limit: int


class Batch(NamedTuple):
    """Positions of the next depth as they are found, each a row of the depth before with one more tile.

    row:    int32[size]
    tile:   int32[size]
    hash:   uint64[size]; of the set
    asleep: uint64[size, words]; the tiles that sleep by this way to the position, as bits
    seen:   uint64[size], legal: uint64[words]; scratch
    """

    row: I32
    tile: I32
    hash: U64
    asleep: U64
    seen: U64
    legal: U64


class Frontier(NamedTuple):
    """The positions of one depth, which are expanded, and of the next one, which are found.

    at:      int64[5], see the indices above
    here:    uint64[rows, row words]; `at[ROWS]` of them count, those before `at[ROW]` are expanded
    after:   the rows of the next depth, `at[NEXT]` so far; int32[rows] each: the row that one came from
             (`parents`) and the tile that was done (`tiles`)
    slots:   uint64[a power of two]; a hash table of the sets of the next depth: 0 when free, else the number
             of a row counted from 1, and above it 32 bits of its hash
    batch:   of more than as many positions as there are tiles
    """

    at: I64
    here: U64
    after: U64
    parents: I32
    tiles: I32
    slots: U64
    batch: Batch


@kernel
def enter_rows(slots: U64, rows: U64, first: int, last: int) -> None:
    """Enters those from `first` on and before `last`, none of which the table has, nor another like it."""
    mask = slots.size - 1
    for row in range(first, last):
        code = rows[row, rows.shape[1] - 1]
        slot = int(np.int64(code >> U(16))) & mask
        while slots[slot] != U(0):
            slot = (slot + 1) & mask
        slots[slot] = code << U(32) | U(row + 1)


@inlined_kernel
def add_legal(here: U64, row: int, room: int, change: I64, of_kind: U64, legal: U64) -> None:
    """Adds to `legal` the tiles of the kinds of which one more leaves room in the tray after a row."""
    words = legal.size
    for pair in range(here.shape[1] - 2 - 3 * words):
        bits = here[row, 3 * words + pair]
        while bits != U(0):
            place = trailing_zeros(bits) >> 1
            count = bits >> U(2 * place) & U(3)
            bits ^= count << U(2 * place)
            if change[int(np.int64(count))] <= room:
                for word in range(words):
                    legal[word] |= of_kind[32 * pair + place, word]


@kernel
def find_batch(t: Order, s: Frontier, most: int) -> int:
    """Fills the batch with what follows up to `most` of the next positions; how many that are."""
    at, here, change, keys, of_kind = s.at, s.here, t.change, t.keys, t.of_kind
    rows, tiles, hashes, asleep = s.batch.row, s.batch.tile, s.batch.hash, s.batch.asleep
    legal = s.batch.legal
    words = t.needs.shape[1]
    sleep, held = 2 * words, here.shape[1] - 2
    begins = change[0]  # no tile adds more to the tray than the first one of its kind
    last = min(at[ROWS], at[ROW] + most)
    found = 0
    row = int(at[ROW])
    while row < last and found + keys.size <= tiles.size:
        room = t.limit - int(np.int64(here[row, held]))
        for word in range(words):
            legal[word] = ~U(0) if begins <= room else U(0)
        if begins > room:
            add_legal(here, row, room, change, of_kind, legal)
        for word in range(words):  # what may not be done here wakes: it may well be done after another tile
            here[row, sleep + word] &= legal[word]
        for place in range(words):
            bits = here[row, words + place] & ~here[row, sleep + place] & legal[place]
            while bits != U(0):
                bit = bits & (~bits + U(1))
                bits ^= bit
                tile = 64 * place + trailing_zeros(bit)
                rows[found] = row
                tiles[found] = tile
                hashes[found] = here[row, held + 1] ^ keys[tile]
                for word in range(words):
                    asleep[found, word] = here[row, sleep + word]
                found += 1
                here[row, sleep + place] |= bit
        row += 1
    at[WIDE_EXPANDED] += row - at[ROW]
    at[ROW] = row
    at[WIDE_GENERATED] += found
    return found


@kernel
def look_up(s: Frontier, found: int) -> None:
    """Reads what `enter_batch` will read of memory: here no read has to wait for the one before."""
    hashes, seen, slots, after = s.batch.hash, s.batch.seen, s.slots, s.after
    mask = slots.size - 1
    for one in range(found):
        seen[one] = slots[int(np.int64(hashes[one] >> U(16))) & mask]
    for one in range(found):
        if seen[one] != U(0) and (seen[one] ^ hashes[one] << U(32)) >> U(32) == U(0):
            seen[one] = after[int(np.int64(seen[one] & U(0xFFFFFFFF))) - 1, 0]


@kernel
def enter_batch(t: Order, s: Frontier, found: int) -> None:
    """Adds the positions of the batch that are new to the next depth."""
    at, here, after, slots = s.at, s.here, s.after, s.slots
    rows, tiles, hashes, asleep = s.batch.row, s.batch.tile, s.batch.hash, s.batch.asleep
    kind, change, needs, next_start, following = t.kind, t.change, t.needs, t.next_start, t.next
    words = needs.shape[1]
    sleep, pairs, held = 2 * words, 3 * words, here.shape[1] - 2
    mask = slots.size - 1
    for one in range(found):
        row, tile = int(rows[one]), int(tiles[one])
        bit = U(1) << U(tile & 63)
        child = int(at[NEXT])
        for word in range(words):
            after[child, word] = here[row, word]
        after[child, tile >> 6] |= bit
        tag = hashes[one] << U(32)
        slot = int(np.int64(hashes[one] >> U(16))) & mask
        equal = False
        other = 0
        while slots[slot] != U(0):
            if (slots[slot] ^ tag) >> U(32) == U(0):
                other = int(np.int64(slots[slot] & U(0xFFFFFFFF))) - 1
                equal = True
                for word in range(words):
                    equal = equal and after[other, word] == after[child, word]
                if equal:
                    break
            slot = (slot + 1) & mask
        if equal:
            for word in range(words):
                after[other, sleep + word] &= asleep[one, word]
            continue
        slots[slot] = tag | U(child + 1)
        for word in range(words):
            after[child, words + word] = here[row, words + word]
            after[child, sleep + word] = asleep[one, word]
        after[child, words + (tile >> 6)] ^= bit
        for entry in range(next_start[tile], next_start[tile + 1]):
            other = int(following[entry])
            ready = True
            for word in range(words):
                ready = ready and needs[other, word] & ~after[child, word] == U(0)
            if ready:
                after[child, words + (other >> 6)] |= U(1) << U(other & 63)
        for word in range(pairs, held):
            after[child, word] = here[row, word]
        pair = pairs + (kind[tile] >> 5)
        shift = U(2 * (kind[tile] & 31))
        count = here[row, pair] >> shift & U(3)
        after[child, pair] ^= (count ^ (U(0) if count == U(2) else count + U(1))) << shift
        after[child, held] = U(int(np.int64(here[row, held])) + change[int(np.int64(count))])
        after[child, held + 1] = hashes[one]
        s.parents[child] = row
        s.tiles[child] = tile
        at[NEXT] += 1


@kernel
def breadth_slice(t: Order, s: Frontier, nodes: int) -> int:
    """Expands at most so many positions of this depth: RUNNING, DEPTH_DONE, or TABLE_FULL when there might be
    no room for what follows another batch."""
    stop = s.at[WIDE_EXPANDED] + nodes
    room = min(s.after.shape[0], s.tiles.size, s.slots.size // 2) - s.batch.tile.size
    while s.at[WIDE_EXPANDED] < stop:
        if s.at[ROW] == s.at[ROWS]:
            return DEPTH_DONE
        if s.at[NEXT] > room:
            return TABLE_FULL
        found = find_batch(t, s, stop - s.at[WIDE_EXPANDED])
        look_up(s, found)
        enter_batch(t, s, found)
    return RUNNING
