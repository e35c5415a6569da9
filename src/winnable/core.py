"""The contract between games, searches, players and shells.

A *puzzle* is one level of a deterministic game. States are immutable, hashable values; actions are small
integers whose meaning never depends on the state; rules never draw, wait, log or roll dice by themselves.
Abilities that only some games have are small protocols of their own, found by type and never by flags.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

from winnable import clock

Action: TypeAlias = int
MAX_SEED = 2**53 - 1
"""JSON readers keep integers exact up to here."""
S = TypeVar("S", bound=Hashable)
S_contra = TypeVar("S_contra", bound=Hashable, contravariant=True)


class WinnableError(ValueError):
    """Any input we refuse. The message names the field or the cause; shells print it and exit with 2."""


class LevelError(WinnableError):
    """A level, its parameters or its text notation breaks a rule; the message names the field."""


class IllegalAction(WinnableError):
    """The action exists in no state, or not in this one."""


class Puzzle(Protocol[S]):
    """One level. `0 <= action < num_actions`, whatever the state."""

    @property
    def num_actions(self) -> int: ...
    def initial(self) -> S: ...
    def legal_actions(self, state: S) -> Sequence[Action]:
        """Ascending. Empty although `is_goal` is false: the game is lost."""
        ...

    def apply(self, state: S, action: Action) -> S:
        """The next state; `state` stays as it is. Raises IllegalAction."""
        ...

    def is_goal(self, state: S) -> bool: ...
    def cost(self, state: S, action: Action) -> int: ...


@runtime_checkable
class Named(Protocol):
    """Actions have names that people read and type."""

    def action_name(self, action: Action) -> str: ...
    def parse_action(self, text: str) -> Action:
        """Inverse of `action_name`. Raises IllegalAction."""
        ...


def action_name(puzzle: Any, action: Action) -> str:
    """The puzzle's own name for it, else its number."""
    return puzzle.action_name(action) if isinstance(puzzle, Named) else str(action)


@runtime_checkable
class Observed(Protocol[S_contra]):
    """What a person sees of a state: hidden things stay hidden. The result encodes to JSON by msgspec."""

    def observe(self, state: S_contra) -> Any: ...


@runtime_checkable
class Traced(Protocol[S_contra]):
    """What happens between two states, step by step, for animation. Each frame encodes to JSON by msgspec."""

    def trace(self, state: S_contra, action: Action) -> Sequence[Any]:
        """The last frame shows the state that `apply` leads to. Raises IllegalAction."""
        ...


class Player(Protocol[S_contra]):
    """Chooses one action at a time; its chance, if any, comes from the seed that it was made with."""

    def choose(self, state: S_contra) -> Action:
        """One of the legal actions of `state`, which has at least one."""
        ...


@runtime_checkable
class PlaysWhole(Protocol):
    """A player that plays a game from its start faster than choice by choice."""

    def play(self) -> Sequence[Action]: ...


Status: TypeAlias = Literal["solved", "unsolvable", "budget"]


@dataclass(frozen=True, slots=True)
class SolveResult:
    """What a solver found. `unsolvable` means that the search was exhaustive; `budget`, that it was not."""

    status: Status
    actions: tuple[Action, ...] = ()
    cost: int | None = None
    lower_bound: int | None = None
    """No solution costs less; None when nothing is known, or when there is no solution."""
    optimal: bool = False
    expanded: int = 0
    generated: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running search tells."""

    stage: str
    expanded: int
    generated: int
    seconds: float


@dataclass(slots=True)
class Budget:
    """What one search may use. Its time begins when it is made (see `clock`); any thread may cancel it."""

    seconds: float = float("inf")
    expanded: int = sys.maxsize
    memory_mb: int = 1024
    """For the search's own tables, in MiB."""
    threads: int = 1
    """That a search may use at once, if it can."""
    on_progress: Callable[[Progress], None] | None = None
    _started: float = field(default_factory=clock.now)
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def elapsed(self) -> float:
        return clock.now() - self._started

    def part(self, share: float = 1.0, most: float = float("inf")) -> Self:
        """For one stage: this share of the time left, at most so many seconds; cancelled with this one."""
        seconds = min(max(0.0, self.seconds - self.elapsed) * share, most)
        part = type(self)(seconds, self.expanded, self.memory_mb, self.threads, self.on_progress)
        part._cancelled = self._cancelled
        return part

    def allows(self, stage: str, expanded: int, generated: int) -> bool:
        """Reports progress; False when the search must stop. Searches call it every few milliseconds."""
        elapsed = self.elapsed
        if self.on_progress is not None:
            self.on_progress(Progress(stage, expanded, generated, elapsed))
        return not self._cancelled.is_set() and elapsed < self.seconds and expanded < self.expanded


class Solver(Protocol):
    """Decides a state. Raises nothing but WinnableError; keeps to its budget; the same seed, the same answer
    (as long as the clock does not cut it)."""

    def __call__(self, puzzle: Any, state: Any, budget: Budget, seed: int, /) -> SolveResult: ...


def replay(puzzle: Puzzle[S], actions: Sequence[Action], start: S | None = None) -> S:
    """The state after `actions`, by the rules. Raises IllegalAction that names the first bad step."""
    state = puzzle.initial() if start is None else start
    for step, action in enumerate(actions):
        try:
            state = puzzle.apply(state, action)
        except IllegalAction as error:
            raise IllegalAction(f"action {step} of {len(actions)}: {error}") from None
    return state
