"""A second engine for rotate, by coordinates, written without a look at the first one."""

from __future__ import annotations

from collections.abc import Iterator

Grid = dict[tuple[int, int], int]
"""(column, row) from the upper left -> colour."""


def turn(grid: Grid, x: int, y: int, side: int) -> Grid:
    """A block with that upper left cell, a quarter clockwise."""
    middle_x, middle_y = 2 * x + side - 1, 2 * y + side - 1
    after = dict(grid)
    for column in range(x, x + side):
        for row in range(y, y + side):
            away_x, away_y = 2 * column - middle_x, 2 * row - middle_y
            after[(middle_x - away_y) // 2, (middle_y + away_x) // 2] = grid[column, row]
    return after


def next_grids(grid: Grid, pairs: bool) -> Iterator[Grid]:
    width, height = max(x for x, _ in grid) + 1, max(y for _, y in grid) + 1
    for side in range(2, min(width, height) + 1):
        if side % 2 and not pairs:
            continue
        for x in range(width - side + 1):
            for y in range(height - side + 1):
                quarter = turn(grid, x, y, side)
                yield quarter
                if not pairs:
                    half = turn(quarter, x, y, side)
                    yield half
                    yield turn(half, x, y, side)


def clusters(grid: Grid) -> int:
    left, found = set(grid), 0
    while left:
        found += 1
        edge = {left.pop()}
        while edge:
            x, y = edge.pop()
            beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            same = {place for place in beside if grid[place] == grid[x, y]}
            left -= same
            edge |= same
    return found
