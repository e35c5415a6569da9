"""Makes levels of triple: the seed's random deal, boards dealt backwards from a win, and repaired boards.

The board is the seed's (`init_card`): `layers` squares of side × side cells, every second one a cell smaller
and half a tile further in; some cells stay blank. `random` deals kinds and blanks over all cells, so that a
level may be unwinnable. `backwards` and `de-repair` give winnable levels and certify them.

All chance comes from `random.Random(seed).random()`, whose values Python keeps for good on every platform;
what is built on it (the shuffle, the draws) stands here, because the standard library may change its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.core import Budget, LevelError
from winnable.games.triple.level import MAX_KINDS, MAX_TILES, SIDE, Level, Tile, Tools
from winnable.games.triple.rules import direct_covers
from winnable.provenance import Certificate, Provenance

REPAIR_GAMES = 200_000
"""How many games `de-repair` may play before it gives up: a count, not a clock, so that the same arguments
give the same level (or error) on a slow machine too."""
MIN_SLOTS = 3
"""With fewer, the second click at the latest leaves `slots` tiles in the tray: nothing can be won."""

T = TypeVar("T")
Draw = Callable[[], float]
"""Uniform in [0, 1)."""


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes. Defaults: those of the seed's optimisation section, 360 tiles in 26 layers."""

    layers: Annotated[int, Meta(ge=1, le=1000)] = 26
    sets: Annotated[int, Meta(ge=1, le=10_000)] = 10
    """Groups of three tiles per kind."""
    kinds: Annotated[int, Meta(ge=1, le=MAX_KINDS)] = 12
    slots: Annotated[int, Meta(ge=1, le=10_000)] = 7
    side: Annotated[int, Meta(ge=1, le=300)] = 6
    """Layers 0, 2, 4 ... (0 is the bottom) have side × side cells, those between (side - 1) × (side - 1)."""
    method: Literal["random", "backwards", "de-repair"] = "random"
    variant: Literal["plain", "tools"] = "plain"


def generate(params: Params, seed: int, budget: Budget | None = None) -> Level:
    """The level of `(params, seed)`, 0 <= seed < 2**53: always the same one. Tiles stand layer by layer from
    the bottom up, row-major within a layer.

    Raises LevelError that names the field when `params` cannot be met; `RepairFailed` (one of these) when
    `de-repair` found nothing in `REPAIR_GAMES` games or within the budget.
    """
    _check(params, seed)
    draw = random.Random(seed).random
    level = _backwards(params, draw) if params.method == "backwards" else _random(params, draw)
    if params.method == "de-repair":
        from winnable.games.triple.repair import de_repair  # it compiles kernels: only when it is needed

        games = replace((budget or Budget()).part(1), expanded=REPAIR_GAMES)
        level = de_repair(level, seed, games)
    return msgspec.structs.replace(
        level,
        tools=Tools(seed=seed) if params.variant == "tools" else None,
        provenance=Provenance(
            f"triple/{params.method}", __version__, msgspec.to_builtins(params, str_keys=True), seed
        ),
    )


def shuffled(items: list[T], draw: Draw) -> list[T]:
    """A new list in random order (Fisher and Yates, from the last place down)."""
    result = items.copy()
    for last in range(len(result) - 1, 0, -1):
        chosen = int(draw() * (last + 1))
        result[last], result[chosen] = result[chosen], result[last]
    return result


def _check(params: Params, seed: int) -> None:
    try:
        msgspec.convert(msgspec.to_builtins(params), Params)
    except msgspec.ValidationError as error:
        raise LevelError(f"params: {error}") from None
    if not 0 <= seed < 2**53:
        raise LevelError(f"seed: {seed} is not in 0 ... 2**53 - 1")
    tiles, cells = 3 * params.kinds * params.sets, _cell_count(params)
    if cells > MAX_TILES:
        raise LevelError(
            f"layers: {params.layers} of side {params.side} have {cells} cells, over {MAX_TILES} allowed"
        )
    if tiles > cells:
        raise LevelError(
            f"sets: {params.kinds} kinds × {params.sets} sets × 3 = {tiles} tiles, but "
            f"{params.layers} layers of side {params.side} have only {cells} cells"
        )
    if params.method != "random" and params.slots < MIN_SLOTS:
        raise LevelError(f"slots: with {params.slots} nothing can be won, {MIN_SLOTS} are needed")


def _cell_count(params: Params) -> int:
    large, small = (params.layers + 1) // 2, params.layers // 2
    return large * params.side**2 + small * (params.side - 1) ** 2


def _cells(params: Params) -> list[tuple[int, int, int]]:
    """(x, y, layer) of each cell, in tile order; x and y in units."""
    cells: list[tuple[int, int, int]] = []
    for layer in range(params.layers):
        side, start = (params.side - 1, SIDE // 2) if layer % 2 else (params.side, 0)
        for row in range(side):
            cells += [(start + SIDE * column, start + SIDE * row, layer) for column in range(side)]
    return cells


def _random(params: Params, draw: Draw) -> Level:
    """The seed's deal: all tiles and blanks shuffled over all cells."""
    cells = _cells(params)
    faces: list[int | None] = [kind for kind in range(params.kinds) for _ in range(3 * params.sets)]
    faces += [None] * (len(cells) - len(faces))
    return Level(
        tiles=tuple(
            Tile(kind, *cell)
            for cell, kind in zip(cells, shuffled(faces, draw), strict=True)
            if kind is not None
        ),
        slots=params.slots,
    )


def _backwards(params: Params, draw: Draw) -> Level:
    """Cells as in `_random`; then the line that wins is drawn first and the kinds are dealt along it."""
    cells = _cells(params)
    count = 3 * params.kinds * params.sets
    taken = sorted(shuffled(list(range(len(cells))), draw)[:count])
    places = [cells[index] for index in taken]
    order = _removal_order(places, draw)
    kinds = [0] * count
    for tile, kind in zip(order, _winning_deal(params, draw), strict=True):
        kinds[tile] = kind
    return Level(
        tiles=tuple(Tile(kind, *place) for kind, place in zip(kinds, places, strict=True)),
        slots=params.slots,
        certificate=Certificate(
            "solved", "triple/backwards", __version__, tuple(order), cost=count, lower_bound=count
        ),
    )


def _removal_order(places: list[tuple[int, int, int]], draw: Draw) -> list[int]:
    """All tiles, each after everything that covers it; every next one is drawn from all uncovered ones."""
    covers, _ = direct_covers([Tile(0, *place) for place in places])
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
        for below in covered_by_me[tile]:
            waiting[below] -= 1
            if waiting[below] == 0:
                uncovered.append(below)
    return order


def _winning_deal(params: Params, draw: Draw) -> list[int]:
    """The kinds in the order in which they are picked, so that the tray never fills up.

    Each next kind is drawn in proportion to its tiles left, among the kinds after which the game can go on:
    the tray must not be full of single tiles. A pair can always be completed, and with room for one more a
    single can become a pair, so that a kind that may come next always exists. Drawing in proportion fills
    the tray up to the limit: many triples are under way at a time, as on a random board.
    """
    left = [3 * params.sets] * params.kinds
    tray = [0] * params.kinds
    deal: list[int] = []
    for _ in range(3 * params.sets * params.kinds):
        room = params.slots - 1 - sum(tray)
        pairs = tray.count(2)

        def may_come(kind: int, room: int = room, pairs: int = pairs) -> bool:
            if tray[kind] == 2 or room >= 2:
                return True
            return room == 1 and (tray[kind] == 1 or pairs > 0)

        weights = [number if may_come(kind) else 0 for kind, number in enumerate(left)]
        kind = _weighted(weights, draw)
        left[kind] -= 1
        tray[kind] = (tray[kind] + 1) % 3
        deal.append(kind)
    return deal


def _weighted(weights: list[int], draw: Draw) -> int:
    """An index, drawn in proportion to its weight."""
    rest = int(draw() * sum(weights))
    for index, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return index
    raise AssertionError(f"no index may be drawn: {weights}")
