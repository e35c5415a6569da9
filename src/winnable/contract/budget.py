"""What a search may use, what it tells meanwhile, and what it answers. Part of the contract (`core`)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias, TypeVar, cast

from winnable.contract import clock
from winnable.contract.arguments import number, whole
from winnable.contract.outlook import Outlook

T = TypeVar("T")
Action: TypeAlias = int
Status: TypeAlias = Literal["solved", "unsolvable", "budget"]
LimitKind: TypeAlias = Literal[
    "time",
    "depth",
    "generations",
    "stalled",
    "nodes",
    "memory",
    "width",
    "supply",
    "method",
    "cancelled",
    "claim",
]


@dataclass(frozen=True, slots=True)
class Limit:
    """What ended a search before it decided.

    kind:  `stalled`: so many generations without a gain; `width`: what the search forgot as it went along;
           `supply`: the line at hand takes more than the level gives (a tank, turns); `method`: the method
           came to its end and is one that need not decide; `claim`: a solver that is not ours says that there
           is no line, which we have not proved
    value: where the limit lies: seconds, actions, generations, nodes, MiB; None where it is no number
    """

    kind: LimitKind
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """The best that an undecided search came to.

    actions: legal ones from where it began, for a player to go on from. Under the limit `supply` they are a
             line that reaches the goal with as much as it takes
    measure: what `value` measures; its name in the catalogues is `measure.MEASURE`
    target:  the value of a goal; None: there is no such number
    moves:   the actions as their game writes them, where somebody reads them (see `core.with_moves`)
    """

    actions: tuple[Action, ...]
    measure: str
    value: float
    target: float | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a position is lost, for a person.

    why:    in the game's words it is `reason.WHY`, filled with `values`
    marked: the tiles or cells that it names, at most `abilities.MOST_MARKED`, as actions, ascending
    """

    why: str
    marked: tuple[Action, ...]
    values: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver found. `unsolvable` means that the search was exhaustive; `budget`, that it was not:
    then `limit` says what ended it, and `best` how far it came, where the method knows. Beside a line,
    `limit` is what ended the search for a shorter one."""

    status: Status
    actions: tuple[Action, ...] = ()
    cost: int | None = None
    lower_bound: int | None = None
    """No solution costs less; None when nothing is known, or when there is no solution."""
    optimal: bool = False
    expanded: int = 0
    generated: int = 0
    seconds: float = 0.0
    limit: Limit | None = None
    best: Best | None = None
    outlook: Outlook | None = None
    """In the place of a verdict, in a game without a goal."""
    moves: tuple[str, ...] = ()
    """Like those of `Best`."""
    reason: Reason | None = None
    """Why there is no line, where that was asked for and a short reason is known."""
    first: bool = False
    """It is a first answer, where nothing is compiled yet; a better one may follow."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a running search tells.

    stage:  a name of the catalogues, `stage.STAGE`, filled with `values`
    """

    stage: str
    expanded: int
    generated: int
    seconds: float
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])


Search: TypeAlias = Generator[Progress, None, T]
"""A search under way: it yields how far it is at least every 50 ms of its work, and returns what it found.
Whoever drives it may do something else between two steps, or go on with it no more. Where it waits for a
thread or a process, it blocks for up to 20 ms a step: whoever has nothing else to do would spin."""
Found: TypeAlias = T | Search[T]
"""An answer, or the search that finds it."""


def searching(found: Found[T]) -> Search[T]:
    """Goes on with what is a search; what is an answer already is returned at once."""
    if isinstance(found, Generator):
        return (yield from cast("Search[T]", found))
    return found


def finish(found: Found[T]) -> T:
    """Drives a search to its end, and returns what it found, as it does an answer."""
    if not isinstance(found, Generator):
        return found
    steps = cast("Search[T]", found)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def begun(work: Callable[[], Found[T]]) -> Search[T]:
    """What `work` returns or finds; it begins with the first step."""
    return (yield from searching(work()))


def answer_of(found: Found[T]) -> Iterator[Progress | T]:
    """Tells the answer of a search as the last of what it yields: a stream of one."""
    yield (yield from searching(found))


def collected(told: Iterable[Progress | T]) -> Search[list[T]]:
    """Goes on with what yields things of its own beside how far it is, and returns these things."""
    found: list[T] = []
    for one in told:
        if isinstance(one, Progress):
            yield one
        else:
            found.append(one)
    return found


@dataclass(slots=True)
class Budget:
    """What one search may use. Its time begins when it is made (see `clock`); any thread may cancel it."""

    seconds: float = float("inf")
    expanded: int = sys.maxsize
    memory_mb: int = 1024
    """For the search's own tables, in MiB."""
    threads: int = 1
    """That a search may use at once, if it can."""
    _started: float = field(default_factory=clock.now)
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _whole: Budget | None = None
    """That it is a part of."""

    def __post_init__(self) -> None:
        """Raises WinnableError that names what is no number, or below 0."""
        self.seconds = number("seconds", self.seconds, 0)
        self.expanded = whole("expanded", self.expanded, 0)
        self.memory_mb = whole("memory_mb", self.memory_mb, 0)
        self.threads = whole("threads", self.threads, 1)

    def cancel(self) -> None:
        """Ends the search, and all that are a part of it, at its next step."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called, here or for what this is a part of."""
        return self._cancelled.is_set()

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return clock.now() - self._started

    def begin(self, memory_mb: int, threads: int) -> None:
        """Its time begins now, with so much memory and so many threads."""
        self._started, self.memory_mb, self.threads = clock.now(), memory_mb, threads

    def wait(self, seconds: float) -> None:
        """So much of the time does not count, neither here nor for what this is a part of: it was waited for
        what is no part of the search."""
        self._started += seconds
        if self._whole is not None:
            self._whole.wait(seconds)

    def part(self, share: float = 1.0, most: float = float("inf"), memory_mb: int | None = None) -> Self:
        """For one stage: this share of the time left, at most so many seconds, none where they are negative;
        cancelled with this one. memory_mb: None: as much as this one has"""
        seconds = max(0.0, min((self.seconds - self.elapsed) * share, most))
        memory = self.memory_mb if memory_mb is None else memory_mb
        part = type(self)(seconds, self.expanded, memory, self.threads)
        part._cancelled, part._whole = self._cancelled, self
        return part

    def counting(self, expanded: int = sys.maxsize) -> Self:
        """For a stage whose answer must not hang on the clock, as of what makes levels: it has no seconds to
        share out, and ends with this one all the same."""
        part = type(self)(float("inf"), expanded, self.memory_mb, self.threads)
        part._cancelled = _Over(self)
        return part

    def limit(self, expanded: int) -> Limit | None:
        """Which of the limits is met after so many nodes."""
        if self._cancelled.is_set():
            return Limit("cancelled")
        if self.elapsed >= self.seconds:
            return Limit("time", self.seconds)
        return Limit("nodes", self.expanded) if expanded >= self.expanded else None

    def allows(self, stage: str, expanded: int, generated: int, **values: Any) -> Search[bool]:
        """Tells how far a search is; returns False when it must stop. Searches ask every few milliseconds."""
        yield Progress(stage, expanded, generated, self.elapsed, values)
        return self.limit(expanded) is None


class _Over(threading.Event):
    """Set when that budget's time is up, too."""

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self._budget = budget

    def is_set(self) -> bool:
        return self._budget.limit(0) is not None

    def set(self) -> None:
        self._budget.cancel()
