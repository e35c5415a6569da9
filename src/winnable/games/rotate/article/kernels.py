"""The judge of the article's genetic algorithms and its search with pruning, compiled.

Boards, blocks and actions are those of solve/kernels.py. Arrays are copied number by number, as the first
copy of a slice takes numba two seconds to compile.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import kernel
from winnable.games.rotate.solve.kernels import Blocks, Cells, count_clusters, turn_action
from winnable.inert.arrays import I64, np

RUNNING, FOUND, EXHAUSTED = range(3)
"""What a slice of a search returns."""


class Reached(NamedTuple):
    """How far a search is.

    ply:   turns made
    nodes: boards made so far
    least: the fewest clusters too many of any of them
    best:  how many turns led there; -1: none of this search
    """

    ply: int
    nodes: int
    least: int
    best: int


@kernel
def judge(genomes: I64, cells: Cells, columns: int, blocks: Blocks, ways: int, clusters: I64) -> None:
    """clusters, int64 [m]: how many there are after all turns of each genome, int64 [m, genes] of actions."""
    board, parents = np.empty(len(cells), np.int16), np.empty(len(cells), np.int16)
    for row in range(genomes.shape[0]):
        for place in range(len(cells)):
            board[place] = cells[place]
        for gene in range(genomes.shape[1]):
            turn_action(board, columns, blocks, ways, genomes[row, gene], False)
        clusters[row] = count_clusters(board, columns, parents)


@kernel
def deepen(
    cells: Cells, columns: int, colours: int, blocks: Blocks, crossings: I64, ways: int,
    turns: I64, excess: I64, best: I64, reached: Reached, steps: int,
) -> tuple[int, Reached]:  # fmt: skip
    """Goes on with the search for a line of at most `len(turns)` turns until so many boards more are made:
    RUNNING, FOUND or EXHAUSTED, and how far it is then.

    Depth first; `cells` is the board of the current node and the start again when all is EXHAUSTED. turns:
    int64 [depth], the action at each ply, -1 before the first; excess: int64 [depth + 1], the clusters too
    many; best: int64 [depth], the turns to the board with the fewest; crossings: int64 [blocks], pairs of
    neighbours of which one cell lies in the block.

    A turn changes no pair of neighbours but these crossings, so the clusters fall by no more than these; what
    cannot fall far enough in the turns that are left is pruned. So are turns of the same block again, and one
    of the two orders of turns of separate blocks; and turns of the whole board, which change nothing.
    """
    parents, most, depth = np.empty(len(cells), np.int16), crossings.max(), len(turns)
    actions, (ply, nodes, least, length) = len(blocks) * ways, reached
    stop = nodes + steps
    while nodes < stop:
        turns[ply] += 1
        if turns[ply] == actions:
            if ply == 0:
                return EXHAUSTED, Reached(0, nodes, least, length)
            ply -= 1
            turn_action(cells, columns, blocks, ways, int(turns[ply]), True)
            continue
        action = int(turns[ply])
        block = action // ways
        later = (depth - ply - 1) * most
        pruned = crossings[block] == 0 or excess[ply] > crossings[block] + later
        if pruned or (ply and is_repetition(blocks, int(turns[ply - 1]) // ways, block, ways)):
            turns[ply] += ways - 1 - action % ways  # on to the next block
            continue
        turn_action(cells, columns, blocks, ways, action, False)
        left = count_clusters(cells, columns, parents) - colours
        nodes += 1
        if left < least:
            least, length = left, ply + 1
            for earlier in range(ply + 1):
                best[earlier] = turns[earlier]
        if left == 0:
            return FOUND, Reached(ply, nodes, least, length)
        if ply + 1 < depth and left <= later:
            ply += 1
            turns[ply], excess[ply] = -1, left
        else:
            turn_action(cells, columns, blocks, ways, action, True)
    return RUNNING, Reached(ply, nodes, least, length)


@kernel
def is_repetition(blocks: Blocks, before: int, block: int, ways: int) -> bool:
    """Whether another line does the same: the block turned just now, where a turn may be of any quarters; or
    one that has no cell in common with that and comes before it in the list."""
    if before == block:
        return ways == 3
    if before < block:
        return False
    apart = blocks[before, 0] + blocks[before, 2] <= blocks[block, 0]
    apart = apart or blocks[block, 0] + blocks[block, 2] <= blocks[before, 0]
    apart = apart or blocks[before, 1] + blocks[before, 2] <= blocks[block, 1]
    return apart or blocks[block, 1] + blocks[block, 2] <= blocks[before, 1]
