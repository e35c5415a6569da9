"""A second engine for tetris, cell by cell, written without a look at the first one."""

from __future__ import annotations

from functools import cache

Cells = frozenset[tuple[int, int]]
"""(column, row) from the left and the floor."""

LINES = {
    "I": ["xxxx"],
    "O": ["xx", "xx"],
    "T": ["-x-", "xxx"],
    "S": ["-xx", "xx-"],
    "Z": ["xx-", "-xx"],
    "J": ["x--", "xxx"],
    "L": ["--x", "xxx"],
}


@cache
def shape(name: str, turns: int) -> Cells:
    """With its least column and row at 0."""
    drawn = LINES[name]
    cells = {(x, -y) for y, line in enumerate(drawn) for x, mark in enumerate(line) if mark == "x"}
    for _ in range(turns):
        cells = {(y, -x) for x, y in cells}
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - low) for x, y in cells)


def moved(cells: Cells, right: int, up: int) -> Cells:
    return frozenset((x + right, y + up) for x, y in cells)


@cache
def turns_that_differ(name: str) -> tuple[int, ...]:
    seen: list[Cells] = []
    for turns in range(4):
        if shape(name, turns) not in seen:
            seen.append(shape(name, turns))
    return tuple(range(len(seen)))


def drop(wall: Cells, name: str, turns: int, column: int) -> Cells:
    """The piece's cells at rest, fallen from above the wall."""
    piece = moved(shape(name, turns), column, 1 + max((y for _, y in wall), default=-1))
    while (lower := moved(piece, 0, -1)).isdisjoint(wall) and all(y >= 0 for _, y in lower):
        piece = lower
    return piece


def without_full_rows(wall: Cells, width: int) -> tuple[Cells, int]:
    rows = {y for _, y in wall}
    full = {y for y in rows if all((x, y) in wall for x in range(width))}
    kept = frozenset((x, y - sum(row < y for row in full)) for x, y in wall if y not in full)
    return kept, len(full)


def cells_of(rows: tuple[int, ...]) -> Cells:
    return frozenset((x, y) for y, row in enumerate(rows) for x in range(16) if row >> x & 1)
