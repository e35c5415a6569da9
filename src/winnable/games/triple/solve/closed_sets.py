"""Finds small closed sets of positions (see refutation.py) with the kernels' exhaustive search."""

from __future__ import annotations

from collections.abc import Collection

from winnable.contract.core import Budget, Search
from winnable.contract.provenance import MOST_POSITIONS, ClosedSet, Reading
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.plan import Plan, find_plan
from winnable.games.triple.solve.refutation import MOST_TILES, find_fault
from winnable.search.meter import Meter

READINGS: tuple[Reading, ...] = ("backward", "forward")
CHECK_SECONDS = 1.2e-6
"""That the rules take for a position."""
FEW_POSITIONS = 500
"""Not worth making smaller."""


def find_closed_set(puzzle: Triple, state: Picked, budget: Budget) -> Search[ClosedSet | None]:
    """One that proves that `state` cannot be won, checked by the rules. It is made smaller by leaving out
    kind after kind, with as much work as it took to find, or until it can be checked. None: `state` can be
    won, or the budget ended before, or none of so few positions that the rules check it was found."""
    if puzzle.num_actions > MOST_TILES:
        return None
    plan = yield from find_plan(puzzle, Meter(budget))
    finder = _Finder(puzzle, state, budget, plan)
    found = yield from finder.closed_set()
    if found is None:
        return None
    claim = yield from finder.smaller(found)
    left = budget.seconds - budget.elapsed
    if claim.positions > MOST_POSITIONS or left < CHECK_SECONDS * claim.positions:
        return None
    fault = yield from find_fault(puzzle, claim, state, budget)
    if fault is None:
        return claim
    assert fault.code == "closed.most", "the kernels and the rules differ"
    return None


class _Finder:
    def __init__(self, puzzle: Triple, state: Picked, budget: Budget, plan: Plan) -> None:
        self.kinds = sorted({kind for tile, kind in enumerate(puzzle.kinds) if not state >> tile & 1})
        self._state = state
        self._whole = plan
        self._meter = Meter(budget)
        self._memory = budget.memory_mb << 20

    def closed_set(self) -> Search[ClosedSet | None]:
        """Of all kinds, in the reading that closes first."""
        searches: dict[Reading, BreadthSearch] = {}
        for reading in READINGS:
            searches[reading] = yield from self._search(self.kinds, reading)
        found = yield from self._closing(searches)
        for search in searches.values():
            yield from search.release(self._meter)
        return found

    def _closing(self, searches: dict[Reading, BreadthSearch]) -> Search[ClosedSet | None]:
        """When one is out of memory, the one forward gives way, which hardly ever closes first."""
        limit = FEW_POSITIONS
        while (yield from self._meter.allows("closed-set")):
            for reading, search in searches.items():
                memory = self._memory // len(searches)
                outcome = yield from search.run(self._meter, limit - search.positions, memory)
                if outcome != "stopped":
                    return None if outcome == "solved" else ClosedSet(reading, search.positions)
            if any(search.full for search in searches.values()):
                if "forward" not in searches:
                    return None
                yield from searches.pop("forward").release(self._meter)
                searches["backward"].full = False
            limit *= 2
        return None

    def smaller(self, found: ClosedSet) -> Search[ClosedSet]:
        """Without those kinds that a set of fewer positions can do without."""
        kinds, positions, most = self.kinds, found.positions, 2 * self._meter.expanded
        for kind in self.kinds:
            is_enough = positions <= MOST_POSITIONS and self._meter.expanded > most
            if positions < FEW_POSITIONS or is_enough:
                break
            if not (yield from self._meter.allows("smaller-closed-set")):
                break
            rest = [other for other in kinds if other != kind]
            search = yield from self._search(rest, found.reading)
            outcome = yield from search.run(self._meter, positions - 1, self._memory // 2)
            if outcome == "exhausted":
                kinds, positions = rest, search.positions
            yield from search.release(self._meter)
        return ClosedSet(found.reading, positions, () if kinds == self.kinds else tuple(kinds))

    def _search(self, kinds: Collection[int], reading: Reading) -> Search[BreadthSearch]:
        plan = self._whole if kinds == self.kinds else (yield from self._whole.part(kinds, self._meter))
        return BreadthSearch(plan, plan.backward if reading == "backward" else plan.forward, self._state)
