"""Beam search over the pieces that are seen: each round places one more, in play or held.

The best boards of a round are kept, each once: a board is known by a hash of it, the held piece and how many
pieces were taken, and two that share one by chance cost a board, nothing more.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.dice_kernels import FACTOR
from winnable.compiled.jit import kernel
from winnable.games.tetris.modern.players.move_kernels import (
    COST,
    SPIN,
    TURN,
    TURNS,
    Tables,
    Workspace,
    X,
    Y,
    fill_free,
    reach,
)
from winnable.games.tetris.modern.players.value_kernels import (
    Sent,
    Weights,
    board_value,
    clear_rows,
    put,
    reward,
)
from winnable.games.tetris.modern.rules.level import VISIBLE, WIDTH
from winnable.games.tetris.modern.rules.srs import SPAWN
from winnable.inert.arrays import F64, I64, U64, U, np

EMPTY: Final = -1
"""Nothing is held."""
SPAWN_X, SPAWN_Y = SPAWN
HELD, TAKEN, COMBO, CHAIN, ROOT = range(5)
"""Places in a row of `Beam.nodes`: the held piece, pieces taken from the row, the tally, the first
placement."""
NODE_SIZE: Final = 5
PARENT, SWAPPED, PIECE, TO_TURN, TO_X, TO_Y, TO_SPIN = range(7)
"""Places in a row of `Beam.children`."""
CHILD_SIZE: Final = 7
CHILDREN: Final = 160
"""Room for so many children of each node; more are left out."""
VALUE, EARNED = 0, 1
"""Places in `Beam.values` and `Beam.sums`: what a board is worth with all that was earned, and that alone."""
UNREACHED: Final = -1e9
"""Is added to the value of a first placement that no board of the last round comes from."""


class Pose(NamedTuple):
    """How the piece in play lies."""

    turn: int
    x: int
    y: int
    spin: int


class Start(NamedTuple):
    """Where a search begins.

    columns:  the board, as in move_kernels.py
    pieces:   the one in play and those seen
    combo, chain: the tally
    grounded: whether pieces fall too fast to be steered in the air
    """

    columns: U64
    held: int
    can_hold: bool
    pieces: I64
    pose: Pose
    combo: int
    chain: int
    grounded: bool


class Step(NamedTuple):
    """A piece that is about to be placed: on the board of which node, whether it was swapped for the held
    one, and what is held and how many are taken then."""

    node: int
    swapped: int
    piece: int
    held: int
    taken: int


class Beam(NamedTuple):
    """What a search writes and reads again. The boards and nodes of two rounds take turns.

    boards:   uint64 [2, width, 10]; nodes: int64 [2, width, 5]; sums: float64 [2, width, 2]
    children: int64 [n, 7]; values: float64 [n, 2]; hashes: uint64 [n]; kept: uint64 [4 width or more]
    firsts:   int64 [n, 7], the children of the root; first_values: float64 [n], best of what follows each
    """

    boards: U64
    nodes: I64
    sums: F64
    children: I64
    values: F64
    hashes: U64
    kept: U64
    firsts: I64
    first_values: F64
    heights: I64
    spare: U64


def new_beam(width: int) -> Beam:
    """The arrays of a beam that keeps `width` boards of each round."""
    most = max(width, 4) * CHILDREN
    return Beam(
        np.zeros((2, width, WIDTH), np.uint64),
        np.zeros((2, width, NODE_SIZE), np.int64),
        np.zeros((2, width, 2)),
        np.zeros((most, CHILD_SIZE), np.int64),
        np.zeros((most, 2)),
        np.zeros(most, np.uint64),
        np.zeros(1 << (4 * width).bit_length(), np.uint64),
        np.zeros((most, CHILD_SIZE), np.int64),
        np.zeros(most),
        np.zeros(WIDTH, np.int64),
        np.zeros(WIDTH, np.uint64),
    )


@kernel
def hash_of(columns: U64, held: int, taken: int) -> U:
    """The hash of a node, never 0. Multiplies with carry as dice_kernels.py does, so that nothing
    overflows."""
    mixed = U(held + 2) << U(8) | U(taken + 1)
    for x in range(WIDTH):
        mixed ^= columns[x]
        mixed = (mixed & U(0xFFFFFFFF)) * U(FACTOR) + (mixed >> U(32))
    return mixed | U(1)


@kernel
def is_new(kept: U64, key: U) -> bool:
    """Puts the hash into the table; False if it was there."""
    mask = kept.size - 1
    place = np.int64(key >> U(7)) & mask
    while kept[place]:
        if kept[place] == key:
            return False
        place = (place + 1) & mask
    kept[place] = key
    return True


@kernel
def add_children(
    beam: Beam,
    side: int,
    step: Step,
    found: I64,
    count: int,
    first: int,
    w: Weights,
    tables: Tables,
    sent: Sent,
) -> int:
    """Puts the placements found behind the `first` children there are, and says how many there are then."""
    node, swapped, piece, held, taken = step
    spare, board, about = beam.spare, beam.boards[side, node], beam.nodes[side, node]
    for i in range(count):
        if first >= beam.hashes.size:
            break
        turn, x, y, spin = found[i, TURN], found[i, X], found[i, Y], found[i, SPIN]
        cells = tables.cells[TURNS * piece + turn]
        if y + min(min(cells[1], cells[3]), min(cells[5], cells[7])) >= VISIBLE:
            continue
        spare[:] = board
        put(spare, cells, x, y)
        lines = clear_rows(spare)
        combo = about[COMBO] + 1 if lines else -1
        is_empty = not spare.any() if lines else False
        earned = beam.sums[side, node, EARNED] + reward(
            piece, lines, spin, found[i, COST], combo, about[CHAIN], is_empty, w, sent
        )
        child = beam.children[first]
        child[PARENT], child[SWAPPED], child[PIECE] = node, swapped, piece
        child[TO_TURN], child[TO_X], child[TO_Y], child[TO_SPIN] = turn, x, y, spin
        beam.values[first, EARNED] = earned
        beam.values[first, VALUE] = earned + board_value(spare, w, beam.heights)
        beam.hashes[first] = hash_of(spare, held, taken)
        first += 1
    return first


@kernel
def keep_best(beam: Beam, side: int, count: int, pieces: I64, is_first: bool, tables: Tables) -> int:
    """Makes the best children the nodes of the other side; returns how many."""
    width, kept = beam.sums.shape[1], 0
    beam.kept[:] = U(0)
    order = np.argsort(-beam.values[:count, VALUE])
    for i in range(count):
        chosen = int(order[i])
        if not is_new(beam.kept, beam.hashes[chosen]):
            continue
        child = beam.children[chosen]
        parent, board = beam.nodes[side, child[PARENT]], beam.boards[1 - side, kept]
        board[:] = beam.boards[side, child[PARENT]]
        put(board, tables.cells[TURNS * child[PIECE] + child[TO_TURN]], child[TO_X], child[TO_Y])
        lines = clear_rows(board)
        node = beam.nodes[1 - side, kept]
        held, taken = after_taking(parent[HELD], parent[TAKEN], child[SWAPPED], pieces)
        node[HELD], node[TAKEN] = held, taken
        node[COMBO] = parent[COMBO] + 1 if lines else -1
        node[CHAIN] = parent[CHAIN] if lines == 0 else int(lines == 4 or child[TO_SPIN] > 0)
        node[ROOT] = chosen if is_first else parent[ROOT]
        beam.sums[1 - side, kept] = beam.values[chosen]
        kept += 1
        if kept == width:
            break
    return kept


@kernel
def after_taking(held: int, taken: int, swapped: int, pieces: I64) -> tuple[int, int]:
    """The piece that is held, and how many are taken, when the next one, or the held one, has been placed."""
    if swapped == 0:
        return held, taken + 1
    return pieces[taken], taken + (2 if held == EMPTY else 1)


@kernel
def search(
    start: Start, depth: int, w: Weights, tables: Tables, sent: Sent, work: Workspace, beam: Beam
) -> int:
    """Searches from the start; returns how many first placements there are, and fills `beam.firsts` and
    `beam.first_values`."""
    side, count, firsts, pieces, grounded = 0, 1, 0, start.pieces, start.grounded
    beam.boards[0, 0] = start.columns
    root = beam.nodes[0, 0]
    root[HELD], root[TAKEN], root[COMBO], root[CHAIN], root[ROOT] = start.held, 0, start.combo, start.chain, 0
    beam.sums[0, 0] = 0.0
    for played in range(depth):
        total = 0
        for node in range(count):
            board, about = beam.boards[side, node], beam.nodes[side, node]
            if about[TAKEN] >= pieces.size:
                continue
            for swapped in range(2):
                if played == 0 and swapped == 1 and not start.can_hold:
                    continue
                next_held, taken = after_taking(about[HELD], about[TAKEN], swapped, pieces)
                if taken > pieces.size:
                    continue
                if swapped == 0:
                    piece = int(pieces[about[TAKEN]])
                else:
                    piece = int(pieces[taken - 1] if about[HELD] == EMPTY else about[HELD])
                    if piece == pieces[about[TAKEN]]:
                        continue
                if played == 0 and swapped == 0:
                    turn, x, y, spin = start.pose
                    found = reach(board, piece, turn, x, y, spin, grounded, tables, work)
                else:
                    fill_free(board, piece, tables, work.free)
                    if not work.free[SPAWN_X] >> U(SPAWN_Y) & U(1):
                        continue
                    y = SPAWN_Y - 1 if work.free[SPAWN_X] >> U(SPAWN_Y - 1) & U(1) else SPAWN_Y
                    found = reach(board, piece, 0, SPAWN_X, y, 0, grounded, tables, work)
                step = Step(node, swapped, piece, next_held, taken)
                total = add_children(beam, side, step, work.found, found, total, w, tables, sent)
        if total == 0:
            break
        if played == 0:
            firsts = total
            beam.firsts[:firsts] = beam.children[:firsts]
            beam.first_values[:firsts] = beam.values[:firsts, VALUE] + UNREACHED
        count = keep_best(beam, side, total, pieces, played == 0, tables)
        side = 1 - side
    for node in range(count if firsts else 0):
        first = beam.nodes[side, node, ROOT]
        beam.first_values[first] = max(beam.first_values[first], beam.sums[side, node, VALUE])
    return firsts
