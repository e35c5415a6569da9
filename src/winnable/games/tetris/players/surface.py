"""What our own controller looks at besides the published features: how pieces fit the surface, how holes are
covered, which rows are nearly full.

A step goes from the height of a column to that of the next one to its right. A piece fits where it leaves no
hole under itself; that a standing I fits everywhere does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from winnable.games.tetris.players.placement import Placement, height_of, holes_in
from winnable.games.tetris.rules.pieces import SHAPES


def steps(placed: Placement) -> list[int]:
    """The step from each column to the next."""
    return [right - left for left, right in pairwise(placed.heights)]


def _kinds(placed: Placement, *kinds: tuple[int, ...]) -> int:
    """How many of these kinds of steps, one or two after each other, there are somewhere."""
    seen = steps(placed)
    runs = {(step,) for step in seen} | set(pairwise(seen))
    return sum(kind in runs for kind in kinds)


def level_pair(placed: Placement) -> float:
    """1 if two neighbouring columns are level."""
    return _kinds(placed, (0,))


def single_step_kinds(placed: Placement) -> float:
    """The number of the steps -1 and 1 that there are."""
    return _kinds(placed, (-1,), (1,))


def double_step_kinds(placed: Placement) -> float:
    """The number of the steps -2 and 2 that there are."""
    return _kinds(placed, (-2,), (2,))


def level_triple(placed: Placement) -> float:
    """1 if three neighbouring columns are level."""
    return _kinds(placed, (0, 0))


def lying_s_z(placed: Placement) -> float:
    """The number of S and Z that fit lying."""
    return _kinds(placed, (0, 1), (-1, 0))


def hanging_j_l(placed: Placement) -> float:
    """The number of J and L that fit lying with their end down."""
    return _kinds(placed, (0, -1), (1, 0))


def single_steps(placed: Placement) -> float:
    """Steps by one, up or down."""
    return sum(abs(step) == 1 for step in steps(placed))


def double_steps(placed: Placement) -> float:
    """Steps by two."""
    return sum(abs(step) == 2 for step in steps(placed))


def cliffs(placed: Placement) -> float:
    """Steps by three and more."""
    return sum(abs(step) > 2 for step in steps(placed))


def fitting_pieces(placed: Placement) -> float:
    """The number of the seven pieces that fit somewhere."""
    tall = placed.heights
    return sum(
        any(
            len({tall[left + i] - bottom for i, bottom in enumerate(shape.bottoms)}) == 1
            for shape in shapes
            if shape.width > 1
            for left in range(placed.width - shape.width + 1)
        )
        for shapes in SHAPES
    )


def bumpiness(placed: Placement) -> float:
    """The steps' sizes added up."""
    return sum(map(abs, steps(placed)))


def highest(placed: Placement) -> float:
    """The height of the wall."""
    return max(placed.heights)


def thin_covers(placed: Placement) -> float:
    """Columns whose highest cell lies on a hole."""
    return sum(height_of(column) - 2 in holes_in(column) for column in placed.columns)


def _highest_hole(placed: Placement) -> int | None:
    return max((row for column in placed.columns for row in holes_in(column)), default=None)


def rows_over_holes(placed: Placement) -> float:
    """Rows of the wall that lie above the highest row with holes; 0 without holes."""
    row = _highest_hole(placed)
    return 0 if row is None else highest(placed) - row - 1


def cover(placed: Placement) -> float:
    """The most cells that lie on a hole of the highest row with holes; 0 without holes."""
    row = _highest_hole(placed)
    covered = (column for column in placed.columns if row in holes_in(column))
    return 0 if row is None else max(height_of(column) - row - 1 for column in covered)


def nearly_full_rows(placed: Placement) -> float:
    """Rows that lack one cell, which is no hole."""
    holes = {row for column in placed.columns for row in holes_in(column)}
    return sum(
        sum(not column[row] for column in placed.columns) == 1 and row not in holes
        for row in range(len(placed.rows))
    )


SURFACE: dict[str, Callable[[Placement], float]] = {
    feature.__name__: feature
    for feature in (
        level_pair,
        single_step_kinds,
        double_step_kinds,
        level_triple,
        lying_s_z,
        hanging_j_l,
        single_steps,
        double_steps,
        cliffs,
        fitting_pieces,
        bumpiness,
        highest,
        thin_covers,
        rows_over_holes,
        cover,
        nearly_full_rows,
    )
}
