"""Deals that can be won by construction: a line that wins is drawn first, and kinds are dealt along it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from winnable.contract.core import Action, Budget, Search
from winnable.contract.game import keep_to
from winnable.games.triple.levels.draws import Draw, shuffled, weighted
from winnable.games.triple.levels.layout import Place, as_tiles
from winnable.games.triple.rules.level import Tile
from winnable.games.triple.rules.puzzle import direct_covers
from winnable.search.meter import Meter

POLLED = 500
"""Tiles or kinds drawn between two looks at the budget: a few milliseconds."""


class Board(NamedTuple):
    """What is dealt, and where.

    places:  layer by layer from the bottom up
    triples: of each kind; there may be more places than these take
    """

    places: Sequence[Place]
    triples: Sequence[int]
    slots: int


class Deal(NamedTuple):
    """The tiles, and a line that wins."""

    tiles: tuple[Tile, ...]
    line: tuple[Action, ...]


def deal_backwards(board: Board, draw: Draw, budget: Budget | None = None) -> Search[Deal]:
    """Blanks by chance; then a line that takes all tiles away, and the kinds along it. Raises GaveUp."""
    count, budget = 3 * sum(board.triples), budget or Budget()
    yield from keep_to(budget)
    taken = sorted(shuffled(list(range(len(board.places))), draw)[:count])
    places = [board.places[index] for index in taken]
    order = yield from removal_order(places, draw, budget)
    along = yield from winning_kinds(board.triples, board.slots, draw, budget)
    kinds = [0] * count
    for tile, kind in zip(order, along, strict=True):
        kinds[tile] = kind
    tiles = tuple(Tile(kind, *place) for kind, place in zip(kinds, places, strict=True))
    return Deal(tiles, tuple(order))


def removal_order(places: Sequence[Place], draw: Draw, budget: Budget) -> Search[list[int]]:
    """All tiles, each after everything that covers it; every next one is drawn from all uncovered ones."""
    meter = Meter(budget)
    covers, _ = yield from direct_covers(as_tiles(places), lambda: keep_to(budget) if meter.is_due else ())
    covered_by_me: list[list[int]] = [[] for _ in places]
    for tile, above in enumerate(covers):
        for other in above:
            covered_by_me[other].append(tile)
    waiting = [len(above) for above in covers]
    uncovered = [tile for tile, number in enumerate(waiting) if number == 0]
    order: list[int] = []
    while uncovered:
        chosen = int(draw() * len(uncovered))
        uncovered[chosen], uncovered[-1] = uncovered[-1], uncovered[chosen]
        tile = uncovered.pop()
        order.append(tile)
        if not len(order) % POLLED:
            yield from keep_to(budget)
        for below in covered_by_me[tile]:
            waiting[below] -= 1
            if waiting[below] == 0:
                uncovered.append(below)
    return order


def winning_kinds(triples: Sequence[int], slots: int, draw: Draw, budget: Budget) -> Search[list[int]]:
    """The kinds in the order in which they are picked, so that the tray never fills up.

    Each next kind is drawn in proportion to its tiles left, among the kinds after which the game can go on:
    the tray must not be full of single tiles. A pair can always be completed, and with room for one more a
    single can become a pair, so that a kind that may come next always exists. Drawing in proportion fills
    the tray up to the limit: many triples are under way at a time, as on a random board.
    """
    left = [3 * number for number in triples]
    tray = [0] * len(triples)
    deal: list[int] = []
    for done in range(3 * sum(triples)):
        if not done % POLLED:
            yield from keep_to(budget)
        room = slots - 1 - sum(tray)
        pairs = tray.count(2)

        def may_come(kind: int, room: int = room, pairs: int = pairs) -> bool:
            if tray[kind] == 2 or room >= 2:
                return True
            return room == 1 and (tray[kind] == 1 or pairs > 0)

        weights = [number if may_come(kind) else 0 for kind, number in enumerate(left)]
        kind = weighted(weights, draw)
        left[kind] -= 1
        tray[kind] = (tray[kind] + 1) % 3
        deal.append(kind)
    return deal
