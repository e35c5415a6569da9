"""A line for every board that can be finished: its cells are filled along a path.

The path winds round the board towards its middle: always along a shorter side of the rectangle that is left,
so that large blocks fit into it as long as may be. Each colour gets a stretch of it, so each is one cluster
in the end. A cell that the path has passed is locked: blocks with locked cells turn no more. The next cell
gets its colour by as few turns as may be. Of the ways to do so it is the one after which most of the
following cells are right; of equals, the one after which all cells lie least far from their stretches,
counted along the path.

It always ends. Wherever the path stands, the free cells hang together by squares of 2 × 2, so that any cell
gets to the next place. Only the last cell of a line lies in no free square: it is filled together with the
one before it. Beside these two lie four free cells more, 3 × 2 in all, and the two squares in them bring any
three cells to any three places (R. Lam, Solution to the Number Rotation Puzzle, arXiv:2211.16787). The last 3
× 3 cells get into any order, so a breadth-first search finds the fewest turns that finish them. A board of
two rows is filled column by column, and its last 2 × 4 cells get into any order too. On 2 × 2 and 2 × 3 cells
that search goes through all that can be reached, and may find nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import factorial
from random import Random

from winnable.contract.core import Action, Budget, Search, finish
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import constructive_kernels as kernels
from winnable.games.rotate.solve.constructive_kernels import Path
from winnable.inert.arrays import I64, NDArray, np
from winnable.search.meter import Meter

Line = list[tuple[int, int]]
"""Number of a block, among those with even sides, and quarters clockwise."""
VIEWS = 8
"""Corners where a path may begin, and directions."""
SLICE, REPLAYED = 6_000, 100
"""Turns that are found, times the board's cells, and turns that are made again between two looks at the
clock."""
LAST_CELLS = 9
"""At the most: 3 × 3, or where there are two rows 2 × 4."""


def path_of(rows: int, columns: int, view: int = 0) -> Path:
    """The path from one of the corners, in one of both directions. view: 0 to 7"""
    rest = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    rest = rest[:: -1 if view & 1 else 1, :: -1 if view & 2 else 1]
    if view & 4:
        rest = rest.T
    lines: list[I64] = []
    while rest.size > LAST_CELLS:  # the path goes on at the upper left, along the shorter sides
        if rest.shape[0] < rest.shape[1]:
            rest = rest.T
        lines.append(rest[0])
        rest = rest[1:, ::-1]
    stop = sum(map(len, lines))
    lines += [row[:: -1 if index % 2 else 1] for index, row in enumerate(rest)]
    sides = range(2, min(rows, columns) + 1, 2)
    every = _blocks(rows, columns, sides)
    places: I64 = np.concatenate(lines)
    path = Path(
        rows, columns, every,
        firsts=np.searchsorted(every[:, 2], np.arange(sides[-1] + 1)),
        places=places,
        ranks=places.argsort(),
        lowest=np.empty(len(every), np.int64),
        together=np.concatenate([[1] * (len(line) - 2) + [2, 0] for line in lines]),
        stop=stop,
    )  # fmt: skip
    kernels.lowest_ranks(path)
    return path


def _blocks(rows: int, columns: int, sides: Sequence[int]) -> I64:
    """Those of `blocks`, as int64 [blocks, 3]. On a large board there are tens of thousands."""
    of_sides: list[I64] = []
    for side in sides:
        top, left = np.divmod(np.arange((rows - side + 1) * (columns - side + 1)), columns - side + 1)
        of_sides.append(np.stack([left, top, np.full_like(top, side)], axis=1))
    return np.concatenate(of_sides)


def construct(
    cells: Sequence[int], rows: int, columns: int, order: Sequence[int] | None = None, view: int = 0
) -> Line | None:
    """A line that makes each colour one cluster; None: there is none, as may be on 2 × 2 and 2 × 3 cells
    only.

    order: of the colours along the path; None: by where their cells lie along it.
    """
    board, path = np.array(cells), path_of(rows, columns, view)
    order = _by_place(board, path) if order is None else order
    return finish(_fill(board, path, order, Meter(Budget())))


def tries(
    puzzle: Rotate, cells: Sequence[int], seed: int, meter: Meter
) -> Iterator[Search[tuple[Action, ...] | None]]:
    """Yields one try after another without an end: from all corners and in both directions by turns, after
    the first round with two colours exchanged in the order. Each is to be driven before the next one, to a
    line; None: there is no line. meter: counts nothing, but is told."""
    board, rng, by_quarters = np.array(cells), Random(seed), puzzle.ways == 1
    even = [number for number, block in enumerate(puzzle.blocks) if block.side % 2 == 0]
    views: dict[int, tuple[Path, list[int]]] = {}
    for number in count():
        view = number % VIEWS
        if view not in views:
            path = path_of(puzzle.rows, puzzle.columns, view)
            views[view] = path, _by_place(board, path)
        path, order = views[view]
        yield _try(puzzle, even, _fill(board, path, order, meter, by_quarters))
        one, other = rng.sample(range(len(order)), 2)
        order[one], order[other] = order[other], order[one]


def _try(
    puzzle: Rotate, even: Sequence[int], filling: Search[Line | None]
) -> Search[tuple[Action, ...] | None]:
    line = yield from filling
    return None if line is None else tuple(puzzle.ways * even[block] + turn - 1 for block, turn in line)


def _by_place(cells: I64, path: Path) -> list[int]:
    """The colours, by the mean rank of their cells."""
    colours, names, counts = np.unique(cells, return_inverse=True, return_counts=True)
    return colours[(np.bincount(names, path.ranks) / counts).argsort(kind="stable")].tolist()


def _fill(
    cells: I64, path: Path, order: Sequence[int], meter: Meter, by_quarters: bool = False
) -> Search[Line | None]:
    """by_quarters: a line of single quarters."""
    ordinal = {colour: index for index, colour in enumerate(order)}
    start = np.array([ordinal[colour] for colour in cells.tolist()], np.int16)
    board, counts = start.copy(), np.bincount(start)
    ends = np.cumsum(counts) - 1
    parents = np.empty_like(board)
    turns = np.empty((len(cells) * (path.rows + path.columns + 16), 2), np.int64)
    stretches = kernels.Stretches(np.repeat(np.arange(len(counts)), counts), ends - counts + 1, ends)
    ways = kernels.Ways(
        at=np.zeros(5, np.int64),
        nodes=np.empty((kernels.NODES, 7), np.int64),
        slots=np.zeros(kernels.SLOTS, np.int64),
        found=np.empty(kernels.WAYS, np.int64),
    )
    made = 0
    while ways.at[kernels.STAGE] != kernels.FILLED:
        if meter.is_due:
            yield from meter.allows("constructive")
        most = made + max(1, SLICE // len(cells))
        made = kernels.fill(path, stretches, board, ways, parents, turns, made, most)
    window = _window(path, board)
    while (all_made := kernels.finish(path, stretches, board, window, parents, turns, made)) < 0:
        if all_made != kernels.PAUSED:
            return None
        yield from meter.allows("constructive")
    line = _merged(turns[:all_made].tolist())
    if by_quarters:
        line = [(block, 1) for block, quarters in line for _ in range(quarters)]
    for first in range(0, max(1, len(line)), REPLAYED):
        part = np.array(line[first : first + REPLAYED]).reshape(-1, 2)
        needed = kernels.needed(path, stretches, start, parents, part)
        if needed >= 0:
            return line[: first + needed]
        if meter.is_due:
            yield from meter.allows("constructive")
    raise AssertionError("a line that does not finish the board")


def _window(path: Path, board: NDArray[np.int16]) -> kernels.Window:
    places = path.places[path.stop :]
    arrangements = factorial(len(places))
    for alike in np.unique(board[places], return_counts=True)[1].tolist():
        arrangements //= factorial(alike)
    return kernels.Window(
        places,
        blocks=np.flatnonzero(path.lowest >= path.stop),
        names=np.empty(len(places), np.int16),
        keys=np.empty(arrangements, np.int64),
        steps=np.empty((arrangements, 3), np.int64),
        slots=np.zeros(4 * arrangements + 1, np.int64),
        at=np.zeros(3, np.int64),
    )


def _merged(turns: list[list[int]]) -> Line:
    """Turns of one block that follow each other are one."""
    line: Line = []
    for block, quarters in turns:
        before = line.pop()[1] if line and line[-1][0] == block else 0
        if (before + quarters) % 4:
            line.append((block, (before + quarters) % 4))
    return line
