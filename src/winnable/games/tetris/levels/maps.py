"""Walls of tetris as maps of tiles: any tile is a filled cell, and the map is as large as the board."""

from __future__ import annotations

from itertools import dropwhile
from typing import Any

from winnable.games.tetris.rules.level import Level
from winnable.levels.map_formats import map_formats
from winnable.levels.maps import Drawing, TileMap, grid, of_grid

TILES = 1024
"""Of a tileset, that a filled cell may be."""


def _read(drawn: TileMap) -> dict[str, Any]:
    rows = dropwhile(lambda row: not any(row), grid(drawn))
    wall = ["".join(".x"[cell] for cell in row) for row in rows]
    return {"width": drawn.width, "height": drawn.height, "wall": wall}


def _draw(level: Level) -> TileMap:
    rows = [[0] * level.width for _ in range(level.height - len(level.wall))]
    return of_grid(rows + [[int(cell == "x") for cell in row] for row in level.wall])


MAPS = map_formats(Level, Drawing(("wall", "width", "height"), _read, _draw, (1,) * TILES))
