"""Why a position is lost, in at most eight tiles: counts that anyone can redo.

The tray empties only when a triple is complete. Until then all that is picked rests there. So a triple can be
finished only when what it takes, the tiles that it lacks with all that lies on them, finds room in the tray
but for the last one. Where that holds of no triple, the position is lost (`tray`).

Nobody loses by putting a pick off until a triple needs it. Take a line that wins, its first triple, and what
that takes: picked before all else, in the same order, that leaves more room at each step, and what was picked
between them comes to lie in the tray no earlier than it did. So a position that can be won at all can be won
by triple after triple, each by what it takes and nothing else. A position is therefore lost as well when
along all such ways only a few tiles ever go, and the board is not empty then (`closed`). These are named by
the lowest of them: what lies on them goes along.

Only the readable rules are used here. `reason_fault` follows a `closed` reason through at most
MOST_POSITIONS positions, all made of the named tiles, and counts in each of them as for `tray`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

from winnable.contract.abilities import MOST_MARKED
from winnable.contract.core import Budget, LevelError, Reason, Search, finish
from winnable.games.triple.rules.puzzle import Picked, Triple, members, tiles_above, union
from winnable.games.triple.solve.refutation import MOST_TILES, bits

MOST_POSITIONS = 256
MOST_TRIPLES = 100_000
"""That are counted in one position."""


class _TooMuch(Exception):
    """To be counted."""


class _Way(NamedTuple):
    """To finish a triple.

    takes: the tiles that go for it
    alike: those of them that are of its kind
    """

    takes: Picked
    alike: Picked


class _Walk(NamedTuple):
    """Along all ways from a position, until the board is empty or no triple can be finished.

    region:  the tiles that go on any of them
    triples: the most that go one after the other
    wins:    whether the board gets empty
    """

    region: Picked
    triples: int
    wins: bool


def find_reason(puzzle: Triple, state: Picked, budget: Budget) -> Search[Reason | None]:
    """Finds a reason why the position is lost. None: the position can be won, or no such reason was found
    within the budget."""
    if puzzle.num_actions > MOST_TILES or puzzle.is_goal(state) or puzzle.is_full(state):
        return None
    counts = _Counts(puzzle)
    try:
        walk = yield from counts.walk(state, budget)
        if walk is None or walk.wins:
            return None
        if walk.triples:
            lowest = counts.lowest(walk.region)
            fits = len(lowest) <= MOST_MARKED
            return Reason("closed", lowest, {"triples": walk.triples}) if fits else None
        room = counts.room(state)
        for takes in range(room + 2, puzzle.num_actions + 1):
            if not (yield from budget.allows("reason", takes, 0)):
                return None
            if way := min(counts.ways(state, takes), default=None):
                return Reason("tray", tuple(members(way.alike)), {"room": room, "more": takes - 1})
    except _TooMuch:
        pass
    return None


def reason_fault(puzzle: Triple, state: Picked, reason: Reason) -> LevelError | None:
    """Why it does not show that the position is lost; None when it does."""
    if puzzle.num_actions > MOST_TILES:
        return LevelError("reason.large")
    left = [tile for tile in reason.marked if 0 <= tile < puzzle.num_actions and not state >> tile & 1]
    if not left or tuple(sorted(set(left))) != reason.marked or len(left) > MOST_MARKED:
        return LevelError("reason.marked", field="marked", most=MOST_MARKED)
    counts = _Counts(puzzle)
    try:
        if reason.why == "tray":
            return counts.tray_fault(state, reason)
        if reason.why == "closed":
            return counts.closed_fault(state, reason)
    except _TooMuch:
        return LevelError("reason.large")
    return LevelError("reason.why", field="why", given=reason.why[:40])


class _Counts:
    """On one level."""

    def __init__(self, puzzle: Triple) -> None:
        self._room = puzzle.slots - 1
        self._all = (1 << puzzle.num_actions) - 1
        self._above = tiles_above(puzzle)
        self._kinds = [
            bits(tile for tile, other in enumerate(puzzle.kinds) if other == kind)
            for kind in sorted(set(puzzle.kinds))
        ]

    def room(self, state: Picked) -> int:
        """For tiles that rest in the tray."""
        return self._room - sum((state & kind).bit_count() % 3 for kind in self._kinds)

    def takes(self, state: Picked, tiles: Iterable[int]) -> Picked:
        """These tiles and all that lies on them."""
        return union(self._above[tile] | 1 << tile for tile in tiles) & ~state

    def ways(self, state: Picked, most: int) -> Iterator[_Way]:
        """Those that take at most so many tiles. Raises _TooMuch."""
        counted = 0
        for kind in self._kinds:
            lacking = 3 - (state & kind).bit_count() % 3
            near = [
                takes
                for tile in members(kind & ~state)
                if (takes := self.takes(state, [tile])).bit_count() <= most
            ]
            counted += comb(len(near), lacking)
            if counted > MOST_TRIPLES:
                raise _TooMuch
            for chosen in combinations(near, lacking):
                takes = union(chosen)
                alike = takes & kind
                if takes.bit_count() <= most and alike.bit_count() == lacking:
                    yield _Way(takes, alike)

    def walk(self, state: Picked, budget: Budget, within: Picked | None = None) -> Search[_Walk | None]:
        """None: there are too many positions, the budget ended, or a way leads out of `within`. Raises
        _TooMuch."""
        seen = [state]
        for position in seen:
            if not (yield from budget.allows("reason", len(seen), len(seen))):
                return None
            for way in self.ways(position, self.room(position) + 1):
                if within is not None and way.takes & ~within:
                    return None
                if (after := position | way.takes) not in seen:
                    seen.append(after)
                if len(seen) > MOST_POSITIONS:
                    return None
        triples = max(self._finished(position) for position in seen) - self._finished(state)
        return _Walk(union(seen) & ~state, triples, self._all in seen)

    def _finished(self, state: Picked) -> int:
        """Triples."""
        return sum((state & kind).bit_count() // 3 for kind in self._kinds)

    def lowest(self, region: Picked) -> tuple[int, ...]:
        """Those of its tiles that lie on no other of them."""
        under = union(self._above[tile] for tile in members(region))
        return tuple(members(region & ~under))

    def tray_fault(self, state: Picked, reason: Reason) -> LevelError | None:
        room, more = self.room(state), self.takes(state, reason.marked).bit_count() - 1
        if fault := _values_fault(reason, {"room": room, "more": more}):
            return fault
        alike = bits(reason.marked)
        if not any(way.alike == alike for way in self.ways(state, more + 1)):
            return LevelError("reason.marked", field="marked", most=MOST_MARKED)
        if more <= room or any(self.ways(state, more)):
            return LevelError("reason.escape")
        return None

    def closed_fault(self, state: Picked, reason: Reason) -> LevelError | None:
        region = self.takes(state, reason.marked)
        walk = finish(self.walk(state, Budget(), within=region))
        if walk is None or walk.wins:
            return LevelError("reason.escape")
        if walk.region != region or self.lowest(region) != reason.marked:
            return LevelError("reason.marked", field="marked", most=MOST_MARKED)
        return _values_fault(reason, {"triples": walk.triples})


def _values_fault(reason: Reason, found: dict[str, int]) -> LevelError | None:
    if reason.values == found:
        return None
    return LevelError("reason.values", field="values", given=str(reason.values), found=str(found))
