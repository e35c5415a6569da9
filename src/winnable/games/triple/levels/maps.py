"""Boards of triple as maps of tiles: the n-th tile is kind n - 1, hidden from the 65th on.

A layer of the map is one of the level, counted from the lowest, and may begin at any eighth of a tile. Layers
that are named as those that we write, `L3` or `L3_4_0`, are the level's layer 3: several of them may be.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from winnable.contract.core import LevelError
from winnable.games.triple.rules.level import MAX_KINDS, SIDE, Level
from winnable.levels.map_formats import map_formats
from winnable.levels.maps import Drawing, Layer, TileMap

_NAME = re.compile(r"L([0-9]{1,6})(_.*)?", re.ASCII | re.DOTALL)


def _read(drawn: TileMap) -> dict[str, Any]:
    tiles = list[dict[str, Any]]()
    for number, layer in zip(_numbers(drawn.layers), drawn.layers, strict=True):
        x, y = layer.x * SIDE, layer.y * SIDE
        if layer.cells and (x % 1 or y % 1):
            raise LevelError("triple.map.eighths", field=f"layer {layer.name}")
        for row, column in sorted((row, column) for column, row in layer.cells):
            hidden, kind = divmod(layer.cells[column, row], MAX_KINDS)
            at = {"x": int(SIDE * column + x), "y": int(SIDE * row + y), "layer": number}
            tiles.append({"kind": kind, "hidden": bool(hidden), **at})
    return {"tiles": tiles}


def _numbers(layers: Sequence[Layer]) -> Sequence[int]:
    """The level's layer of each of the map's."""
    named = [_NAME.fullmatch(layer.name) for layer in layers]
    if not all(named):
        return range(len(layers))
    numbers = [int(match[1]) for match in named if match]
    for layer, below, number in zip(layers[1:], numbers, numbers[1:], strict=False):
        if below > number:
            raise LevelError("triple.map.order", field=f"layer {layer.name}", below=below)
    return numbers


def _draw(level: Level) -> TileMap:
    """Its tiles come again layer by layer, in rows."""
    cells = defaultdict[tuple[int, int, int], dict[tuple[int, int], int]](dict)
    for tile in level.tiles:
        place = tile.x // SIDE, tile.y // SIDE
        cells[tile.layer, tile.y % SIDE, tile.x % SIDE][place] = tile.kind + MAX_KINDS * tile.hidden
    layers = [
        Layer(
            f"L{number}_{x}_{y}" if x or y else f"L{number}",
            cells[number, y, x],
            x / SIDE,
            y / SIDE,
        )
        for number, y, x in sorted(cells)
    ]
    wide, high = max(tile.x for tile in level.tiles), max(tile.y for tile in level.tiles)
    return TileMap(wide // SIDE + 1, high // SIDE + 1, layers)


MAPS = map_formats(Level, Drawing(("tiles",), _read, _draw, range(2 * MAX_KINDS)))
