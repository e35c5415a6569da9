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
from winnable.games.rotate.solve.gap_kernels import Growth, total_gap
from winnable.games.rotate.solve.kernels import Blocks, Cells, count_clusters, turn_action
from winnable.games.rotate.solve.rating_kernels import Words, rate_borders, rate_spread, read_bits, read_sums
from winnable.inert.arrays import F64, I64, NDArray, U, np

CLUSTERS, LINKS, SPREAD, GAPS, RANK = range(5)
"""Columns of `features`."""
NEVER = inf
WAYS = 3
"""Of a block to turn."""
STATE, TURN = range(2)
"""Places in `Workspace.at`: where `expand` goes on, and which of the state's turns is tested next."""
TESTED = 1_000_000
"""Cells of children that may be finished, which `expand` tests before it pauses."""


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


class Factors(NamedTuple):
    """How much links, spread and gaps weigh against a cluster."""

    links: float
    spread: float
    gaps: float


class Workspace(NamedTuple):
    """What `expand` and `judge` write for one state and read again; at: int64 [2], see STATE."""

    at: I64
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
    growth: Growth


class Pool(NamedTuple):
    """Children: twice as many as are judged. features: float64 [size, 5], `links` and `spread` those of the
    child, the rank an estimate before `judge`. hash: uint64. seen: uint64 [a power of two], 0 = free. ranks:
    float64 [size], what `smallest` sorts in. number: int64 [1], of the children. limit: float64 [1]: what
    ranks higher need not come in."""

    parent: NDArray[np.int32]
    action: NDArray[np.int32]
    features: F64
    hash: Words
    seen: Words
    ranks: F64
    number: I64
    limit: F64


@borrowing_kernel
def expand(
    shape: Shape,
    states: Cells,
    features: F64,
    first: int,
    last: int,
    largest: int,
    factors: Factors,
    work: Workspace,
    pool: Pool,
) -> tuple[int, int]:
    """Puts the children of the states from first to last - 1 in the pool, or of fewer, where many may be
    finished; ends early at a finished one, whose parent and action it returns; else -1, -1. largest: no block
    with a greater side turns."""
    rows, columns, colours, sides = shape.rows, shape.columns, shape.colours, shape.sides[: largest // 2]
    cells, links, euler, spread = work.cells, work.links, work.euler, work.spread
    parent, action, pooled = pool.parent, pool.action, pool.features
    at, gains, turns, limit, tested = work.at, work.gains, 0, pool.limit[0], 0
    for side in sides:
        turns += 3 * (rows - side + 1) * (columns - side + 1)
    number = pool.number[0]
    for state in range(first, last):
        at[STATE] = state
        for place in range(cells.size):
            cells[place] = states[state, place]
        _, now = read_bits(cells, rows, columns, work.planes, work.likes)
        read_sums(cells, rows, columns, work.sums)
        rate_borders(rows, columns, work.planes, work.likes, sides, work.borders, links, euler)
        rate_spread(rows, columns, work.sums, shape.colour_weights, sides, work.pulls, spread)
        rank, old_links = rank_of(features, state, factors), features[state, LINKS]
        old_spread, old_gaps = features[state, SPREAD], features[state, GAPS]
        least = rate_turns(turns, links, euler, spread, factors, gains)
        for turned in range(at[TURN], turns if now + least <= colours else 0):
            if now + euler[turned] <= colours:
                if tested > TESTED:
                    pool.number[0], pool.limit[0], at[TURN] = number, limit, turned
                    return -1, -1
                tested += cells.size
                turn_action(cells, columns, shape.blocks, WAYS, turned, False)
                found = count_clusters(cells, columns, work.parents) == colours
                for place in range(cells.size):
                    cells[place] = states[state, place]
                if found:
                    at[TURN] = 0
                    return state, turned
        at[TURN] = 0
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
    pool.number[0], pool.limit[0], at[STATE] = number, limit, last
    return -1, -1


@borrowing_kernel
def rate_turns(turns: int, links: I64, euler: I64, spread: I64, factors: Factors, gains: F64) -> int:
    """Fills `gains`: by how much each turn betters the rank, about. Returns the least that one adds to the
    Euler number."""
    least = 0
    for turned in range(turns):
        gains[turned] = factors.links * links[turned] + factors.spread * spread[turned] - euler[turned]
        least = min(least, euler[turned])
    return least


@inlined_kernel
def make_child(shape: Shape, states: Cells, child: int, pool: Pool, cells: Cells) -> None:
    """Writes the board of a child to `cells`."""
    state = pool.parent[child]
    for place in range(cells.size):
        cells[place] = states[state, place]
    turn_action(cells, shape.columns, shape.blocks, WAYS, pool.action[child], False)


@borrowing_kernel
def judge(
    shape: Shape, states: Cells, first: int, last: int, factors: Factors, work: Workspace, pool: Pool
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
        pooled[child, RANK] = rank_of(pooled, child, factors)


@borrowing_kernel
def measure_gaps(
    shape: Shape, states: Cells, first: int, last: int, factors: Factors, work: Workspace, pool: Pool
) -> None:
    """Replaces the parents' gaps by their own in children from first to last - 1 of the pool."""
    cells, parents, pooled = work.cells, work.parents, pool.features
    for child in range(first, last):
        if pooled[child, RANK] < NEVER:
            make_child(shape, states, child, pool, cells)
            count_clusters(cells, shape.columns, parents)
            pooled[child, GAPS] = total_gap(cells, shape.colours, parents, work.growth)
            pooled[child, RANK] = rank_of(pooled, child, factors)


@borrowing_kernel
def rank_of(features: F64, state: int, factors: Factors) -> float:
    """The rank of the state by these factors, which change from level to level."""
    return (
        features[state, CLUSTERS]
        - factors.links * features[state, LINKS]
        - factors.spread * features[state, SPREAD]
        + factors.gaps * features[state, GAPS]
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
    """The value that would stand at the index if the first `number` values were sorted; they change places.
    By Hoare's selection."""
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
