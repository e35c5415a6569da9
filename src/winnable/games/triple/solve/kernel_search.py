"""The searches by kernels of triple: allocate, go on slice by slice, read the line off."""

from __future__ import annotations

import sys
from functools import partial
from typing import TypeAlias

from winnable.contract.core import Action, Search
from winnable.games.triple.rules.puzzle import Picked
from winnable.games.triple.solve import beam_kernels, exact_kernels, kernels
from winnable.games.triple.solve.beam_kernels import Beam
from winnable.games.triple.solve.exact_kernels import Exact
from winnable.games.triple.solve.kernels import Tables
from winnable.games.triple.solve.plan import LOG_ONE, Plan
from winnable.inert.arrays import I32, I64, np
from winnable.search.meter import Meter
from winnable.search.slices import Outcome, SliceEnd, Slices

Weights: TypeAlias = tuple[int, int, int, int]
"""How much waiting, finishing begun kinds, tiles in the tray and open tiles count in a score."""

FIRST_SLOTS = 1 << 12
"""Of a transposition table, where the memory allows it."""
FIRST_EFFORT = 100_000
"""Of a search's first slice: nodes times tiles."""
MOVED = 1 << 19
"""Words of a table that are moved to a larger one in one step."""
SLICE_ENDS: tuple[SliceEnd, ...] = ("running", "solved", "exhausted", "paused", "paused")
"""By what the slice of a kernel returns: RUNNING, SOLVED ... of kernels.py."""


class ExactSearch:
    """The exhaustive search of one direction from one state. `run` goes on where it stopped."""

    def __init__(self, plan: Plan, tables: Tables, state: Picked, weights: Weights) -> None:
        self.stage = "exact.backward" if tables.backward else "exact.forward"
        self.full = False
        """Whether it stopped because the memory was used up."""
        self.tables = tables
        self.root = plan.root(tables, state)
        self._kept = plan.kept
        self._words = kernels.words_of(plan.tiles)
        self._started = False
        at = np.zeros(7, np.int64)
        at[exact_kernels.LEFT] = self.root.left
        at[exact_kernels.TRAY] = int(tables.held[self.root.counts].sum())
        counts = at[exact_kernels.EXPANDED : exact_kernels.GENERATED + 1]
        self._slices = Slices(counts, max(1, FIRST_EFFORT // plan.tiles))
        tiles, kinds, depth = plan.tiles, plan.kinds, self.root.left + 1
        self._search = Exact(
            waits=self.root.waits.copy(),
            counts=self.root.counts.copy(),
            done=kernels.pack(self.root.done, self._words),
            at=at,
            hash=np.zeros(1, np.uint64),
            path=np.zeros(depth, np.int32),
            base=np.zeros(depth, np.int64),
            stack=np.zeros(4 * tiles + 4096, np.int32),
            ranks=np.zeros(tiles, np.int64),
            opens=np.zeros(tiles, np.int32),
            kept=np.zeros(tiles, np.int32),
            first=np.zeros(kinds, np.int32),
            chain=np.zeros(tiles, np.int32),
            weights=_fixed_point(weights),
            slot_hash=np.zeros(0, np.uint64),
            slot_done=np.zeros((0, self._words), np.uint64),
        )

    def run(self, meter: Meter, nodes: int, memory: int) -> Search[Outcome]:
        """Expands up to `nodes` further nodes; the tables take up to `memory` bytes."""
        if not self._started:
            self._started = True
            slots = max(exact_kernels.WINDOW, min(FIRST_SLOTS, memory // (8 + 8 * self._words)))
            self._search = self._search._replace(
                slot_hash=np.zeros(slots, np.uint64), slot_done=np.zeros((slots, self._words), np.uint64)
            )
            exact_kernels.expand_exact(self.tables, self._search)
            self._slices.count(meter)
        if self.full:
            return "stopped"
        go_on = partial(self._go_on, meter, memory)
        return (yield from self._slices.run(go_on, meter, self.stage, nodes=nodes))

    def _go_on(self, meter: Meter, memory: int, nodes: int) -> Search[SliceEnd]:
        slots_to_use = self._search.slot_hash.size * 5 // 8 if self._larger(memory) else sys.maxsize
        status = exact_kernels.exact_slice(self.tables, self._search, nodes, slots_to_use)
        if status == kernels.TABLE_FULL:
            yield from self._grow_table(meter, memory)
        elif status == kernels.STACK_FULL:
            stack = self._search.stack
            self.full = 3 * stack.nbytes > memory
            if self.full:
                return "stopped"
            self._search = self._search._replace(stack=np.resize(stack, 2 * stack.size))
        return SLICE_ENDS[status]

    def line(self) -> tuple[Action, ...]:
        """The picks that win from the state, after "solved"."""
        path = self._kept[self._search.path[: self.root.left]].tolist()
        return tuple(reversed(path)) if self.tables.backward else tuple(path)

    def _larger(self, memory: int) -> int:
        """Slots of the next table: twice as many, or what fits beside the old; 0 when that is not worth it.

        A table that cannot grow forgets some states instead (see `remember`): slower, never wrong.
        """
        slots = self._search.slot_hash.size
        fitting = memory // (8 + 8 * self._words) - slots
        larger = min(2 * slots, fitting)
        return larger if larger >= 1.25 * slots else 0

    def _grow_table(self, meter: Meter, memory: int) -> Search[None]:
        """Leaves the table as it was when the budget ends meanwhile."""
        search = self._search
        slot_hash = np.zeros(self._larger(memory), np.uint64)
        slot_done = np.zeros((slot_hash.size, self._words), np.uint64)
        used = 0
        step = max(1, MOVED // (1 + self._words))
        for start in range(0, search.slot_hash.size, step):
            if not (yield from meter.allows(self.stage)):
                return
            some = slice(start, start + step)
            used += exact_kernels.move_entries(
                search.slot_hash[some], search.slot_done[some], slot_hash, slot_done
            )
        search.at[exact_kernels.USED] = used
        self._search = search._replace(slot_hash=slot_hash, slot_done=slot_done)


class BeamSearch:
    """A beam of one direction from one state.

    starts: int32[positions, depth], tiles by their number in the plan: begins with the positions after these
            are done, all of them, however narrow it is from there on
    """

    def __init__(
        self,
        plan: Plan,
        tables: Tables,
        state: Picked,
        width: int,
        weights: Weights,
        seed: int,
        starts: I32 | None = None,
    ) -> None:
        self.stage, self._width = "beam.backward" if tables.backward else "beam.forward", width
        self.tables = tables
        self.root = plan.root(tables, state)
        self._kept = plan.kept
        starts = np.empty((1, 0), np.int32) if starts is None else starts  # where the root is alone
        self._starts = starts
        self._beam = _new_beam(plan, self.root.left, max(width, len(starts)), weights, seed)
        beam = self._beam
        self._counts = beam.at[beam_kernels.BEAM_EXPANDED : beam_kernels.BEAM_GENERATED + 1]
        self._level_ended = False
        beam.at[beam_kernels.KEEP] = width
        beam.waits[0, 0] = self.root.waits
        beam.counts[0, 0] = self.root.counts
        beam.tray[0, 0] = int(tables.held[self.root.counts].sum())
        self._unstarted = len(starts)
        """Of the starts so many, the first ones, are not done yet."""

    @property
    def tiles_left(self) -> int:
        """How many tiles the states that it holds now still have to do."""
        return self.root.left - int(self._beam.at[beam_kernels.BEAM_DEPTH])

    def run(self, meter: Meter) -> Search[Outcome]:
        """Goes on until it ends or the budget does."""
        while True:
            self._level_ended = False
            slices = Slices(self._counts, max(1, FIRST_EFFORT // len(self._kept)))
            outcome = yield from slices.run(self._go_on, meter, self.stage, {"width": self._width})
            if not self._level_ended:
                return outcome

    def _go_on(self, nodes: int) -> SliceEnd:
        if self._unstarted:
            last = self._unstarted
            self._unstarted = max(0, last - 1 - FIRST_EFFORT // max(1, self._starts.shape[1]))
            beam_kernels.do_starts(self.tables, self._beam, self._starts, self._unstarted, last)
            if self._unstarted:
                return "paused"
        status = beam_kernels.beam_slice(self.tables, self._beam, nodes)
        self._level_ended = status == beam_kernels.LEVEL
        return "stopped" if self._level_ended else SLICE_ENDS[status]

    def line(self) -> tuple[Action, ...]:
        """The picks that win from the state, after "solved". Before, of a forward beam: those to the best of
        the positions that it holds."""
        beam, row = self._beam, 0
        path: list[int] = []
        for depth in reversed(range(self._starts.shape[1], int(beam.at[beam_kernels.BEAM_DEPTH]))):
            path.append(int(self._kept[beam.tiles[depth, row]]))
            row = int(beam.parents[depth, row])
        path += reversed(self._kept[self._starts[row]].tolist())
        return tuple(path) if self.tables.backward else tuple(reversed(path))


def widest_beam(plan: Plan, left: int, memory: int) -> int:
    """The width whose arrays take about `memory` bytes; at least 1."""
    row = 4 * plan.tiles + 4 * plan.kinds + 48 + 8 * left + 200
    return max(1, (memory - 200 * plan.tiles) // row)


def _new_beam(plan: Plan, left: int, width: int, weights: Weights, seed: int) -> Beam:
    tiles, kinds = plan.tiles, plan.kinds
    children = 3 * width + 2 * tiles
    at = np.zeros(13, np.int64)
    at[beam_kernels.BEAM_LEFT] = left
    at[beam_kernels.SHIFT] = 2 + seed % 52
    at[beam_kernels.FLOOR] = beam_kernels.LOWEST
    return Beam(
        at=at,
        weights=_fixed_point(weights),
        waits=np.empty((2, width, tiles), np.int16),
        counts=np.empty((2, width, kinds), np.int16),
        gain=np.zeros((2, width), np.int64),
        hash=np.zeros((2, width), np.uint64),
        tray=np.zeros((2, width), np.int64),
        child_rank=np.empty(children, np.int64),
        child_hash=np.empty(children, np.uint64),
        child_gain=np.empty(children, np.int64),
        child_parent=np.empty(children, np.int32),
        child_tile=np.empty(children, np.int32),
        seen=np.zeros(1 << (2 * children).bit_length(), np.uint64),
        parents=np.empty((left, width), np.int32),
        tiles=np.empty((left, width), np.int32),
        opens=np.empty(tiles, np.int32),
    )


def _fixed_point(weights: Weights) -> I64:
    """What they multiply: the first two sums of `Tables.log`, the others plain numbers."""
    return np.array([1, 1, LOG_ONE, LOG_ONE], np.int64) * np.array(weights, np.int64)
