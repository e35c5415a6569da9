"""A second engine for 2048, on tables of numbers, written without a look at the first one."""

from __future__ import annotations

Table = list[list[int]]
"""Rows of tiles; 0 is empty."""


def quarter(table: Table) -> Table:
    """Turned clockwise."""
    return [list(column) for column in zip(*table[::-1], strict=True)]


def push_left(row: list[int]) -> tuple[list[int], int]:
    """Tile after tile walks left; a tile that came about in this move takes no other."""
    row, fresh, gained = row[:], set[int](), 0
    for start in range(len(row)):
        at = start
        while row[at] and at > 0:
            if row[at - 1] == 0:
                row[at - 1], row[at] = row[at], 0
            elif row[at - 1] == row[at] and at - 1 not in fresh:
                row[at - 1], row[at] = 2 * row[at], 0
                fresh.add(at - 1)
                gained += row[at - 1]
                break
            else:
                break
            at -= 1
    return row, gained


def push(table: Table, action: int) -> tuple[Table, int]:
    """0 up, 1 right, 2 down, 3 left."""
    turns = {0: 3, 1: 2, 2: 1, 3: 0}[action]
    for _ in range(turns):
        table = quarter(table)
    rows, gains = zip(*map(push_left, table), strict=True)
    table = [list(row) for row in rows]
    for _ in range(-turns % 4):
        table = quarter(table)
    return table, sum(gains)


def perft(table: Table, depth: int) -> int:
    """Lines of so many moves, each followed by a 2 or a 4 on any empty cell."""
    if depth == 0:
        return 1
    lines = 0
    for action in range(4):
        after, _ = push(table, action)
        if after == table:
            continue
        for row in range(len(after)):
            for column in range(len(after[0])):
                if after[row][column] == 0:
                    for tile in (2, 4):
                        after[row][column] = tile
                        lines += perft(after, depth - 1)
                    after[row][column] = 0
    return lines
