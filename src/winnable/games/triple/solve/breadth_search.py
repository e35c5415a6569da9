"""The search by breadth_kernels.py: breadth first, depth by depth, all positions that can be reached."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Self

from winnable.contract.core import Action, Search
from winnable.games.triple.rules.puzzle import Picked, picked_flags
from winnable.games.triple.solve import breadth_kernels, kernels
from winnable.games.triple.solve.breadth_kernels import Batch, Frontier, Order
from winnable.games.triple.solve.kernels import Tables
from winnable.games.triple.solve.plan import Plan, Root
from winnable.inert.arrays import I32, I64, U64, NDArray, np
from winnable.search.meter import Meter
from winnable.search.slices import Outcome, SliceEnd, Slices

FIRST_ROWS = 1 << 10
FIRST_NODES, FIRST_EFFORT = 1000, 300_000
"""Of a search's first slice, the most; and nodes times tiles."""
BATCH = 128
"""Positions that a batch has room for, beside those that follow one more."""
HISTORY_BYTES = 8
"""For each position: the row that it came from, and the tile."""
CLEARED, ENTERED, ADDED, RELEASED = 1 << 20, 1 << 16, 1 << 21, 1 << 23
"""Slots that are cleared, rows that a table gets, and words of rows that are new or given back, in one
step."""
LOOKED_AT = 1 << 19
"""Words of rows that are looked through in one step."""


class BreadthSearch:
    """All positions of one direction from one state. `run` goes on where it stopped.

    Nothing is passed over: when it ends without a line, there is none, and its `positions` are those of the
    closed set (see refutation.py). It keeps the positions of two depths, and of all how they came about.
    """

    def __init__(self, plan: Plan, tables: Tables, state: Picked, short: int = 0) -> None:
        """short: it ends so many tiles before the last one"""
        self.stage = "breadth.backward" if tables.backward else "breadth.forward"
        self.positions = 1
        self.full = False
        """Whether it stopped because the memory was used up."""
        self._backward = tables.backward
        self._kept = plan.kept
        root = plan.root(tables, state)
        self._root_done = root.done
        self._order: Order = _order(plan, tables, root)
        self.depth, self._left = 0, root.left - short
        self._history: list[tuple[I32, I32]] = []
        self._complete = 0
        """Up to this depth, the history may have positions that are none of this search (`go_on_from`)."""
        self._uncleared = self._missing = 0
        """Of the table so many slots, the first ones, are not cleared yet; of the positions of the next depth
        so many, the last ones, are not in it."""
        words = self._order.needs.shape[1]
        pairs = (plan.kinds + 31) // 32
        size = 3 * words + pairs + 2
        self._first_rows = rows = max(FIRST_ROWS, 2 * (plan.tiles + BATCH))
        here = np.zeros((rows, size), np.uint64)
        here[0, :words] = kernels.pack(root.done, words)
        opens = sum(1 << int(tile) for tile in np.flatnonzero(root.waits == 0))
        here[0, words : 2 * words] = kernels.pack(opens, words)
        here[0, 3 * words : -2] = kernels.pack(
            sum(int(n) << 2 * kind for kind, n in enumerate(root.counts)), pairs
        )
        here[0, -2] = int(tables.held[root.counts].sum())
        at = np.zeros(5, np.int64)
        at[breadth_kernels.ROWS] = 1
        self._table = np.zeros(_slots(rows), np.uint64)
        self._frontier: Frontier = Frontier(
            at,
            here=here,
            after=np.empty((rows, size), np.uint64),
            parents=np.empty(rows, np.int32),
            tiles=np.empty(rows, np.int32),
            slots=self._table,
            batch=_batch(plan.tiles + BATCH, words),
        )
        self._changed = False
        """Whether a slice has ended as another depth or table begins, with which each position takes another
        time."""

    def run(self, meter: Meter, nodes: int, memory: int) -> Search[Outcome]:
        """Expands up to `nodes` further positions; takes up to `memory` bytes."""
        if self.depth == self._left:
            return "solved" if self._frontier.at[breadth_kernels.ROWS] else "exhausted"
        go_on, last = partial(self._go_on, meter, memory), meter.expanded + nodes
        first = max(1, min(FIRST_NODES, FIRST_EFFORT // len(self._kept)))
        while not self.full:
            self._changed = False
            slices = Slices(self._counts, first)
            outcome = yield from slices.run(go_on, meter, self.stage, nodes=last - meter.expanded)
            if not self._changed:
                return outcome
        return "stopped"

    def _go_on(self, meter: Meter, memory: int, nodes: int) -> Search[SliceEnd]:
        if self._uncleared or self._missing:
            self._prepare_slots()
            return "paused"
        status = breadth_kernels.breadth_slice(self._order, self._frontier, nodes)
        if status == kernels.RUNNING:
            return "running"
        if status == kernels.TABLE_FULL:
            yield from self._grow(meter, memory)
        elif self._frontier.at[breadth_kernels.NEXT] == 0:
            return "exhausted"
        else:
            self._next_depth(memory)
            if self.depth == self._left:
                return "solved"
        self._changed = True
        return "stopped"

    def go_on_from(self, state: Picked, meter: Meter) -> Search[bool]:
        """Goes on, as a search backward can, as the one from a later state of the game, in which some more
        tiles are picked. Its positions are those of this one that lack these tiles. False when this search is
        past the number of tiles that the state has left: then it cannot go on so. Nothing is changed before
        the end. The meter is told."""
        picked = np.array(picked_flags(state, int(self._kept[-1]) + 1), np.bool_)[self._kept]
        left = len(picked) - int(np.count_nonzero(picked))
        if left < self.depth:
            return False
        order, frontier, at = self._order, self._frontier, self._frontier.at
        words = order.needs.shape[1]
        gone = kernels.pack(sum(1 << int(tile) for tile in np.flatnonzero(picked)), words)
        row, rows, found = (
            int(at[i]) for i in (breadth_kernels.ROW, breadth_kernels.ROWS, breadth_kernels.NEXT)
        )
        tell = partial(meter.allows, self.stage)
        stay, here = yield from _lacking(frontier.here[:rows], gone, tell)
        stay_found, after = yield from _lacking(frontier.after[:found], gone, tell)
        number: I32 = np.cumsum(stay, dtype=np.int32) - np.int32(1)  # of the rows that stay
        parents: I32 = number[frontier.parents[:found][stay_found]]
        tiles: I32 = frontier.tiles[:found][stay_found]
        if self._history:
            before, done = self._history[-1]
            self._history[-1] = before[stay], done[stay]
        self.positions -= rows - len(here)
        at[breadth_kernels.ROW] = np.count_nonzero(stay[:row])
        at[breadth_kernels.ROWS], at[breadth_kernels.NEXT] = len(here), len(after)
        room = max(self._first_rows, len(after))
        after.resize((room, after.shape[1]), refcheck=False)
        parents.resize(room, refcheck=False)
        tiles.resize(room, refcheck=False)
        self._frontier = frontier._replace(here=here, after=after, parents=parents, tiles=tiles)
        self._renew_slots(room)
        needs: U64 = order.needs.copy()
        needs[picked] = ~np.uint64(0)  # as in `_order`
        self._order, self._left, self.full = order._replace(needs=needs), left, False
        self._complete = self.depth
        return True

    def gone_on_from(self, state: Picked, meter: Meter) -> Search[Self | None]:
        """Another search, as this one after `go_on_from`; this one stays as it is. For the two there is one
        thread. None where it cannot go on so."""
        other, at, nothing = copy(self), self._frontier.at.copy(), np.zeros(0, np.uint64)
        other._frontier = self._frontier._replace(at=at, slots=nothing)
        other._table, other._history = nothing, self._history.copy()
        return other if (yield from other.go_on_from(state, meter)) else None

    def release(self, meter: Meter) -> Search[None]:
        """Gives its rows back piece by piece, as it goes on no more: the system takes 70 ms for hundreds of
        megabytes."""
        for rows in (self._frontier.here, self._frontier.after):
            step = max(1, RELEASED // rows.shape[1])
            for left in range(len(rows) - step, 0, -step):
                rows.resize((left, rows.shape[1]), refcheck=False)
                yield from meter.allows(self.stage)

    @property
    def _counts(self) -> I64:
        return self._frontier.at[breadth_kernels.WIDE_EXPANDED : breadth_kernels.WIDE_GENERATED + 1]

    def line(self) -> tuple[Action, ...]:
        """The picks that win from the state, after "solved"."""
        path = self._kept[self.paths(self.depth)[0]].tolist()
        return tuple(reversed(path)) if self._backward else tuple(path)

    def paths(self, depth: int, first: int = 0, last: int = sys.maxsize) -> I32:
        """int32[positions, depth]: how each position of a depth that the search has reached comes about, tile
        by tile; or those from `first` on and before `last`."""
        rows: I32 = np.arange(first, min(last, self.width(depth)), dtype=np.int32)
        path = np.empty((len(rows), depth), np.int32)
        for step in reversed(range(depth)):
            parents, tiles = self._history[step]
            path[:, step], rows = tiles[rows], parents[rows]
        return path

    def width(self, depth: int) -> int:
        """Positions of a depth that the search has reached."""
        return len(self._history[depth - 1][0]) if depth else 1

    def neck(self, after: int, most: int) -> int | None:
        """The last depth past `after` with up to `most` positions, and half of what one between the two had,
        from which on they get more again. As kinds come in threes, depths three apart are compared: in
        between, the tray is fuller or emptier, and positions are more or fewer."""
        neck, widest = None, [0, 0, 0]
        for depth in range(max(after, self._complete) + 1, self.depth - 2):
            width = self.width(depth)
            widest[depth % 3] = max(widest[depth % 3], width)
            if width <= min(most, widest[depth % 3] // 2) and width < self.width(depth + 3):
                neck = depth
        return neck

    @property
    def reach(self) -> Picked:
        """The tiles that could be put back (picked) in some position, as bits: the kinds of no others, and of
        those done at the root, were looked at, so that a search on a board that has the same ones there goes
        the same way. Some tiles too many: those for which all that they wait for was done, if in no one
        position."""
        looked_at = np.zeros(len(self._kept), np.bool_)
        for _, tiles in self._history:
            looked_at[tiles] = True
        done = self._root_done | sum(1 << int(tile) for tile in np.flatnonzero(looked_at))
        missing = self._order.needs & ~kernels.pack(done, self._order.needs.shape[1])
        return sum(1 << int(self._kept[tile]) for tile in np.flatnonzero(~missing.any(axis=1)))

    def _next_depth(self, memory: int) -> None:
        """The positions found become those to expand."""
        frontier, at = self._frontier, self._frontier.at
        rows = int(at[breadth_kernels.NEXT])
        parents, tiles = frontier.parents, frontier.tiles
        new = [np.empty(len(tiles), np.int32) for _ in range(2)]
        parents.resize(rows, refcheck=False)
        tiles.resize(rows, refcheck=False)
        self._history.append((parents, tiles))
        self.positions += rows
        self.depth += 1
        at[breadth_kernels.ROW], at[breadth_kernels.ROWS], at[breadth_kernels.NEXT] = 0, rows, 0
        self._frontier = frontier._replace(
            here=frontier.after, after=frontier.here, parents=new[0], tiles=new[1]
        )
        self._renew_slots(max(rows, self._first_rows))
        self.full = not self._fits(0, memory)

    def _grow(self, meter: Meter, memory: int) -> Search[None]:
        """More room for the next depth, or `full`. Rows come some at a time, as they are cleared."""
        frontier = self._frontier
        after = frontier.after
        if len(frontier.slots) < 2 * len(after):
            self.full = not self._fits(frontier.slots.nbytes, memory)
            if not self.full:
                self._renew_slots(len(frontier.slots))
            return
        rows = len(after) + max(len(after) // 4, self._first_rows)
        more_history = 2 * HISTORY_BYTES * max(0, rows - len(frontier.tiles))
        self.full = not self._fits(8 * after.shape[1] * (rows - len(after)) + more_history, memory)
        if self.full:
            return
        step = max(1, ADDED // after.shape[1])
        for room in (*range(len(after) + step, rows, step), rows):
            yield from meter.allows(self.stage)
            after.resize((room, after.shape[1]), refcheck=False)  # in place, where the system can do that
            if room > len(frontier.tiles):
                frontier.parents.resize(room, refcheck=False)
                frontier.tiles.resize(room, refcheck=False)
        self._frontier = frontier._replace()  # one that kernels have not seen before

    def _renew_slots(self, rows: int) -> None:
        """A table for so many rows, with those that are found."""
        size = _slots(rows)
        if size > len(self._table):
            self._table: U64 = np.zeros(0, np.uint64)
            self._frontier = self._frontier._replace(slots=self._table)  # not beside the new one
            self._table = np.empty(size, np.uint64)
        self._frontier = self._frontier._replace(slots=self._table[:size])
        self._uncleared, self._missing = size, int(self._frontier.at[breadth_kernels.NEXT])

    def _prepare_slots(self) -> None:
        """Clears some, or enters some of the positions that are missing."""
        if self._uncleared:
            last, self._uncleared = self._uncleared, max(0, self._uncleared - CLEARED)
            self._frontier.slots[self._uncleared : last] = 0
            return
        found = int(self._frontier.at[breadth_kernels.NEXT])
        first = found - self._missing
        last = min(found, first + ENTERED)
        breadth_kernels.enter_rows(self._frontier.slots, self._frontier.after, first, last)
        self._missing = found - last

    def _fits(self, more: int, memory: int) -> bool:
        """Whether so many more bytes do, if need be without the room that this depth does not use."""
        if self._bytes() + more > memory:
            here = self._frontier.here
            here.resize((int(self._frontier.at[breadth_kernels.ROWS]), here.shape[1]), refcheck=False)
            self._frontier = self._frontier._replace()
        return self._bytes() + more <= memory

    def _bytes(self) -> int:
        """With what the positions of the next depth take when they become history."""
        *arrays, _, batch = self._frontier
        history = self.positions + len(self._frontier.tiles)
        return sum(array.nbytes for array in (*arrays, *batch, self._table)) + HISTORY_BYTES * history


def _lacking(
    rows: U64, tiles: U64, tell: Callable[[], Search[bool]]
) -> Search[tuple[NDArray[np.bool_], U64]]:
    """Which positions have none of these tiles, uint64[words] as in the rows; and copies of these, where the
    tiles neither are open nor sleep."""
    words, step = len(tiles), max(1, LOOKED_AT // rows.shape[1])
    parts = [slice(start, start + step) for start in range(0, len(rows), step)]
    lack = np.zeros(len(rows), np.bool_)
    for part in parts:
        lack[part] = (rows[part, :words] & tiles == 0).all(axis=1)
        yield from tell()
    copies, done = np.empty((np.count_nonzero(lack), rows.shape[1]), np.uint64), 0
    for part in parts:
        copy_of_some = rows[part][lack[part]]
        copy_of_some[:, words : 3 * words] &= ~np.tile(tiles, 2)
        copies[done : done + len(copy_of_some)] = copy_of_some
        done += len(copy_of_some)
        yield from tell()
    return lack, copies


def _slots(rows: int) -> int:
    """Of a hash table for so many rows."""
    return 1 << (2 * rows - 1).bit_length()


def _order(plan: Plan, tables: Tables, root: Root) -> Order:
    words = kernels.words_of(plan.tiles)
    needs = np.zeros((plan.tiles, words), np.uint64)
    before = np.repeat(np.arange(plan.tiles), np.diff(tables.post_start))
    np.bitwise_or.at(needs, (tables.post, before >> 6), np.uint64(1) << (before & 63).astype(np.uint64))
    needs[root.waits < 0] = ~np.uint64(0)  # itself among others: what takes no part never gets open
    change = np.array([tables.held[(count + 1) % 3] - tables.held[count] for count in range(3)])
    of_kind = np.zeros((plan.kinds, words), np.uint64)
    tiles = np.arange(plan.tiles)
    np.bitwise_or.at(of_kind, (tables.kind, tiles >> 6), np.uint64(1) << (tiles & 63).astype(np.uint64))
    return Order(
        tables.kind, tables.post_start, tables.post, needs, of_kind, tables.zobrist, change, tables.limit
    )


def _batch(size: int, words: int) -> Batch:
    return Batch(
        row=np.empty(size, np.int32),
        tile=np.empty(size, np.int32),
        hash=np.empty(size, np.uint64),
        asleep=np.empty((size, words), np.uint64),
        seen=np.empty(size, np.uint64),
        legal=np.empty(words, np.uint64),
    )
