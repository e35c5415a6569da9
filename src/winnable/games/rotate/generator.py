"""Makes levels of rotate: a finished board, taken back turn by turn, so that it can always be finished.

All chance comes from `random.Random(seed).random()`, the same on every platform.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.core import MAX_SEED, LevelError
from winnable.games.rotate.blocks import Cells, turned
from winnable.games.rotate.clusters import neighbours
from winnable.games.rotate.level import MAX_COLOURS, MAX_SIDE, MIN_SIDE, Level, RuleName
from winnable.games.rotate.rules import Rotate
from winnable.provenance import Provenance

Side = Annotated[int, Meta(ge=MIN_SIDE, le=MAX_SIDE)]

EXCHANGES = 200
"""Tries for each cell to exchange two cells of neighbouring colours; most of them fail."""
MOST_TURNS = 20 * MAX_SIDE**2


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes.

    colours: of the rules `clusters`, with cells as equally many as may be
    turns:   taken back from the finished board; 0: as many as scatter it well, three for each cell. They are
             enough to finish the board, but seldom the fewest
    """

    rows: Side = 5
    columns: Side = 5
    rules: RuleName = "clusters"
    colours: Annotated[int, Meta(ge=2, le=MAX_COLOURS)] = 4
    turns: Annotated[int, Meta(ge=0, le=MOST_TURNS)] = 0


def generate(params: Params, seed: int) -> Level:
    """The level of `(params, seed)`: always the same one. Raises LevelError."""
    if not 0 <= seed <= MAX_SEED:
        raise LevelError(f"seed: {seed} is not from 0 to {MAX_SEED}")
    size, rng = params.rows * params.columns, random.Random(seed)
    if params.rules == "pairs":
        if size % 2:
            raise LevelError(f"rows, columns: {size} cells do not come in pairs")
        cells = _dominoes(params.rows, params.columns, rng)
    else:
        if params.colours > size:
            raise LevelError(f"colours: {params.colours} on {size} cells")
        cells = _finished(params.rows, params.columns, params.colours, rng)
    provenance = Provenance(
        f"rotate/{params.rules}", __version__, msgspec.to_builtins(params, str_keys=True), seed
    )
    rotate = Rotate(_level(cells, params))
    for _ in range(params.turns or 3 * size):
        block, quarters = rotate.block(int(rng.random() * rotate.num_actions))
        cells = turned(cells, params.columns, block, 4 - quarters)
    return msgspec.structs.replace(_level(cells, params), provenance=provenance)


def _level(cells: Cells, params: Params) -> Level:
    rows = tuple(cells[row * params.columns : (row + 1) * params.columns] for row in range(params.rows))
    return Level(rows, params.rules)


def _finished(rows: int, columns: int, colours: int, rng: random.Random) -> Cells:
    """Each colour one cluster: stretches of a path that winds down the board. Then two cells exchange their
    colours, again and again, where both clusters stay whole."""
    size = rows * columns
    path = [
        row * columns + (column if row % 2 == 0 else columns - 1 - column)
        for row in range(rows)
        for column in range(columns)
    ]
    cells = [0] * size
    for index, place in enumerate(path):
        cells[place] = 1 + index * colours // size
    for _ in range(EXCHANGES * size):
        place, back = int(rng.random() * size), int(rng.random() * size)
        mine, other = cells[place], cells[back]
        if mine == other or not _may_leave(cells, columns, place, other):
            continue
        cells[place] = other
        if _may_leave(cells, columns, back, mine):
            cells[back] = mine
        else:
            cells[place] = mine
    names = list(range(1, colours + 1))
    for index in range(colours - 1, 0, -1):
        chosen = int(rng.random() * (index + 1))
        names[index], names[chosen] = names[chosen], names[index]
    return tuple(names[cell - 1] for cell in cells)


def _may_leave(cells: Sequence[int], columns: int, place: int, colour: int) -> bool:
    """Whether the cell lies beside that colour, and its own neighbours of its colour hang together without it
    in the eight cells around: then both clusters stay whole."""
    size, own = len(cells), cells[place]
    beside = neighbours(place, size, columns)
    same = [near for near in beside if cells[near] == own]
    if not same or not any(cells[near] == colour for near in beside):
        return False
    row, column = divmod(place, columns)
    around = {
        far
        for far in range(max(0, place - columns - 1), min(size, place + columns + 2))
        if far != place and abs(far // columns - row) < 2 and abs(far % columns - column) < 2
    }
    reached, waiting = {same[0]}, [same[0]]
    while waiting:
        for far in neighbours(waiting.pop(), size, columns):
            if far in around and far not in reached and cells[far] == own:
                reached.add(far)
                waiting.append(far)
    return reached.issuperset(same)


def _dominoes(rows: int, columns: int, rng: random.Random) -> Cells:
    """Each label on two neighbouring cells: rows or columns of dominoes, and then squares of two turn."""
    along = columns % 2 == 0
    cells = [0] * (rows * columns)
    for label in range(rows * columns // 2):
        for half in (0, 1):
            if along:
                row, column = divmod(2 * label + half, columns)
            else:
                column, row = divmod(2 * label + half, rows)
            cells[row * columns + column] = label
    for _ in range(EXCHANGES * len(cells)):
        top, left = int(rng.random() * (rows - 1)), int(rng.random() * (columns - 1))
        one = top * columns + left
        square = [one, one + 1, one + columns, one + columns + 1]
        a, b, c, d = (cells[place] for place in square)
        if a == b and c == d:
            cells[one + 1], cells[one + columns] = c, a
        elif a == c and b == d:
            cells[one + 1], cells[one + columns] = a, d
    return tuple(cells)
