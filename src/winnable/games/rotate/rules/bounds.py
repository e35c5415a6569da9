"""A lower bound of the turns that a person can check, and how far proofs reach."""

from __future__ import annotations

from winnable.games.rotate.rules.blocks import Cells
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate

PROVABLE = 25
"""Cells. Larger boards are not searched for the fewest turns: it would hardly ever end in a proof."""


def cluster_bound(puzzle: Rotate, cells: Cells) -> int:
    """A lower bound of the turns. A turn changes nothing within its block and nothing outside. So clusters
    become fewer by at most the pairs of neighbours across the block's border."""
    excess = max(cluster_numbers(cells, puzzle.columns)) + 1 - puzzle.colours
    pairs = max(crossings(puzzle))
    return -(-excess // pairs) if pairs else 0


def crossings(puzzle: Rotate) -> list[int]:
    """The pairs of neighbours, for each block, of which one cell lies in it: its side for each side that is
    not on the board's edge."""
    return [
        side * ((left > 0) + (top > 0) + (left + side < puzzle.columns) + (top + side < puzzle.rows))
        for left, top, side in puzzle.blocks
    ]
