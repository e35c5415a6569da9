"""How many clicks it takes until a tile is free, and until three of a kind are gone: the article's figures
behind its player. Only of what a person sees."""

from __future__ import annotations

from itertools import combinations

from msgspec import Struct

from winnable.games.triple.rules.puzzle import Picked, Triple, tiles_above, union

MOST = 8
"""Of a kind, so many tiles that are nearest are looked at: any three of them."""


class Clicks(Struct, frozen=True):
    """free:  tile -> the clicks until it is free: as many tiles lie above it
    kinds: kind -> the fewest clicks until three of it are gone, what rests in the tray counted; without kinds
           of which a person does not see enough. The fewest first"""

    free: dict[int, int]
    kinds: dict[int, int]


def clicks(puzzle: Triple, state: Picked) -> Clicks:
    """Counts the clicks of a position until tiles are free and kinds are gone."""
    above = [tiles & ~state for tiles in tiles_above(puzzle)]
    seen = puzzle.observe(state)
    free = {tile.tile: above[tile.tile].bit_count() for tile in seen.tiles if not tile.open}
    tray = seen.tray
    kinds: dict[int, int] = {}
    for kind in sorted({tile.kind for tile in seen.tiles if tile.kind is not None}):
        ways = sorted(
            (above[tile.tile] | 1 << tile.tile for tile in seen.tiles if tile.kind == kind),
            key=int.bit_count,
        )[:MOST]
        need = 3 - tray.count(kind)
        unions = [union(some).bit_count() for some in combinations(ways, need)]
        if unions:
            kinds[kind] = min(unions)
    return Clicks(free, dict(sorted(kinds.items(), key=lambda item: item[1])))
