"""Kernels of triple: moves, outlook and dominance, on which exact_kernels.py and beam_kernels.py search.

How a state is packed: the set of done tiles (see plan.py) is a row of uint64 words, bit i % 64 of word i //
64 for tile i. Beside it the kernels keep what follows from the set: `waits` (int16 per tile, -1 when done)
and `counts` (int16 per kind, modulo 3). `pack` and `unpack` lead from and to the rules' integers.

The same source runs as plain Python with WINNABLE_JIT=0. Literals that meet uint64 are wrapped in U(...).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.jit import kernel
from winnable.games.triple.rules.puzzle import Picked
from winnable.inert.arrays import I16, I32, I64, U64, np

FAR: Final = 32767
"""More than any tile waits for."""
CHAIN: Final = 16
"""So many tiles of its kind are compared with an open tile; fewer comparisons are sound, only weaker."""

# What a slice of a search returns.
RUNNING, SOLVED, EXHAUSTED, TABLE_FULL, STACK_FULL = range(5)


class Tables(NamedTuple):
    """One direction of one level. A list per tile is a slice: `reach[reach_start[i] : reach_start[i + 1]]`.

    kind:    int32[tiles]; kinds are renumbered from 0 without gaps
    reach:   int32; the tiles that wait for a tile, ascending: all of them, or the direct ones (large levels)
    post:    int32; the tiles that wait for a tile directly, ascending
    of_kind: int32; the tiles of each kind, first those that wait for few (so that open ones are found soon)
    held:    int64[3]; tiles in the tray of a kind of which so many, modulo 3, are done
    log:     int64; log1p(i), in the fixed point of plan.LOG_ONE
    zobrist: uint64[tiles]; random keys of which the hash of a set is the exclusive or
    limit:   the most tiles that may rest in the tray
    backward: whether this is the flipped order
    """

    kind: I32
    reach_start: I32
    reach: I32
    post_start: I32
    post: I32
    of_kind_start: I32
    of_kind: I32
    held: I64
    log: I64
    zobrist: U64
    limit: int
    backward: bool


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
