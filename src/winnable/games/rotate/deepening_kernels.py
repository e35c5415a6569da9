"""Depth-first search to a limit of turns, pruned by what each colour alone still needs.

At a board with r turns to go, a colour that needs r must come nearer by the next turn, and one that needs
r - 1 must not get farther away. For each colour a set of turns says which do that; what all colours allow is
one `and`. The sets come from the pattern database, turn by turn, when a mask is first met, and are kept in a
table in which later masks replace earlier ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.bit_kernels import trailing_zeros
from winnable.games.rotate.mask_kernels import Ints, Masks, Ranks, is_connected, rank, turn_mask
from winnable.games.rotate.turns import BLOCKS_PER_WORD
from winnable.jit import kernel

PLY, LIMIT, VISITED, EXPANDED = range(4)
"""Of `at`: the current ply, how many turns the line has, boards looked at, boards gone on from."""
OPEN, FOUND, EXHAUSTED = range(3)
ALL = 0x7FFFFFFFFFFFFFFF
"""The set of all turns, and more."""
WITHOUT = -1
"""In place of a size without a database."""

U = np.uint64
Bytes = NDArray[np.uint8]


@kernel
def turns_needed(
    mask: np.uint64,
    place: int,
    size: int,
    starts: Ints,
    distances: Bytes,
    columns: int,
    not_first: np.uint64,
    not_last: np.uint64,
) -> int:
    """By the database, or as much as its shape says without one."""
    if size == WITHOUT:
        return 0 if is_connected(mask, columns, not_first, not_last) else 1
    return int(np.int64(distances[starts[size] + place]))


@kernel
def fill_slot(
    slot: int,
    mask: np.uint64,
    place: int,
    size: int,
    starts: Ints,
    distances: Bytes,
    tags: Ranks,
    nearer: Masks,
    no_farther: Masks,
    columns: int,
    low_bits: int,
    lows: Ranks,
    bases: Ranks,
    blocks: Masks,
    places: Ints,
    tables: Masks,
) -> None:
    """Notes for a mask which turns bring its colour nearer, and which get it no farther away."""
    tags[slot] = place + 1
    for word in range(nearer.shape[1]):
        nearer[slot, word] = no_farther[slot, word] = U(0)
    now = distances[starts[size] + place]
    for turn in range(len(places)):
        block, then = blocks[turn // 3], now
        within = mask & block
        if within != U(0) and within != block:
            after = turn_mask(mask, block, places[turn, 0], places[turn, 1], places[turn, 2], columns, tables)
            then = distances[starts[size] + rank(after, low_bits, lows, bases, size)]
        word = turn // 3 // BLOCKS_PER_WORD
        bit = U(1) << U(turn - 3 * BLOCKS_PER_WORD * word)
        if then < now:
            nearer[slot, word] |= bit
        if then <= now:
            no_farther[slot, word] |= bit


@kernel
def deepen(
    at: Ints,
    line: Ints,
    masks: Masks,
    ranks: Ints,
    needs: Ints,
    sets: Masks,
    allowed: Masks,
    rest: Masks,
    block_at: Ints,
    touched: Ints,
    after: Masks,
    most_needs: Ints,
    not_first: np.uint64,
    not_last: np.uint64,
    visits: int,
    sizes: Ints,
    starts: Ints,
    distances: Bytes,
    slots: Ints,
    tags: Ranks,
    nearer: Masks,
    no_farther: Masks,
    columns: int,
    low_bits: int,
    lows: Ranks,
    bases: Ranks,
    blocks: Masks,
    places: Ints,
    tables: Masks,
) -> int:
    """Goes on until a line of `at[LIMIT]` turns is FOUND, none is left (EXHAUSTED), or so many boards more
    were looked at (OPEN). At the start: ply 0 of masks, ranks, needs and allowed; at[PLY] 0, block_at[0] -1.

    most_needs: of a line that is looked for, by turns left, the most that its colours still need together.
    Without a limit there the search is exhaustive.

    By ply: line, the turn; masks, ranks and needs [plies, colours]; sets [plies, colours, words], turns that
    a colour allows after one that does not touch it; allowed, turns still to try; rest, what colours outside
    of the block `block_at` allow; touched, how many others and which. Of each colour: sizes, the number of
    its size, or WITHOUT. Of each size: starts, where its database begins in `distances`; slots [sizes, 2],
    where its slots begin, and their number - 1, of a power of two. Of each slot: tags, the rank + 1 of the
    mask; nearer and no_farther [slots, words]. The rest as in turns.py and mask_kernels.py.
    """
    ply, limit, colours, words = at[PLY], at[LIMIT], masks.shape[1], allowed.shape[1]
    last = at[VISITED] + visits
    while at[VISITED] < last:
        turn = -1
        for word in range(words):
            if allowed[ply, word] != U(0):
                turn = 3 * BLOCKS_PER_WORD * word + trailing_zeros(allowed[ply, word])
                allowed[ply, word] &= allowed[ply, word] - U(1)
                break
        if turn < 0:
            if ply == 0:
                at[PLY] = 0
                return EXHAUSTED
            ply -= 1
            continue
        block_number, left = turn // 3, limit - ply - 1  # turns left after this one
        block = blocks[block_number]
        if block_at[ply] < 0:  # here for the first time: what each colour allows if this turn leaves it alone
            for colour in range(colours):
                need, size = needs[ply, colour], int(sizes[colour])
                if size == WITHOUT or need < left - 1:
                    for word in range(words):
                        sets[ply, colour, word] = U(ALL)
                    continue
                place = ranks[ply, colour]
                slot = slots[size, 0] + (place & slots[size, 1])
                if tags[slot] != place + 1:
                    fill_slot(
                        slot, masks[ply, colour], place, size, starts, distances, tags, nearer, no_farther,
                        columns, low_bits, lows, bases, blocks, places, tables,
                    )  # fmt: skip
                for word in range(words):
                    sets[ply, colour, word] = nearer[slot, word] if need >= left else no_farther[slot, word]
        if block_at[ply] != block_number:
            block_at[ply] = block_number
            for word in range(words):
                rest[ply, word] = U(ALL)
            count, possible = 0, True
            for colour in range(colours):
                if masks[ply, colour] & block != U(0):
                    count += 1
                    touched[ply, count] = colour
                else:
                    possible = possible and needs[ply, colour] <= left
                    for word in range(words):
                        rest[ply, word] &= sets[ply, colour, word]
            touched[ply, 0] = count
            if possible and left > 0:
                possible = False
                for word in range(words):
                    possible = possible or rest[ply, word] != U(0)
            if not possible:
                word = block_number // BLOCKS_PER_WORD
                allowed[ply, word] &= ~(U(7) << U(3 * (block_number - word * BLOCKS_PER_WORD)))
                continue
        at[VISITED] += 1
        for word in range(words):
            allowed[ply + 1, word] = rest[ply, word] & after[turn, word]
        possible = True
        for index in range(1, touched[ply, 0] + 1):
            colour = int(touched[ply, index])
            size = int(sizes[colour])
            mask = turn_mask(
                masks[ply, colour], block, places[turn, 0], places[turn, 1], places[turn, 2], columns, tables
            )
            place = 0 if size == WITHOUT else rank(mask, low_bits, lows, bases, size)
            need = turns_needed(mask, place, size, starts, distances, columns, not_first, not_last)
            masks[ply + 1, colour] = mask
            ranks[ply + 1, colour] = place
            needs[ply + 1, colour] = need
            if need > left:
                possible = False
                break
            if left > 0 and size != WITHOUT and need >= left - 1:
                slot = slots[size, 0] + (place & slots[size, 1])
                if tags[slot] != place + 1:
                    fill_slot(
                        slot, mask, place, size, starts, distances, tags, nearer, no_farther, columns,
                        low_bits, lows, bases, blocks, places, tables,
                    )  # fmt: skip
                possible = False
                for word in range(words):
                    allowed[ply + 1, word] &= nearer[slot, word] if need == left else no_farther[slot, word]
                    possible = possible or allowed[ply + 1, word] != U(0)
                if not possible:
                    break
        if not possible:
            continue
        line[ply] = turn
        if left == 0:
            at[PLY] = ply
            return FOUND
        total = 0
        for colour in range(colours):
            if masks[ply, colour] & block == U(0):
                masks[ply + 1, colour] = masks[ply, colour]
                ranks[ply + 1, colour] = ranks[ply, colour]
                needs[ply + 1, colour] = needs[ply, colour]
            total += needs[ply + 1, colour]
        if total > most_needs[left]:
            continue
        at[EXPANDED] += 1
        ply += 1
        block_at[ply] = -1
    at[PLY] = ply
    return OPEN
