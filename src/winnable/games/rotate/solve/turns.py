"""All turns of a board that count, for searches on masks: sets of cells as the bits of one integer.

A turn of the whole board changes no cluster and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from winnable.games.rotate.rules.blocks import blocks, turned
from winnable.inert.arrays import NDArray, np

MOST_CELLS = 64
BLOCKS_PER_WORD = 21
"""Sets of turns are words of bits; the three turns of a block are always in one word."""


class Turns(NamedTuple):
    """The turns of a board. Turn `3 * block + quarters - 1`; large blocks come first.

    blocks:  uint64 [blocks], the cells of each
    places:  int64 [turns, 3]: the block's first cell, its side, where its table begins in `tables`
    tables:  uint64: for each row of a block of that side and each pattern of bits in it, the bits after the
             turn, as if the block lay in the upper left corner
    after:   uint64 [turns, words]: the turns worth trying after this one
    actions: int64 [turns], their numbers in the rules
    not_first, not_last: all cells but those of the first column, and of the last
    """

    rows: int
    columns: int
    blocks: NDArray[np.uint64]
    places: NDArray[np.int64]
    tables: NDArray[np.uint64]
    after: NDArray[np.uint64]
    actions: NDArray[np.int64]
    not_first: np.uint64
    not_last: np.uint64

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.columns

    @property
    def words(self) -> int:
        """The number of words of a set of turns."""
        return self.after.shape[1]


@cache
def turns_of(rows: int, columns: int) -> Turns:
    """The turns of a board with at most MOST_CELLS cells, rules `clusters`."""
    everything = blocks(rows, columns, range(2, min(rows, columns) + 1, 2))
    numbers = [number for number, block in enumerate(everything) if not block.side == rows == columns][::-1]
    starts: dict[tuple[int, int], int] = {}
    tables: list[int] = []
    for side in {everything[number].side for number in numbers}:
        for quarters in (1, 2, 3):
            starts[side, quarters] = len(tables)
            tables += _row_tables(side, quarters, columns)
    used = [(number, quarters) for number in numbers for quarters in (1, 2, 3)]
    places = [
        (block.top * columns + block.left, block.side, starts[block.side, quarters])
        for block, quarters in ((everything[number], quarters) for number, quarters in used)
    ]
    origin = tuple(range(rows * columns))
    permutations = [bytes(turned(origin, columns, everything[number], quarters)) for number, quarters in used]
    full, first = (1 << rows * columns) - 1, sum(1 << row * columns for row in range(rows))
    return Turns(
        rows,
        columns,
        np.array(
            [sum(1 << cell for cell in everything[number].cells(columns)) for number in numbers], np.uint64
        ),
        np.array(places, np.int64).reshape(-1, 3),
        np.array(tables, np.uint64),
        _worth_trying(bytes(origin), permutations),
        np.array([3 * number + quarters - 1 for number, quarters in used], np.int64),
        np.uint64(full & ~first),
        np.uint64(full & ~(first << columns - 1)),
    )


def turn_bit(turn: int) -> tuple[int, int]:
    """Word and bit of a turn in a set of turns."""
    word, block = divmod(turn // 3, BLOCKS_PER_WORD)
    return word, 3 * block + turn % 3


def all_turns(turns: Turns) -> NDArray[np.uint64]:
    """The set of all turns, uint64 [words]."""
    full = np.zeros(turns.words, np.uint64)
    for turn in range(len(turns.places)):
        word, bit = turn_bit(turn)
        full[word] |= np.uint64(1 << bit)
    return full


def _row_tables(side: int, quarters: int, columns: int) -> list[int]:
    table: list[int] = []
    for row in range(side):
        targets: list[int] = []
        for column in range(side):
            to_row, to_column = row, column
            for _ in range(quarters):
                to_row, to_column = to_column, side - 1 - to_row
            targets.append(1 << (to_row * columns + to_column))
        table += [
            sum(target for column, target in enumerate(targets) if bits >> column & 1)
            for bits in range(1 << side)
        ]
    return table


def _worth_trying(nothing: bytes, permutations: Sequence[bytes]) -> NDArray[np.uint64]:
    """Of all pairs of turns that do the same, only the first need be tried, and none that one turn or nothing
    does as well (Taylor and Korf, AAAI 1993). It is safe: of the shortest lines of turns that do the same,
    the first in the order of dictionaries has no other pair. This drops two turns of one block, one of the
    two orders of blocks apart or about one centre, and of a small block within a large one."""
    words = -(-len(permutations) // (3 * BLOCKS_PER_WORD))
    after = [[0] * words for _ in permutations]
    known = {nothing, *permutations}
    for first, one in enumerate(permutations):
        table = one.ljust(256)
        for second, other in enumerate(permutations):
            both = other.translate(table)
            if both not in known:
                known.add(both)
                word, bit = turn_bit(second)
                after[first][word] |= 1 << bit
    return np.array(after, np.uint64).reshape(len(permutations), words)
