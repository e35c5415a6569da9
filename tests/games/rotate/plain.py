"""Plain breadth-first search over whole boards, for tests on tiny ones."""

from collections.abc import Sequence
from itertools import permutations

from winnable.games.rotate.rules.blocks import Cells, blocks, turned
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.level import RuleName


def fewest_turns(cells: Cells, columns: int, rules: RuleName = "clusters") -> int | None:
    """None when no board within reach is finished."""
    rows = len(cells) // columns
    sides, quarters = (1, (1,)) if rules == "pairs" else (2, (1, 2, 3))
    every = blocks(rows, columns, range(2, min(rows, columns) + 1, sides))
    turns = [(block, count) for block in every for count in quarters]
    colours, layer, known, depth = len(set(cells)), {cells}, {cells}, 0
    while layer:
        if any(max(cluster_numbers(board, columns)) + 1 == colours for board in layer):
            return depth
        layer = {turned(board, columns, *turn) for board in layer for turn in turns} - known
        known |= layer
        depth += 1
    return None


def all_boards(counts: Sequence[int]) -> set[Cells]:
    """With so many cells of each colour, colours with their names."""
    return set(permutations([colour for colour, count in enumerate(counts) for _ in range(count)]))
