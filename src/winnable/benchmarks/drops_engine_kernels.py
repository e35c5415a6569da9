"""The loop that the benchmark `drops-engine` times."""

from __future__ import annotations

from winnable.games.drops.click_kernels import click
from winnable.games.drops.kernels import I64, Cells
from winnable.jit import kernel


@kernel
def click_all(boards: Cells, clicked: I64, board: Cells, chain: I64, geometry: I64, repeats: int) -> int:
    """Bursts of all chains. boards: [m, 5 (n + 1)], linked; clicked: int64 [m]; board, chain: room."""
    bursts = 0
    for _ in range(repeats):
        for one in range(boards.shape[0]):
            for place in range(board.size):
                board[place] = boards[one, place]
            bursts += click(board, chain, geometry, clicked[one])
    return bursts
