"""Where work on many levels runs: on a command line it shows how far it is, and hears that it is to stop."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

from winnable.contract.core import Answer, Budget, Found, Puzzle, Solver, check_line, finish

T = TypeVar("T")


class Work(Protocol):
    """Of whoever waits for it."""

    @property
    def interrupted(self) -> bool:
        """Whether it is to end with what it has."""
        ...

    def budget(self, seconds: float) -> Budget: ...

    def search(self, make: Callable[[Budget], Found[T]], seconds: float, memory_mb: int | None = None) -> T:
        """Returns what `make(budget)` finds. memory_mb: None: as much as there is"""
        ...

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
        result = self.search(lambda budget: solver(puzzle, state, budget, seed), seconds, memory_mb)
        if result.status == "solved":
            check_line(puzzle, result.actions, state)
        return result


class PlainWork(Work):
    """Runs at once, and is never interrupted."""

    @property
    def interrupted(self) -> bool:
        return False

    def budget(self, seconds: float) -> Budget:
        return Budget(seconds)

    def search(self, make: Callable[[Budget], Found[T]], seconds: float, memory_mb: int | None = None) -> T:
        budget = Budget(seconds) if memory_mb is None else Budget(seconds, memory_mb=memory_mb)
        return finish(make(budget))
