"""Boards of 2048 as maps of tiles: the n-th tile is 2 to the power of n. Where there is none, the dice put
the first two."""

from __future__ import annotations

from typing import Any

from winnable.games.game2048.rules.level import MAX_EXPONENT, Level
from winnable.levels.map_formats import map_formats
from winnable.levels.maps import Drawing, TileMap, grid, of_grid

OFFERED = 17
"""Tiles that a map has at least: the largest is the largest that a game on 4 × 4 cells can reach."""


def _read(drawn: TileMap) -> dict[str, Any]:
    board = grid(drawn)
    return {"rows": drawn.height, "columns": drawn.width, "board": board if any(map(any, board)) else []}


def _draw(level: Level) -> TileMap:
    return of_grid(level.board or [[0] * level.columns] * level.rows)


VALUES = [2**exponent for exponent in range(1, MAX_EXPONENT + 1)]
MAPS = map_formats(Level, Drawing(("board", "rows", "columns"), _read, _draw, VALUES, OFFERED))
