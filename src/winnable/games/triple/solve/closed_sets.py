"""Finds small closed sets of positions (see refutation.py) with the kernels' exhaustive search."""

from __future__ import annotations

from collections.abc import Collection

from winnable.contract.core import Budget
from winnable.contract.provenance import ClosedSet, Reading
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.plan import plan_of
from winnable.games.triple.solve.refutation import MOST_TILES, most_positions, refutation_fault
from winnable.search.meter import Meter

READINGS: tuple[Reading, ...] = ("backward", "forward")
CHECK_SECONDS = 1.2e-6
"""That the rules take for a position."""
FEW_POSITIONS = 500
"""Not worth making smaller."""


def find_closed_set(puzzle: Triple, state: Picked, budget: Budget) -> ClosedSet | None:
    """One that proves that `state` cannot be won, made smaller by leaving out kind after kind as long as the
    budget lasts, and checked by the rules. None: `state` can be won, or the budget ended before, or none of
    so few positions that the rules check it was found."""
    if puzzle.num_actions > MOST_TILES:
        return None
    finder = _Finder(puzzle, state, budget)
    found = finder.closed_set()
    if found is None:
        return None
    claim = finder.smaller(found)
    if (
        claim.positions > most_positions(puzzle)
        or budget.seconds - budget.elapsed < CHECK_SECONDS * claim.positions
    ):
        return None
    assert refutation_fault(puzzle, claim, state) is None, "the kernels and the rules differ"
    return claim


class _Finder:
    def __init__(self, puzzle: Triple, state: Picked, budget: Budget) -> None:
        self.kinds = sorted({kind for tile, kind in enumerate(puzzle.kinds) if not state >> tile & 1})
        self._state = state
        self._whole = plan_of(puzzle)
        self._meter = Meter(budget)
        self._memory = budget.memory_mb << 19

    def closed_set(self) -> ClosedSet | None:
        """Of all kinds, in the reading that closes first."""
        searches: dict[Reading, BreadthSearch] = {
            reading: self._search(self.kinds, reading) for reading in READINGS
        }
        limit = FEW_POSITIONS
        while self._meter.allows("closed-set") and not all(search.full for search in searches.values()):
            for reading, search in searches.items():
                outcome = search.run(self._meter, limit - search.positions, self._memory)
                if outcome != "stopped":
                    return None if outcome == "solved" else ClosedSet(reading, search.positions)
            limit *= 2
        return None

    def smaller(self, found: ClosedSet) -> ClosedSet:
        """Without those kinds that a set of fewer positions can do without."""
        kinds, positions = self.kinds, found.positions
        for kind in self.kinds:
            if positions < FEW_POSITIONS or not self._meter.allows("smaller-closed-set"):
                break
            rest = [other for other in kinds if other != kind]
            search = self._search(rest, found.reading)
            if search.run(self._meter, positions - 1, self._memory) == "exhausted":
                kinds, positions = rest, search.positions
        return ClosedSet(found.reading, positions, () if kinds == self.kinds else tuple(kinds))

    def _search(self, kinds: Collection[int], reading: Reading) -> BreadthSearch:
        plan = self._whole if kinds == self.kinds else self._whole.part(kinds)
        return BreadthSearch(plan, plan.backward if reading == "backward" else plan.forward, self._state)
