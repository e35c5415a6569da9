"""Endgame patterns of 4 × 4, compiled: which boards follow, their chances, and their keys.

Boards are those of kernels.py. The *fixed* cells, a mask, hold 15; the *free* cells, ascending, hold tiles
below the goal. A move is allowed when the fixed tiles stay where they are.

A board's *key* is what its free cells but the first one are as digits, to the base of the goal's exponent,
the last cell's the highest. What the first one is follows from the total, half the sum of the free tiles; so
keys of boards of one total ascend as the boards do.
"""

from __future__ import annotations

from winnable.compiled.bit_kernels import bit_length
from winnable.compiled.jit import kernel
from winnable.games.game2048.board.kernels import afterstates, empty_cells
from winnable.games.game2048.exact.kernels import find
from winnable.games.game2048.exact.small_kernels import has
from winnable.inert.arrays import F64, U32, U64, U, np


@kernel
def with_new_tile(boards: U64, exponent: int, found: U64) -> int:
    """The boards that follow when a tile is added to each -> how many were found."""
    count = 0
    for number in range(boards.size):
        empty = empty_cells(boards[number])
        while empty != U(0):
            mark = empty & (~empty + U(1))
            empty ^= mark
            found[count] = boards[number] | mark << U(exponent - 1)
            count += 1
    return count


@kernel
def following(boards: U64, fixed: np.uint64, goal: int, slides: U64, found: U64) -> int:
    """The boards that allowed moves lead to, without those that have the goal -> how many were found."""
    count = 0
    for number in range(boards.size):
        afters, _ = afterstates(boards[number], slides)
        for after in afters:
            if after != boards[number] and after & fixed == fixed and not has(after, goal):
                found[count] = after
                count += 1
    return count


@kernel
def chance_of_board(
    board: np.uint64, fixed: np.uint64, goal: int, slides: U64, slots: U64, chances: F64
) -> float:
    """The chance of the best allowed move; 0 when there is none. slots, chances: of the layer's
    afterstates."""
    best = 0.0
    afters, _ = afterstates(board, slides)
    for after in afters:
        if after != board and after & fixed == fixed:
            best = max(best, 1.0 if has(after, goal) else chances[find(after, slots)])
    return best


@kernel
def chances_of_afterstates(
    boards: U64, fours: float, fixed: np.uint64, goal: int, slides: U64,
    next_slots: U64, next_chances: F64, later_slots: U64, later_chances: F64, found: F64,
) -> None:  # fmt: skip
    """The mean over new tiles, of which a share `fours` are a 4. next, later: the layers that a 2 and a 4
    lead to, see `chance_of_board`."""
    for number in range(boards.size):
        board, total, cells = boards[number], 0.0, 0
        empty = empty_cells(board)
        while empty != U(0):
            mark = empty & (~empty + U(1))
            empty ^= mark
            cells += 1
            total += (1.0 - fours) * chance_of_board(
                board | mark, fixed, goal, slides, next_slots, next_chances
            )
            total += fours * chance_of_board(
                board | mark << U(1), fixed, goal, slides, later_slots, later_chances
            )
        found[number] = total / cells


@kernel
def keys(boards: U64, places: U64, goal: int, found: U32) -> None:
    """places: uint64 [free], of each free cell its lowest bit's number."""
    for number in range(boards.size):
        key = U(0)
        for digit in range(places.size - 1, 0, -1):
            key = key * U(goal) + (boards[number] >> places[digit] & U(15))
        found[number] = key


@kernel
def boards_of(keys: U32, total: int, fixed: np.uint64, places: U64, goal: int, found: U64) -> None:
    """The boards of these keys and of one total."""
    for number in range(keys.size):
        board, key, rest = fixed, U(keys[number]), U(total)
        for digit in range(1, places.size):
            exponent = key % U(goal)
            key //= U(goal)
            board |= exponent << places[digit]
            rest -= U(1) << exponent >> U(1)
        found[number] = board | U(bit_length(rest)) << places[0]
