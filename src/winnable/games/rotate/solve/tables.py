"""The fewest turns for every board with so many cells of each colour, rules `clusters`: breadth-first from
all finished boards.

How colours are called and how the board is turned or mirrored changes nothing, so only one of such boards is
kept, and counts for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from math import factorial, prod

from winnable.contract.core import Action, Search
from winnable.games.rotate.rules.blocks import Cells, blocks, turned
from winnable.games.rotate.solve import table_kernels as kernels
from winnable.games.rotate.solve.patterns import always
from winnable.games.rotate.solve.turns import turns_of
from winnable.inert.arrays import NDArray, np

MOST_CELLS = 25
"""Of a board: the number of any board of 25 cells is below 2 ** 62 (Bell's numbers)."""
FIRST_SLOTS = 1 << 10
SLICE = 1 << 12
"""Boards between two looks at the budget."""
MOVED = 1 << 17
"""Slots that go into a larger table between two looks."""


def boards(counts: Sequence[int]) -> int:
    """The number of boards with so many cells of each colour, up to the colours' names."""
    return factorial(sum(counts)) // prod(map(factorial, counts)) // names(counts)


def names(counts: Sequence[int]) -> int:
    """The number of ways to name colours with equally many cells."""
    return prod(factorial(times) for times in Counter(counts).values())


def distance_table(
    rows: int, columns: int, counts: Sequence[int], allows: Callable[[], Search[bool]] = always
) -> Search[DistanceTable]:
    """The table of these boards, built unless `allows`, asked every few milliseconds, says no: then
    `complete` is false."""
    table = DistanceTable(rows, columns, counts)
    yield from table.build(allows)
    return table


class DistanceTable:
    """complete: whether it has been built.

    by_turns: for 0, 1, 2 ... turns, how many boards take as many at least, colours with their names.
    """

    def __init__(self, rows: int, columns: int, counts: Sequence[int]) -> None:
        assert rows * columns <= MOST_CELLS
        self._rows, self._columns, self._counts = rows, columns, sorted(counts)
        self._moves = _moves(rows, columns)
        self._table = kernels.Table(
            keys=np.zeros(FIRST_SLOTS, np.uint64),
            distances=np.zeros(FIRST_SLOTS, np.uint8),
            queue=np.zeros(FIRST_SLOTS // 2, np.uint64),
            queued=np.zeros(1, np.int64),
            images=np.zeros(1, np.int64),
            symmetries=symmetries(rows, columns),
            completions=completions(rows * columns, len(counts)),
            labels=np.empty(rows * columns, np.uint8),
            after=np.empty(rows * columns, np.uint8),
            names=np.empty(len(counts) + 1, np.int64),
        )
        self.by_turns: list[int] = []
        self.complete = False

    def build(self, allows: Callable[[], Search[bool]]) -> Search[None]:
        """Fill the table; once."""
        self.complete = (yield from self._add_finished(allows)) and (yield from self._add_layers(allows))
        self._table = self._table._replace(queue=self._table.queue[:0])

    @property
    def entries(self) -> int:
        """Boards that are kept."""
        return int(self._table.queued[0])

    def distance(self, cells: Cells) -> int | None:
        """The fewest turns; None when it is not in the table: if that is complete, there is no line."""
        known: dict[int, int] = {}
        labels = np.array([known.setdefault(cell, len(known)) for cell in cells], np.uint8)
        table = self._table
        number, _ = kernels.canonical(labels, table.symmetries, table.completions, table.names)
        slot = kernels.find(table.keys, np.uint64(number))
        return int(table.distances[slot]) if table.keys[slot] else None

    def line(self, cells: Cells) -> tuple[Action, ...]:
        """A shortest line of a board that has a distance."""
        every = blocks(self._rows, self._columns, range(2, min(self._rows, self._columns) + 1, 2))
        line: list[Action] = []
        left = self.distance(cells)
        assert left is not None
        for distance in range(left - 1, -1, -1):
            cells, action = next(
                (after, 3 * number + quarters - 1)
                for number, block in enumerate(every)
                for quarters in (1, 2, 3)
                if self.distance(after := turned(cells, self._columns, block, quarters)) == distance
            )
            line.append(action)
        return tuple(line)

    def _add_finished(self, allows: Callable[[], Search[bool]]) -> Search[bool]:
        turns, sizes = turns_of(self._rows, self._columns), sorted(set(self._counts))
        firsts, shapes = yield from _shapes(self._rows, self._columns, sizes, allows)
        colours = len(self._counts)
        depth, chosen = 0, np.full((colours, 2), -1, np.int64)
        chosen[:, 0] = 0
        free = np.zeros(colours, np.uint64)
        free[0] = (1 << turns.cells) - 1
        left = np.array([self._counts.count(size) for size in sizes], np.int64)
        found = np.zeros((SLICE, colours), np.uint64)
        while depth >= 0:
            if not (yield from allows()):
                return False
            count, depth = kernels.partitions(turns, depth, chosen, free, left, firsts, shapes, found)
            yield from self._make_room(count, allows)
            kernels.add_finished(self._table, found[:count])
        self._note_layer()
        return True

    def _add_layers(self, allows: Callable[[], Search[bool]]) -> Search[bool]:
        first, last = 0, self.entries
        while first < last:
            for place in range(first, last, SLICE):
                if not (yield from allows()):
                    return False
                yield from self._make_room(SLICE * len(self._moves), allows)
                end = min(place + SLICE, last)
                kernels.expand(self._table, place, end, len(self.by_turns), self._moves)
            first, last = last, self.entries
            if first < last:
                self._note_layer()
        return True

    def _note_layer(self) -> None:
        images = self._table.images
        self.by_turns.append(int(images[0]) * names(self._counts))
        images[0] = 0

    def _make_room(self, more: int, allows: Callable[[], Search[bool]]) -> Search[None]:
        """For so many boards more: at most half of the slots are used."""
        while 2 * (self.entries + more) > len(self._table.keys):
            small, slots = self._table, 2 * len(self._table.keys)
            self._table = small._replace(
                keys=np.zeros(slots, np.uint64),
                distances=np.zeros(slots, np.uint8),
                queue=np.concatenate([small.queue, np.zeros_like(small.queue)]),
            )
            for first in range(0, len(small.keys), MOVED):
                part = slice(first, first + MOVED)
                some = small._replace(keys=small.keys[part], distances=small.distances[part])
                kernels.move_keys(some, self._table)
                yield from allows()


@cache
def symmetries(rows: int, columns: int) -> NDArray[np.int64]:
    """The images of a board, int64 [4 or 8, cells]: where the cells of each come from; the board itself
    first."""
    board = np.arange(rows * columns).reshape(rows, columns)
    quarters = (0, 1, 2, 3) if rows == columns else (0, 2)
    turned_boards = [np.rot90(board, quarter) for quarter in quarters]
    images = turned_boards + [np.fliplr(image) for image in turned_boards]
    return np.array([image.ravel() for image in images], np.int64)


def _moves(rows: int, columns: int) -> NDArray[np.int64]:
    """int64 [turns, cells]: where the colour of each cell comes from. Without turns of the whole board."""
    origin = tuple(range(rows * columns))
    return np.array(
        [
            turned(origin, columns, block, quarters)
            for block in blocks(rows, columns, range(2, min(rows, columns) + 1, 2))
            if not block.side == rows == columns
            for quarters in (1, 2, 3)
        ],
        np.int64,
    ).reshape(-1, rows * columns)


def completions(cells: int, colours: int) -> NDArray[np.uint64]:
    """The ways to go on, uint64 [cells left + 1, colours so far + 1]; 0 where the board had more colours than
    cells so far."""
    ways = [[1] * (colours + 1)]
    for left in range(1, cells + 1):
        before = [*ways[-1], 0]
        ways.append(
            [
                known * before[known] + (before[known + 1] if known < colours else 0)
                if known + left <= cells
                else 0
                for known in range(colours + 1)
            ]
        )
    return np.array(ways, np.uint64)


def _shapes(
    rows: int, columns: int, sizes: Sequence[int], allows: Callable[[], Search[bool]]
) -> Search[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
    """All connected sets of cells of these sizes, by size and first cell, and where they begin."""
    cells = rows * columns
    turns = turns_of(rows, columns)
    one, across, full = np.uint64(1), np.uint64(columns), np.uint64((1 << cells) - 1)
    masks: NDArray[np.uint64] = np.uint64(1) << np.arange(cells, dtype=np.uint64)
    single = masks
    found: list[NDArray[np.uint64]] = []
    firsts = np.zeros((len(sizes), cells + 1), np.int64)
    total = 0
    for size in range(1, max(sizes) + 1):
        if size in sizes:
            lowest = masks & (~masks + one)
            order = np.argsort(lowest, kind="stable")
            found.append(masks[order])
            firsts[sizes.index(size)] = total + np.searchsorted(lowest[order], np.append(single, full + one))
            total += len(masks)
        beside: NDArray[np.uint64] = ((masks << one) & turns.not_first) | ((masks >> one) & turns.not_last)
        beside = (beside | (masks << across) | (masks >> across)) & full & ~masks
        yield from allows()
        masks = np.unique(np.concatenate([masks[beside & cell != 0] | cell for cell in single]))
    return firsts, np.concatenate(found)
