"""Expectimax over a network, compiled: what a board after a move is worth, by looking ahead.

How far it looks is a matter of chance: each move and new tile costs one bit and as many as the tile's chance
takes, and where a line has none left, it ends with the best move by one ply. So it looks far where few cells
are empty, and no time goes to what hardly happens.

costs:  int64 [17, 2], of a move with a new 2 and with a new 4, by how many cells are empty; in parts of a bit
table:  uint64 [a power of two, 2], transpositions: a board after a move, and what was left there
worths: float32 [the same], of these boards
count:  int64 [2], how many boards the network has valued so far, and how many it may
"""

from __future__ import annotations

from typing import Any

from winnable.compiled.bit_kernels import count_ones
from winnable.compiled.jit import inlined_kernel, kernel
from winnable.games.game2048.board.kernels import afterstates, empty_cells
from winnable.games.game2048.exact.kernels import scattered
from winnable.games.game2048.network.kernels import Net, Word, look_up_moves, looked_up
from winnable.inert.arrays import F32, I64, U32, U64, U, np


@inlined_kernel
def worth_by_one_ply(
    board: Word, count: I64, places: U32, weights: F32, masks: U64, limits: U64, slides: U64
) -> np.float32:
    """The most of reward and value together, 0 when no move is legal."""
    afters, rewards = afterstates(board, slides)
    count[0] += look_up_moves(board, afters, places, weights, masks, limits)
    best = np.float32(-np.inf)
    for action in range(4):
        if afters[action] != board:
            best = max(best, np.float32(rewards[action]) + looked_up(action, places, weights))
    return best if best > -np.inf else np.float32(0)


@kernel
def expected(
    after: Word, left: int, fours: np.float32, count: I64, costs: I64, table: U64, worths: F32, places: U32,
    net: Net, slides: U64,
) -> np.float32:  # fmt: skip
    """The rewards to come, of a board after a move; new tiles are a 4 by a share of `fours`. It means nothing
    when `count` is past what it may be."""
    weights, masks, limits = net
    slot: Any = scattered(after) & U(len(table) - 1)
    if table[slot, 0] == after and table[slot, 1] == U(left):
        known: Any = worths[slot]
        return known
    empty = empty_cells(after)
    cells = count_ones(empty)
    whole: Any = np.float32(0)
    for tile in range(2):
        share = fours if tile == 1 else np.float32(1) - fours
        if share == 0:
            continue
        rest, part, marks = left - costs[cells, tile], np.float32(0), empty
        while marks != U(0):
            mark = marks & (~marks + U(1))
            marks ^= mark
            board = after | mark << U(tile)
            if rest <= 0:
                part += worth_by_one_ply(board, count, places, weights, masks, limits, slides)
                continue
            afters, rewards = afterstates(board, slides)
            best = np.float32(-np.inf)
            for action in range(4):
                if afters[action] != board:
                    worth = np.float32(rewards[action]) + expected(
                        afters[action], rest, fours, count, costs, table, worths, places, net, slides
                    )
                    best = max(best, worth)
            part += best if best > -np.inf else np.float32(0)
            if count[0] > count[1]:
                return part
        whole += share * part
    whole /= np.float32(cells)
    table[slot, 0], table[slot, 1] = after, U(left)
    worths[slot] = whole
    return whole
