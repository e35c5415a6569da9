"""Boards at rest in exact keys, and the table of what was proved about them.

A key is uint64 [words]: 3 bits for each cell, 21 cells a word. An entry of the table says: emptying this
board takes at least `bound` clicks, or exactly so many. Each board has its bucket of 4 entries, where the one
that cost the least effort gives way.
"""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.drops.solve.kernels import COLUMN_MASKS, Cells, Geometry, to_int
from winnable.inert.arrays import I64, U32, U64, U, np

CELLS_PER_WORD = 21
BUCKET = 4
BOUND = 0xFFF
EXACT = 1 << 12
EFFORT_SHIFT = 13


class Table(NamedTuple):
    """keys: uint64 [entries, words]; info: uint32 [entries], `effort << 13 | exact << 12 | bound`, 0: free"""

    keys: U64
    info: U32


def new_table(entries: int, n: int) -> Table:
    """An empty table for boards of n cells; entries: a power of two."""
    words = -(-n // CELLS_PER_WORD)
    return Table(np.zeros((entries, words), np.uint64), np.zeros(entries, np.uint32))


@borrowing_kernel
def make_key(cells: Cells, n: int, key: U64) -> None:
    """Writes the key of a board of n cells."""
    word, bits, shift = 0, U(0), U(0)
    for cell in range(n):
        bits |= U(cells[cell]) << shift
        shift += U(3)
        if shift == U(63):
            key[word] = bits
            word, bits, shift = word + 1, U(0), U(0)
    if shift:
        key[word] = bits


@borrowing_kernel
def scramble(bits: U) -> U:
    """Products of both halves: they never overflow, of which plain Python would warn."""
    return (bits & U(0xFFFFFFFF)) * U(0x9E3779B1) ^ (bits >> U(32)) * U(0x85EBCA77)


@borrowing_kernel
def bucket_of(key: U64, entries: int) -> int:
    """The first entry of its bucket; the number of entries is a power of two."""
    mixed = U(0)
    for word in range(key.size):
        mixed = scramble(mixed ^ key[word])
        mixed ^= mixed >> U(29)
    return to_int(scramble(mixed) >> U(20)) & (entries - BUCKET)


@borrowing_kernel
def find(table: Table, key: U64) -> int:
    """The entry of this board, or -1."""
    keys, info = table.keys, table.info
    bucket = bucket_of(key, info.size)
    for entry in range(bucket, bucket + BUCKET):
        if info[entry]:
            same = True
            for word in range(key.size):
                if keys[entry, word] != key[word]:
                    same = False
            if same:
                return entry
    return -1


@inlined_kernel
def known_bound(table: Table, cells: Cells, n: int, key: U64) -> tuple[int, bool]:
    """The clicks that a board of n cells takes at least, as the table knows, and whether that is exact.
    Leaves the board's key in `key`."""
    make_key(cells, n, key)
    entry = find(table, key)
    if entry < 0:
        return 0, False
    known = to_int(table.info[entry])
    return known & BOUND, known & EXACT != 0


@borrowing_kernel
def store(table: Table, key: U64, bound: int, exact: bool, effort: int) -> bool:
    """Enters what was proved; whether a free entry was taken."""
    keys, info = table.keys, table.info
    entry = find(table, key)
    if entry < 0:
        entry = bucket_of(key, info.size)
        for other in range(entry, entry + BUCKET):
            if info[other] >> EFFORT_SHIFT < info[entry] >> EFFORT_SHIFT or info[other] == 0:
                entry = other
                if info[other] == 0:
                    break
    free = info[entry] == 0
    for word in range(key.size):
        keys[entry, word] = key[word]
    info[entry] = np.uint32(effort << EFFORT_SHIFT | (EXACT if exact else 0) | bound)
    return free


@borrowing_kernel
def move_entries(table: Table, first: int, end: int, larger: Table) -> None:
    """Enters the entries [first, end) into a larger table too."""
    for entry in range(first, min(end, table.info.size)):
        known = to_int(table.info[entry])
        if known:
            store(larger, table.keys[entry], known & BOUND, known & EXACT != 0, known >> EFFORT_SHIFT)


@borrowing_kernel
def log2(number: int) -> int:
    """The logarithm of base 2, rounded down; 1 and less are 1."""
    result = 1
    while number > 3:
        number >>= 1
        result += 1
    return result


@borrowing_kernel
def part(cells: Cells, geometry: Geometry, lines: I64, parts: Cells) -> int:
    """Splits a board into its components, drops linked by common rows and columns, which can never touch each
    other: parts [k, n]. Their number.

    lines: room for 64.
    """
    rows, columns = geometry.rows, geometry.columns
    waiting = 0
    for row in range(rows):
        mask = 0
        for column in range(columns):
            if cells[row * columns + column]:
                mask |= 1 << column
        lines[row] = mask
        if mask:
            waiting |= 1 << row
    found = 0
    for first in range(rows):
        if not waiting >> first & 1:
            continue
        mine, reach, grew = 1 << first, lines[first], True
        waiting ^= mine
        while grew:
            grew = False
            for row in range(first + 1, rows):
                if waiting >> row & 1 and lines[row] & reach:
                    mine |= 1 << row
                    waiting ^= 1 << row
                    reach |= lines[row]
                    grew = True
        for row in range(rows):
            is_mine = mine >> row & 1
            for cell in range(row * columns, row * columns + columns):
                parts[found, cell] = cells[cell] if is_mine else 0
        found += 1
    return found


@borrowing_kernel
def least_clicks(cells: Cells, geometry: Geometry, lines: I64) -> tuple[int, int, int]:
    """(a lower bound of the clicks for one component, its cells - its drops, the droplets that it will lose
    at least). A line of one cell loses 2 droplets; of a longer one the last cell loses 2 and one end 1.

    The bound is the highest of three: what the fullest cell lacks; cells - drops + droplets lost; what the
    cells lack beyond one droplet from each other cell of their lines. lines: room for 64 counts.
    """
    rows, columns = geometry.rows, geometry.columns
    lines[:] = 0
    surplus, lost, fullest = 0, 0, 0
    for row in range(rows):
        for column in range(columns):
            drops = to_int(cells[row * columns + column])
            if drops:
                lines[row] += 1
                lines[COLUMN_MASKS + column] += 1
                surplus += 1 - drops
                fullest = max(fullest, drops)
    for row in range(rows):
        lost += min(lines[row] + 1, 3) if lines[row] else 0
    for column in range(COLUMN_MASKS, COLUMN_MASKS + columns):
        lost += min(lines[column] + 1, 3) if lines[column] else 0
    alone = 0
    for row in range(rows):
        if lines[row]:
            for column in range(columns):
                drops = to_int(cells[row * columns + column])
                if drops:
                    alone += max(0, 7 - drops - lines[row] - lines[COLUMN_MASKS + column])
    return max(5 - fullest, surplus + lost, alone), surplus, lost
