"""Layouts of triple that grow from chance: layer by layer, each resting on those below it, with a symmetry.

A layer is a grid of tiles, shifted by half a tile or not, of which those within an outline are taken, some left
out. The outline begins as a small floor, widens up to the waist and may become narrower again. Coordinates here
are those of the tiles' centres, in half-tiles from the centre of the layout, so that a symmetry is a change of
signs; side stacks lie around the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from winnable.games.triple.layout import Layout, Place, Symmetry, image, make_layout

Draw = Callable[[], float]
"""Uniform in [0, 1)."""
GROUPS: dict[str, tuple[Symmetry, ...]] = {
    "left-right": ("left-right",),
    "both": ("left-right", "up-down", "half-turn"),
    "half-turn": ("half-turn",),
    "quarter-turn": ("half-turn", "quarter-turn"),
}
"""What a grown layout may be asked to keep."""
_HALF = 4
"""Units of half a tile."""
_SMALLEST, _WIDEST, _HIGHEST = 2, 8, 10
"""Half the width and height of a layer, in half-tiles."""
_CENTRE = 100 * _HALF
"""Where the centre of the layout lies while it grows, in units: no tile gets to the left of 0."""


class _Habit(NamedTuple):
    """What is drawn once for a layout.

    floor, waist: (half the width, half the height) of the lowest and of the widest outline, in half-tiles
    widening:     layers up to the waist
    crown:        half-tiles that each layer above the waist is narrower by
    roundness:    exponent of the outline, a superellipse: 1 is a diamond, 2 an ellipse, large is a rectangle
    density:      share of the tiles within the outline that are taken
    slant:        how far the outline leans to a side; 0 unless the layout only turns
    stack:        tiles of each side stack
    """

    floor: tuple[float, float]
    waist: tuple[float, float]
    widening: int
    crown: float
    roundness: float
    density: float
    slant: float
    stack: int


def grow(tiles: int, symmetry: str, draw: Draw) -> Layout:
    """So many tiles, a multiple of 3; `symmetry`: one of `GROUPS`, or `any`."""
    name = list(GROUPS)[int(draw() * len(GROUPS))] if symmetry == "any" else symmetry
    group = GROUPS[name]
    habit = _habit(tiles, name, draw)
    places = _side_stacks(habit, group)
    grown: list[Place] = []
    layer = 0
    while len(places) < tiles:
        ...
    return make_layout(places, {}, group)
