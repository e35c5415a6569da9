"""Depth-first search to a limit of turns, pruned by what each colour alone still needs.

At a board with r turns to go, a colour that needs r must come nearer by the next turn, and one that needs
r - 1 must not get farther away. For each colour a set of turns says which do that; what all colours allow is
one `and`. The sets come from the pattern database, turn by turn, when a mask is first met, and are kept in a
table in which later masks replace earlier ones.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.bit_kernels import trailing_zeros
from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.rotate.solve.mask_kernels import (
    Ints,
    Masks,
    Ranking,
    Ranks,
    is_connected,
    rank,
    turn_mask,
)
from winnable.games.rotate.solve.turns import BLOCKS_PER_WORD, Turns
from winnable.inert.arrays import NDArray, U, np

OPEN, FOUND, EXHAUSTED = range(3)
ALL = 0x7FFFFFFFFFFFFFFF
"""The set of all turns, and more."""
WITHOUT = -1
"""In place of a size without a database."""


class PatternTables(NamedTuple):
    """The databases, and what is kept of them.

    sizes:      of each colour, the number of its size, or WITHOUT
    starts:     of each size, where its database begins in `distances`
    slots:      int64 [sizes, 2], where the slots of each size begin, and their number - 1, of a power of two
    tags:       of each slot, the rank + 1 of its mask
    nearer:     uint64 [slots, words], the turns that bring its colour nearer
    no_farther: uint64 [slots, words], those that get it no farther away
    """

    ranking: Ranking
    sizes: Ints
    starts: Ints
    distances: NDArray[np.uint8]
    slots: Ints
    tags: Ranks
    nearer: Masks
    no_farther: Masks


class Plies(NamedTuple):
    """The line that is looked at, by ply.

    turn:     int64 [plies]
    masks, ranks, needs: [plies, colours]
    sets:     uint64 [plies, colours, words], turns that a colour allows after one that does not touch it
    allowed:  uint64 [plies, words], turns still to try
    block_at: int64 [plies], the block that is turned; -1: none yet
    rest:     uint64 [plies, words], what the colours outside of that block allow
    touched:  int64 [plies, 1 + colours], how many others there are, and which
    """

    turn: Ints
    masks: Masks
    ranks: Ints
    needs: Ints
    sets: Masks
    allowed: Masks
    block_at: Ints
    rest: Masks
    touched: Ints


@borrowing_kernel
def turns_needed(turns: Turns, tables: PatternTables, mask: np.uint64, place: int, size: int) -> int:
    """The turns that a colour needs for itself: by its database, without one as many as its shape says."""
    if size == WITHOUT:
        return 0 if is_connected(turns, mask) else 1
    return int(np.int64(tables.distances[tables.starts[size] + place]))


@borrowing_kernel
def fill_slot(turns: Turns, tables: PatternTables, slot: int, mask: np.uint64, place: int, size: int) -> None:
    """Notes for a mask which turns bring its colour nearer, and which get it no farther away."""
    nearer, no_farther, start = tables.nearer, tables.no_farther, tables.starts[size]
    tables.tags[slot] = place + 1
    for word in range(nearer.shape[1]):
        nearer[slot, word] = no_farther[slot, word] = U(0)
    now = tables.distances[start + place]
    for turn in range(len(turns.places)):
        block, then = turns.blocks[turn // 3], now
        within = mask & block
        if within != U(0) and within != block:
            then = tables.distances[start + rank(tables.ranking, turn_mask(turns, mask, block, turn), size)]
        word = turn // 3 // BLOCKS_PER_WORD
        bit = U(1) << U(turn - 3 * BLOCKS_PER_WORD * word)
        if then < now:
            nearer[slot, word] |= bit
        if then <= now:
            no_farther[slot, word] |= bit


@inlined_kernel
def slot_of(turns: Turns, tables: PatternTables, mask: np.uint64, place: int, size: int) -> int:
    """The slot with the sets of turns of this mask."""
    slot = tables.slots[size, 0] + (place & tables.slots[size, 1])
    if tables.tags[slot] != place + 1:
        fill_slot(turns, tables, slot, mask, place, size)
    return slot


@inlined_kernel
def next_turn(plies: Plies, ply: int) -> int:
    """The first turn that is still to try there, which it then is no more; -1: none is left."""
    for word in range(plies.allowed.shape[1]):
        some = plies.allowed[ply, word]
        if some != U(0):
            plies.allowed[ply, word] = some & (some - U(1))
            return 3 * BLOCKS_PER_WORD * word + trailing_zeros(some)
    return -1


@inlined_kernel
def see_colours(turns: Turns, tables: PatternTables, plies: Plies, ply: int, left: int) -> None:
    """Notes what each colour allows after a turn that does not touch it and leaves so many more."""
    words = plies.allowed.shape[1]
    for colour in range(plies.masks.shape[1]):
        need, size = plies.needs[ply, colour], int(tables.sizes[colour])
        if size == WITHOUT or need < left - 1:
            for word in range(words):
                plies.sets[ply, colour, word] = U(ALL)
            continue
        slot = slot_of(turns, tables, plies.masks[ply, colour], plies.ranks[ply, colour], size)
        for word in range(words):
            plies.sets[ply, colour, word] = (
                tables.nearer[slot, word] if need >= left else tables.no_farther[slot, word]
            )


@inlined_kernel
def see_block(turns: Turns, plies: Plies, ply: int, block: int, left: int) -> bool:
    """Notes which colours a turn of that block touches; returns whether the others leave a turn after it; if
    not, the block is not turned there."""
    words, count, possible = plies.allowed.shape[1], 0, True
    plies.block_at[ply] = block
    for word in range(words):
        plies.rest[ply, word] = U(ALL)
    for colour in range(plies.masks.shape[1]):
        if plies.masks[ply, colour] & turns.blocks[block] != U(0):
            count += 1
            plies.touched[ply, count] = colour
        else:
            possible = possible and plies.needs[ply, colour] <= left
            for word in range(words):
                plies.rest[ply, word] &= plies.sets[ply, colour, word]
    plies.touched[ply, 0] = count
    if possible and left > 0:
        possible = False
        for word in range(words):
            possible = possible or plies.rest[ply, word] != U(0)
    if not possible:
        word = block // BLOCKS_PER_WORD
        plies.allowed[ply, word] &= ~(U(7) << U(3 * (block - word * BLOCKS_PER_WORD)))
    return possible


@inlined_kernel
def turn_touched(turns: Turns, tables: PatternTables, plies: Plies, ply: int, turn: int, left: int) -> bool:
    """Turns the colours in the block; returns whether all of them can still be one cluster in time."""
    words, block = plies.allowed.shape[1], turns.blocks[turn // 3]
    for word in range(words):
        plies.allowed[ply + 1, word] = plies.rest[ply, word] & turns.after[turn, word]
    for index in range(1, plies.touched[ply, 0] + 1):
        colour = int(plies.touched[ply, index])
        size = int(tables.sizes[colour])
        mask = turn_mask(turns, plies.masks[ply, colour], block, turn)
        place = 0 if size == WITHOUT else rank(tables.ranking, mask, size)
        need = turns_needed(turns, tables, mask, place, size)
        plies.masks[ply + 1, colour] = mask
        plies.ranks[ply + 1, colour] = place
        plies.needs[ply + 1, colour] = need
        if need > left:
            return False
        if left > 0 and size != WITHOUT and need >= left - 1:
            slot, possible = slot_of(turns, tables, mask, place, size), False
            for word in range(words):
                plies.allowed[ply + 1, word] &= (
                    tables.nearer[slot, word] if need == left else tables.no_farther[slot, word]
                )
                possible = possible or plies.allowed[ply + 1, word] != U(0)
            if not possible:
                return False
    return True


@inlined_kernel
def keep_others(plies: Plies, ply: int, block: np.uint64) -> int:
    """Takes the colours outside of the block along to the next ply; returns what all need there together."""
    total = 0
    for colour in range(plies.masks.shape[1]):
        if plies.masks[ply, colour] & block == U(0):
            plies.masks[ply + 1, colour] = plies.masks[ply, colour]
            plies.ranks[ply + 1, colour] = plies.ranks[ply, colour]
            plies.needs[ply + 1, colour] = plies.needs[ply, colour]
        total += plies.needs[ply + 1, colour]
    return total


@borrowing_kernel
def deepen(
    turns: Turns, tables: PatternTables, plies: Plies, ply: int, limit: int, most_needs: Ints, visits: int
) -> tuple[int, int, int, int]:
    """Goes on until a line of `limit` turns is FOUND, none is left (EXHAUSTED), or so many boards more were
    looked at (OPEN). At the start: ply 0 of masks, ranks, needs and allowed; ply 0, block_at[0] -1. Returns
    which it was, the ply there, how many boards were looked at, and gone on from.

    most_needs: of a line that is looked for, by turns left, the most that its colours still need together.
    Without a limit there the search is exhaustive.
    """
    visited, expanded = 0, 0
    while visited < visits:
        turn = next_turn(plies, ply)
        if turn < 0:
            if ply == 0:
                return EXHAUSTED, 0, visited, expanded
            ply -= 1
            continue
        block, left = turn // 3, limit - ply - 1  # turns left after this one
        if plies.block_at[ply] < 0:
            see_colours(turns, tables, plies, ply, left)
        if plies.block_at[ply] != block and not see_block(turns, plies, ply, block, left):
            continue
        visited += 1
        if not turn_touched(turns, tables, plies, ply, turn, left):
            continue
        plies.turn[ply] = turn
        if left == 0:
            return FOUND, ply, visited, expanded
        if keep_others(plies, ply, turns.blocks[block]) > most_needs[left]:
            continue
        expanded += 1
        ply += 1
        plies.block_at[ply] = -1
    return OPEN, ply, visited, expanded
