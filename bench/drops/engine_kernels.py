"""The loop that the benchmark `drops-engine` times."""

from __future__ import annotations

from winnable.compiled.jit import kernel
from winnable.games.drops.solve.click_kernels import UNDECIDED, Bits, click_in_order, try_click
from winnable.games.drops.solve.linked_kernels import Clicker
from winnable.inert.arrays import I64


@kernel
def click_all(boards: Bits, clicked: I64, board: Bits, clicker: Clicker, repeats: int) -> int:
    """Bursts of all chains. boards: [m, 3 w] of bits; clicked: int64 [m]; board: room."""
    total = 0
    for _ in range(repeats):
        for one in range(boards.shape[0]):
            for word in range(board.size):
                board[word] = boards[one, word]
            bursts = try_click(board, clicker.geometry, clicked[one])
            if bursts == UNDECIDED:
                bursts = click_in_order(board, clicker, clicked[one])
            total += bursts
    return total
