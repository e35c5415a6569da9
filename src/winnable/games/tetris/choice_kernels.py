"""A controller's choice, on top of kernels.py and surface_kernels.py; equal to controllers.py."""

from __future__ import annotations

from winnable.games.tetris.kernels import PUBLISHED, count_wall, value_placements
from winnable.games.tetris.shape_kernels import F64, I64, NOWHERE, U64, highest
from winnable.games.tetris.surface_kernels import add_surface
from winnable.jit import kernel


@kernel
def choose(
    now: U64, height: int, piece: int, shapes: I64, table: F64, sums: I64, rows: U64, spare: U64, values: F64
) -> int:
    """The action whose placement is worth the most, the first of equals; NOWHERE when each ends the game, or
    the piece cannot appear.

    table, float64 [walls, features]: a row of weights for each height of the wall, the last one for all from
    there on; `kernels.PUBLISHED` features or all. sums, rows, spare, values: see `kernels.new_room`.
    """
    weights = table[min(highest(now), table.shape[0] - 1)]
    count_wall(now, height, weights, sums, rows)
    action = value_placements(now, height, piece, shapes, weights, sums, rows, spare, values)
    if action != NOWHERE and weights.size > PUBLISHED:
        action = add_surface(now, height, piece, shapes, weights, sums, rows, spare, values, action)
    return action
