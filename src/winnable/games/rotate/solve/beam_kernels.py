"""Kernels of rotate: one level of a beam search over turns.

A level is made in some steps, the long ones in slices. `expand` rates every turn of every state without
turning (see rating_kernels.py) and puts the best children in a pool; a child that may be finished is tested
at once, whatever its rank. `judge` makes the children of the pool, drops doubles and counts clusters.
`measure_gaps` does so with the gaps, for the best of these. `keep` chooses, and `build` makes the chosen
children the states, int16 [width, cells], of the next level.

A state's rank, the lower the better: clusters - a weight times links - a weight times spread + a weight
times gaps. States are told apart by a 64-bit hash: two that share one would cost the beam a state, never a
false line, as lines are replayed.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.rotate.solve.gap_kernels import total_gap
from winnable.games.rotate.solve.kernels import Blocks, Cells, count_clusters, turn
from winnable.games.rotate.solve.rating_kernels import Words, rate_borders, rate_spread, read_bits, read_sums
from winnable.inert.arrays import F64, I64, NDArray, U, np

POOLED, TESTED, GOAL_PARENT, GOAL_ACTION = range(4)
"""Places in `at`, int64 [4]: children in the pool; children tested for the goal; parent and action of one
that is finished, -1 before there is one."""
OF_LINKS, OF_SPREAD, OF_GAPS, LIMIT = range(4)
"""Places in `weights`, float64 [4]. LIMIT is no weight: what ranks higher need not go to the pool."""
CLUSTERS, LINKS, SPREAD, GAPS, RANK = range(5)
"""Columns of `features`."""
NEVER = inf


class Shape(NamedTuple):
    """What is true of a board whatever its state.

    blocks: int64 [blocks, 3]. sides: int64. zobrist: uint64 [cells, colours]. colour_weights: int64 [colours
    padded].
    """

    rows: int
    columns: int
    colours: int
    blocks: Blocks
    sides: I64
    zobrist: Words
    colour_weights: I64


class Workspace(NamedTuple):
    """What `expand` and `judge` write for one state and read again."""

    cells: Cells
    parents: Cells
    planes: Words
    likes: Words
    sums: I64
    borders: Words
    links: I64
    euler: I64
    pulls: I64
    spread: I64
    gains: F64
    gaps: NDArray[np.int32]


class Pool(NamedTuple):
    """Children: twice as many as are judged. features: float64 [size, 5], `links` and `spread` those of the
    child, the rank an estimate before `judge`. hash: uint64. seen: uint64 [a power of two], 0 = free. ranks:
    float64 [size], what `smallest` sorts in."""

    parent: NDArray[np.int32]
    action: NDArray[np.int32]
    features: F64
    hash: Words
    seen: Words
    ranks: F64


@borrowing_kernel
def expand(
    shape: Shape,
    states: Cells,
    features: F64,
    first: int,
    last: int,
    largest: int,
    weights: F64,
    work: Workspace,
    pool: Pool,
    at: I64,
) -> None:
    """Puts the children of the states from first to last - 1 in the pool; ends early at a finished one.
    largest: no block with a greater side turns."""
    rows, columns, colours, sides = shape.rows, shape.columns, shape.colours, shape.sides[: largest // 2]
    cells, links, euler, spread = work.cells, work.links, work.euler, work.spread
    parent, action, pooled = pool.parent, pool.action, pool.features
    of_links, of_spread, limit = weights[OF_LINKS], weights[OF_SPREAD], weights[LIMIT]
    gains, turns = work.gains, 0
    for side in sides:
        turns += 3 * (rows - side + 1) * (columns - side + 1)
    number = at[POOLED]
    for state in range(first, last):
        for place in range(cells.size):
            cells[place] = states[state, place]
        _, now = read_bits(cells, rows, columns, work.planes, work.likes)
        read_sums(cells, rows, columns, work.sums)
        rate_borders(rows, columns, work.planes, work.likes, sides, work.borders, links, euler)
        rate_spread(rows, columns, work.sums, shape.colour_weights, sides, work.pulls, spread)
        rank, old_links = features[state, RANK], features[state, LINKS]
        old_spread, old_gaps = features[state, SPREAD], features[state, GAPS]
        least = rate_turns(turns, links, euler, spread, of_links, of_spread, gains)
        for turned in range(turns if now + least <= colours else 0):
            if now + euler[turned] <= colours:
                turn_cells(shape, cells, turned)
                found = count_clusters(cells, columns, work.parents) == colours
                for place in range(cells.size):
                    cells[place] = states[state, place]
                at[TESTED] += 1
                if found:
                    at[GOAL_PARENT], at[GOAL_ACTION], at[POOLED] = state, turned, number
                    return
        for turned in range(turns):
            if rank - gains[turned] < limit:
                parent[number], action[number] = state, turned
                pooled[number, LINKS] = old_links + links[turned]
                pooled[number, SPREAD] = old_spread + spread[turned]
                pooled[number, GAPS] = old_gaps
                pooled[number, RANK] = rank - gains[turned]
                number += 1
                if number == len(parent):
                    number = len(parent) // 2
                    limit = keep(number, len(parent), pool)
    at[POOLED] = number
    weights[LIMIT] = limit


@borrowing_kernel
def rate_turns(
    turns: int, links: I64, euler: I64, spread: I64, of_links: float, of_spread: float, gains: F64
) -> int:
    """Fills `gains`: by how much each turn betters the rank, about. Returns the least that one adds to the
    Euler number."""
    least = 0
    for turned in range(turns):
        gains[turned] = of_links * links[turned] + of_spread * spread[turned] - euler[turned]
        least = min(least, euler[turned])
    return least


@inlined_kernel
def turn_cells(shape: Shape, cells: Cells, action: int) -> None:
    block, columns = action // 3, shape.columns
    left, top, side = shape.blocks[block, 0], shape.blocks[block, 1], shape.blocks[block, 2]
    turn(cells, columns, left, top, side, action % 3 + 1)


@inlined_kernel
def make_child(shape: Shape, states: Cells, child: int, pool: Pool, cells: Cells) -> None:
    """Writes to `cells`."""
    state = pool.parent[child]
    for place in range(cells.size):
        cells[place] = states[state, place]
    turn_cells(shape, cells, pool.action[child])


@borrowing_kernel
def judge(
    shape: Shape, states: Cells, first: int, last: int, weights: F64, work: Workspace, pool: Pool
) -> None:
    """Makes the children from first to last - 1 of the pool. A double gets the rank NEVER."""
    cells, pooled, seen = work.cells, pool.features, pool.seen
    mask = U(len(seen) - 1)
    for child in range(first, last):
        make_child(shape, states, child, pool, cells)
        code = U(0)
        for place in range(cells.size):
            code ^= shape.zobrist[place, cells[place]]
        slot = code & mask
        while seen[slot] != U(0) and seen[slot] != code:
            slot = slot + U(1) & mask
        if seen[slot] == code:
            pooled[child, RANK] = NEVER
            continue
        seen[slot] = pool.hash[child] = code
        pooled[child, CLUSTERS] = count_clusters(cells, shape.columns, work.parents)
        pooled[child, RANK] = rank_of(pooled, child, weights)


@borrowing_kernel
def measure_gaps(
    shape: Shape, states: Cells, first: int, last: int, weights: F64, work: Workspace, pool: Pool
) -> None:
    """Replaces the parents' gaps by their own in children from first to last - 1 of the pool."""
    rows, columns, colours = shape.rows, shape.columns, shape.colours
    cells, parents, pooled = work.cells, work.parents, pool.features
    for child in range(first, last):
        if pooled[child, RANK] < NEVER:
            make_child(shape, states, child, pool, cells)
            count_clusters(cells, columns, parents)
            pooled[child, GAPS] = total_gap(cells, rows, columns, colours, parents, work.gaps)
            pooled[child, RANK] = rank_of(pooled, child, weights)


@borrowing_kernel
def rank_of(features: F64, state: int, weights: F64) -> float:
    return (
        features[state, CLUSTERS]
        - weights[OF_LINKS] * features[state, LINKS]
        - weights[OF_SPREAD] * features[state, SPREAD]
        + weights[OF_GAPS] * features[state, GAPS]
    )


@borrowing_kernel
def keep(width: int, number: int, pool: Pool) -> float:
    """Moves the `width` best of the first `number` children to the front, in their order; returns the rank of
    the last of them. Doubles are never kept: with fewer others the rank is NEVER."""
    parent, action, features, hashes = pool.parent, pool.action, pool.features, pool.hash
    ranks = pool.ranks
    for child in range(number):
        ranks[child] = features[child, RANK]
    worst = smallest(ranks, number, width - 1) if number > width else NEVER
    equal = width
    for child in range(number):
        if features[child, RANK] < worst:
            equal -= 1
    kept = 0
    for child in range(number):
        rank = features[child, RANK]
        if rank < worst or (rank == worst and equal > 0 and rank < NEVER):
            if rank == worst:
                equal -= 1
            parent[kept], action[kept], hashes[kept] = parent[child], action[child], hashes[child]
            for column in range(features.shape[1]):
                features[kept, column] = features[child, column]
            kept += 1
    for child in range(kept, number):
        features[child, RANK] = NEVER
    return worst


@borrowing_kernel
def smallest(values: F64, number: int, index: int) -> float:
    """What would stand at the index if the first `number` values were sorted; they change places. By Hoare's
    selection."""
    low, high = 0, number - 1
    while low < high:
        pivot = values[(low + high) // 2]
        left, right = low, high
        while left <= right:
            while values[left] < pivot:
                left += 1
            while values[right] > pivot:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                left += 1
                right -= 1
        if index <= right:
            high = right
        elif index >= left:
            low = left
        else:
            break
    return values[index]


@borrowing_kernel
def build(shape: Shape, states: Cells, width: int, pool: Pool, children: Cells, features: F64) -> int:
    """Makes the first children of the pool that are no doubles, at most `width`, states of the next level.
    Returns how many there are."""
    for child in range(width):
        if pool.features[child, RANK] == NEVER:
            return child
        make_child(shape, states, child, pool, children[child])
        for column in range(features.shape[1]):
            features[child, column] = pool.features[child, column]
    return width
