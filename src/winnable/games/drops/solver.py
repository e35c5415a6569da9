from __future__ import annotations

from winnable.core import Budget, SolveResult
from winnable.games.drops.rules import Drops, State


def solve_optimal(puzzle: Drops, state: State, budget: Budget, seed: int) -> SolveResult:
    frontier: dict[State, tuple[int, ...]] = {state: ()}
    seen = set(frontier)
    n = 0
    while frontier:
        following: dict[State, tuple[int, ...]] = {}
        for before, line in frontier.items():
            if puzzle.is_goal(before):
                return SolveResult("solved", line, len(line), len(line), True, n, n, budget.elapsed)
            for action in puzzle.legal_actions(before):
                n += 1
                if n % 100 == 0 and not budget.allows("search", n, n):
                    return SolveResult("budget", seconds=budget.elapsed)
                after = puzzle.apply(before, action)
                if after not in seen:
                    seen.add(after)
                    following[after] = (*line, action)
        frontier = following
    return SolveResult("unsolvable", seconds=budget.elapsed)
