"""Clusters: cells of one colour that hang together across their sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

FEW = 32
"""Colours that are looked at one by one: of 2,048 pairs that takes 50 ms, where most hang together."""


def cluster_numbers(cells: Sequence[int], columns: int) -> list[int]:
    """The number of each cell's cluster, row-major; numbers count up from 0 in reading order."""
    numbers, known = [-1] * len(cells), 0
    for first in range(len(cells)):
        if numbers[first] >= 0:
            continue
        numbers[first] = known
        waiting = [first]
        while waiting:
            for neighbour in neighbours(waiting.pop(), len(cells), columns):
                if numbers[neighbour] < 0 and cells[neighbour] == cells[first]:
                    numbers[neighbour] = known
                    waiting.append(neighbour)
        known += 1
    return numbers


def hang_together(cells: Sequence[int], columns: int) -> bool:
    """Whether each colour is one cluster. It looks no further than the first colour that is not."""
    colours = set(cells)
    for number, colour in enumerate(colours):
        if number == FEW:
            return max(cluster_numbers(cells, columns)) + 1 == len(colours)
        reached = {cells.index(colour)}
        waiting = list(reached)
        while waiting:
            for neighbour in neighbours(waiting.pop(), len(cells), columns):
                if cells[neighbour] == colour and neighbour not in reached:
                    reached.add(neighbour)
                    waiting.append(neighbour)
        if len(reached) < cells.count(colour):
            return False
    return True


def neighbours(place: int, size: int, columns: int) -> list[int]:
    """Places of the cells beside the one at `place`, on a board of so many cells."""
    column = place % columns
    return [
        place + step
        for step, there in (
            (-columns, place >= columns),
            (-1, column > 0),
            (1, column < columns - 1),
            (columns, place < size - columns),
        )
        if there
    ]


def largest_clusters(cells: Sequence[int], numbers: Sequence[int]) -> dict[int, int]:
    """Colour -> the size of its largest cluster; `numbers` as `cluster_numbers` gives them. Their sum is the
    score of Kosen Procon 20."""
    sizes, largest = Counter(numbers), dict.fromkeys(sorted(set(cells)), 0)
    for colour, number in zip(cells, numbers, strict=True):
        largest[colour] = max(largest[colour], sizes[number])
    return largest
