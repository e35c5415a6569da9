"""The fewest clicks for a board, proved: the search of search_kernels.py, its workspace and its table."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from winnable.contract.core import Action, Search
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.solve import search_kernels, table_kernels
from winnable.games.drops.solve.barrier_kernels import MOST, NEVER, highest_cost, piece_costs, span_costs
from winnable.games.drops.solve.click_kernels import click, to_bits, to_cells
from winnable.games.drops.solve.kernels import Cells, geometry_of, new_chain, new_play
from winnable.games.drops.solve.linked_kernels import new_clicker
from winnable.inert.arrays import np
from winnable.search.meter import Meter
from winnable.search.slices import SliceEnd, Slices

SLICE = 4_000
"""Chains between two looks at the budget, some milliseconds: always as many, as a proof and a beam take turns
after so many chains."""
FIRST_ENTRIES = 1 << 12
MOVED = 1 << 18
"""Words of a table that go into a larger one between two looks at the budget."""
MOST_CLICKS = table_kernels.BOUND - 1
"""That the table can note; 32 × 32 cells take at most 4,096 clicks, and far fewer in truth."""
UNLIMITED = sys.maxsize


class ExactSearch:
    """Boards of one shape under one rule set; what is proved about one component serves the others.

    level:  of that shape and rule set
    memory: bytes that the table may take
    """

    def __init__(self, level: Level, memory: int) -> None:
        self._level, self._memory = level, memory
        self.geometry = geometry_of(level)
        self.n = n = self.geometry.cells
        depth, choices, size, parts = n + 2, 4 * n, 5 * (n + 1), 2 * n + 32
        at, table = np.zeros(9, np.int64), table_kernels.new_table(FIRST_ENTRIES, n)
        self._slices = Slices(at[search_kernels.FRAMES : search_kernels.CHAINS + 1])
        self._work = search_kernels.Workspace(
            at=at,
            play=new_play(self.geometry, price_rows=depth),
            frames=search_kernels.Frames(
                np.zeros((depth, size), np.uint16),
                np.zeros((depth + 1, table.keys.shape[1]), np.uint64),
                np.zeros((depth, 64), np.int64),
                *(np.zeros(depth, np.int64) for _ in range(len(search_kernels.Frames._fields) - 3)),
            ),
            choices=search_kernels.Choices(
                np.zeros(choices, np.int64),
                np.zeros((choices, size), np.uint16),
                new_chain(n, choices),
                np.zeros(choices + 1, np.int64),
            ),
            parts=np.zeros((parts, n), np.uint16),
            part_bound=np.zeros(parts, np.int64),
            lines=np.zeros(64, np.int64),
            trial=np.zeros(n + 1),
            table=table,
        )

    @property
    def generated(self) -> int:
        """The number of chains that were run. What is expanded is the boards at rest that were searched."""
        return int(self._work.at[search_kernels.CHAINS])

    def components(self, cells: bytes) -> list[bytes]:
        """Splits a board into boards of one component each."""
        board = np.frombuffer(cells, np.uint8).astype(np.uint16)
        count = table_kernels.part(board, self.geometry, self._work.lines, self._work.parts)
        return [part.astype(np.uint8).tobytes() for part in self._work.parts[:count]]

    def bounded(self, cells: bytes, meter: Meter) -> Search[tuple[list[bytes], list[int]]]:
        """The components, and lower bounds of them."""
        parts, bounds = self.components(cells), list[int]()
        for part in parts:
            bounds += [(yield from self.lower_bound(part, meter))]
        return parts, bounds

    def lower_bound(self, component: bytes, meter: Meter) -> Search[int]:
        """The best of several bounds, without a search for lines. It does not end with the budget."""
        cells = np.frombuffer(component, np.uint8).astype(np.uint16)
        least, _, _ = table_kernels.least_clicks(cells, self.geometry, self._work.lines)
        return max(int(least), (yield from barrier(cells, self._level.rows, self._level.columns, meter)))

    def fewest(
        self,
        cells: bytes,
        highest: int,
        meter: Meter,
        line: list[Action] | None = None,
        *,
        chains: int = UNLIMITED,
        longest: int = UNLIMITED,
    ) -> Search[tuple[int, bool]]:
        """The fewest clicks, more than `highest` if it takes more, and True; or a lower bound and False when
        the budget ended, so many chains were run in all, or a component takes more than `longest` clicks.
        The clicks are added to `line`, unless it takes too many."""
        parts, bounds = yield from self.bounded(cells, meter)
        total = sum(bounds)
        for part, bound in zip(parts, bounds, strict=True):
            if total > highest:
                break
            if bound > longest:
                return total, False
            proof = self.prove(part, highest - total + bound, line=line is not None)
            proved, ended = yield from self.follow(proof, meter, chains - self.generated)
            if not ended:
                return total + max(0, proved - bound), False
            total += proved - bound
            if line is not None and total <= highest:
                clicks = yield from self.line(part, meter)
                if clicks is None:
                    return total, False
                line += clicks
        return total, True

    def prove(self, component: bytes, highest: int, *, line: bool = True) -> Iterator[int]:
        """Searches in slices, and yields after each what is proved so far: no fewer clicks will do; or 0, as
        it does something else for a while. The last value is the fewest clicks, or `highest + 1` when it
        takes more than `highest`. With `line`, what is known already is searched again as far as `line` needs
        it.
        """
        at, frames = self._work.at, self._work.frames
        at[: search_kernels.FRAMES] = 0  # where it stands; the counts go on
        at[search_kernels.STATE] = search_kernels.ENTER
        frames.board[0, : self.n] = np.frombuffer(component, np.uint8)
        frames.highest[0] = highest
        while True:
            for _ in self._grow_table():
                yield 0
            stop = self.generated + SLICE
            while (
                status := search_kernels.search(self._work, line, stop - self.generated)
            ) == search_kernels.WEIGHING:
                yield 0
            if status == search_kernels.DONE:
                yield int(at[search_kernels.ANSWER])
                return
            yield int(frames.limit[0])

    def follow(self, proof: Iterator[int], meter: Meter, chains: int) -> Search[tuple[int, bool]]:
        """Goes on with a proof for about so many chains; what is proved so far (0: nothing new), and whether
        it has come to its end."""
        proved, stop = 0, self.generated + chains

        def go_on(_: int) -> SliceEnd:
            nonlocal proved
            if (further := next(proof, None)) is None:
                return "exhausted"
            proved = further or proved
            return "stopped" if further and self.generated >= stop else "paused"

        outcome = yield from self._slices.run(go_on, meter, "optimal")
        return proved, outcome == "exhausted"

    def lower_highest(self, highest: int) -> None:
        """Notes between two steps of `prove` that more clicks than this are no longer of use."""
        self._work.frames.highest[0] = highest

    def line(self, component: bytes, meter: Meter) -> Search[list[Action] | None]:
        """An optimal line, directly after `prove` has found how many clicks it takes; None when the budget
        ends before."""
        clicker = new_clicker(self._level)
        phase = self._first_phase()
        clicks: list[Action] = []
        waiting: list[bytes] = []
        while True:
            clicks += phase
            board = to_bits(component)
            for cell in phase:
                click(board, clicker, cell)
            waiting += self.components(to_cells(board, self.n))
            if not waiting:
                return clicks
            component = waiting.pop()
            for _ in self.prove(component, MOST_CLICKS, line=True):
                if not (yield from meter.allows("line")):
                    return None
            phase = self._first_phase()

    def _first_phase(self) -> list[Action]:
        """The clicks of the phase that the search ended with: payments, then the trigger."""
        choices, frames, clicks = self._work.choices, self._work.frames, list[Action]()
        for choice in range(int(self._work.at[search_kernels.CHOICE_TOP])):
            cell = int(choices.cell[choice])
            clicks += [cell] * (FULL + 1 - int(choices.board[choice, cell]))
        trigger = int(frames.trigger[0])
        return clicks + [trigger] * (FULL + 1 - int(frames.board[0, trigger]))

    def warm(self) -> None:
        """Compiles what `prove` needs only now and then."""
        for _ in self._enlarge_table():
            pass

    def _grow_table(self) -> Iterator[None]:
        """When it is half full, as far as the memory goes; a part of it between two items."""
        keys, info = self._work.table
        half_full = 2 * self._work.at[search_kernels.STORED] >= info.size
        if half_full and 4 * (keys.nbytes + info.nbytes) <= self._memory:
            yield from self._enlarge_table()

    def _enlarge_table(self) -> Iterator[None]:
        table = self._work.table
        larger = table_kernels.new_table(4 * table.info.size, self.n)
        step = max(1, MOVED // (1 + table.keys.shape[1]))
        for first in range(0, table.info.size, step):
            table_kernels.move_entries(table, first, first + step, larger)
            yield
        self._work = self._work._replace(table=larger)


def barrier(cells: Cells, rows: int, columns: int, meter: Meter) -> Search[int]:
    """No fewer clicks empty this board (see barrier_kernels.py); 0, which says nothing, if a cell is empty.
    It does not end with the budget."""
    if not cells.all():
        return 0
    costs = np.empty((rows, columns, columns, columns + 1), np.int64)
    piece = np.full(min(cells.size, MOST) + 1, NEVER, np.int64)
    span_costs(cells, rows, columns, costs)
    for left in range(columns):
        piece_costs(rows, columns, costs, left, piece)
        if meter.is_due:
            yield from meter.allows("optimal")
    return int(highest_cost(piece, FULL + 1 - int(cells.max())))
