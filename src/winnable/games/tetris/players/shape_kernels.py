"""The pieces as a table of numbers, and where they get to; equal to pieces.py and travel.py.

A wall is `now`, uint64 [width + 2], as in kernels.py. The table tells which rules hold.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, Literal, TypeAlias

from winnable.compiled.bit_kernels import bit_length
from winnable.compiled.jit import kernel
from winnable.games.tetris.rules import travel
from winnable.games.tetris.rules.pieces import SHAPES
from winnable.inert.arrays import I64, U64, U, np

ControlledRules: TypeAlias = Literal["simplified", "travel"]
"""Those that controllers play by on bits."""

MOST_TURNS: Final = 4
MOST_ACROSS: Final = 4
NOWHERE: Final = -1

WIDTH, HEIGHT, STEPS, EDGES, BOTTOM, TOP, CELLS, EDGE = 0, 1, 2, 3, 4, 8, 12, 16
TRAVELS, LEFT, LOW, SMALL, LARGE, BUMPS = range(21, 27)
"""Places in a row of the table of shapes. STEPS: between its own columns, see `step_of`. BOTTOM, TOP, CELLS:
four numbers, one for each column. EDGE: five, the cells that differ at each border of a column; EDGES: their
count. TRAVELS: whether the rules are `travel`; for them the leftmost column and lowest row, counted from the
pivot. SMALL, LARGE: see `small_step`, `large_step`, of its own columns; BUMPS: their sizes added up."""
FIELD: Final = 16
SHAPE_NUMBERS: Final = BUMPS + 1
DEEPEST: Final = 4
"""Rows from the top. A piece that travels is never below them."""


@kernel
def step_of(left: int, right: int) -> int:
    """A bit for the step from one height to the next; 0 for those that do not count."""
    return 1 << (right - left + 2 & 63) & 31


@kernel
def small_step(step: int) -> int:
    """Bit 0, 16 or 32 for a step of 0, 1 or -1. Shifted by columns, three fields say where there are such."""
    return (1 if step == 0 else 0) | (1 << FIELD if step == 1 else 0) | (1 << 2 * FIELD if step == -1 else 0)


@kernel
def large_step(step: int) -> int:
    """Bit 0 or 16 for a step of 2 or -2."""
    return (1 if step == 2 else 0) | (1 << FIELD if step == -2 else 0)


def shape_table(rules: ControlledRules = "simplified") -> I64:
    """The table of shapes, int64 [7 * 4, SHAPE_NUMBERS]; the row of a piece and its turns is `4 * piece +
    turns`. Width 0: no such turns."""
    table = np.zeros((MOST_TURNS * len(SHAPES), SHAPE_NUMBERS), np.int64)
    travels = rules == "travel"
    for piece, turned in enumerate(travel.TURNS):
        for turns, (shape, left, low) in enumerate(turned):
            row = table[MOST_TURNS * piece + turns]
            if travels:
                row[[TRAVELS, LEFT, LOW]] = 1, left, low
            else:
                shape = SHAPES[piece][turns]
            across = shape.width
            row[WIDTH], row[HEIGHT] = across, shape.height
            row[BOTTOM : BOTTOM + across], row[TOP : TOP + across] = shape.bottoms, shape.tops
            row[CELLS : CELLS + across] = shape.columns
            edges = [one ^ other for one, other in pairwise((0, *shape.columns, 0))]
            row[EDGE : EDGE + across + 1], row[EDGES] = edges, sum(edge.bit_count() for edge in edges)
            for column, (one, other) in enumerate(pairwise(shape.tops)):
                row[STEPS] |= step_of(one, other)
                row[SMALL] |= small_step(other - one) << column
                row[LARGE] |= large_step(other - one) << column
                row[BUMPS] += abs(other - one)
    return table


@kernel
def highest(now: U64) -> int:
    """The height of the wall."""
    every = U(0)
    for c in range(1, now.size - 1):
        every |= now[c]
    return bit_length(every)


@kernel
def is_free(now: U64, shape: int, left: int, low: int, shapes: I64) -> bool:
    """Whether there is room for the piece, with its leftmost and lowest cells there."""
    across = shapes[shape, WIDTH]
    if left < 0 or left + across > now.size - 2:
        return False
    met = U(0)
    for i in range(across):
        met |= now[left + i + 1] >> U(low) & U(shapes[shape, CELLS + i])
    return not met


@kernel
def must_travel(now: U64, height: int, piece: int, shapes: I64) -> bool:
    """Whether the wall may be in the way of the piece. If not, it gets to every column after any turns."""
    return bool(shapes[MOST_TURNS * piece, TRAVELS]) and highest(now) > height - DEEPEST


@kernel
def pivot_row(now: U64, height: int, piece: int, shapes: I64) -> int:
    """The row where the piece turns and moves. `height - 1`: it cannot fall from where it appears. NOWHERE:
    it cannot appear."""
    shape = MOST_TURNS * piece
    home, low = (now.size - 2) // 2 + shapes[shape, LEFT], shapes[shape, LOW]
    if not is_free(now, shape, home, height - 1 + low, shapes):
        return NOWHERE
    return height - 2 if is_free(now, shape, home, height - 2 + low, shapes) else height - 1


@kernel
def reached(now: U64, height: int, piece: int, turns: int, pivot: int, shapes: I64) -> int:
    """The leftmost columns that the piece gets to after so many turns, as bits, if it gets to one turn less.
    pivot: the `pivot_row`."""
    shape = MOST_TURNS * piece + turns
    home, low = (now.size - 2) // 2 + shapes[shape, LEFT], pivot + shapes[shape, LOW]
    if pivot == height - 1:
        return 0 if turns else 1 << home
    columns = 0
    for step in (-1, 1):
        left = home
        while is_free(now, shape, left, low, shapes):
            columns |= 1 << left
            left += step
    return columns


@kernel
def landing_row(now: U64, shape: int, left: int, low: int, shapes: I64) -> int:
    """The row of its lowest cells at rest, straight down from the row `low`; what is above the piece does not
    stop it."""
    row = 0
    for i in range(shapes[shape, WIDTH]):
        bottom = shapes[shape, BOTTOM + i]
        below = now[left + i + 1] & ((U(1) << U(low + bottom)) - U(1))
        row = max(row, bit_length(below) - bottom)
    return row
