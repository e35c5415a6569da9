"""`placements.placements` on bits.

A board is uint64 [10]: a word for each column from the left; bit y is row y. For each turn and column, `free`
has the rows where the piece's centre may be, so that a move is the look at a bit, and a fall a bit's length.

Two queues keep the order by cost: what a tap leads to waits in `near`, what a soft drop leads to in `far`; in
either, costs only rise.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.bit_kernels import bit_length
from winnable.compiled.jit import kernel
from winnable.games.tetris.modern.players.placements import SOFT_COST, same_cells
from winnable.games.tetris.modern.rules.level import HEIGHT, WIDTH
from winnable.games.tetris.modern.rules.spin import CORNERS, LAST_TEST, t_spin
from winnable.games.tetris.modern.rules.srs import HALF, kicks, shape
from winnable.games.tetris.rules.pieces import NAMES
from winnable.inert.arrays import I64, U64, U, np

SPINS = ("", "mini", "full")
T: Final = NAMES.index("T")
TURNS: Final = 4
SIDES: Final = 2
START, FIRST_TURN, FIRST_SIDE, SOFT_TAP = -1, 0, 3, 5
"""Places in `placements.TAPS`."""
PLACES: Final = TURNS * WIDTH
"""Turns and columns; a state of the search is `(spin * PLACES + turn * WIDTH + x) * HEIGHT + y`."""
STATES: Final = len(SPINS) * PLACES * HEIGHT
TURN, X, Y, SPIN, COST, STATE = range(6)
"""Places in a row of `Workspace.found`."""


class Tables(NamedTuple):
    """Made from srs.py and spin.py. A row of `cells` and `same` is that of `4 * piece + turn`.

    cells: int64 [28, 8], x and y of four cells
    same:  int64 [28, 3], see `placements.same_cells`
    kicks: int64 [28, 3, 13], for 1 to 3 quarter turns: how many places are tried, for O none, and x and y
    spins: int64 [2, 4, 16], for another than the last test, and for the last one; the turn; which of CORNERS
           are filled, as bits
    soft_cost: in taps
    """

    cells: I64
    same: I64
    kicks: I64
    spins: I64
    soft_cost: int


class Workspace(NamedTuple):
    """For one search of placements; `found` is its result, `came` how each state was met."""

    free: U64
    seen: U64
    near: I64
    far: I64
    came: I64
    found: I64


def new_tables() -> Tables:
    """The tables, asked of srs.py and spin.py."""
    tables = Tables(
        cells=np.zeros((28, 8), np.int64),
        same=np.zeros((28, 3), np.int64),
        kicks=np.zeros((28, 3, 13), np.int64),
        spins=np.zeros((2, 4, 16), np.int64),
        soft_cost=SOFT_COST,
    )
    for index, piece in enumerate(NAMES):
        for turn in range(TURNS):
            row = TURNS * index + turn
            tables.cells[row] = [place for cell in shape(piece, turn) for place in cell]
            tables.same[row] = same_cells(piece, turn)
            for by in range(1, TURNS):
                tried = () if piece == "O" else kicks(piece, turn, by)
                tables.kicks[row, by - 1, 0] = len(tried)
                tables.kicks[row, by - 1, 1 : 1 + 2 * len(tried)] = [
                    place for move in tried for place in move
                ]
    for is_last in range(2):
        for turn in range(TURNS):
            for filled in range(16):
                corners = [corner for bit, corner in enumerate(CORNERS) if filled >> bit & 1]
                rows = ["".join(".X"[(x - 1, y - 1) in corners] for x in range(WIDTH)) for y in range(3)]
                spin = t_spin(rows, turn, 1, 1, LAST_TEST if is_last else 0)
                tables.spins[is_last, turn, filled] = SPINS.index(spin)
    return tables


def new_workspace() -> Workspace:
    """The workspace of searches for placements."""
    return Workspace(
        free=np.zeros(PLACES, np.uint64),
        seen=np.zeros(4 * len(SPINS) * PLACES, np.uint64),
        near=np.zeros(STATES, np.int64),
        far=np.zeros(STATES, np.int64),
        came=np.zeros(STATES, np.int64),
        found=np.zeros((STATES, 6), np.int64),
    )


@kernel
def fill_free(columns: U64, piece: int, tables: Tables, free: U64) -> None:
    """Fills `free`: for each turn and column the rows where the piece's centre may be."""
    board = (U(1) << U(HEIGHT)) - U(1)
    for turn in range(TURNS):
        cells = tables.cells[TURNS * piece + turn]
        for x in range(WIDTH):
            rows = board
            for i in range(0, 8, 2):
                column, up = x + cells[i], cells[i + 1]
                if column < 0 or column >= WIDTH:
                    rows = U(0)
                elif up >= 0:
                    rows &= (~columns[column] & board) >> U(up)
                else:
                    rows &= (~columns[column] & board) << U(-up)
            free[turn * WIDTH + x] = rows


@kernel
def ground(free: U64, place: int, y: int) -> int:
    """The row where a piece comes to stand that falls from row y."""
    return bit_length(~free[place] & ((U(1) << U(y)) - U(1)))


@kernel
def corner(columns: U64, x: int, y: int) -> int:
    """1 for a filled cell, also off the board, else 0."""
    if x < 0 or x >= WIDTH or y < 0 or y >= HEIGHT:
        return 1
    return 1 if columns[x] >> U(y) & U(1) else 0


@kernel
def spin_at(columns: U64, turn: int, x: int, y: int, is_last: int, tables: Tables) -> int:
    """The spin of a T that was turned into this place, as its place in SPINS."""
    filled = (
        corner(columns, x - 1, y + 1)
        | corner(columns, x + 1, y + 1) << 1
        | corner(columns, x + 1, y - 1) << 2
        | corner(columns, x - 1, y - 1) << 3
    )
    return tables.spins[is_last, turn, filled]


@kernel
def enter(seen: U64, offset: int, spin: int, place: int, y: int) -> bool:
    """Marks a state; False if it was marked before."""
    word, bit = offset * 3 * PLACES + spin * PLACES + place, U(1) << U(y)
    if seen[word] & bit:
        return False
    seen[word] |= bit
    return True


@kernel
def pack(spin: int, place: int, y: int, tap: int, source: int, cost: int) -> int:
    """A state that waits: cost, the state and tap before it (from 1; 0 at the start), and itself."""
    return ((cost << 16 | source) << 4 | tap + 1) << 16 | (spin * PLACES + place) * HEIGHT + y


@kernel
def reach(
    columns: U64,
    piece: int,
    turn: int,
    x: int,
    y: int,
    spin: int,
    grounded: bool,
    tables: Tables,
    work: Workspace,
) -> int:
    """Finds all placements, cheapest first; returns how many, and fills `work.found` and `work.came`."""
    free, seen, near, far = work.free, work.seen, work.near, work.far
    fill_free(columns, piece, tables, free)
    seen[:] = U(0)
    place = turn * WIDTH + x
    if grounded:
        low = ground(free, place, y)
        if low < y:
            y, spin = low, 0
    near[0] = pack(spin, place, y, START, 0, 0)
    near_head, near_tail, far_head, far_tail, count = 0, 1, 0, 0, 0
    while near_head < near_tail or far_head < far_tail:
        if far_head == far_tail or (near_head < near_tail and near[near_head] >> 36 <= far[far_head] >> 36):
            item = near[near_head]
            near_head += 1
        else:
            item = far[far_head]
            far_head += 1
        state, cost = item & 0xFFFF, item >> 36
        place, y = state // HEIGHT, state % HEIGHT
        spin, place = place // PLACES, place % PLACES
        if not enter(seen, 0, spin, place, y):
            continue
        work.came[state] = item >> 16 & 0xFFFFF
        turn, x = place // WIDTH, place % WIDTH
        low = ground(free, place, y)
        same = tables.same[TURNS * piece + turn]
        rest_spin = spin if low == y else 0
        if enter(seen, 1, rest_spin, same[0] * WIDTH + x + same[1], low + same[2]):
            found = work.found[count]
            found[TURN], found[X], found[Y] = same[0], x + same[1], low + same[2]
            found[SPIN], found[COST], found[STATE] = rest_spin, cost, state
            count += 1
        for by in range(1, TURNS):
            tried, to_turn = tables.kicks[TURNS * piece + turn, by - 1], (turn + by) % TURNS
            for test in range(tried[0]):
                to_x, to_y = x + tried[1 + 2 * test], y + tried[2 + 2 * test]
                if not (0 <= to_x < WIDTH and 0 <= to_y < HEIGHT):
                    continue
                to = to_turn * WIDTH + to_x
                if free[to] >> U(to_y) & U(1):
                    down = ground(free, to, to_y) if grounded else to_y
                    to_spin = 0
                    if piece == T and down == to_y:
                        is_last = int(by != HALF and test == LAST_TEST)
                        to_spin = spin_at(columns, to_turn, to_x, to_y, is_last, tables)
                    if enter(seen, 2, to_spin, to, down):
                        near[near_tail] = pack(to_spin, to, down, FIRST_TURN + by - 1, state, cost + 1)
                        near_tail += 1
                    break
        for side in range(SIDES):
            to_x = x + 2 * side - 1
            if 0 <= to_x < WIDTH and free[turn * WIDTH + to_x] >> U(y) & U(1):
                to = turn * WIDTH + to_x
                to_y = ground(free, to, y) if grounded else y
                if enter(seen, 2, 0, to, to_y):
                    near[near_tail] = pack(0, to, to_y, FIRST_SIDE + side, state, cost + 1)
                    near_tail += 1
        if low < y and enter(seen, 3, 0, place, low):
            far[far_tail] = pack(0, place, low, SOFT_TAP, state, cost + tables.soft_cost)
            far_tail += 1
    return count


def taps_to(came: I64, state: int) -> tuple[int, ...]:
    """The taps that lead to a state of the last search: places in `placements.TAPS`."""
    taps: list[int] = []
    while came[state] & 15:
        taps.append(int(came[state] & 15) - 1)
        state = int(came[state]) >> 4
    return tuple(reversed(taps))
