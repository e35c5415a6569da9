"""Layouts of triple that grow by chance: layer on layer, each tile resting on one below it, with a symmetry.

A layer is a grid of tiles, half a tile further than the one before it in x, in y or in both; those within
an outline are taken, some of them left out. The outline is a small floor at first, widens to the waist,
becomes narrower again, and so on. `u` and `v` here are a tile's centre as seen from that of the layout, in
half-tiles. Powers are products here, since those are the same on every platform.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, prod
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from winnable.contract.core import Budget, Search
from winnable.contract.game import keep_to
from winnable.games.triple.levels.draws import Draw
from winnable.games.triple.levels.layout import Layout, Place, Symmetry, image, make_layout
from winnable.games.triple.rules.level import SIDE

T = TypeVar("T")
Grown: TypeAlias = Literal["left-right", "both", "half-turn", "quarter-turn"]

KEPT: dict[Grown, tuple[Symmetry, ...]] = {
    "left-right": ("left-right",),
    "both": ("left-right", "up-down", "half-turn"),
    "half-turn": ("half-turn",),
    "quarter-turn": ("half-turn", "quarter-turn"),
}
"""How a layout may be asked to grow, and what it keeps then."""
_MOST_TWINS = 4
_STEP = SIDE // 2
_FAR = 16
"""Half-tiles from the centre that nothing reaches."""
_SUM = 2 * _STEP * _FAR
"""Of a place's x and that of its mirror image; of y likewise (see `image`)."""


class _Habit(NamedTuple):
    """What is drawn once for a layout.

    floor, waist: (half the width, half the height) of the narrowest and the widest outline, in half-tiles
    widening:     layers from the one to the other
    roundness:    exponent of the outline, a superellipse: 1 is a diamond, 2 an ellipse, large a rectangle
    slant:        how far it leans over
    density:      share of the tiles within it that are taken, above the floor
    stack:        tiles of each side stack
    """

    floor: tuple[float, float]
    waist: tuple[float, float]
    widening: int
    roundness: int
    slant: float
    density: float
    stack: int

    def within(self, u: int, v: int, step: int) -> bool:
        """Whether the outline of this step, counted from the floor, holds the tile."""
        far = step % (2 * self.widening)
        share = min(far, 2 * self.widening - far) / self.widening
        width, height = (low + share * (high - low) for low, high in zip(self.floor, self.waist, strict=True))
        across, down = abs(u + self.slant * v) / width, abs(v) / height
        return prod([across] * self.roundness) + prod([down] * self.roundness) <= 1


def grow(
    tiles: int, symmetry: Literal["any", Grown], draw: Draw, budget: Budget | None = None
) -> Search[Layout]:
    """A layout of so many tiles, a multiple of 3 from 60 on; chance decides all but their number, and with
    `any` the symmetry too. Raises GaveUp."""
    budget = budget or Budget()
    kept = _one_of(list(KEPT), draw) if symmetry == "any" else symmetry
    habit = _habit(kept, draw)
    places = set(_side_stacks(habit, KEPT[kept]))
    ground: set[tuple[int, int]] = set()
    shift, layer, step = (0, 0), 0, 0
    while len(places) < tiles:
        yield from keep_to(budget)
        taken: list[Place] = []
        for u, v in _grid(shift):
            if not habit.within(u, v, step) or (layer and ground.isdisjoint(_quarters(u, v))):
                continue
            twins = _twins(_place(u, v, layer), KEPT[kept])
            lacking = tiles - len(places) - len(taken)
            if len(twins) > lacking or min(twins) != _place(u, v, layer):
                continue
            if layer == 0 or lacking < _MOST_TWINS or draw() < habit.density:
                taken += twins
        places.update(taken)
        for place in taken:
            ground.update(_quarters((place.x - _SUM // 2) // _STEP, (place.y - _SUM // 2) // _STEP))
        layer += bool(taken)
        step += 1
        shift = _next_shift(shift, kept, draw)
    left, top = min(place.x for place in places), min(place.y for place in places)
    return make_layout(
        (place._replace(x=place.x - left, y=place.y - top) for place in places), {}, KEPT[kept]
    )


def _habit(kept: Grown, draw: Draw) -> _Habit:
    """Floors are small more often than large, as a large one makes every level easy."""
    size = draw()
    floor = 2 + 5 * size * size
    width, height = 5 + 3 * draw(), 5 + 4 * draw()
    if kept == "quarter-turn":
        height = width
    return _Habit(
        floor=(min(floor, width), min(floor, height)),
        waist=(width, height),
        widening=4 + int(7 * draw()),
        roundness=1 + int(5 * draw()),
        slant=draw() - 0.5 if kept == "half-turn" else 0,
        density=0.6 + 0.4 * draw(),
        stack=_one_of([0] * 6 + [4, 5, 6, 7, 8, 9, 10], draw),
    )


def _next_shift(shift: tuple[int, int], kept: Grown, draw: Draw) -> tuple[int, int]:
    """(0 or 1, 0 or 1) half-tiles; never the same twice. A grid that is turned must stay itself."""
    if kept == "quarter-turn":
        return 1 - shift[0], 1 - shift[1]
    return _one_of([other for other in ((0, 0), (0, 1), (1, 0), (1, 1)) if other != shift], draw)


def _grid(shift: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """(u, v), row-major. The grid that is not shifted has a tile at the centre, its own twin."""
    for v in range(shift[1] - _FAR, _FAR, 2):
        for u in range(shift[0] - _FAR, _FAR, 2):
            yield u, v


def _place(u: int, v: int, layer: int) -> Place:
    return Place(_SUM // 2 + _STEP * u, _SUM // 2 + _STEP * v, layer)


def _quarters(u: int, v: int) -> list[tuple[int, int]]:
    """The quarters of a tile."""
    return [(u - 1, v - 1), (u, v - 1), (u - 1, v), (u, v)]


def _twins(place: Place, symmetry: tuple[Symmetry, ...]) -> set[Place]:
    """The place and its images."""
    twins = {place}
    for one in symmetry:
        twins |= {image(twin, one, _SUM, _SUM) for twin in twins}
    return twins


def _side_stacks(habit: _Habit, symmetry: tuple[Symmetry, ...]) -> Iterator[Place]:
    """Blind tiles, each an eighth further than the one below it: beneath the rest on the left, and their
    images."""
    x = _SUM // 2 - _STEP * ceil(habit.waist[0])
    y = _SUM // 2 + _STEP * (ceil(habit.waist[1]) + 3)
    for layer in range(habit.stack):
        yield from _twins(Place(x + layer, y, layer, True), symmetry)


def _one_of(items: list[T], draw: Draw) -> T:
    return items[int(draw() * len(items))]
