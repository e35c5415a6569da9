"""A lower bound of the turns that a person can check."""

from __future__ import annotations

from winnable.games.rotate.blocks import Cells
from winnable.games.rotate.clusters import cluster_numbers
from winnable.games.rotate.rules import Rotate


def cluster_bound(puzzle: Rotate, cells: Cells) -> int:
    """A turn changes nothing within its block and nothing outside. So clusters become fewer by at most the
    pairs of neighbours across the block's border: its side for each side that is not on the board's edge."""
    excess = max(cluster_numbers(cells, puzzle.columns)) + 1 - puzzle.colours
    pairs = 0
    for left, top, side in puzzle.blocks:
        inner = sum((left > 0, top > 0, left + side < puzzle.columns, top + side < puzzle.rows))
        pairs = max(pairs, side * inner)
    return -(-excess // pairs) if pairs else 0
