"""Boards of 4 × 4 as one uint64, compiled: moves by tables of rows, new tiles, games by random moves.

Cell `row * 4 + column` lies at bit 4 * cell, as an exponent of two; 0 is empty. So the largest tile is
32,768; two of these merge by the rules, but not here. Actions are those of the rules. Rows are 16 bits.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

from winnable.compiled.bit_kernels import count_ones, nth_one
from winnable.compiled.dice_kernels import draw
from winnable.compiled.jit import kernel
from winnable.games.game2048.rules.puzzle import State
from winnable.inert.arrays import U64, U, np
from winnable.inert.late import late

MAX_EXPONENT: Final = 15
ROWS: Final = 1 << 16
Words: TypeAlias = "tuple[np.uint64, np.uint64, np.uint64, np.uint64]"
ONES: Any = late(lambda: U(0x1111111111111111))
"""The lowest bit of each cell."""


def pack(board: State) -> int:
    """The board of 16 exponents up to 15, four bits each."""
    return sum(exponent << 4 * cell for cell, exponent in enumerate(board))


def unpack(word: int) -> State:
    """The exponents of a board, the inverse of `pack`."""
    return tuple(int(word) >> 4 * cell & 15 for cell in range(16))


@cache
def slides() -> U64:
    """uint64 [65536], for each row: from bit 0 on what it is after a slide to the left, from bit 16 on to the
    right, from bit 32 on the reward, which is the same both ways. Shared: not to be written to."""
    table: U64 = np.empty(ROWS, np.uint64)
    fill_slides(table)
    table.setflags(write=False)
    return table


@kernel
def fill_slides(table: U64) -> None:
    """Fills the table of `slides`."""
    for row in range(ROWS):
        left, reward = slid_row(row, 0)
        right, _ = slid_row(row, 3)
        table[row] = U(left | right << 16 | reward << 32)


@kernel
def slid_row(row: int, far: int) -> tuple[int, int]:
    """`rules.slide` for four exponents, four bits each, but two tiles of 32,768 stay as they are. far: the
    cell that they slide to, 0 or 3."""
    moved, reward, place, waiting = 0, 0, -1, 0
    for step in range(4):
        exponent = row >> 4 * abs(far - step) & 15
        if exponent == 0:
            continue
        if exponent == waiting and exponent < MAX_EXPONENT:
            moved += 1 << 4 * abs(far - place)
            reward += 2 << exponent
            waiting = 0
        else:
            place += 1
            moved |= exponent << 4 * abs(far - place)
            waiting = exponent
    return moved, reward


@kernel
def transposed(board: np.uint64) -> np.uint64:
    """Rows become columns: first within each block of 2 × 2 cells, then the blocks."""
    a = (
        (board & U(0xF0F00F0FF0F00F0F))
        | (board & U(0x0000F0F00000F0F0)) << U(12)
        | (board & U(0x0F0F00000F0F0000)) >> U(12)
    )
    return (
        (a & U(0xFF00FF0000FF00FF))
        | (a & U(0x00FF00FF00000000)) >> U(24)
        | (a & U(0x00000000FF00FF00)) << U(24)
    )


@kernel
def mirrored(board: np.uint64) -> np.uint64:
    """Left and right change places."""
    a = (board & U(0x0F0F0F0F0F0F0F0F)) << U(4) | (board & U(0xF0F0F0F0F0F0F0F0)) >> U(4)
    return (a & U(0x00FF00FF00FF00FF)) << U(8) | (a & U(0xFF00FF00FF00FF00)) >> U(8)


@kernel
def across(board: np.uint64, slides: U64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The board after a slide to the left, to the right, and the reward of either."""
    a, b = slides[board & U(0xFFFF)], slides[board >> U(16) & U(0xFFFF)]
    c, d = slides[board >> U(32) & U(0xFFFF)], slides[board >> U(48)]
    left = (a & U(0xFFFF)) | (b & U(0xFFFF)) << U(16) | (c & U(0xFFFF)) << U(32) | d << U(48)
    right = (
        (a >> U(16) & U(0xFFFF)) | (b & U(0xFFFF0000)) | (c & U(0xFFFF0000)) << U(16) | (d >> U(16)) << U(48)
    )
    return left, right, (a >> U(32)) + (b >> U(32)) + (c >> U(32)) + (d >> U(32))


@kernel
def moved(board: np.uint64, action: int, slides: U64) -> tuple[np.uint64, np.uint64]:
    """The board after an action, and its reward; the same board when the action is not legal."""
    upright = action & 1 == 0
    left, right, reward = across(transposed(board) if upright else board, slides)
    after = left if action == 0 or action == 3 else right
    return (transposed(after) if upright else after), reward


@kernel
def afterstates(board: np.uint64, slides: U64) -> tuple[Words, Words]:
    """Finds for each action the board after it, which is the same board when it is not legal, and its
    reward."""
    left, right, gain = across(board, slides)
    up, down, gain_upright = across(transposed(board), slides)
    return (transposed(up), right, transposed(down), left), (gain_upright, gain, gain_upright, gain)


@kernel
def empty_cells(board: np.uint64) -> np.uint64:
    """The lowest bit of each empty cell."""
    filled = board | board >> U(2)
    return ~(filled | filled >> U(1)) & ONES


@kernel
def with_new_tile(board: np.uint64, fours: int, dice: U64) -> np.uint64:
    """A 2, or a 4 at so many percent, on any cell of the empty ones, of which there is one at least."""
    empty = empty_cells(board)
    drawn = draw(dice, 100 * count_ones(empty))
    return board | nth_one(empty, drawn // 100) << U(drawn % 100 < fours)


@kernel
def can_move(board: np.uint64, slides: U64) -> bool:
    """Whether some action is legal."""
    if empty_cells(board) != U(0):
        return True
    left, _, _ = across(board, slides)
    if left != board:
        return True
    turned = transposed(board)
    up, _, _ = across(turned, slides)
    return up != turned


@kernel
def exponent_at(board: np.uint64, cell: int) -> int:
    """The exponent of the tile in a cell, 0 where it is empty."""
    exponent: Any = np.int64(board >> U(4 * cell) & U(15))
    return exponent


@kernel
def largest(board: np.uint64) -> int:
    """Exponent of the largest tile."""
    found = 0
    for cell in range(16):
        found = max(found, exponent_at(board, cell))
    return found


@kernel
def random_games(games: int, fours: int, slides: U64, dice: U64) -> tuple[int, np.uint64]:
    """Games from the beginning, each move any legal one -> (moves, sum of the scores)."""
    moves, score = 0, U(0)
    for _ in range(games):
        board = with_new_tile(with_new_tile(U(0), fours, dice), fours, dice)
        while True:
            after, reward = moved(board, draw(dice, 4), slides)
            if after != board:
                board = with_new_tile(after, fours, dice)
                score += reward
                moves += 1
            elif not can_move(board, slides):
                break
    return moves, score


@kernel
def perft(board: np.uint64, depth: int, slides: U64) -> int:
    """How many lines there are of `depth` moves, each followed by any new tile, a 2 or a 4."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(4):
        after, _ = moved(board, action, slides)
        if after == board:
            continue
        empty = empty_cells(after)
        while empty != U(0):
            mark = empty & (~empty + U(1))
            empty ^= mark
            lines += perft(after | mark, depth - 1, slides)
            lines += perft(after | mark << U(1), depth - 1, slides)
    return lines
