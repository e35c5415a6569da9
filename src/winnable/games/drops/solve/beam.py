"""Short lines for boards of any size: beam searches over phases, wider and wider (see beam_kernels.py).

On large boards the length of a line hangs on luck: on when a chain starts that feeds itself. There each
search draws its triggers anew, and the widths follow the sequence of Luby, Sinclair and Zuckerman ("Optimal
speedup of Las Vegas algorithms", 1993): many narrow searches, some wider, few wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from winnable.compiled.jit import ENABLED
from winnable.contract.core import Action, Budget, Progress, Search, finish
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.solve import beam_kernels
from winnable.games.drops.solve.beam_kernels import PAYMENTS, Beam, Phases
from winnable.games.drops.solve.click_kernels import click, to_bits, to_cells
from winnable.games.drops.solve.kernels import Geometry, new_board, new_play
from winnable.games.drops.solve.linked_kernels import new_clicker
from winnable.inert.arrays import F64, I16, U16, np
from winnable.search.meter import Meter

WEIGHTS = (
    *(0.386, 0.955, 0.155, 0.054),
    *(0.521, -0.101, -0.647, -0.964),
    *(0.428, 0.200, -0.092, -0.399),
    *(0.627, 0.466, 0.134, -0.087),
)
"""See beam_kernels.OF_LEAST. Fitted once by robust least squares to the clicks that such beams took from 866
states at rest, of boards of 4 × 4 to 14 × 14 cells with few and many drops."""
FIRST_LIMITS, LAST_LIMITS = (32, 8, 1), (1024, 64, 4)
"""See beam_kernels.TRIGGERS: in the beam of width 1, and where they stop to double with the width."""
LARGE = 128
"""Boards where more cells hold drops are large."""
LARGE_LIMITS = (2, 4, 1), (8, 4, 1)
"""First and last, for large boards."""
SLICE = 30_000 if ENABLED else 6_000
"""Cells of all phases that are tried between two looks at the clock: some milliseconds; as plain Python, some
tens of them."""
STATE_BYTES = 150
"""What a kept state takes besides its cells, table entries included."""


@dataclass(frozen=True, slots=True)
class Round:
    """What is known after one beam search."""

    width: int
    line: tuple[Action, ...]
    """The shortest one so far; clicks on cells that hold drops."""
    lower_bound: int
    """No line is shorter."""
    expanded: int
    """States, in all rounds together."""
    generated: int
    """Phases tried, in all rounds together."""


def beam_line(cells: bytes, level: Level, budget: Budget, seed: int = 0) -> Search[tuple[Action, ...]]:
    """The shortest line that `rounds` finds."""
    line: tuple[Action, ...] = ()
    for found in rounds(cells, level, budget, seed=seed):
        if isinstance(found, Progress):
            yield found
        else:
            line = found.line
    return line


def rounds(
    cells: bytes,
    level: Level,
    budget: Budget,
    *,
    seed: int = 0,
    lower_bound: int = 0,
    first_width: int = 1,
) -> Iterator[Progress | Round]:
    """Beam searches of doubled widths (on large boards, of Luby's), each yielded when it is done; at least
    one, whatever the budget.

    cells: of a board of the level's shape, played by its rules. lower_bound: what the caller knows already.
    It ends when the budget (its seconds, states and memory) does, when the line meets the lower bound, or
    when a wider search would do the same. The same seed gives the same lines, as long as the clock does not
    cut them.
    """
    meter = Meter(budget)
    search = _Search(cells, level, seed, meter)
    lower_bound = max(lower_bound, search.lower_bound)
    line = yield from search.greedy_line()
    width, number = first_width, 1
    while len(line) > lower_bound and search.fits(width):
        line, go_on = yield from search.round(width, line, lower_bound)
        if not go_on or len(line) <= lower_bound:
            break
        yield Round(width, line, lower_bound, meter.expanded, meter.generated)
        number += 1
        width = first_width * luby(number) if search.is_large else 2 * width
    yield Round(width, line, lower_bound, meter.expanded, meter.generated)


def luby(number: int) -> int:
    """The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from number 1."""
    power = 1 << number.bit_length() - 1
    return power if number == 2 * power - 1 else luby(number - power + 1)


class _Search:
    """All rounds on one board. lower_bound: see beam_kernels.outlook."""

    def __init__(self, cells: bytes, level: Level, seed: int, meter: Meter) -> None:
        n = len(cells)
        self.cells, self.clicker = cells, new_clicker(level)
        self.play = new_play(self.clicker.geometry)
        self.phases = _room_for_phases(level)
        self.rng = np.random.default_rng(seed)
        self.zobrist = self.rng.integers(1, 2**63, (n, FULL + 1), np.uint64)
        self._meter, self._steps = meter, max(1, SLICE // n)
        self.weights = np.array(WEIGHTS, np.float64)
        board = np.frombuffer(cells, np.uint8).astype(np.uint16)
        self.filled, self.lower_bound, _ = outlook(board, self.clicker.geometry, self.weights)
        self.is_large = self.filled > LARGE

    def greedy_line(self) -> Search[tuple[Action, ...]]:
        """Always a click on the fullest cell: some line, at once."""
        board, cells, line = to_bits(self.cells), self.cells, list[Action]()
        while any(cells):
            if self._meter.is_due:
                yield from self._meter.allows("beam")
            line.append(cells.index(max(cells)))
            click(board, self.clicker, line[-1])
            cells = to_cells(board, len(cells))
        return tuple(line)

    def fits(self, width: int) -> bool:
        """Whether the memory suffices for a beam of this width."""
        slots = (self.filled + 1) * width
        return slots * (len(self.cells) + STATE_BYTES) <= self._meter.budget.memory_mb << 20

    def round(
        self, width: int, line: tuple[Action, ...], lower_bound: int
    ) -> Search[tuple[tuple[Action, ...], bool]]:
        """A line that is no longer than the given one, and whether a wider search may bring more: there is
        budget left, and some bucket was full."""
        if self.is_large:
            self.zobrist = self.rng.integers(1, 2**63, self.zobrist.shape, np.uint64)
        beam = self._new_beam(width, len(line))
        go_on = (yield from self._fill(beam, lower_bound)) and bool((beam.kept == width).any())
        slot = int(beam.at[beam_kernels.BEST_PARENT])
        if slot < 0:
            return line, go_on
        clicks = _clicks(beam.best_moves)
        while beam.parent[slot] >= 0:
            clicks = _clicks(beam.moves[slot]) + clicks
            slot = int(beam.parent[slot])
        return tuple(clicks), go_on

    def _fill(self, beam: Beam, lower_bound: int) -> Search[bool]:
        """Expands bucket by bucket; False when the budget ended before."""
        meter, before = self._meter, self._meter.generated
        for bucket in range(self.filled, 0, -1):
            for slot in beam.heap[bucket, : beam.kept[bucket]].tolist():
                if beam.at[beam_kernels.BEST] <= lower_bound:
                    return True
                finished = False
                while not finished:
                    if meter.is_due and not (yield from meter.allows("beam")):
                        return False
                    finished = beam_kernels.expand(beam, self.phases, self.play, slot, self._steps)
                    meter.generated = before + int(beam.at[beam_kernels.GENERATED])
                meter.expanded += 1
        return True

    def _new_beam(self, width: int, cost: int) -> Beam:
        """Holds the root alone; only lines of less than `cost` clicks are looked for."""
        slots, n = (self.filled + 1) * width, len(self.cells)
        table = 1 << (slots * 4).bit_length()
        first, last = LARGE_LIMITS if self.is_large else (FIRST_LIMITS, LAST_LIMITS)
        beam = Beam(
            at=np.array([cost, -1, 0], np.int64),
            states=np.zeros((slots, n), np.uint8),
            cost=np.zeros(slots, np.int32),
            rank=np.zeros(slots, np.float64),
            hash=np.zeros(slots, np.uint64),
            parent=np.zeros(slots, np.int32),
            moves=np.zeros((slots, PAYMENTS + 1), np.int16),
            heap=np.zeros((self.filled + 1, width), np.int32),
            kept=np.zeros(self.filled + 1, np.int64),
            seen_hash=np.zeros(table, np.uint64),
            seen_cost=np.zeros(table, np.int32),
            best_moves=np.zeros(PAYMENTS + 1, np.int16),
            zobrist=self.zobrist,
            weights=self.weights,
            limits=np.minimum(np.array(first, np.int64) * width, last),
        )
        root = self.filled * width
        beam.states[root] = np.frombuffer(self.cells, np.uint8)
        beam.parent[root] = -1
        beam.heap[self.filled, 0] = root
        beam.kept[self.filled] = 1
        return beam


def outlook(board: U16, geometry: Geometry, weights: F64) -> tuple[int, int, float]:
    """The result of `beam_kernels.outlook`, with arrays of its own to work in."""
    lines = geometry.rows + geometry.columns
    room = np.zeros(lines, np.int64), np.zeros((2, lines), np.int64)
    filled, least, more = beam_kernels.outlook(board, geometry, *room, weights)
    return int(filled), int(least), float(more)


def _room_for_phases(level: Level) -> Phases:
    lines, room = level.rows + level.columns, beam_kernels.ROOM
    return Phases(
        pays=np.zeros((2, room, PAYMENTS), np.int64),
        trigger=np.zeros((2, room), np.int64),
        hits=np.zeros((2, room), np.int64),
        rank=np.zeros((2, room), np.float64),
        listed=np.zeros(2, np.int64),
        trial=np.zeros(PAYMENTS, np.int64),
        moves=np.zeros(PAYMENTS + 1, np.int16),
        lines=np.zeros(lines, np.int64),
        ends=np.zeros((2, lines), np.int64),
        root=new_board(level.rows * level.columns),
        at=np.zeros(4, np.int64),
    )


def _clicks(moves: I16) -> list[Action]:
    """Those of one phase: what is paid comes before the trigger."""
    trigger, *payments = [(move >> 2, (move & 3) + 1) for move in moves.tolist() if move >= 0]
    return [cell for cell, times in (*payments, trigger) for _ in range(times)]


def warm() -> None:
    """Compiles every kernel."""
    level = Level(("213", "111", "111"))
    finish(beam_line(level.cells, level, Budget(expanded=40)))
