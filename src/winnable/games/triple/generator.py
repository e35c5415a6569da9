"""Makes levels of triple: the seed's random deal, boards dealt backwards from a win, and repaired boards.

The seed's board (`init_card`) is the layout `pile`: `layers` squares of side × side cells, every second one
a cell smaller and half a tile further in; some cells stay blank. Other layouts are drawings, or they grow.
`random` deals kinds and blanks over all cells, so that a level may be unwinnable. `backwards` and `de-repair`
give winnable levels and certify them.

All chance comes from `random.Random(seed).random()`, whose values Python keeps for good on every platform;
what is built on it (the shuffle, the draws) stands here, because the standard library may change its own.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.core import Budget, LevelError
from winnable.games.triple.grown import Draw, Grown, grow
from winnable.games.triple.layout import Layout, Place, as_tiles
from winnable.games.triple.layout_text import shipped_layout
from winnable.games.triple.level import MAX_KINDS, MAX_TILES, SIDE, Level, Tile, Tools
from winnable.games.triple.rules import direct_covers
from winnable.provenance import Certificate, Provenance

REPAIR_GAMES = 200_000
"""How many games `de-repair` may play before it gives up: a count, not a clock, so that the same arguments
give the same level (or error) on a slow machine too."""
MIN_SLOTS = 3
"""With fewer, the second click at the latest leaves `slots` tiles in the tray: nothing can be won."""

T = TypeVar("T")

Shipped: TypeAlias = Literal[
    "arena", "butterfly", "castle", "cat", "crown", "fish", "heart", "hourglass", "lantern", "lotus",
    "pagoda", "pine", "shell", "spiral", "turtle", "twin-towers", "windmill",
]  # fmt: skip
"""The drawings in `layouts/`."""
SHIPPED: tuple[Shipped, ...] = get_args(Shipped)


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
    layout: Literal["pile", "grown", Shipped] = "pile"
    """All but the seed's pile have as many triples of each kind as of any other, or one more."""
    tiles: Annotated[int, Meta(ge=60, le=399, multiple_of=3)] = 210
    """Of a grown layout, as is `symmetry`."""
    symmetry: Literal["any", Grown] = "any"


_OF_THE_PILE = ("layers", "sets", "side")
_OF_GROWN = ("tiles", "symmetry")


def generate(params: Params, seed: int, budget: Budget | None = None) -> Level:
    """The level of `(params, seed)`, 0 <= seed < 2**53: always the same one. Tiles stand layer by layer from
    the bottom up, row-major within a layer.

    Raises LevelError that names the field when `params` cannot be met; `RepairFailed` (one of these) when
    `de-repair` found nothing in `REPAIR_GAMES` games or within the budget.
    """
    _check(params, seed)
    draw = random.Random(seed).random
    if params.layout == "pile":
        given = _without(params, ("layout", *_OF_GROWN), "pile")
        _check_pile(params)
        return _deal(_cells(params), [params.sets] * params.kinds, params, seed, draw, budget, given)
    if params.layout == "grown":
        given = _without(params, _OF_THE_PILE, "grown")
        layout = grow(params.tiles, params.symmetry, draw)
    else:
        given = _without(params, (*_OF_THE_PILE, *_OF_GROWN), params.layout)
        layout = shipped_layout(params.layout)
    return _deal_layout(layout, params, seed, draw, budget, given)


def deal(layout: Layout, params: Params, seed: int, budget: Budget | None = None) -> Level:
    """The same on this layout; `params` must not name another. Raises likewise."""
    _check(params, seed)
    given = _without(params, ("layout", *_OF_THE_PILE, *_OF_GROWN), "of the file")
    given["layout"] = f"sha256:{hashlib.sha256(msgspec.json.encode(layout.places)).hexdigest()}"
    return _deal_layout(layout, params, seed, random.Random(seed).random, budget, given)


def _deal_layout(
    layout: Layout, params: Params, seed: int, draw: Draw, budget: Budget | None, given: dict[str, Any]
) -> Level:
    """As many triples of each kind as of any other; the first kinds get one more where that leaves some."""
    triples, kinds = len(layout.places) // 3, params.kinds
    if kinds > triples:
        raise LevelError(f"kinds: {kinds}, but the layout has {triples} × 3 tiles")
    of_each = [triples // kinds + (kind < triples % kinds) for kind in range(kinds)]
    level = _deal(layout.places, of_each, params, seed, draw, budget, given)
    return msgspec.structs.replace(level, title=layout.title)


def _deal(
    places: Sequence[Place],
    triples: Sequence[int],
    params: Params,
    seed: int,
    draw: Draw,
    budget: Budget | None,
    given: dict[str, Any],
) -> Level:
    """triples: of each kind; there may be more places than these take
    given:   what the level says of where it came from
    """
    method = _backwards if params.method == "backwards" else _random
    level = method(places, triples, params.slots, draw)
    if params.method == "de-repair":
        from winnable.games.triple.repair import de_repair  # it compiles kernels: only when it is needed

        games = replace((budget or Budget()).part(1), expanded=REPAIR_GAMES)
        level = de_repair(level, seed, games)
    return msgspec.structs.replace(
        level,
        tools=Tools(seed=seed) if params.variant == "tools" else None,
        provenance=Provenance(f"triple/{params.method}", __version__, given, seed),
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
    if params.method != "random" and params.slots < MIN_SLOTS:
        raise LevelError(f"slots: with {params.slots} nothing can be won, {MIN_SLOTS} are needed")


def _without(params: Params, names: Sequence[str], layout: str) -> dict[str, Any]:
    """What they say but for these, which the layout has no use for. Raises LevelError where one is not at its
    default."""
    default = Params()
    for name in names:
        if getattr(params, name) != getattr(default, name):
            raise LevelError(f"{name}: the layout {layout} has no use for it")
    given: dict[str, Any] = msgspec.to_builtins(params, str_keys=True)
    return {name: value for name, value in given.items() if name not in names}


def _check_pile(params: Params) -> None:
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


def _cell_count(params: Params) -> int:
    large, small = (params.layers + 1) // 2, params.layers // 2
    return large * params.side**2 + small * (params.side - 1) ** 2


def _cells(params: Params) -> list[Place]:
    """Each cell of the pile, in tile order."""
    cells: list[Place] = []
    for layer in range(params.layers):
        side, start = (params.side - 1, SIDE // 2) if layer % 2 else (params.side, 0)
        for row in range(side):
            cells += [Place(start + SIDE * column, start + SIDE * row, layer) for column in range(side)]
    return cells


def _random(places: Sequence[Place], triples: Sequence[int], slots: int, draw: Draw) -> Level:
    """The seed's deal: all tiles and blanks shuffled over all places."""
    faces: list[int | None] = [kind for kind, number in enumerate(triples) for _ in range(3 * number)]
    faces += [None] * (len(places) - len(faces))
    return Level(
        tiles=tuple(
            Tile(kind, *place)
            for place, kind in zip(places, shuffled(faces, draw), strict=True)
            if kind is not None
        ),
        slots=slots,
    )


def _backwards(places: Sequence[Place], triples: Sequence[int], slots: int, draw: Draw) -> Level:
    """Blanks as in `_random`; then the line that wins is drawn first and the kinds are dealt along it."""
    count = 3 * sum(triples)
    taken = sorted(shuffled(list(range(len(places))), draw)[:count])
    places = [places[index] for index in taken]
    order = _removal_order(places, draw)
    kinds = [0] * count
    for tile, kind in zip(order, _winning_deal(triples, slots, draw), strict=True):
        kinds[tile] = kind
    return Level(
        tiles=tuple(Tile(kind, *place) for kind, place in zip(kinds, places, strict=True)),
        slots=slots,
        certificate=Certificate(
            "solved", "triple/backwards", __version__, tuple(order), cost=count, lower_bound=count
        ),
    )


def _removal_order(places: Sequence[Place], draw: Draw) -> list[int]:
    """All tiles, each after everything that covers it; every next one is drawn from all uncovered ones."""
    covers, _ = direct_covers(as_tiles(places))
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


def _winning_deal(triples: Sequence[int], slots: int, draw: Draw) -> list[int]:
    """The kinds in the order in which they are picked, so that the tray never fills up.

    Each next kind is drawn in proportion to its tiles left, among the kinds after which the game can go on:
    the tray must not be full of single tiles. A pair can always be completed, and with room for one more a
    single can become a pair, so that a kind that may come next always exists. Drawing in proportion fills
    the tray up to the limit: many triples are under way at a time, as on a random board.
    """
    left = [3 * number for number in triples]
    tray = [0] * len(triples)
    deal: list[int] = []
    for _ in range(3 * sum(triples)):
        room = slots - 1 - sum(tray)
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
