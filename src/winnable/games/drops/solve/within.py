"""Whether so many clicks suffice, for position after position: what is proved about one serves the others."""

from __future__ import annotations

from winnable.contract.core import Action, Answer, Budget, Search
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.games.drops.solve.exact import ExactSearch
from winnable.search.meter import Meter

TABLE_BYTES = 64 * 2**20


class Within:
    """A `Within` for levels whose drops do not come back, and in which only drops are clicked. A line that it
    finds is a shortest one."""

    def __init__(self, puzzle: Drops) -> None:
        self._puzzle = puzzle
        self._search = ExactSearch(puzzle.level, TABLE_BYTES)

    def __call__(self, state: State, most: int, budget: Budget) -> Search[Answer]:
        meter, line = Meter(budget), list[Action]()
        if (settled := meter.settled(self._puzzle, state)) is not None:
            return settled
        total, ended = yield from self._search.fewest(state.cells, most, meter, line)
        if not ended:
            return meter.result("budget", lower_bound=total)
        if total > most:
            return meter.result("unsolvable")
        return (yield from meter.solved(self._puzzle, state, tuple(line), total))
