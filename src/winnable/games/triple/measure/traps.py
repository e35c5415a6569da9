"""Where a level loses: clicks beside a line that wins, after which nothing wins any more."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from winnable.contract.core import Action, Budget, Search
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.solver import solve_auto

CLICK_SECONDS = 1.0
"""For the verdict after one click."""


@dataclass(frozen=True, slots=True)
class Traps:
    """clicks: legal ones beside the line that were looked at, drawn at random; lost: of these, those after
    which a proof says that the level cannot be won; open: those undecided"""

    clicks: int
    lost: int
    open: int


@dataclass(frozen=True, slots=True)
class Forced:
    """Positions of a line in which all other clicks are proved to lose, though there are any.

    positions: looked at; forced: how many; longest: the most of them in a row
    """

    positions: int
    forced: int
    longest: int


def find_traps(
    puzzle: Triple, line: Sequence[Action], clicks: int, budget: Budget, seed: int
) -> Search[Traps]:
    """Fewer clicks when the budget ends or the line has fewer beside it. `line` wins from the start."""
    ends: list[int] = []
    """The clicks beside the line are numbered; at each position: the number after its last one."""
    for state, _ in _positions(puzzle, line):
        if not (yield from budget.allows("traps", 0, 0)):
            return Traps(0, 0, 0)
        ends.append((ends[-1] if ends else 0) + len(puzzle.legal_actions(state)) - 1)
    looked = lost = undecided = 0
    drawn = random.Random(seed).sample(range(ends[-1]), min(clicks, ends[-1])) if ends else []
    for number in drawn:
        if not (yield from budget.allows("traps", looked, 0)):
            break
        place = bisect_right(ends, number)
        state = sum(1 << tile for tile in line[:place])
        others = [other for other in puzzle.legal_actions(state) if other != line[place]]
        other = others[number - ends[place]]  # counted from the last
        verdict = yield from _after(puzzle, state, other, budget, seed)
        looked += 1
        lost += verdict == "unsolvable"
        undecided += verdict == "budget"
    return Traps(looked, lost, undecided)


def find_forced(puzzle: Triple, line: Sequence[Action], budget: Budget, seed: int) -> Search[Forced]:
    """Fewer positions when the budget ends. `line` wins from the start."""
    looked = forced = longest = row = 0
    for state, action in _positions(puzzle, line):
        if not (yield from budget.allows("forced-clicks", looked, 0)):
            break
        others = [other for other in puzzle.legal_actions(state) if other != action]
        only = bool(others)
        for other in others:
            only = only and (yield from _after(puzzle, state, other, budget, seed)) == "unsolvable"
        looked += 1
        forced += only
        row = row + 1 if only else 0
        longest = max(longest, row)
    return Forced(looked, forced, longest)


def _positions(puzzle: Triple, line: Sequence[Action]) -> Iterator[tuple[Picked, Action]]:
    state = puzzle.initial()
    for action in line:
        yield state, action
        state = puzzle.apply(state, action)


def _after(puzzle: Triple, state: Picked, action: Action, budget: Budget, seed: int) -> Search[str]:
    after = puzzle.apply(state, action)
    return (yield from solve_auto(puzzle, after, budget.part(most=CLICK_SECONDS), seed)).status
