"""Few pairs, exhaustively: breadth first over all arrangements that can be reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from winnable.games.rotate.rules.blocks import Block, blocks
from winnable.games.rotate.rules.clusters import neighbours

Mates = tuple[int, ...]
"""Row-major, the place of each cell's mate."""


def mates_of(cells: Sequence[int]) -> Mates:
    """Of a board that holds each label twice."""
    first: dict[int, int] = {}
    mates = [0] * len(cells)
    for place, label in enumerate(cells):
        mate = first.setdefault(label, place)
        mates[place], mates[mate] = mate, place
    return tuple(mates)


def shortest(
    mates: Sequence[int], columns: int, free: Callable[[Block], bool], expanded: list[int] | None = None
) -> list[Block] | None:
    """The fewest quarter turns, clockwise, of free blocks until all mates are neighbours; None when no number
    of turns does it. For a dozen cells at the most; `expanded` gets how many boards were looked at."""
    size, start = len(mates), tuple(mates)
    rows = size // columns
    beside = [frozenset(neighbours(place, size, columns)) for place in range(size)]
    turns = [
        (block, _moved(block, size, columns))
        for block in blocks(rows, columns, range(2, min(rows, columns) + 1))
        if free(block)
    ]
    came_from: dict[Mates, tuple[Mates, Block] | None] = {start: None}
    waiting = [start]
    for board in waiting:
        if all(mate in near for mate, near in zip(board, beside, strict=True)):
            if expanded is not None:
                expanded.append(len(came_from))
            return _line_to(board, came_from)
        for block, moved in turns:
            after = [0] * size
            for place, mate in enumerate(board):
                after[moved[place]] = moved[mate]
            if (key := tuple(after)) not in came_from:
                came_from[key] = board, block
                waiting.append(key)
    if expanded is not None:
        expanded.append(len(came_from))
    return None


def _moved(block: Block, size: int, columns: int) -> list[int]:
    """Where each cell is after the turn."""
    moved = list(range(size))
    for row in range(block.side):
        for column in range(block.side):
            place = (block.top + row) * columns + block.left + column
            moved[place] = (block.top + column) * columns + block.left + block.side - 1 - row
    return moved


def _line_to(board: Mates, came_from: dict[Mates, tuple[Mates, Block] | None]) -> list[Block]:
    line: list[Block] = []
    while (step := came_from[board]) is not None:
        board, block = step
        line.append(block)
    return line[::-1]
