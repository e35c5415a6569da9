"""Boards of rotate as maps of tiles: the n-th tile is colour n - 1; no cell is empty."""

from __future__ import annotations

from typing import Any

from winnable.games.rotate.rules.level import MAX_LABEL, Level
from winnable.levels.map_formats import map_formats
from winnable.levels.maps import Drawing, TileMap, grid, of_grid


def _read(drawn: TileMap) -> dict[str, Any]:
    return {"board": grid(drawn, None)}


def _draw(level: Level) -> TileMap:
    return of_grid(level.board, None)


MAPS = map_formats(Level, Drawing(("board",), _read, _draw, range(MAX_LABEL + 1)))
