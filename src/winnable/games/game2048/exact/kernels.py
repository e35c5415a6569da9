"""The two passes over small boards, on top of small_kernels.py: which boards follow, and what they are worth.

A *set* of boards is uint64 [a power of two]: open addressing, 0 is an empty slot, at least half are empty.
"""

from __future__ import annotations

from typing import Final

from winnable.compiled.jit import kernel
from winnable.games.game2048.exact.small_kernels import Shape, canonical, empty_on, has, moves
from winnable.inert.arrays import F64, U64, U, np

SCATTER: Final = 0x9E3779B9
"""2 ** 32 / the golden ratio (D. E. Knuth, The Art of Computer Programming 3, 6.4)."""
SCATTER_FAR: Final = 0x85EBCA6B
"""For the upper half of a board: another odd number with its bits well mixed."""


@kernel
def scattered(board: np.uint64) -> np.uint64:
    """Its lowest bits say where in a table of a power of two slots a board belongs."""
    return ((board & U(0xFFFFFFFF)) * U(SCATTER) ^ (board >> U(32)) * U(SCATTER_FAR)) >> U(16)


@kernel
def find(board: np.uint64, slots: U64) -> np.uint64:
    """The slot of a board, or the empty one where it belongs."""
    mask = U(slots.size - 1)
    slot = scattered(board) & mask
    while slots[slot] != U(0) and slots[slot] != board:
        slot = slot + U(1) & mask
    return slot


@kernel
def add(boards: U64, slots: U64) -> int:
    """How many of the boards are new to the set. There must be room for all."""
    added = 0
    for number in range(boards.size):
        slot = find(boards[number], slots)
        if slots[slot] == U(0):
            slots[slot] = boards[number]
            added += 1
    return added


@kernel
def put(boards: U64, worths: F64, slots: U64, by_slot: F64) -> None:
    """The worths of boards of the set, by their slots."""
    for number in range(boards.size):
        by_slot[find(boards[number], slots)] = worths[number]


@kernel
def with_new_tile(boards: U64, exponent: int, shape: Shape, found: U64) -> int:
    """The canonical boards that follow when a tile is added to each -> how many were found."""
    count = 0
    for number in range(boards.size):
        empty = empty_on(boards[number], shape)
        while empty != U(0):
            mark = empty & (~empty + U(1))
            empty ^= mark
            found[count] = canonical(boards[number] | mark << U(exponent - 1), shape)
            count += 1
    return count


@kernel
def afterstates(boards: U64, goal: int, shape: Shape, rows: U64, columns: U64, found: U64) -> int:
    """The canonical boards that moves lead to, without those that have the goal -> how many were found."""
    count = 0
    for number in range(boards.size):
        for after in moves(boards[number], shape, rows, columns):
            if after != boards[number] and not has(after, goal):
                found[count] = canonical(after, shape)
                count += 1
    return count


@kernel
def merged(board: np.uint64) -> float:
    """The same as `small.merged`, compiled."""
    total = 0
    while board != U(0):
        exponent = np.int64(board & U(15))
        board >>= U(4)
        if exponent > 1:
            total += (exponent - 1) << exponent
    return float(total)


@kernel
def worth_of_board(
    board: np.uint64, scored: bool, goal: int, shape: Shape, rows: U64, columns: U64, slots: U64, worths: F64
) -> float:
    """The worth of the best move. slots, worths: of the layer's afterstates."""
    best = -np.inf
    for after in moves(board, shape, rows, columns):
        if after == board:
            continue
        if has(after, goal):
            worth = merged(after) if scored else 1.0
        else:
            worth = worths[find(canonical(after, shape), slots)]
        best = max(best, worth)
    if best > -np.inf:
        return best
    return merged(board) if scored else 0.0


@kernel
def worth_of_afterstates(
    boards: U64, fours: float, scored: bool, goal: int, shape: Shape, rows: U64, columns: U64,
    next_slots: U64, next_worths: F64, later_slots: U64, later_worths: F64, found: F64,
) -> None:  # fmt: skip
    """The mean over new tiles, of which a share `fours` are a 4. next, later: the layers that a 2 and a 4
    lead to, see `worth_of_board`."""
    for number in range(boards.size):
        board, total, cells = boards[number], 0.0, 0
        empty = empty_on(board, shape)
        while empty != U(0):
            mark = empty & (~empty + U(1))
            empty ^= mark
            cells += 1
            if fours < 1.0:
                total += (1.0 - fours) * worth_of_board(
                    board | mark, scored, goal, shape, rows, columns, next_slots, next_worths
                )
            if fours > 0.0:
                total += fours * worth_of_board(
                    board | mark << U(1), scored, goal, shape, rows, columns, later_slots, later_worths
                )
        found[number] = total / cells - (4 * fours if scored else 0.0)
