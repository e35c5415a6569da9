"""Where a level loses: clicks beside a line that wins, after which nothing wins any more."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from winnable.core import Action, Budget
from winnable.games.triple.rules import Picked, Triple
from winnable.games.triple.solver import solve_auto

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


def find_traps(puzzle: Triple, line: Sequence[Action], clicks: int, budget: Budget, seed: int) -> Traps:
    """Fewer clicks when the budget ends or the line has fewer beside it. `line` wins from the start."""
    others = [
        (state, other)
        for state, action in _positions(puzzle, line)
        for other in puzzle.legal_actions(state)
        if other != action
    ]
    draw = random.Random(seed).random
    looked = lost = undecided = 0
    while others and looked < clicks and budget.allows("traps", looked, 0):
        place = int(draw() * len(others))
        others[place], others[-1] = others[-1], others[place]
        verdict = _after(puzzle, *others.pop(), budget, seed)
        looked += 1
        lost += verdict == "unsolvable"
        undecided += verdict == "budget"
    return Traps(looked, lost, undecided)


def find_forced(puzzle: Triple, line: Sequence[Action], budget: Budget, seed: int) -> Forced:
    """Fewer positions when the budget ends. `line` wins from the start."""
    looked = forced = longest = row = 0
    for state, action in _positions(puzzle, line):
        if not budget.allows("forced clicks", looked, 0):
            break
        others = [other for other in puzzle.legal_actions(state) if other != action]
        only = bool(others) and all(
            _after(puzzle, state, other, budget, seed) == "unsolvable" for other in others
        )
        looked += 1
        forced += only
        row = row + 1 if only else 0
        longest = max(longest, row)
    return Forced(looked, forced, longest)


def _positions(puzzle: Triple, line: Sequence[Action]) -> list[tuple[Picked, Action]]:
    state = puzzle.initial()
    found: list[tuple[Picked, Action]] = []
    for action in line:
        found.append((state, action))
        state = puzzle.apply(state, action)
    return found


def _after(puzzle: Triple, state: Picked, action: Action, budget: Budget, seed: int) -> str:
    after = puzzle.apply(state, action)
    return solve_auto(puzzle, after, budget.part(most=CLICK_SECONDS), seed).status
