"""The board of all ones, solved for every size: one chain, and not a click more than the bound.

Rank the columns from the middle outwards, one to the right and one to the left by turns, and the rows alike.
When the cell of ranks (a, b) bursts while in its row and column exactly the lower ranks are gone, its four
droplets reach (a, b + 1), (a, b + 2), (a + 1, b) and (a + 2, b), or leave the board. So a cell is hit twice
along its row and twice along its column, but not at all along a line on which it has rank 0, and once at rank
1. What it then lacks to burst with its last hit is clicked beforehand; the cell of ranks (0, 0) is clicked
last. No droplet depends on when it flies: the line is valid under all rule sets. docs/drops-all-ones.md has
the proof, also that no line is shorter.
"""

from __future__ import annotations

from winnable.games.drops.rules.level import FULL


def construct(rows: int, columns: int) -> list[int]:
    """The cells to click, on a board of `rows` × `columns` ones; `fewest` of them."""
    by_rank = [
        (row * columns + column, FULL - _hits(a) - _hits(b))
        for a, row in enumerate(_from_the_middle(rows))
        for b, column in enumerate(_from_the_middle(columns))
    ]
    trigger, *others = by_rank
    return [cell for cell, clicks in (*others, trigger) for _ in range(clicks)]


def fewest(rows: int, columns: int) -> int:
    """The clicks that empty `rows` × `columns` ones: as many as droplets get lost, at the least 3 for each
    row and column of several cells and 2 for one of a single cell."""
    return rows * (3 if columns > 1 else 2) + columns * (3 if rows > 1 else 2)


def _hits(rank: int) -> int:
    """How many droplets a cell gets along a line on which it has this rank."""
    return min(rank, 2)


def _from_the_middle(length: int) -> list[int]:
    """Places on a line by rank: the middle, its right, its left, one further right, one further left, ..."""
    middle = (length - 1) // 2
    steps = [step for distance in range(1, length) for step in (distance, -distance)]
    return [middle + step for step in [0, *steps[: length - 1]]]
