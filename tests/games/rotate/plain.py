"""Plain breadth-first search over whole boards, for tests on tiny ones."""

from collections.abc import Sequence
from itertools import permutations

from winnable.games.rotate.blocks import Cells, blocks, turned
from winnable.games.rotate.clusters import cluster_numbers


def next_boards(cells: Cells, columns: int) -> list[Cells]:
    """After each turn, also of the whole board."""
    rows = len(cells) // columns
    every = blocks(rows, columns, range(2, min(rows, columns) + 1, 2))
    return [turned(cells, columns, block, quarters) for block in every for quarters in (1, 2, 3)]


def fewest_turns(cells: Cells, columns: int) -> int | None:
    """None when no board within reach is finished."""
    colours, layer, known, depth = len(set(cells)), {cells}, {cells}, 0
    while layer:
        if any(max(cluster_numbers(board, columns)) + 1 == colours for board in layer):
            return depth
        layer = {after for board in layer for after in next_boards(board, columns)} - known
        known |= layer
        depth += 1
    return None


def all_boards(counts: Sequence[int]) -> set[Cells]:
    """With so many cells of each colour, colours with their names."""
    return set(permutations([colour for colour, count in enumerate(counts) for _ in range(count)]))
