"""Makes levels of triple: the article's random deal, boards dealt backwards from a win, and repaired boards.

The article's board (`init_card`) is the layout `pile`: `layers` squares of side × side cells, every second
one a cell smaller and half a tile further in; some cells stay blank. Other layouts are drawings, or they
grow. `random` deals kinds and blanks over all cells, so that a level may be unwinnable. `backwards` and
`de-repair` give winnable levels and certify them.

All chance comes from `random.Random(seed).random()`, whose values Python keeps for good on every platform;
what is built on it (the shuffle, the draws) stands in draws.py.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.arguments import MAX_SEED, whole
from winnable.contract.core import Budget, LevelError, Search, finish, unreadable
from winnable.contract.params import describe_params
from winnable.contract.provenance import Provenance, Text, unchecked_replace
from winnable.games.triple.levels.backwards import Board, deal_backwards
from winnable.games.triple.levels.dealer import Dealer
from winnable.games.triple.levels.draws import Draw, shuffled
from winnable.games.triple.levels.grown import Grown, grow
from winnable.games.triple.levels.layout import Layout, Place
from winnable.games.triple.levels.layout_text import shipped_layout
from winnable.games.triple.rules.level import MAX_KINDS, MAX_SHAPE_TILES, MAX_TILES, SIDE, Level, Tile, Tools
from winnable.levels.certificates import line_certificate

REPAIR_GAMES = 200_000
"""How many games `de-repair` may play before it gives up: a count, not a clock, so that the same arguments
give the same level (or error) on a slow machine too."""
MIN_SLOTS = 3
"""With fewer, the second click at the latest leaves `slots` tiles in the tray: nothing can be won."""

_ANY = Level(tuple(Tile(0, 0, 0, layer) for layer in range(3)))
"""Its tiles are replaced by others on places that were checked already: those of a layout, or of the pile."""

Shipped: TypeAlias = Literal[
    "arena", "butterfly", "castle", "cat", "crown", "fish", "heart", "hourglass", "lantern", "lotus",
    "pagoda", "pine", "shell", "spiral", "turtle", "twin-towers", "windmill",
]  # fmt: skip
"""The drawings in `layouts/`."""
SHIPPED: tuple[Shipped, ...] = get_args(Shipped)


_PILE = {"only": {"layout": ["pile"]}}
_GROWN = {"only": {"layout": ["grown"]}}


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes. Defaults: those of the article's optimisation section, 360 tiles in 26
    layers."""

    layers: Annotated[int, Meta(ge=1, le=1000, extra=_PILE)] = 26
    sets: Annotated[int, Meta(ge=1, le=10_000, extra=_PILE)] = 10
    """Groups of three tiles per kind."""
    kinds: Annotated[int, Meta(ge=1, le=MAX_KINDS)] = 12
    slots: Annotated[int, Meta(ge=1, le=10_000)] = 7
    side: Annotated[int, Meta(ge=1, le=300, extra=_PILE)] = 6
    """Layers 0, 2, 4 ... (0 is the bottom) have side × side cells, those between (side - 1) × (side - 1)."""
    method: Literal["random", "backwards", "de-repair"] = "random"
    variant: Literal["plain", "tools"] = "plain"
    layout: Literal["pile", "grown", Shipped] = "pile"
    """All but the article's pile have as many triples of each kind as of any other, or one more."""
    tiles: Annotated[int, Meta(ge=60, le=399, multiple_of=3, extra=_GROWN)] = 210
    symmetry: Annotated[Literal["any", Grown], Meta(extra=_GROWN)] = "any"


def _only_of(layout: str) -> tuple[str, ...]:
    return tuple(param.name for param in describe_params(Params) if param.only.get("layout") == [layout])


_OF_THE_PILE, _OF_GROWN = _only_of("pile"), _only_of("grown")


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """The level of `(params, seed)`, 0 <= seed < 2**53: always the same one. Tiles stand layer by layer from
    the bottom up, row-major within a layer.

    Raises LevelError that names the field when `params` cannot be met; `GaveUp` (one of these) when the
    budget ends before, `RepairFailed` (one of those) when `de-repair` found nothing in `REPAIR_GAMES` games.
    """
    _check(params, seed)
    if params.layout == "pile":
        given = _without(params, ("layout", *_OF_GROWN), "pile")
        _check_pile(params)
        size = (params.layers, params.side, params.kinds, params.sets, params.slots)
        return (yield from _deal(_pile_dealer(*size), params, seed, None, budget, given, {}))
    if params.layout == "grown":
        given = _without(params, _OF_THE_PILE, "grown")
        draw = random.Random(seed).random
        layout = yield from grow(params.tiles, params.symmetry, draw, budget)
        return (yield from _deal_layout(layout, params, seed, draw, budget, given))
    given = _without(params, (*_OF_THE_PILE, *_OF_GROWN), params.layout)
    return (yield from _deal_layout(shipped_layout(params.layout), params, seed, None, budget, given))


def deal(layout: Layout, params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """The same on this layout; `params` must not name another. Raises likewise."""
    _check(params, seed)
    given = _without(params, ("layout", *_OF_THE_PILE, *_OF_GROWN), "of the file")
    given["layout"] = f"sha256:{_digest(layout.places)}"
    return _deal_layout(layout, params, seed, None, budget, given)


def dealt(layout: Layout, seed: int) -> Level:
    """Deals onto a layout, with the usual number of kinds, or as many as there can be. Raises likewise."""
    params = Params()
    kinds = min(params.kinds, len(layout.places) // 3)
    return finish(deal(layout, msgspec.structs.replace(params, kinds=kinds), seed))


@lru_cache(maxsize=4)
def _digest(places: tuple[Place, ...]) -> str:
    return hashlib.sha256(msgspec.json.encode(places)).hexdigest()


def _deal_layout(
    layout: Layout, params: Params, seed: int, draw: Draw | None, budget: Budget | None, given: dict[str, Any]
) -> Search[Level]:
    board = layout_board(layout, params)
    dealer = Dealer(board) if draw else _layout_dealer(board.places, tuple(board.triples), board.slots)
    return _deal(dealer, params, seed, draw, budget, given, layout.title)


def pile_board(params: Params) -> Board:
    """What is dealt onto the article's pile, and how."""
    return Board(_cells(params.layers, params.side), [params.sets] * params.kinds, params.slots)


@lru_cache(maxsize=4)
def _pile_dealer(layers: int, side: int, kinds: int, sets: int, slots: int) -> Dealer:
    """The same for all seeds: what it prepares takes longer than a deal."""
    return Dealer(Board(_cells(layers, side), [sets] * kinds, slots))


@lru_cache(maxsize=4)
def _layout_dealer(places: tuple[Place, ...], triples: tuple[int, ...], slots: int) -> Dealer:
    return Dealer(Board(places, triples, slots))


def layout_board(layout: Layout, params: Params) -> Board:
    """What is dealt onto a layout: as many triples of each kind as of any other; the first kinds get one more
    where that leaves some. Raises LevelError for too many kinds."""
    triples, kinds = len(layout.places) // 3, params.kinds
    if kinds > triples:
        raise LevelError("triple.kinds", field="kinds", kinds=kinds, triples=triples)
    of_each = [triples // kinds + (kind < triples % kinds) for kind in range(kinds)]
    return Board(layout.places, of_each, params.slots)


def _deal(
    dealer: Dealer,
    params: Params,
    seed: int,
    draw: Draw | None,
    budget: Budget | None,
    given: dict[str, Any],
    title: dict[Literal["en", "zh-CN"], Text],
) -> Search[Level]:
    """draw:  None: from the first draw of the seed on
    given: what the level says of where it came from
    """
    certificate, count = None, 3 * sum(dealer.board.triples)
    if params.method == "de-repair" and count > MAX_SHAPE_TILES:
        raise LevelError("triple.repair.tiles", field="method", tiles=count, most=MAX_SHAPE_TILES)
    if params.method == "backwards":
        made = dealer.deal(seed, budget) if draw is None else deal_backwards(dealer.board, draw, budget)
        deal = yield from made
        tiles, certificate = deal.tiles, line_certificate("triple/backwards", deal.line)
    else:
        tiles = _random_tiles(dealer.board, draw or random.Random(seed).random)
    level = unchecked_replace(_ANY, tiles=tiles, slots=params.slots, certificate=certificate)
    if params.method == "de-repair":
        from winnable.games.triple.repair.repair import (
            de_repair,  # it compiles kernels: only when it is needed
        )

        games = replace((budget or Budget()).part(1), expanded=REPAIR_GAMES)
        level = yield from de_repair(level, seed, games)
    return unchecked_replace(
        level,
        tools=Tools(seed=seed) if params.variant == "tools" else None,
        title=title,
        provenance=Provenance(f"triple/{params.method}", __version__, given, seed),
    )


def _check(params: Params, seed: int) -> None:
    try:
        msgspec.convert(msgspec.to_builtins(params), Params)
    except msgspec.ValidationError as error:
        raise unreadable(error).within("params") from None
    whole("seed", seed, 0, MAX_SEED)
    if params.method != "random" and params.slots < MIN_SLOTS:
        raise LevelError("slots.few", field="slots", slots=params.slots, least=MIN_SLOTS)


def _without(params: Params, names: Sequence[str], layout: str) -> dict[str, Any]:
    """What they say but for these, which the layout has no use for. Raises LevelError where one is not at its
    default."""
    default = Params()
    for name in names:
        if getattr(params, name) != getattr(default, name):
            raise LevelError("params.needless", field=name, layout=layout)
    given: dict[str, Any] = msgspec.to_builtins(params, str_keys=True)
    return {name: value for name, value in given.items() if name not in names}


def _least_layers(params: Params) -> int:
    """Of this side, that have room for all tiles."""
    tiles, full, inner = 3 * params.kinds * params.sets, params.side**2, (params.side - 1) ** 2
    pairs, rest = divmod(tiles, full + inner)
    return 2 * pairs + (rest > 0) + (rest > full)


def _check_pile(params: Params) -> None:
    tiles, cells = 3 * params.kinds * params.sets, _cell_count(params)
    pile = {"layers": params.layers, "side": params.side, "cells": cells}
    if cells > MAX_TILES:
        raise LevelError("triple.layers", field="layers", **pile, most=MAX_TILES)
    if tiles > cells:
        dealt = {"kinds": params.kinds, "sets": params.sets, "tiles": tiles}
        raise LevelError("triple.sets", field="sets", **dealt, **pile, least=_least_layers(params))


def _cell_count(params: Params) -> int:
    large, small = (params.layers + 1) // 2, params.layers // 2
    return large * params.side**2 + small * (params.side - 1) ** 2


@lru_cache(maxsize=4)
def _cells(layers: int, large_side: int) -> tuple[Place, ...]:
    """Each cell of the pile, in tile order."""
    cells: list[Place] = []
    for layer in range(layers):
        side, start = (large_side - 1, SIDE // 2) if layer % 2 else (large_side, 0)
        for row in range(side):
            cells += [Place(start + SIDE * column, start + SIDE * row, layer) for column in range(side)]
    return tuple(cells)


def _random_tiles(board: Board, draw: Draw) -> tuple[Tile, ...]:
    """The article's deal: all tiles and blanks shuffled over all places."""
    faces: list[int | None] = [kind for kind, number in enumerate(board.triples) for _ in range(3 * number)]
    faces += [None] * (len(board.places) - len(faces))
    return tuple(
        Tile(kind, *place)
        for place, kind in zip(board.places, shuffled(faces, draw), strict=True)
        if kind is not None
    )
