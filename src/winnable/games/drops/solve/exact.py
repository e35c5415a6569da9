"""The fewest clicks for a board, proved: the search of search_kernels.py, its room and its table."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from winnable.contract.core import Action, Search
from winnable.games.drops.rules.level import FULL, RuleName
from winnable.games.drops.solve import kernels as engine
from winnable.games.drops.solve import search_kernels, table_kernels
from winnable.games.drops.solve.barrier_kernels import MOST, NEVER, highest_cost, piece_costs, span_costs
from winnable.games.drops.solve.click_kernels import click, to_bits, to_cells
from winnable.inert.arrays import NDArray, np
from winnable.search.meter import Meter
from winnable.search.slices import Slices, Standing

SLICE = 4_000
"""Chains between two looks at the budget, some milliseconds: always as many, as a proof and a beam take turns
after so many chains."""
FIRST_ENTRIES = 1 << 12
MOVED = 1 << 16
"""Entries that go into a larger table between two looks at the budget."""
MOST_CLICKS = table_kernels.BOUND - 1
"""That the table can note; 32 × 32 cells take at most 4,096 clicks, and far fewer in truth."""


class ExactSearch:
    """Boards of one shape under one rule set; what is proved about one component serves the others.

    memory: bytes that the table may take.
    """

    def __init__(self, rows: int, columns: int, rules: RuleName, memory: int) -> None:
        n = rows * columns
        self.n, self._memory = n, memory
        self.geometry = engine.geometry_of(rows, columns, rules)
        words = table_kernels.words_of(n)
        depth, choices, size = n + 2, 4 * n, 5 * (n + 1)
        at = np.zeros(8, np.int64)
        self._slices = Slices(at[search_kernels.FRAMES : search_kernels.CHAINS + 1])
        self._room = search_kernels.Room(
            at=at,
            frames=np.zeros((depth, 14), np.int64),
            boards=np.zeros((depth, size), np.uint16),
            keys=np.zeros((depth + 1, words), np.uint64),
            board=engine.new_board(n),
            chain=engine.new_chain(n),
            spent=np.zeros(choices + 1, np.int64),
            choice_cell=np.zeros(choices, np.int64),
            choice_board=np.zeros((choices, size), np.uint16),
            choice_chain=np.zeros((choices, engine.new_chain(n).size), np.int64),
            parts=np.zeros((2 * n + 32, n), np.uint16),
            part_bound=np.zeros(2 * n + 32, np.int64),
            lines=np.zeros(64, np.int64),
            masks=np.zeros((depth, 64), np.int64),
            weights=np.zeros((depth, n + 1), np.int64),
            worth=np.zeros((depth, (rows + columns) << int(self.geometry[engine.BITS])), np.int64),
            table_keys=np.zeros((FIRST_ENTRIES, words), np.uint64),
            table_info=np.zeros(FIRST_ENTRIES, np.uint32),
        )

    @property
    def generated(self) -> int:
        """Chains that were run. What is expanded is the boards at rest that were searched."""
        return int(self._room.at[search_kernels.CHAINS])

    def components(self, cells: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
        """uint8 [n] each."""
        columns = int(self.geometry[engine.COLUMNS])
        count = table_kernels.part(
            cells.astype(np.uint16), self.n, columns, self._room.lines, self._room.parts
        )
        return [part.astype(np.uint8) for part in self._room.parts[:count]]

    def bounded(
        self, cells: NDArray[np.uint8], meter: Meter
    ) -> Search[tuple[list[NDArray[np.uint8]], list[int]]]:
        """The components, and lower bounds of them."""
        parts, bounds = self.components(cells), list[int]()
        for part in parts:
            bounds += [(yield from self.lower_bound(part, meter))]
        return parts, bounds

    def lower_bound(self, component: NDArray[np.uint8], meter: Meter) -> Search[int]:
        """Without a search for lines: the best of several arguments. It does not end with the budget."""
        columns = int(self.geometry[engine.COLUMNS])
        cells = component.astype(np.uint16)
        least = table_kernels.least_clicks(cells, self.n, columns, self._room.lines)
        return max(int(least), (yield from barrier(cells, self.n // columns, columns, meter)))

    def prove(self, component: NDArray[np.uint8], highest: int, *, line: bool = True) -> Iterator[int]:
        """Searches in slices, and yields after each what is proved so far: no fewer clicks will do. The last
        value is the fewest clicks, or `highest + 1` when it takes more than `highest`. With `line`, what is
        known already is searched again as far as `line` needs it.
        """
        room = self._room
        room.at[: search_kernels.FRAMES] = 0  # where it stands; the counts go on
        room.at[search_kernels.STATE] = search_kernels.ENTER
        room.boards[0, : self.n] = component
        room.frames[0, search_kernels.HIGHEST] = highest
        while True:
            for _ in self._grow_table():
                yield int(room.frames[0, search_kernels.LIMIT])
            result = search_kernels.search(self._room, self.geometry, line, SLICE)
            if result == search_kernels.DONE:
                yield int(room.at[search_kernels.ANSWER])
                return
            yield int(room.frames[0, search_kernels.LIMIT])

    def follow(
        self, proof: Iterator[int], meter: Meter, stage: str, chains: int = sys.maxsize
    ) -> Search[tuple[int, bool]]:
        """Goes on with a proof for about so many chains; what is proved so far (0: nothing new), and whether
        it has come to its end."""
        proved, stop = 0, self.generated + chains

        def go_on(_: int) -> Standing:
            nonlocal proved
            if (further := next(proof, None)) is None:
                return "exhausted"
            proved = further
            return "stopped" if self.generated >= stop else "paused"

        outcome = yield from self._slices.run(go_on, meter, stage)
        return proved, outcome == "exhausted"

    def lower_highest(self, highest: int) -> None:
        """Between two steps of `prove`: more clicks than this are no longer of use."""
        self._room.frames[0, search_kernels.HIGHEST] = highest

    def line(self, component: NDArray[np.uint8], meter: Meter) -> Search[list[Action] | None]:
        """An optimal line, directly after `prove` has found how many clicks it takes; None when the budget
        ends before."""
        cells, chain = engine.new_board(self.n), engine.new_chain(self.n)
        phase = self._first_phase()
        clicks: list[Action] = []
        waiting: list[NDArray[np.uint8]] = []
        while True:
            clicks += phase
            board = to_bits(component.tobytes())
            for cell in phase:
                click(board, self.geometry, cells, chain, cell)
            waiting += self.components(np.frombuffer(to_cells(board, self.n), np.uint8))
            if not waiting:
                return clicks
            component = waiting.pop()
            for _ in self.prove(component, MOST_CLICKS, line=True):
                if not (yield from meter.allows("line")):
                    return None
            phase = self._first_phase()

    def _first_phase(self) -> list[Action]:
        """The clicks of the phase that the search ended with: payments, then the trigger."""
        room = self._room
        clicks: list[Action] = []
        for choice in range(int(room.at[search_kernels.CHOICE_TOP])):
            cell = int(room.choice_cell[choice])
            clicks += [cell] * (FULL + 1 - int(room.choice_board[choice, cell]))
        trigger = int(room.frames[0, search_kernels.TRIGGER])
        return clicks + [trigger] * (FULL + 1 - int(room.boards[0, trigger]))

    def warm(self) -> None:
        """Compiles what `prove` needs only now and then."""
        for _ in self._enlarge_table():
            pass

    def _grow_table(self) -> Iterator[None]:
        """When it is half full, as far as the memory goes; a part of it between two items."""
        entries, words = self._room.table_keys.shape
        half_full = 2 * self._room.at[search_kernels.STORED] >= entries
        if half_full and 4 * entries * (8 * words + 4) <= self._memory:
            yield from self._enlarge_table()

    def _enlarge_table(self) -> Iterator[None]:
        room = self._room
        entries, words = room.table_keys.shape
        keys = np.zeros((4 * entries, words), np.uint64)
        info = np.zeros(4 * entries, np.uint32)
        for first in range(0, entries, MOVED):
            part = slice(first, first + MOVED)
            table_kernels.move_entries(room.table_keys[part], room.table_info[part], keys, info)
            yield
        self._room = room._replace(table_keys=keys, table_info=info)


def barrier(cells: engine.Cells, rows: int, columns: int, meter: Meter) -> Search[int]:
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
