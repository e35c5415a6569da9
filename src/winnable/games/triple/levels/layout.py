"""Layouts of triple: where the tiles of a level lie. Kinds are dealt onto them (see generator.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias, get_args

from msgspec import Struct

from winnable.contract.core import LevelError
from winnable.contract.provenance import Text
from winnable.games.triple.rules.level import MAX_TILES, Level, Tile, check_overlaps

Symmetry: TypeAlias = Literal["left-right", "up-down", "half-turn", "quarter-turn"]
"""What leaves a layout as it is: mirrored, or turned about its centre."""
SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)


class Place(NamedTuple):
    """Of one tile, as in `Tile`."""

    x: int
    y: int
    layer: int
    hidden: bool = False


class Layout(Struct, frozen=True):
    """places: layer by layer from the bottom up, row-major within a layer; a multiple of three
    symmetry: what it promises to keep

    Raises LevelError for tiles that overlap within a layer, and for symmetries that it lacks.
    """

    places: tuple[Place, ...]
    title: dict[Literal["en", "zh-CN"], Text] = {}
    symmetry: tuple[Symmetry, ...] = ()

    def __post_init__(self) -> None:
        if len(self.places) % 3 or not 3 <= len(self.places) <= MAX_TILES:
            raise LevelError("triple.count", field="tiles", given=len(self.places), most=MAX_TILES)
        check_overlaps(as_tiles(self.places))
        for symmetry in self.symmetry:
            if (odd := _odd_one_out(self.places, symmetry)) is not None:
                raise LevelError(
                    "triple.twin", field="symmetry", symmetry=symmetry, x=odd.x, y=odd.y, layer=odd.layer
                )


def make_layout(
    places: Iterable[Place],
    title: dict[Literal["en", "zh-CN"], Text] | None = None,
    symmetry: tuple[Symmetry, ...] = (),
) -> Layout:
    """Places in any order. Raises like `Layout`."""
    ordered = sorted(places, key=lambda place: (place.layer, place.y, place.x))
    return Layout(tuple(ordered), title or {}, symmetry)


def layout_of(level: Level) -> Layout:
    """The layout of a level: where its tiles lie."""
    return make_layout(Place(tile.x, tile.y, tile.layer, tile.hidden) for tile in level.tiles)


def image(place: Place, symmetry: Symmetry, across: int, down: int) -> Place:
    """The place that a symmetry takes a place to. The centre of the layout is at (across / 2, down / 2), as
    seen from the upper left corners of tiles, in units; across - down is even where quarter turns are asked
    for."""
    x, y = place.x, place.y
    match symmetry:
        case "left-right":
            x = across - x
        case "up-down":
            y = down - y
        case "half-turn":
            x, y = across - x, down - y
        case "quarter-turn":
            x, y = (across + down) // 2 - y, (down - across) // 2 + x
    return Place(x, y, place.layer, place.hidden)


def as_tiles(places: Iterable[Place]) -> list[Tile]:
    """All of kind 0: for what does not depend on kinds."""
    return [Tile(0, *place) for place in places]


def _odd_one_out(places: tuple[Place, ...], symmetry: Symmetry) -> Place | None:
    """A tile whose image is not there."""
    across = min(place.x for place in places) + max(place.x for place in places)
    down = min(place.y for place in places) + max(place.y for place in places)
    there = set(places)
    return next((place for place in places if image(place, symmetry, across, down) not in there), None)
