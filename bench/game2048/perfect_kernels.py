"""Boards of 2048 with the same sum, all that may follow from them when the player also chooses the new tiles.

A board is uint8 [cells], as in grid_kernels.py. Lower costs are better.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.compiled.dice_kernels import U64, U
from winnable.compiled.jit import inlined_kernel, kernel
from winnable.games.game2048.board.grid_kernels import Cells, Lines, move

I32: TypeAlias = NDArray[np.int32]
FOUR_COST: Final = 60
TILE_COST: Final = 12
STEP_COST: Final = 2
"""For each exponent by which a tile is smaller than the largest one that comes after it."""


class Layer(NamedTuple):
    """Boards with the same sum.

    number:  int32 [1]; so many rows count
    boards:  uint8 [rows, cells]
    hashes:  uint64 [rows]; boards are compared by these alone: what is lost by that is a board
    fours:   int32 [rows]; the 4s that have appeared
    costs:   int32 [rows]
    origins: int32 [rows, 2]; the row that it came from, of those that were kept of its layer, and the turn:
             32 * action + 2 * cell, and 1 for a 4
    slots:   int32 [a power of two]; a hash table of rows, -1 is free
    """

    number: I32
    boards: Cells
    hashes: U64
    fours: I32
    costs: I32
    origins: I32
    slots: I32


@kernel
def cost(board: Cells, order: I32, fours: int) -> int:
    """Of a board, as read in an order of its cells in which tiles should only get smaller: the 4s that have
    appeared, the tiles, what is out of order, and the empty cells between tiles."""
    total, largest = FOUR_COST * fours, 0
    for place in range(len(order) - 1, -1, -1):
        exponent = int(board[order[place]])
        if exponent == 0:
            total += largest > 0
            continue
        total += TILE_COST + STEP_COST * max(0, largest - exponent)
        largest = max(largest, exponent)
    return total


@kernel
def hashed(board: Cells, keys: U64) -> np.uint64:
    """keys: uint64 [cells, exponents], random"""
    code = U(0)
    for cell in range(len(board)):
        code ^= keys[cell, board[cell]]
    return code


@inlined_kernel
def enter(layer: Layer, code: np.uint64, fours: int) -> int:
    """The row for a board with this hash; -1 when it is there already, after no more 4s."""
    mask = len(layer.slots) - 1
    slot = int(np.int64(code >> U(20))) & mask
    while layer.slots[slot] >= 0:
        row = int(layer.slots[slot])
        if layer.hashes[row] == code:
            return row if fours < layer.fours[row] else -1
        slot = (slot + 1) & mask
    row = int(layer.number[0])
    layer.slots[slot] = row
    layer.number[0] += 1
    return row


@kernel
def follow(
    here: Layer, kept: I32, with_two: Layer, with_four: Layer, lines: Lines, order: I32, keys: U64
) -> None:
    """Enters all boards that are one turn after the kept rows into the layers of their sums."""
    after = np.empty_like(here.boards[0])
    for row in range(len(kept)):
        for action in range(4):
            after[:] = here.boards[kept[row]]
            if move(after, action, lines) < 0:
                continue
            code = hashed(after, keys)
            for exponent in range(1, 3):
                layer = with_two if exponent == 1 else with_four
                fours = int(here.fours[kept[row]]) + exponent - 1
                for cell in range(len(after)):
                    if after[cell] != 0:
                        continue
                    child_code = code ^ keys[cell, 0] ^ keys[cell, exponent]
                    child = enter(layer, child_code, fours)
                    if child < 0:
                        continue
                    after[cell] = exponent
                    layer.boards[child] = after
                    layer.hashes[child] = child_code
                    layer.fours[child] = fours
                    layer.costs[child] = cost(after, order, fours)
                    layer.origins[child, 0] = row
                    layer.origins[child, 1] = 32 * action + 2 * cell + exponent - 1
                    after[cell] = 0
