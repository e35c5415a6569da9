"""Few pairs, exhaustively: breadth first over all arrangements that can be reached."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.contract.core import Search
from winnable.games.rotate.rules.blocks import Block, turned
from winnable.games.rotate.rules.clusters import neighbours
from winnable.search.meter import Meter

Mates = tuple[int, ...]
"""Row-major, the place of each cell's mate."""


def mates_of(cells: Sequence[int]) -> Mates:
    """The mates of a board that holds each label twice."""
    first: dict[int, int] = {}
    mates = [0] * len(cells)
    for place, label in enumerate(cells):
        mate = first.setdefault(label, place)
        mates[place], mates[mate] = mate, place
    return tuple(mates)


def shortest(
    mates: Sequence[int], columns: int, blocks: Sequence[Block], meter: Meter
) -> Search[list[Block] | None]:
    """The fewest quarter turns, clockwise, of these blocks until all mates are neighbours; None when no
    number of turns does it. For a dozen cells at the most, and to its end whatever the budget; a board that
    is looked at counts as one expanded and one generated."""
    size, start = len(mates), tuple(mates)
    beside = [frozenset(neighbours(place, size, columns)) for place in range(size)]
    places = tuple(range(size))
    turns = [(block, turned(places, columns, block, 3)) for block in blocks]  # where each cell is after it
    came_from: dict[Mates, tuple[Mates, Block] | None] = {start: None}
    waiting = [start]
    meter.expanded, meter.generated = meter.expanded + 1, meter.generated + 1
    for board in waiting:
        if all(mate in near for mate, near in zip(board, beside, strict=True)):
            return _line_to(board, came_from)
        for block, moved in turns:
            after = [0] * size
            for place, mate in enumerate(board):
                after[moved[place]] = moved[mate]
            if (key := tuple(after)) not in came_from:
                came_from[key] = board, block
                waiting.append(key)
                meter.expanded += 1
                meter.generated += 1
        if meter.is_due:
            yield from meter.allows("table")
    return None


def _line_to(board: Mates, came_from: dict[Mates, tuple[Mates, Block] | None]) -> list[Block]:
    line: list[Block] = []
    while (step := came_from[board]) is not None:
        board, block = step
        line.append(block)
    return line[::-1]
