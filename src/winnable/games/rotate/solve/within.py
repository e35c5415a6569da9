"""Whether so many turns suffice, for position after position: they share their room and the databases."""

from __future__ import annotations

from winnable.contract.core import Answer, Budget, Search
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve.deepening import MOST_PLIES, Deepening, deepening
from winnable.games.rotate.solve.exact import SLICE
from winnable.search.meter import Meter
from winnable.search.slices import Slices

MEMORY = 64 * 2**20
"""Bytes that databases may take."""
SLACKS = (0, None)
"""As in exact.py."""


class Within:
    """A `Within` for the rules `clusters`, on boards of at most `exact.MOST_SEARCHED` cells. A line that it
    finds is a shortest one."""

    def __init__(self, puzzle: Rotate) -> None:
        self._puzzle = puzzle
        self._search: Deepening | None = None

    def __call__(self, state: State, most: int, budget: Budget) -> Search[Answer]:
        meter = Meter(budget)
        if (settled := meter.settled(self._puzzle, state)) is not None:
            return settled
        search = yield from self._begin(state, meter)
        needed = search.needed
        if needed is None or needed > most:
            return meter.result("unsolvable")
        slices = Slices(search.counts, first=SLICE)
        for limit in range(needed, min(most, MOST_PLIES) + 1):
            for slack in SLACKS:
                search.start(limit, slack)
                outcome = yield from slices.run(search.search, meter, "optimal")
                if outcome == "stopped":
                    return meter.result("budget", lower_bound=limit)
                if outcome == "solved":
                    return (yield from meter.solved(self._puzzle, state, search.line(), limit))
        return meter.result("unsolvable" if most <= MOST_PLIES else "budget")

    def _begin(self, state: State, meter: Meter) -> Search[Deepening]:
        """On all boards of a game there are as many cells of each colour."""
        if self._search is None:
            self._search = yield from deepening(
                state.cells, self._puzzle.columns, MEMORY, lambda: meter.allows("databases")
            )
        else:
            self._search.begin(state.cells)
        return self._search
