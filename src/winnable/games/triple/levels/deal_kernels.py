"""Kernels of triple: deals that can be won by construction, as backwards.py makes them; the check of a line.

Tiles and places stand layer by layer from the bottom up. `squares`, int32[places, squares of a tile], says
which squares of a grid a tile there lies on, numbered from 0: two tiles overlap where they have one in
common, and the higher one covers the other.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import kernel
from winnable.inert.arrays import F64, I16, I32, I64, np


class Dealt(NamedTuple):
    """A deal, in tile order: int32[tiles] each.

    places: where each tile lies
    kinds:  of each tile
    line:   the tiles in an order that wins
    """

    places: I32
    kinds: I32
    line: I32


@kernel
def deal_backwards(squares: I32, draws: F64, triples: I64, slots: int, dealt: Dealt) -> None:
    """A deal of so many `triples` of each kind onto the places with these `squares`.

    draws: of 0 <= x < 1, in the order in which `backwards.deal_backwards` draws them: places - 1 + 2 × tiles
    """
    blanks = squares.shape[0] - 1
    tiles = dealt.places.size
    take_places(draws[:blanks], dealt.places)
    below, waits = lay_tiles(squares, dealt.places)
    draw_line(draws[blanks : blanks + tiles], below, waits, dealt.line)
    draw_kinds(draws[blanks + tiles :], triples, slots, dealt)


@kernel
def take_places(draws: F64, taken: I32) -> None:
    """Takes as many places as `taken` is long, ascending: the first ones after a shuffle."""
    places = draws.size + 1
    order = np.arange(places)
    for last in range(places - 1, 0, -1):
        chosen = int(draws[places - 1 - last] * (last + 1))
        order[last], order[chosen] = order[chosen], order[last]
    free = np.ones(places, np.bool_)
    for index in range(taken.size):
        free[order[index]] = False
    found = 0
    for place in range(places):
        if not free[place]:
            taken[found] = place
            found += 1


@kernel
def lay_tiles(squares: I32, places: I32) -> tuple[I32, I16]:
    """Finds for each square of each tile the next tile below, -1 where there is none; and for each tile the
    number of its squares on which something lies."""
    tiles, size = places.size, squares.shape[1]
    highest = np.full(squares.max() + 1, -1, np.int32)
    below = np.empty((tiles, size), np.int32)
    waits = np.zeros(tiles, np.int16)
    for tile in range(tiles):
        for place in range(size):
            square = squares[places[tile], place]
            other = highest[square]
            below[tile, place] = other
            if other >= 0:
                waits[other] += 1
            highest[square] = tile
    return below, waits


@kernel
def draw_line(draws: F64, below: I32, waits: I16, line: I32) -> None:
    """Each next tile is drawn from all uncovered ones; those that it uncovers come last among them,
    ascending."""
    opens = np.empty(line.size, np.int32)
    count = 0
    for tile in range(line.size):
        if waits[tile] == 0:
            opens[count] = tile
            count += 1
    for ply in range(line.size):
        chosen = int(draws[ply] * count)
        count -= 1
        tile = opens[chosen]
        opens[chosen] = opens[count]
        line[ply] = tile
        known = count
        for place in range(below.shape[1]):
            other = below[tile, place]
            if other < 0:
                continue
            waits[other] -= 1
            if waits[other] == 0:
                hole = count
                while hole > known and opens[hole - 1] > other:
                    opens[hole] = opens[hole - 1]
                    hole -= 1
                opens[hole] = other
                count += 1


@kernel
def draw_kinds(draws: F64, triples: I64, slots: int, dealt: Dealt) -> None:
    """Along the line, each next one in proportion to its tiles left, among the kinds after which the game can
    go on."""
    left = 3 * triples
    tray = np.zeros(triples.size, np.int64)
    all_left, held, pairs = int(left.sum()), 0, 0
    for ply in range(dealt.line.size):
        room = slots - 1 - held
        weight = all_left if room >= 2 else 0
        if room < 2:
            for kind in range(left.size):
                if may_come(tray[kind], room, pairs):
                    weight += left[kind]
        rest = int(draws[ply] * weight)
        kind = -1
        while rest >= 0:
            kind += 1
            if may_come(tray[kind], room, pairs):
                rest -= left[kind]
        dealt.kinds[dealt.line[ply]] = kind
        left[kind] -= 1
        all_left -= 1
        held += 1 if tray[kind] < 2 else -2
        pairs += 1 if tray[kind] == 1 else -1 if tray[kind] == 2 else 0
        tray[kind] = (tray[kind] + 1) % 3


@kernel
def may_come(tray: int, room: int, pairs: int) -> bool:
    """Whether the game can go on after a tile of a kind of which so many lie in the tray."""
    return tray == 2 or room >= 2 or (room == 1 and (tray == 1 or pairs > 0))


@kernel
def line_wins(squares: I32, dealt: Dealt, slots: int) -> bool:
    """Whether the rules let all tiles be picked in the order of the line."""
    tiles = dealt.line.size
    when = np.full(tiles, -1, np.int64)
    tray = np.zeros(dealt.kinds.max() + 1, np.int64)
    held = 0
    for ply in range(tiles):
        tile = dealt.line[ply]
        if held >= slots or not 0 <= tile < tiles or when[tile] >= 0:
            return False
        when[tile] = ply
        kind = dealt.kinds[tile]
        held += 1 if tray[kind] < 2 else -2
        tray[kind] = (tray[kind] + 1) % 3
    soonest = np.full(squares.max() + 1, tiles, np.int64)
    for tile in range(tiles):  # upwards: what lies on a tile must be gone before it
        for place in range(squares.shape[1]):
            square = squares[dealt.places[tile], place]
            if when[tile] > soonest[square]:
                return False
            soonest[square] = when[tile]
    return True
