"""Solves the variant `tools` by as few uses of tools as it can.

- *Undo alone never helps.* Between a pick and its undo only tools can have been used. A move-out among them
  does not take the tile (else nothing could be put back), so it takes the same three without it. Leave out
  the pick and its undo: the position is the same. Only a shuffle between them makes a difference, since the
  tile keeps its kind then; that is left to the exhaustive search.
- *m move-outs do no more than 3m slots.* From a line that wins leave out the move-outs and the picks of what
  they moved out. Of each kind, the tray then holds modulo three what lay in the tray and aside before: at
  most 3m tiles more rest in it. A proof that 3m slots more are too few is one that m move-outs are.

So lines are looked for along those that win with a larger tray: as far as the tray carries them, each tool is
used at one position after another, the last ones first, and one use less must do for the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import count, islice
from typing import TypeAlias

from winnable.contract.core import Action, Answer, Budget, Search, Solver, Status, searching
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.tools import MOVED_OUT, TOOLS, ToolsState, TripleWithTools, plain_position
from winnable.search.depth_first import depth_first_search
from winnable.search.meter import Meter

UNDO, MOVE_OUT, SHUFFLE = range(len(TOOLS))
FIRST_SECONDS = 0.1
"""For a verdict without tools; then twice as many, and so on."""
HINT, ALONG, REST = 4, 60, 20
"""So many times as long: for a line to go along, for all that is tried along such lines, and for what comes
after one use when others are to follow."""
MORE_SLOTS = (1, 2, 4, 8)
"""Of the trays whose lines lead to shuffles: any position may do, and each has a deal of its own."""
MOST_TRIED = 12
"""Positions of a line at which a tool is used, when others are to follow."""

Decided: TypeAlias = tuple[Status, tuple[Action, ...]]


def solve_with_tools(
    plain: Solver, puzzle: TripleWithTools, state: ToolsState, budget: Budget, seed: int
) -> Search[Answer]:
    """Solves without tools if that is possible, else with more and more uses of them, again and again for
    longer. `plain` decides positions without tools."""
    search = ToolSearch(plain, puzzle, range(len(TOOLS)), budget, seed)
    most = sum(state.uses)
    left = puzzle.num_actions - len(TOOLS) - state.picked.bit_count() + len(state.aside)
    lost = -1
    for seconds, numbers in rounds():
        if lost == most or not (yield from search.meter.allows("tools")):
            break
        for uses in range(lost + 1, min(lost + numbers, most) + 1):
            status, line = yield from search.run(state, uses, seconds)
            if status == "solved":
                return (yield from search.meter.solved(puzzle, state, line, lower_bound=left))
            if status == "unsolvable":
                lost = uses
    if lost == most:
        return search.meter.result("unsolvable")
    return search.meter.result("budget", lower_bound=left)


def rounds() -> Iterator[tuple[float, int]]:
    """Seconds for `ToolSearch.run`, and how many numbers of uses to try, small ones first: more and more."""
    return ((FIRST_SECONDS * 2**place, 2 + place) for place in count())


class ToolSearch:
    """Lines with at most so many uses of some tools, and proofs that there are none.

    tools: places in TOOLS of those that may be used
    """

    def __init__(
        self, plain: Solver, puzzle: TripleWithTools, tools: Collection[int], budget: Budget, seed: int
    ) -> None:
        self.meter = Meter(budget)
        self._plain, self._puzzle, self._tools, self._seed = plain, puzzle, tools, seed

    def run(self, state: ToolsState, uses: int, seconds: float) -> Search[Decided]:
        """`solved`: a line with at most so many uses; `unsolvable`: there is none, by exhaustive search. Each
        verdict without tools may take so many seconds, and so may the exhaustive search with them."""
        self._seed += 1
        if not uses:
            return (yield from self._without(state, 0, HINT * seconds))
        statuses = set[Status]()
        for before, after, left in self._undone_or_not(state, uses):
            status, line = yield from self._along(after, left, seconds, self._elapsed + ALONG * seconds)
            if status == "solved":
                return status, (*before, *line)
            statuses.add(status)
        if statuses == {"unsolvable"}:
            return "unsolvable", ()
        limited = _Limited(self._puzzle.level, self._tools, sum(state.uses) - uses)
        size = sys.getsizeof(state) + sys.getsizeof(1 << self._puzzle.num_actions)
        part = self.meter.budget.part(most=seconds)
        result = yield from depth_first_search(limited, state, part, size)
        self._count(result)
        return result.status, result.actions

    def _undone_or_not(
        self, state: ToolsState, uses: int
    ) -> Iterator[tuple[tuple[Action, ...], ToolsState, int]]:
        """The state without an undo of the last pick, and after it, with the uses left: where the pick lies
        before the state it cannot be left out of the line."""
        yield (), state._replace(last=None), uses
        undo = self._puzzle.num_actions - len(TOOLS) + UNDO
        if UNDO in self._tools and undo in self._puzzle.legal_actions(state):
            yield (undo,), self._puzzle.apply(state, undo), uses - 1

    def _along(self, state: ToolsState, uses: int, seconds: float, end: float) -> Search[Decided]:
        """Without undo and without the exhaustive search, until the budget has spent `end` seconds."""
        if self._puzzle.is_goal(state):
            return "solved", ()
        if len(state.tray) >= self._puzzle.slots:
            return "unsolvable", ()
        shuffles = SHUFFLE in self._tools and state.uses[SHUFFLE] > 0
        move_outs = min(uses, state.uses[MOVE_OUT]) if MOVE_OUT in self._tools else 0
        if not uses or not (move_outs or shuffles):
            return (yield from self._without(state, 0, seconds))
        most = MOVED_OUT * move_outs
        trays = [*range(1, most + 1), *(most + more for more in MORE_SLOTS if shuffles)]
        tried = set[ToolsState]()
        for more in trays:
            status, line = yield from self._without(state, more, HINT * seconds)
            if status == "unsolvable" and more == most and not shuffles:
                return status, ()
            for before, after in islice(self._uses_along(state, line), None if uses == 1 else MOST_TRIED):
                if self._elapsed > end or not (yield from self.meter.allows("tools")):
                    return "budget", ()
                if after in tried:
                    continue
                tried.add(after)
                rest_end = min(end, self._elapsed + REST * seconds)
                status, rest = yield from self._along(after, uses - 1, seconds, rest_end)
                if status == "solved":
                    return status, (*before, *rest)
        return "budget", ()

    def _uses_along(
        self, state: ToolsState, line: Sequence[Action]
    ) -> Iterator[tuple[tuple[Action, ...], ToolsState]]:
        """Where a use of a tool leads from the positions of the line, the last ones first, each with the
        actions up to there."""
        states = [state]
        for action in line:
            state = self._puzzle.apply(state, action)
            if len(state.tray) >= self._puzzle.slots:
                break
            states.append(state)
        tiles = self._puzzle.num_actions - len(TOOLS)
        tools = {tiles + tool for tool in self._tools} - {tiles + UNDO}
        for done, here in reversed([*enumerate(states)]):
            for action in tools.intersection(self._puzzle.legal_actions(here)):
                if action == tiles + SHUFFLE or len(here.tray) >= MOVED_OUT:
                    yield (*line[:done], action), self._puzzle.apply(here, action)

    @property
    def _elapsed(self) -> float:
        return self.meter.budget.elapsed

    def _without(self, state: ToolsState, more_slots: int, seconds: float) -> Search[Decided]:
        position, picked = plain_position(self._puzzle, state, more_slots)
        part = self.meter.budget.part(most=seconds)
        result = yield from searching(self._plain(position, picked, part, self._seed))
        self._count(result)
        return result.status, result.actions

    def _count(self, result: Answer) -> None:
        self.meter.expanded += result.expanded
        self.meter.generated += result.generated


class _Limited(TripleWithTools):
    """The same rules, with some of the tools, as long as more than so many uses of all are left."""

    def __init__(self, level: Level, tools: Collection[int], left: int) -> None:
        super().__init__(level)
        self._allowed = {self.num_actions - len(TOOLS) + tool for tool in tools}
        self._left = left

    def legal_actions(self, state: ToolsState) -> Sequence[Action]:
        tools = self._allowed if sum(state.uses) > self._left else set[Action]()
        last = self.num_actions - len(TOOLS)
        return [action for action in super().legal_actions(state) if action < last or action in tools]
