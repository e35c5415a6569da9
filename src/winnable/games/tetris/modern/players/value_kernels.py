"""What a board and a placement are worth to the bot; see `Weights` for the figures."""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.bit_kernels import bit_length, count_ones, trailing_zeros
from winnable.compiled.jit import kernel
from winnable.games.tetris.modern.players.move_kernels import SPINS, T
from winnable.games.tetris.modern.rules.level import WIDTH
from winnable.games.tetris.modern.rules.scoring import Clear, Spin, Tally, award
from winnable.inert.arrays import I64, U64, U, np

MOST_COMBO: Final = 11
"""Longer combos send no more."""
LOW: Final = 10
MOST_COVERED, MOST_WELL = 6, 8


class Weights(NamedTuple):
    """Of a board at rest:

    height:    the highest column
    high:      rows of it above the 10th, squared
    holes:     empty cells under filled ones
    covered:   filled cells above the highest hole of a column, at most 6 of each
    hole_rows: rows with holes
    steps, steps_squared: between the heights of neighbouring columns, without the lowest column, the well
    transitions: from filled to empty within a row
    well:      rows that only lack the well, up from its ground, at most 8
    slot_0 to slot_2: a place for a T-spin under an overhang, open from above, that would clear so many lines

    And of a placement:

    attack:    lines that it sends
    clear_1 to clear_4: lines by no T-spin; spin_1 to spin_3: by one; mini: a mini with lines
    perfect:   a perfect clear
    chain_lost: an easy clear after a difficult one, so that back-to-back ends
    wasted_t:  a T that clears nothing by a spin
    effort:    for each tap to get there
    """

    height: float = 0.0
    high: float = 0.0
    holes: float = 0.0
    covered: float = 0.0
    hole_rows: float = 0.0
    steps: float = 0.0
    steps_squared: float = 0.0
    transitions: float = 0.0
    well: float = 0.0
    slot_0: float = 0.0
    slot_1: float = 0.0
    slot_2: float = 0.0
    attack: float = 0.0
    clear_1: float = 0.0
    clear_2: float = 0.0
    clear_3: float = 0.0
    clear_4: float = 0.0
    spin_1: float = 0.0
    spin_2: float = 0.0
    spin_3: float = 0.0
    mini: float = 0.0
    perfect: float = 0.0
    chain_lost: float = 0.0
    wasted_t: float = 0.0
    effort: float = 0.0


class Sent(NamedTuple):
    """Lines to send, asked of scoring.py.

    clear:   int64 [3, 5], by spin and lines
    combo:   int64 [12]
    chain:   more for back-to-back
    perfect: for a perfect clear, whatever else it is
    """

    clear: I64
    combo: I64
    chain: int
    perfect: int


def new_sent() -> Sent:
    """The tables of lines to send, asked of scoring.py."""
    by_spin, by_combo = np.zeros((3, 5), np.int64), np.zeros(MOST_COMBO + 1, np.int64)
    spins: tuple[tuple[Spin, int], ...] = (("", 4), ("mini", 2), ("full", 3))
    for spin, most in spins:
        for lines in range(1, most + 1):
            by_spin[SPINS.index(spin), lines] = award(Tally(), Clear(lines, spin), 1).attack
    for combo in range(MOST_COMBO + 1):
        by_combo[combo] = award(Tally(combo=combo - 1), Clear(1), 1).attack
    chain = award(Tally(back_to_back=1), Clear(4), 1).attack - award(Tally(), Clear(4), 1).attack
    return Sent(by_spin, by_combo, chain, award(Tally(), Clear(1, perfect=True), 1).attack)


@kernel
def clear_rows(columns: U64) -> int:
    """Takes full rows off, and says how many."""
    full = ~U(0)
    for x in range(WIDTH):
        full &= columns[x]
    lines = count_ones(full)
    while full:
        below = (U(1) << U(bit_length(full) - 1)) - U(1)
        for x in range(WIDTH):
            columns[x] = (columns[x] & below) | (columns[x] >> U(1) & ~below)
        full &= below
    return lines


@kernel
def put(columns: U64, cells: I64, x: int, y: int) -> None:
    """Fills four cells, moved by x and y."""
    for i in range(0, 8, 2):
        columns[x + cells[i]] |= U(1) << U(y + cells[i + 1])


@kernel
def slot_lines(columns: U64, x: int, side: int, y: int) -> int:
    """Lines that a T with its centre here that points down would clear, turned in from the open side, whose
    column ends below row y; -1: it would be no T-spin, or cannot get there. side: -1 left, 1 right"""
    if columns[x] >> U(y - 1) or columns[x - side] >> U(y - 1) & U(7) != U(5):
        return -1
    rows = U(3) << U(y - 1)
    for column in range(WIDTH):
        if abs(column - x) > 1:
            rows &= columns[column]
        elif column != x:
            rows &= columns[column] | U(1) << U(y)
    return count_ones(rows)


@kernel
def board_value(columns: U64, w: Weights, heights: I64) -> float:
    """The value of a board at rest. heights: int64 [10], to write to."""
    highest, well, hole_rows, holes, covered, transitions = 0, 0, U(0), 0, 0, 0
    for x in range(WIDTH):
        column = columns[x]
        height = bit_length(column)
        heights[x] = height
        highest = max(highest, height)
        if height < heights[well]:
            well = x
        empty = ((U(1) << U(height)) - U(1)) & ~column
        if empty:
            hole_rows |= empty
            holes += count_ones(empty)
            covered += min(height - bit_length(empty), MOST_COVERED)
    steps, squares, before = 0, 0, -1
    for x in range(WIDTH):
        if x > 0:
            transitions += count_ones(columns[x] ^ columns[x - 1])
        if x != well:
            if before >= 0:
                step = abs(heights[x] - before)
                steps += step
                squares += step * step
            before = heights[x]
    others = ~U(0)
    for x in range(WIDTH):
        if x != well:
            others &= columns[x]
    ready = min(trailing_zeros(~(others >> U(heights[well]))), MOST_WELL)
    high = max(highest - LOW, 0)
    value = (
        w.height * highest
        + w.high * high * high
        + w.holes * holes
        + w.covered * covered
        + w.hole_rows * count_ones(hole_rows)
        + w.steps * steps
        + w.steps_squared * squares
        + w.transitions * transitions
        + w.well * ready
    )
    best = -1
    for x in range(1, WIDTH - 1):
        for side in range(-1, 2, 2):
            if heights[x + side] > 0:
                best = max(best, slot_lines(columns, x, side, heights[x + side]))
    if best == 0:
        value += w.slot_0
    elif best == 1:
        value += w.slot_1
    elif best == 2:
        value += w.slot_2
    return value


@kernel
def clear_value(lines: int, spin: int, w: Weights) -> float:
    """The weight of a clear by its lines and spin."""
    if spin == 1:
        return w.mini
    if spin == 2:
        return w.spin_1 if lines == 1 else w.spin_2 if lines == 2 else w.spin_3
    return w.clear_1 if lines == 1 else w.clear_2 if lines == 2 else w.clear_3 if lines == 3 else w.clear_4


@kernel
def reward(
    piece: int,
    lines: int,
    spin: int,
    cost: int,
    combo: int,
    chain: int,
    is_empty: bool,
    w: Weights,
    sent: Sent,
) -> float:
    """The worth of a placement besides its board. combo: after the placement; chain: whether back-to-back was
    on before it."""
    value = w.effort * cost
    if piece == T and (spin != 2 or lines == 0):
        value += w.wasted_t
    if lines == 0:
        return value
    attack = sent.clear[spin, lines] + sent.combo[min(combo, MOST_COMBO)]
    value += clear_value(lines, spin, w)
    if chain:
        if spin or lines == 4:
            attack += sent.chain
        else:
            value += w.chain_lost
    if is_empty:
        attack = sent.perfect
        value += w.perfect
    return value + w.attack * attack
