"""Where work on many levels runs: on a command line it shows how far it is, and hears that it is to stop."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from winnable.contract.core import Answer, Budget, Puzzle, Solver, check_line, finish


class Work(Protocol):
    """Of whoever waits for it."""

    @property
    def interrupted(self) -> bool:
        """Whether it is to end with what it has."""
        ...

    def budget(self, seconds: float) -> Budget: ...

    def solve(
        self,
        solver: Solver,
        puzzle: Puzzle,
        state: Hashable,
        seconds: float,
        seed: int,
        memory_mb: int | None = None,
    ) -> Answer:
        """A solver's answer; a line has been replayed by the rules. memory_mb: None: as much as there is"""
        ...


class PlainWork:
    """Runs at once, and is never interrupted."""

    interrupted = False

    def budget(self, seconds: float) -> Budget:
        return Budget(seconds)

    def solve(
        self,
        solver: Solver,
        puzzle: Puzzle,
        state: Hashable,
        seconds: float,
        seed: int,
        memory_mb: int | None = None,
    ) -> Answer:
        budget = Budget(seconds) if memory_mb is None else Budget(seconds, memory_mb=memory_mb)
        result = finish(solver(puzzle, state, budget, seed))
        if result.status == "solved":
            check_line(puzzle, result.actions, state)
        return result
