"""The article's three tree searches and its genetic algorithm's judge, compiled, on top of click_kernels.py.

A search keeps every state that it made as a row of uint64 words: first what the tank holds (0 where it
follows from the clicks), then the board of bits. Rows are compared whole, so no two states
are ever taken for one. Literals that meet uint64 are wrapped in U(...).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.jit import borrowing_kernel
from winnable.games.drops.rules.puzzle import BURSTS_PER_DROP
from winnable.games.drops.solve.click_kernels import Bits, click, drops_at, is_empty, water
from winnable.games.drops.solve.kernels import copy
from winnable.games.drops.solve.linked_kernels import Clicker
from winnable.inert.arrays import I16, I32, I64, U64, U, np

BREADTH_FIRST, A, A_STAR = range(3)
RUNNING, SOLVED, EXHAUSTED, FULL_TABLE = range(4)
"""What a slice of a search returns."""
NODES, NEXT, HEAP, EXPANDED, GENERATED, GOAL, CUT, OPEN, CHILD = range(9)
"""Places in `at`, int64 [9]: states made, the next of the queue, keys in the heap, states expanded, children
made, the goal's node, the least rank of the states that lie too deep to be expanded, the state that is being
expanded (else -1) and its next cell to be clicked."""
NEVER: Final = 2**31 - 1
SHIFT: Final = 2**23
"""Makes every rank positive: the least is -5 for each of 1024 cells, in units of 1000 at the most."""
NONE, OF_CHAIN, ALL = range(3)
"""What gives drops back: nothing; every third burst of a chain, and clearing the board; each burst, a part of
one."""


class Question(NamedTuple):
    """What is searched. method: BREADTH_FIRST, A or A_STAR; weight, unit: of a click in the rank, and of the
    article's h; depth: lines have at most so many clicks; left: at the root, in parts of which a click takes
    `price`, -1 where there is no limit; gain: which bursts give a part back (NONE, OF_CHAIN, ALL); open:
    whether empty cells may be clicked."""

    method: int
    weight: int
    unit: int
    depth: int
    left: int
    price: int
    gain: int
    open: bool


class Tree(NamedTuple):
    """The states of one search, room for c of them.

    state: uint64 [c, words]; parent, cost (clicks from the root), rank (the article's f): int32 [c]
    click: int16 [c], the one that made the state from its parent
    heap:  int64 [c], a binary heap of `(rank + SHIFT) << 32 | node`: of equal rank the older node first
    slots: int32 [a power of two >= 2 c], a hash table of node + 1; 0 is empty
    """

    at: I64
    state: U64
    parent: I32
    cost: I32
    rank: I32
    click: I16
    heap: I64
    slots: I32


class Workspace(NamedTuple):
    """parent, child: boards; lines: int64 [rows + columns], how many cells of each hold drops."""

    parent: Bits
    child: Bits
    clicker: Clicker
    lines: I64


@borrowing_kernel
def add_root(tree: Tree, question: Question, work: Workspace) -> None:
    """The board of `work.child`, as node 0 of an empty tree."""
    write_state(tree.state, 0, question.left if question.gain != NONE else 0, work.child)
    tree.parent[0], tree.click[0], tree.cost[0] = -1, -1, 0
    tree.rank[0] = question.unit * estimate(work, question.method)
    tree.at[NODES] = 1
    index_states(tree, 0, 1)
    if question.method != BREADTH_FIRST:
        push(tree.heap, tree.at, (int(np.int64(tree.rank[0])) + SHIFT) << 32)


@borrowing_kernel
def grow_search(tree: Tree, question: Question, work: Workspace, steps: int, most: int) -> int:
    """Goes on for so many children and states, or until `most` states are expanded."""
    at, n = tree.at, work.clicker.geometry.cells
    while steps > 0:
        steps -= 1
        if at[OPEN] < 0:
            if at[EXPANDED] >= most:
                break
            status = open_next(tree, question, work)
            if status != RUNNING:
                return status
        elif at[CHILD] < n and not has_room(tree):
            return FULL_TABLE
        else:
            before = int(at[CHILD])
            make_children(tree, question, work, steps + 1)
            steps -= int(at[CHILD]) - before
    return RUNNING


@borrowing_kernel
def has_room(tree: Tree) -> bool:
    """Whether the tables hold one child more."""
    return max(tree.at[NODES], tree.at[HEAP]) + 1 < min(tree.parent.size, tree.heap.size)


@borrowing_kernel
def open_next(tree: Tree, question: Question, work: Workspace) -> int:
    """Takes the next state and tests it; its children follow unless the drops or the depth end there."""
    at = tree.at
    node = take(tree, question)
    if node < 0:
        return EXHAUSTED
    read_state(tree.state, node, work.parent)
    if is_empty(work.parent):
        at[GOAL] = node
        return SOLVED
    if not 0 <= parts_left(tree, question, node) < question.price:
        if tree.cost[node] < question.depth:
            at[OPEN], at[CHILD] = node, 0
        else:
            at[CUT] = min(at[CUT], int(np.int64(tree.rank[node])))
    return RUNNING


@borrowing_kernel
def parts_left(tree: Tree, question: Question, node: int) -> int:
    """The supply at a node, in the question's parts of a drop: -1 without limit."""
    if question.gain != NONE:
        return int(np.int64(tree.state[node, 0]))
    return question.left - int(np.int64(tree.cost[node])) if question.left >= 0 else -1


@borrowing_kernel
def make_children(tree: Tree, question: Question, work: Workspace, steps: int) -> None:
    """Makes children of the open state, by clicks on as many cells more as `steps` and the tables allow. A
    child is kept unless its state is there by as few clicks."""
    at, state, slots, heap = tree.at, tree.state, tree.slots, tree.heap
    parents, clicks, costs, ranks = tree.parent, tree.click, tree.cost, tree.rank
    board, child, clicker, method, gain = (
        work.parent,
        work.child,
        work.clicker,
        question.method,
        question.gain,
    )
    opened, left = int(at[OPEN]), parts_left(tree, question, int(at[OPEN])) - question.price
    cost, most = int(np.int64(costs[opened])) + 1, min(parents.size, heap.size)
    for _ in range(steps):
        cell, node = int(at[CHILD]), int(at[NODES])
        if cell == clicker.geometry.cells:
            at[EXPANDED] += 1
            at[OPEN] = -1
            return
        if max(node, at[HEAP]) + 1 >= most:
            return
        at[CHILD] += 1
        if drops_at(board, cell) == 0 and not question.open:
            continue
        at[GENERATED] += 1
        copy(board, child)
        bursts = click(child, clicker, cell)
        write_state(state, node, left + refund(child, bursts, gain) if gain != NONE else 0, child)
        slot = find_slot(state, slots, node)
        if slots[slot]:
            node = int(np.int64(slots[slot])) - 1
            if cost >= costs[node]:
                continue
            ranks[node] -= question.weight * (costs[node] - cost)
        else:
            slots[slot] = node + 1
            at[NODES] += 1
            ranks[node] = question.weight * cost + question.unit * estimate(work, method)
        parents[node], clicks[node], costs[node] = opened, cell, cost
        if method != BREADTH_FIRST:
            push(heap, at, (int(np.int64(ranks[node])) + SHIFT) << 32 | node)


@borrowing_kernel
def refund(board: Bits, bursts: int, gain: int) -> int:
    """The parts that the chain gives back."""
    if gain == ALL:
        return bursts
    given = bursts // BURSTS_PER_DROP
    return given + 1 if is_empty(board) else given


@borrowing_kernel
def write_state(state: U64, node: int, tank: int, board: Bits) -> None:
    """Writes a row of the table: what the tank holds, then the board."""
    state[node, 0] = U(tank)
    for word in range(board.size):
        state[node, 1 + word] = board[word]


@borrowing_kernel
def read_state(state: U64, node: int, board: Bits) -> None:
    """Copies the board of a row of the table; with `copy` and a slice all of the search took 40 % longer."""
    for word in range(board.size):
        board[word] = state[node, 1 + word]


@borrowing_kernel
def find_slot(state: U64, slots: I32, node: int) -> int:
    """The slot of a state equal to the node's, else a free one. The table is never full."""
    mixed = U(0x9E3779B97F4A7C15)
    for word in range(state.shape[1]):  # xorshift of G. Marsaglia, J. Stat. Softw. 8(14), 2003
        mixed ^= state[node, word]
        mixed ^= mixed << U(13)
        mixed ^= mixed >> U(7)
        mixed ^= mixed << U(17)
    last = slots.size - 1
    slot = int(np.int64(mixed >> U(20))) & last
    while slots[slot]:
        other = slots[slot] - 1
        same = True
        for word in range(state.shape[1]):
            if state[other, word] != state[node, word]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & last
    return slot


@borrowing_kernel
def index_states(tree: Tree, start: int, stop: int) -> None:
    """Enters the states [start, stop), all different, into the hash table."""
    state, slots = tree.state, tree.slots
    for node in range(start, stop):
        slots[find_slot(state, slots, node)] = node + 1


@borrowing_kernel
def take(tree: Tree, question: Question) -> int:
    """The next state; -1 when there is none."""
    at = tree.at
    if question.method == BREADTH_FIRST:
        if at[NEXT] == at[NODES]:
            return -1
        at[NEXT] += 1
        return at[NEXT] - 1
    rank = tree.rank
    while at[HEAP]:
        key = pop(tree)
        node = key & (2**32 - 1)
        if (key >> 32) - SHIFT == rank[node]:  # else it was reached by fewer clicks since
            return node
    return -1


@borrowing_kernel
def push(heap: I64, at: I64, key: int) -> None:
    """Adds a key to the heap."""
    place = at[HEAP]
    while place > 0 and heap[(place - 1) // 2] > key:
        heap[place] = heap[(place - 1) // 2]
        place = (place - 1) // 2
    heap[place] = key
    at[HEAP] += 1


@borrowing_kernel
def pop(tree: Tree) -> int:
    """Takes the least key from the heap."""
    heap = tree.heap
    tree.at[HEAP] -= 1
    size = tree.at[HEAP]
    least, last, place = heap[0], heap[size], 0
    while 2 * place + 1 < size:
        lower = 2 * place + 1
        if lower + 1 < size and heap[lower + 1] < heap[lower]:
            lower += 1
        if heap[lower] >= last:
            break
        heap[place] = heap[lower]
        place = lower
    heap[place] = last
    return least


@borrowing_kernel
def estimate(work: Workspace, method: int) -> int:
    """The article's h of the board `work.child` for this method."""
    if method == BREADTH_FIRST:
        return 0
    board, lines = work.child, work.lines
    rows, columns = work.clicker.geometry.rows, work.clicker.geometry.columns
    lines[:] = 0
    for row in range(rows):
        for column in range(columns):
            if drops_at(board, row * columns + column):
                lines[row] += 1
                lines[rows + column] += 1
    total = 0
    for row in range(rows):
        for column in range(columns):
            drops = drops_at(board, row * columns + column)
            others = lines[row] + lines[rows + column] - 2
            if method == A_STAR:
                if drops:
                    total += 5 - min(5, others + drops)
            elif drops:
                total += 3 - drops if others == 0 else -drops
            else:
                total -= 5
    return total


@borrowing_kernel
def play_genomes(genomes: I64, root: Bits, question: Question, work: Workspace, result: I64) -> None:
    """Plays each genome, int64 [m, genes] of cells, from the board `root`.

    result: int64 [m, 2]: the clicks that were made, and the drops that are left on the board. Genes that
    name an empty cell make no click, unless the level is open; none is made on a cleared board. What is left
    does not count.
    """
    board, clicker = work.child, work.clicker
    is_open, water_at_root = question.open, water(root)
    for row in range(genomes.shape[0]):
        copy(root, board)
        clicks, rest = 0, water_at_root
        for gene in range(genomes.shape[1]):
            cell = genomes[row, gene]
            if rest == 0:
                break
            if not is_open and drops_at(board, cell) == 0:
                continue
            clicks += 1
            bursts = click(board, clicker, cell)
            rest = water(board) if bursts else rest + 1
        result[row, 0], result[row, 1] = clicks, rest
