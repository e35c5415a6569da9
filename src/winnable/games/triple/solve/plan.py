"""What the kernels need of a level, made once per `Triple`: who waits for whom, as flat arrays.

Playing a level means picking its tiles in an order that respects "covered by", with few tiles in the tray.
Read backwards, such an order puts the tiles back, from the empty board up: a tile may be put back when
everything that it covers is back, and a kind of which 0, 1, 2 tiles were put back (modulo 3) has 0, 2, 1
tiles in the tray. So the backward search is the forward search on the flipped order with another `held`
table, and one kernel serves both. Below, *done* means picked (forward) or put back (backward); a tile is
*open* when all that it waits for is done.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from winnable.contract.core import Budget, Search, finish
from winnable.games.triple.rules.puzzle import Picked, Triple, picked_flags, tiles_above, tiles_below
from winnable.games.triple.solve.kernels import Tables
from winnable.inert.arrays import I16, I32, I64, np
from winnable.search.meter import Meter

MAX_CLOSED_TILES = 4096
"""Up to this many tiles the kernels count all tiles that a tile waits for; beyond it (the lists would grow
with the square) only those that lie directly on it. Both are exact about which tiles are open."""
LOG_ONE = 1 << 16
"""The fixed-point one of `Tables.log` and of the weights: integer scores do not depend on the order of
additions."""
MASKS, PRODUCTS = 128, 100_000_000
"""That are unpacked, and of numbers that are added up, in one step."""
Lists: TypeAlias = tuple[I32, I32]
"""(start, items): the items of i are `items[start[i] : start[i + 1]]`, ascending."""


class Root(NamedTuple):
    """Where a search starts.

    waits:  int16[tiles]; of the tiles that a tile waits for (see `Tables.reach`) those not done; -1: the tile
            itself is done, or no part of this search
    counts: int16[kinds]; the tiles that are done, modulo 3
    done:   the done tiles, bit i for the tile with number i in the plan
    left:   tiles that are to be done
    """

    waits: I16
    counts: I16
    done: Picked
    left: int


class Plan:
    """Both directions of one level, or of the tiles of some of its kinds (see `part`)."""

    def __init__(
        self, kinds: Sequence[int], kept: I64, after: Lists, before: Lists, below: I32, slots: int
    ) -> None:
        """kinds:  of all tiles of the level
        kept:   the tiles that take part, ascending; here and in the tables they are numbered anew
        after, before: for each tile those that cannot be picked before it, and those that it cannot be picked
                before; all such, or those of `below`
        below:  [pairs, 2]: (a, b) when tile b cannot be picked before tile a, pairs from which the others
                follow
        """
        self.kept = kept
        self.tiles = tiles = len(kept)
        self._kinds, self._slots = kinds, slots
        self._waits = {False: np.diff(before[0]), True: np.diff(after[0])}
        """Backward or not -> for how many others each tile waits when nothing is done."""
        kind = np.unique(np.array(kinds, np.int64)[kept], return_inverse=True)[1].astype(np.int32)
        self.kinds = int(kind.max()) + 1
        log = np.round(np.log1p(np.arange(tiles + 1)) * LOG_ONE).astype(np.int64)
        random = np.random.default_rng(0)
        zobrist = random.integers(0, 2**64, size=tiles, dtype=np.uint64)
        held, held_backward = np.array([0, 1, 2], np.int64), np.array([0, 2, 1], np.int64)

        def tables(lists: Lists, direct: I32, held: I64, backward: bool) -> Tables:
            found = (*lists, *_lists(direct, tiles), *self._of_kind(kind, backward))
            return Tables(kind, *found, held, log, zobrist, slots - 1, backward)

        self.forward = tables(after, below, held, False)
        self.backward = tables(before, below[:, ::-1], held_backward, True)

    def part(self, kinds: Collection[int], meter: Meter) -> Search[Plan]:
        """The tiles of these kinds alone, as if all others were gone; what waited for a tile because of the
        others still does (not on levels of more than MAX_CLOSED_TILES). Where not even these can be cleared,
        the level cannot be won: leaving the others out of a line that wins leaves one of these."""
        chosen = np.isin(np.array(self._kinds, np.int64)[self.kept], list(kinds))
        number = np.full(self.tiles, -1, np.int32)
        number[chosen] = np.arange(np.count_nonzero(chosen))
        before = np.repeat(np.arange(self.tiles, dtype=np.int32), np.diff(self.forward.reach_start))
        pairs = number[np.stack([before, self.forward.reach], axis=1)]
        pairs = pairs[(pairs >= 0).all(axis=1)]
        tiles = int(np.count_nonzero(chosen))
        below = yield from _nearest(pairs, tiles, meter)
        lists = _lists(pairs, tiles), _lists(pairs[:, ::-1], tiles)
        return Plan(self._kinds, self.kept[chosen], *lists, below, self._slots)

    def dealt(self, tables: Tables, kind: I32) -> Tables:
        """The same tiles with other kinds, int32[tiles], renumbered as in `Tables.kind`."""
        start, tiles = self._of_kind(kind, tables.backward)
        return tables._replace(kind=kind, of_kind_start=start, of_kind=tiles)

    def _of_kind(self, kind: I32, backward: bool) -> Lists:
        """`Tables.of_kind`."""
        start = np.searchsorted(np.sort(kind), np.arange(self.kinds + 1)).astype(np.int32)
        return start, np.lexsort((self._waits[backward], kind)).astype(np.int32)

    def root(self, tables: Tables, state: Picked) -> Root:
        """Forward: from `state` to the empty board. Backward: from the empty board to `state`, so that the
        tiles that `state` lacks are put back and the others never."""
        picked = np.array(picked_flags(state, len(self._kinds)), np.bool_)[self.kept]
        left = np.flatnonzero(~picked)
        waited_for = tables.reach[np.repeat(picked, np.diff(tables.reach_start))]
        waits = self._waits[tables.backward] - np.bincount(waited_for, minlength=self.tiles)
        waits = waits.astype(np.int16)
        waits[picked] = -1
        done = np.zeros_like(picked) if tables.backward else picked
        counts = (np.bincount(tables.kind[done], minlength=self.kinds) % 3).astype(np.int16)
        packed = int.from_bytes(np.packbits(done, bitorder="little").tobytes(), "little")
        return Root(waits, counts, packed, len(left))


def make_plan(puzzle: Triple) -> Plan:
    """The plan of the whole level, made anew."""
    return finish(_plan_by_steps(puzzle, Meter(Budget())))


def _plan_by_steps(puzzle: Triple, meter: Meter) -> Search[Plan]:
    below, tiles = _pairs(puzzle.covers), puzzle.num_actions
    if tiles <= MAX_CLOSED_TILES:
        after = yield from _lists_of(tiles_below(puzzle), meter)
        before = yield from _lists_of(tiles_above(puzzle), meter)
    else:
        after, before = _lists(below, tiles), _lists(below[:, ::-1], tiles)
    return Plan(puzzle.kinds, np.arange(tiles), after, before, below, puzzle.slots)


def plan_of(puzzle: Triple) -> Plan:
    """The plan of `puzzle`; the same object again as long as the puzzle lives."""
    return finish(find_plan(puzzle, Meter(Budget())))


def find_plan(puzzle: Triple, meter: Meter) -> Search[Plan]:
    """Finds the plan as `plan_of` does. It is made to the end, whatever the budget."""
    plan = _plans.get(puzzle)
    if plan is None:
        plan = _plans[puzzle] = yield from _plan_by_steps(puzzle, meter)
    return plan


_plans: WeakKeyDictionary[Triple, Plan] = WeakKeyDictionary()


def _pairs(covers: tuple[tuple[int, ...], ...]) -> I32:
    """[pairs, 2]: (a, b) when tile a lies directly on tile b."""
    below = np.repeat(np.arange(len(covers), dtype=np.int32), [len(tiles) for tiles in covers])
    above = np.array([tile for tiles in covers for tile in tiles], dtype=np.int32)
    return np.stack([above, below], axis=1)


def _lists_of(masks: Sequence[Picked], meter: Meter) -> Search[Lists]:
    """The tiles of each mask."""
    tiles, size = len(masks), (len(masks) + 7) // 8
    start = np.cumsum([0, *map(int.bit_count, masks)]).astype(np.int32)
    items = np.empty(start[-1], np.int32)
    for first in range(0, tiles, MASKS):
        some = masks[first : first + MASKS]
        content = b"".join(mask.to_bytes(size, "little") for mask in some)
        rows = np.frombuffer(content, np.uint8).reshape(len(some), size)
        bits = np.unpackbits(rows, axis=1, count=tiles, bitorder="little")
        items[start[first] : start[first + len(some)]] = np.nonzero(bits)[1]
        yield from meter.allows("next")
    return start, items


def _nearest(closed: I32, tiles: int, meter: Meter) -> Search[I32]:
    """Of the pairs (a, b) of a transitive relation those with nothing between a and b."""
    before = np.zeros((tiles, tiles), np.float32)
    before[closed[:, 0], closed[:, 1]] = 1
    between, step = np.empty_like(before), 1 + PRODUCTS // tiles**2
    for first in range(0, tiles, step):
        between[first : first + step] = before[first : first + step] @ before
        yield from meter.allows("next")
    return closed[between[closed[:, 0], closed[:, 1]] == 0]


def _lists(pairs: I32, count: int) -> Lists:
    """For each of `count` owners its items, ascending, from pairs of (owner, item)."""
    keys = pairs[:, 0].astype(np.int64)  # in place from here on: there can be eight million
    keys *= count
    keys += pairs[:, 1]
    keys.sort()
    start = np.searchsorted(keys, count * np.arange(count + 1)).astype(np.int32)
    keys %= count
    return start, keys.astype(np.int32)
