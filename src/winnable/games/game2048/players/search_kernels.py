"""Expectimax over a network, compiled: what a board after a move is worth, by looking ahead.

How far it looks is a matter of chance: each move and new tile costs one bit and as many as the tile's chance
takes, and where a line has none left, it ends with the best move by one ply. So it looks far where few cells
are empty, and no time goes to what hardly happens.

It goes along a line and back without calling itself, so that it stops after any board and goes on from there.

costs:  int64 [17, 2], of a move with a new 2 and with a new 4, by how many cells are empty; in parts of a bit
table:  uint64 [a power of two, 2], transpositions: a board after a move, and what was left there
worths: float32 [the same], of these boards
count:  int64 [2], how many boards the network has valued so far, and how many it may
"""

from __future__ import annotations

from typing import Any, NamedTuple

from winnable.compiled.bit_kernels import count_ones
from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.game2048.board.kernels import afterstates, empty_cells
from winnable.games.game2048.exact.kernels import scattered
from winnable.games.game2048.network.kernels import Net, Word, look_up_moves, looked_up
from winnable.inert.arrays import F32, I64, U32, U64, U, np


class Line(NamedTuple):
    """Boards after moves, each of which comes after the one before, and how far each is looked at.

    words:   uint64 [boards, 3]: the board, its cells that are still to get the tile, the one with a new tile
    numbers: int64 [boards, 3]: what is left, the tile (0: a 2, 1: a 4), and the action that is looked at
    sums:    float32 [boards, 3]: worth of tiles so far, of cells with this tile, of the best action
    at:      int64 [1]: the board that comes next
    """

    words: U64
    numbers: I64
    sums: F32
    at: I64


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


@inlined_kernel
def go_on(
    at: int, fours: np.float32, count: I64, costs: I64, table: U64, worths: F32, places: U32, net: Net,
    slides: U64, line: Line,
) -> bool:  # fmt: skip
    """Goes on with a board of the line until one after it is to be looked at, which is then the next. True:
    its worth is known, the first of its sums. That means nothing when `count` is past what it may be."""
    weights, masks, limits = net
    words, numbers, sums, _ = line
    after, marks, board = words[at, 0], words[at, 1], words[at, 2]
    left, tile, action = numbers[at, 0], numbers[at, 1], numbers[at, 2]
    whole, part, best = sums[at, 0], sums[at, 1], sums[at, 2]
    empty = empty_cells(after)
    cells = count_ones(empty)
    while True:
        if action >= 0:
            afters, _ = afterstates(board, slides)
            while action < 4 and afters[action] == board:
                action += 1
            if action < 4:
                words[at, 1], words[at, 2] = marks, board
                numbers[at, 1], numbers[at, 2] = tile, action
                sums[at, 0], sums[at, 1], sums[at, 2] = whole, part, best
                words[at + 1, 0], numbers[at + 1, 0] = afters[action], left - costs[cells, tile]
                return False
            action, part = -1, part + (best if best > -np.inf else np.float32(0))
            if count[0] > count[1]:
                sums[at, 0] = part
                return True
        if marks == U(0):
            if tile >= 0:
                whole += (fours if tile == 1 else np.float32(1) - fours) * part
            tile, part = tile + 1, np.float32(0)
            if tile == 2:
                whole /= np.float32(cells)
                slot: Any = scattered(after) & U(len(table) - 1)
                table[slot, 0], table[slot, 1] = after, U(left)
                worths[slot] = sums[at, 0] = whole
                return True
            if (fours if tile == 1 else np.float32(1) - fours) > 0:
                marks = empty
            continue
        mark = marks & (~marks + U(1))
        marks ^= mark
        board = after | mark << U(tile)
        if left <= costs[cells, tile]:
            part += worth_by_one_ply(board, count, places, weights, masks, limits, slides)
        else:
            action, best = 0, np.float32(-np.inf)


@borrowing_kernel
def expected(
    boards: int, fours: np.float32, count: I64, costs: I64, table: U64, worths: F32, places: U32, net: Net,
    slides: U64, line: Line,
) -> bool:  # fmt: skip
    """The rewards to come, of the first board of the line; new tiles are a 4 by a share of `fours`. Stops
    after so many boards, or a few more: False, and it is to be called again."""
    words, numbers, sums, next_at = line
    at, end = next_at[0], count[0] + boards
    while count[0] < end:
        after, left = words[at, 0], numbers[at, 0]
        slot: Any = scattered(after) & U(len(table) - 1)
        known = table[slot, 0] == after and table[slot, 1] == U(left)
        if known:
            sums[at, 0] = worths[slot]
        else:
            words[at, 1], numbers[at, 1], numbers[at, 2] = U(0), -1, -1
            sums[at, 0] = sums[at, 1] = np.float32(0)
        while True:
            if known:
                if at == 0:
                    return True
                at -= 1
                _, rewards = afterstates(words[at, 2], slides)
                action = int(numbers[at, 2])
                worth = np.float32(rewards[action]) + sums[at + 1, 0]
                sums[at, 2], numbers[at, 2] = max(sums[at, 2], worth), action + 1
            known = go_on(at, fours, count, costs, table, worths, places, net, slides, line)
            if not known:
                break
        at += 1
    next_at[0] = at
    return False
