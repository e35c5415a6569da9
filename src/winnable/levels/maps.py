"""Maps of tiles, as level editors draw them, and what games make of these."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from winnable.contract.core import LevelError

MOST_CELLS = 2**20
"""Of all layers of a map, the empty ones too."""
MOST_TILES = 2**18
SIDE = 32
"""Pixels of a tile that we write."""


class Layer(NamedTuple):
    """name:  as its editor shows it
    cells: (column, row) -> what the tile there stands for; empty ones are left out
    x, y:  where the layer begins, in tiles
    """

    name: str
    cells: Mapping[tuple[int, int], int]
    x: float = 0
    y: float = 0


class TileMap(NamedTuple):
    """width, height: in tiles
    layers:   those that are seen, the lowest first
    settings: all else that is said of the level, by the names of its file
    """

    width: int
    height: int
    layers: Sequence[Layer]
    settings: Mapping[str, Any] = {}

    def cropped(self) -> TileMap:
        """As large as its tiles lie apart."""
        places = [place for layer in self.layers for place in layer.cells] or [(0, 0)]
        (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*places, strict=True))
        layers = [
            layer._replace(cells={(x - left, y - top): value for (x, y), value in layer.cells.items()})
            for layer in self.layers
        ]
        return self._replace(width=right - left + 1, height=bottom - top + 1, layers=layers)


class Drawing(NamedTuple):
    """How a game's board lies on a map.

    fields: of the level file, that tiles and size of the map say
    read:   a map -> what stands in these fields. Raises LevelError
    draw:   a level -> its map, without settings
    values: what the tiles of a tileset stand for, in their order; in LDtk also the numbers of an IntGrid
    least:  how many of these a map offers, however few the level needs
    """

    fields: Sequence[str]
    read: Callable[[TileMap], Mapping[str, Any]]
    draw: Callable[[Any], TileMap]
    values: Sequence[int]
    least: int = 1

    def value(self, number: int, field: str) -> int:
        """What the tile of that number, from 1, stands for. Raises LevelError."""
        if number > len(self.values):
            raise LevelError("params.within", field=field, given=number, low=1, high=len(self.values))
        return self.values[number - 1]

    def offered(self, drawn: TileMap) -> Sequence[tuple[int, int]]:
        """The numbers from 1 on that the map offers, and what they stand for."""
        used = (self.values.index(value) for layer in drawn.layers for value in layer.cells.values())
        return [*enumerate(self.values[: max(self.least, *used, 0) + 1], 1)]

    def rows(self, drawn: TileMap, layer: Layer) -> list[list[int]]:
        """The numbers of a layer; 0: there is no tile."""
        rows = [[0] * drawn.width for _ in range(drawn.height)]
        for (column, row), value in layer.cells.items():
            rows[row][column] = self.values.index(value) + 1
        return rows


def grid(drawn: TileMap, empty: int | None = 0) -> list[list[int]]:
    """The rows of a board that is a grid: the uppermost tile of each cell; where there is none, `empty`, or,
    where that is None, an error. Raises LevelError that names the layer or the cell."""
    check_size(drawn.width * drawn.height)
    rows = [[empty] * drawn.width for _ in range(drawn.height)]
    for layer in drawn.layers:
        if layer.cells and (layer.x or layer.y):
            raise LevelError("map.offset", field=f"layer {layer.name}")
        for (column, row), value in layer.cells.items():
            if 0 <= column < drawn.width and 0 <= row < drawn.height:
                rows[row][column] = value
    for y, row in enumerate(rows):
        if None in row:
            raise LevelError("map.empty", field=f"board[{y}][{row.index(None)}]")
    return cast("list[list[int]]", rows)


def of_grid(rows: Sequence[Sequence[int]], empty: int | None = 0) -> TileMap:
    """A map of one layer: the inverse of `grid`."""
    cells = {(x, y): value for y, row in enumerate(rows) for x, value in enumerate(row) if value != empty}
    return TileMap(len(rows[0]), len(rows), [Layer("Board", cells)])


def check_size(cells: int, most: int = MOST_CELLS) -> None:
    """Raises LevelError for more than a map may have."""
    if cells > most:
        raise LevelError("map.large", field="map", most=most)


def colour(number: int) -> tuple[int, int, int]:
    """Of the tiles of that number: red, green, blue from 0 to 255, far from its neighbours'."""
    red, green, blue = colorsys.hsv_to_rgb(number * 0.618034 % 1, 0.45, 0.9)
    return round(255 * red), round(255 * green), round(255 * blue)
