"""Boards of drops as maps of tiles: the n-th tile is n drops."""

from __future__ import annotations

from winnable.games.drops.rules.level import FULL, Level
from winnable.levels.map_formats import map_formats
from winnable.levels.maps import Drawing, TileMap, grid, of_grid


def _read(drawn: TileMap) -> dict[str, list[str]]:
    return {"board": ["".join(map(str, row)) for row in grid(drawn)]}


def _draw(level: Level) -> TileMap:
    return of_grid([[int(cell) for cell in row] for row in level.board])


MAPS = map_formats(Level, Drawing(("board",), _read, _draw, range(1, FULL + 1), FULL))
