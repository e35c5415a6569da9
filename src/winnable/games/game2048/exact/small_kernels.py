"""Boards of at most 10 cells as one uint64, compiled: moves by tables of lines, and the least image.

Boards lie: 2 × 2 to 2 × 5, or 3 × 3. Cell `row * columns + column` is at bit 4 * cell, as an exponent of two;
0 is empty. Tiles are below 2 ** 15, so that none that a move makes is larger than a cell can hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from winnable.compiled.jit import kernel
from winnable.games.game2048.board.kernels import ONES, empty_cells
from winnable.games.game2048.exact import symmetry
from winnable.inert.arrays import U64, U, np

LOW: Final = 0xFFFFFFFF


class Exchange(NamedTuple):
    """Cells that change places: those of each mask with those so many bits higher; others stay."""

    near: Any
    near_bits: Any
    far: Any
    far_bits: Any
    staying: Any


class Shape(NamedTuple):
    rows: int
    columns: int
    mirror: Exchange
    flip: Exchange
    transpose: Exchange
    """Of a board that is no square, nothing changes places."""


@cache
def shape(rows: int, columns: int) -> Shape:
    """What the kernels need of a lying board of so many rows and columns."""
    itself, mirrored, flipped, _, *transposed = symmetry.images(rows, columns)
    return Shape(rows, columns, _exchange(mirrored), _exchange(flipped), _exchange((*transposed, itself)[0]))


def _exchange(places: Sequence[int]) -> Exchange:
    """Of an image in which cells change places in pairs, which are one of two distances apart."""

    def mask(distance: int) -> Any:
        return U(sum(15 << 4 * cell for cell, place in enumerate(places) if place - cell == distance))

    none = len(places)
    distances = sorted({place - cell for cell, place in enumerate(places) if place > cell})
    near, far = [*distances, none, none][:2]
    return Exchange(mask(near), U(4 * near), mask(far), U(4 * far), mask(0))


@cache
def lines(length: int, stride: int) -> U64:
    """uint64 [16 ** length], for each line, packed in bits without gaps: from bit 0 on what it is after a
    slide to its first cell, from bit 32 on to its last one, cells `stride` bits apart. Shared: not to be
    written to."""
    table = np.empty(16**length, np.uint64)
    fill_lines(length, stride, table)
    return table


@kernel
def slid(line: int, length: int, step: int) -> int:
    """A line, its cells 4 bits apart, after a slide to its first cell (step 1) or to its last (step -1)."""
    cell = place = 0 if step > 0 else length - 1
    moved, waiting = 0, 0
    for _ in range(length):
        exponent = line >> 4 * cell & 15
        cell += step
        if exponent == 0:
            continue
        if exponent == waiting:
            moved += 1 << 4 * (place - step)
            waiting = 0
        else:
            moved |= exponent << 4 * place
            place += step
            waiting = exponent
    return moved


@kernel
def fill_lines(length: int, stride: int, table: U64) -> None:
    """Writes for each line of this length what it slides to, as `lines` keeps it."""
    for line in range(table.size):
        entry = U(0)
        for side in range(2):
            moved = slid(line, length, 1 - 2 * side)
            for cell in range(length):
                entry |= U(moved >> 4 * cell & 15) << U(32 * side + stride * cell)
        table[line] = entry


@kernel
def moves(
    board: np.uint64, shape: Shape, rows: U64, columns: U64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The board after each action; the same board when the action is not legal. rows, columns: their
    `lines`."""
    width = 4 * shape.columns
    up, right, down, left = U(0), U(0), U(0), U(0)
    row = (U(1) << U(width)) - U(1)
    for shift in range(0, width * shape.rows, width):
        entry = rows[board >> U(shift) & row]
        left |= (entry & U(LOW)) << U(shift)
        right |= entry >> U(32) << U(shift)
    for shift in range(0, width, 4):
        from_here = board >> U(shift)
        # There are 3 rows at most; of 2 rows the third cell is empty, as nothing lies behind the board.
        line = (
            (from_here & U(0xF))
            | (from_here >> U(width - 4) & U(0xF0))
            | (from_here >> U(2 * width - 8) & U(0xF00))
        )
        entry = columns[line]
        up |= (entry & U(LOW)) << U(shift)
        down |= entry >> U(32) << U(shift)
    return up, right, down, left


@kernel
def exchanged(board: np.uint64, exchange: Exchange) -> np.uint64:
    """The board after its cells have changed places."""
    near, near_bits, far, far_bits, staying = exchange
    return (
        (board & near) << near_bits
        | (board >> near_bits & near)
        | (board & far) << far_bits
        | (board >> far_bits & far)
        | (board & staying)
    )


@kernel
def canonical(board: np.uint64, shape: Shape) -> np.uint64:
    """The least of the board's images, see `symmetry.images`."""
    least = board
    for _ in range(2 if shape.rows == shape.columns else 1):
        mirrored = exchanged(board, shape.mirror)
        least = min(least, board, mirrored)
        least = min(least, exchanged(board, shape.flip), exchanged(mirrored, shape.flip))
        board = exchanged(board, shape.transpose)
    return least


@kernel
def empty_on(board: np.uint64, shape: Shape) -> np.uint64:
    """The lowest bit of each empty cell."""
    return empty_cells(board) & ((U(1) << U(4 * shape.columns * shape.rows)) - U(1))


@kernel
def has(board: np.uint64, exponent: int) -> bool:
    """Whether the board has such a tile; the exponent is not 0."""
    return empty_cells(board ^ ONES * U(exponent)) != U(0)
