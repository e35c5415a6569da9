"""A controller's choice, on top of kernels.py and surface_kernels.py; equal to controllers.py.

Walls that are kept low come up again and again. So a controller may have a *memory* of what it chose:
uint64 [a power of two, SMALLEST or more], zeros at first; or of none. It is for one controller, one size of
the board and one table of shapes. A wall of few rows and a piece are one number, its bits are mixed so that
no two numbers become one, and the lowest say where in the memory it is. There the other bits are kept, with
the action in the place of the lowest: so nothing is ever taken for something else. What comes later
overwrites.
"""

from __future__ import annotations

from typing import Final

from winnable.compiled.jit import kernel
from winnable.games.tetris.players.kernels import PUBLISHED, Workspace, count_wall, value_placements
from winnable.games.tetris.players.shape_kernels import NOWHERE, highest
from winnable.games.tetris.players.surface_kernels import add_surface
from winnable.inert.arrays import F64, I64, U64, U, np
from winnable.inert.late import late

SMALLEST: Final = 128
"""Places of a memory: more than there are actions."""
WALL_BITS: Final = 60
PIECE_BITS: Final = 3
HALF: Final = late(lambda: U(2**32 - 1))
MIX: Final = late(lambda: U(0x9E3779B1))


@kernel
def choose(now: U64, height: int, piece: int, shapes: I64, table: F64, work: Workspace) -> int:
    """The action whose placement is worth the most, the first of equals; NOWHERE when each ends the game, or
    the piece cannot appear.

    table, float64 [walls, features]: a row of weights for each height of the wall, the last one for all from
    there on; `kernels.PUBLISHED` features or all.
    """
    weights = table[min(highest(now), table.shape[0] - 1)]
    count_wall(now, height, weights, work)
    action = value_placements(now, height, piece, shapes, weights, work)
    if action != NOWHERE and weights.size > PUBLISHED:
        action = add_surface(now, height, piece, shapes, weights, work, action)
    return action


@kernel
def mixed_number(now: U64, piece: int) -> np.uint64:
    """The mixed number of a wall and a piece; 0 for a wall with too many rows. Each half is changed by what
    the other one is, which can be undone. Products of halves never overflow, of which plain Python would
    warn."""
    width = now.size - 2
    tall = WALL_BITS // width
    if highest(now) > tall:
        return U(0)
    number = U(0)
    for c in range(1, width + 1):
        number = number << U(tall) | now[c]
    number = number << U(PIECE_BITS) | U(piece + 1)
    low, high = number & HALF, number >> U(32)
    low ^= high * MIX >> U(16) & HALF
    high ^= low * MIX >> U(16) & HALF
    low ^= high * MIX >> U(16) & HALF
    return high << U(32) | low


@kernel
def recall(number: np.uint64, memory: U64) -> int:
    """The action that was remembered for the number, or NOWHERE."""
    lowest = U(len(memory) - 1)
    kept = memory[number & lowest]
    return int(kept & lowest) - 1 if kept ^ number <= lowest else NOWHERE


@kernel
def remember(number: np.uint64, action: int, memory: U64) -> None:
    """Puts the action in the memory, over what is in its place."""
    lowest = U(len(memory) - 1)
    memory[number & lowest] = number & ~lowest | U(action + 1)


@kernel
def choose_or_recall(
    now: U64, height: int, piece: int, shapes: I64, table: F64, work: Workspace, memory: U64
) -> int:
    """The action that `choose` takes, from the memory if it is there."""
    number = mixed_number(now, piece) if len(memory) > 0 else U(0)
    action = recall(number, memory) if number else NOWHERE
    if action == NOWHERE:
        action = choose(now, height, piece, shapes, table, work)
        if number and action != NOWHERE:
            remember(number, action, memory)
    return action
