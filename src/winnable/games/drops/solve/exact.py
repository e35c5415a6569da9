"""The fewest clicks for a board, proved: the search of search_kernels.py, its room and its table."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from winnable.contract.core import Action
from winnable.games.drops.rules.level import FULL, RuleName
from winnable.games.drops.solve import kernels as engine
from winnable.games.drops.solve import search_kernels, table_kernels
from winnable.games.drops.solve.barrier_kernels import barrier
from winnable.games.drops.solve.click_kernels import click, to_bits, to_cells
from winnable.search.meter import Meter
from winnable.search.slices import Slices, Standing

SLICE = 4_000
"""Chains between two looks at the budget, some milliseconds: always as many, as a proof and a beam take turns
after so many chains."""
FIRST_ENTRIES = 1 << 12
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
            boards=np.zeros((depth, size), engine.Cell),
            keys=np.zeros((depth + 1, words), np.uint64),
            board=engine.new_board(n),
            chain=engine.new_chain(n),
            spent=np.zeros(choices + 1, np.int64),
            choice_cell=np.zeros(choices, np.int64),
            choice_board=np.zeros((choices, size), engine.Cell),
            choice_chain=np.zeros((choices, engine.new_chain(n).size), np.int64),
            parts=np.zeros((2 * n + 32, n), engine.Cell),
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
            cells.astype(engine.Cell), self.n, columns, self._room.lines, self._room.parts
        )
        return [part.astype(np.uint8) for part in self._room.parts[:count]]

    def lower_bound(self, component: NDArray[np.uint8]) -> int:
        """Without search: the best of several arguments."""
        columns = int(self.geometry[engine.COLUMNS])
        cells = component.astype(engine.Cell)
        least = table_kernels.least_clicks(cells, self.n, columns, self._room.lines)
        return max(int(least), int(barrier(cells, self.n // columns, columns)))

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
            self._grow_table()
            result = search_kernels.search(self._room, self.geometry, line, SLICE)
            if result == search_kernels.DONE:
                yield int(room.at[search_kernels.ANSWER])
                return
            yield int(room.frames[0, search_kernels.LIMIT])

    def follow(
        self, proof: Iterator[int], meter: Meter, stage: str, chains: int = sys.maxsize
    ) -> tuple[int, bool]:
        """Goes on with a proof for about so many chains; what is proved so far (0: nothing new), and whether
        it has come to its end."""
        proved, stop = 0, self.generated + chains

        def go_on(_: int) -> Standing:
            nonlocal proved
            if (further := next(proof, None)) is None:
                return "exhausted"
            proved = further
            return "stopped" if self.generated >= stop else "paused"

        outcome = self._slices.run(go_on, meter, stage)
        return proved, outcome == "exhausted"

    def lower_highest(self, highest: int) -> None:
        """Between two steps of `prove`: more clicks than this are no longer of use."""
        self._room.frames[0, search_kernels.HIGHEST] = highest

    def line(self, component: NDArray[np.uint8], meter: Meter) -> list[Action] | None:
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
                if not meter.allows("line"):
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
        self._enlarge_table()

    def _grow_table(self) -> None:
        """When it is half full, as far as the memory goes."""
        entries, words = self._room.table_keys.shape
        half_full = 2 * self._room.at[search_kernels.STORED] >= entries
        if half_full and 4 * entries * (8 * words + 4) <= self._memory:
            self._enlarge_table()

    def _enlarge_table(self) -> None:
        room = self._room
        entries, words = room.table_keys.shape
        keys = np.zeros((4 * entries, words), np.uint64)
        info = np.zeros(4 * entries, np.uint32)
        table_kernels.move_entries(room.table_keys, room.table_info, keys, info)
        self._room = room._replace(table_keys=keys, table_info=info)
