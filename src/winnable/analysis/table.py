"""The table of bounds: what is known of each state of one level, bounded in memory."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from math import inf
from typing import Any, NamedTuple

from winnable.contract.budget import Reason
from winnable.contract.core import Action
from winnable.play.states import most_kept

LINES = 2
"""The table holds as many states as one line may keep, so many times."""
FORGOTTEN = 1 / 4
"""Of a full table."""


class Entry(NamedTuple):
    """What is known of one state.

    lower:    no line from there has fewer actions; infinite: there is none, the state is lost
    line, at: `line[at:]` wins from there; the states along a line share it. None: no line is known
    searched: how many states the search made that asked all there is to ask of just this state; 0: none did
    tried:    such a search could not prove the fewest actions in its whole time
    reasons:  why the state is lost; empty: a whole search for a reason was in vain; None: there was none
    """

    lower: float = 0
    line: tuple[Action, ...] | None = None
    at: int = 0
    searched: int = 0
    tried: bool = False
    reasons: Sequence[Reason] | None = None

    @property
    def upper(self) -> float:
        """The length of the line at hand; infinite: there is none."""
        return inf if self.line is None else len(self.line) - self.at

    @property
    def is_lost(self) -> bool:
        return self.lower == inf

    @property
    def is_proved(self) -> bool:
        """Whether it is known how many actions are needed."""
        return self.line is not None and self.lower >= self.upper


UNKNOWN = Entry()


class Table:
    """state -> Entry. Threads may read while others write: an entry is replaced in one assignment. When it is
    full, what is found again most cheaply is forgotten, of that the oldest."""

    def __init__(self) -> None:
        self._entries: dict[Any, Entry] = {}
        self._most = 0
        self._writing = threading.RLock()

    def __getstate__(self) -> dict[Any, Entry]:
        return dict(self._entries)

    def __setstate__(self, entries: dict[Any, Entry]) -> None:
        self.__init__()
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, state: Hashable) -> Entry:
        return self._entries.get(state, UNKNOWN)

    def raise_lower(self, state: Hashable, lower: float) -> None:
        """No line from there has fewer actions."""
        with self._writing:
            entry = self[state]
            if lower > entry.lower:
                self._put(state, entry._replace(lower=lower))

    def add_line(self, state: Hashable, line: tuple[Action, ...], at: int, optimal: bool) -> None:
        """`line[at:]` wins from there; a line is given up only for a shorter one. optimal: none is shorter"""
        with self._writing:
            entry, length = self[state], len(line) - at
            if length < entry.upper:
                entry = entry._replace(line=line, at=at)
            self._put(state, entry._replace(lower=max(entry.lower, length)) if optimal else entry)

    def note(self, state: Hashable, **changes: Any) -> None:
        """Fields of the entry that are not bounds."""
        with self._writing:
            self._put(state, self[state]._replace(**changes))

    def _put(self, state: Hashable, entry: Entry) -> None:
        self._most = self._most or LINES * most_kept(state)
        if len(self._entries) >= self._most and state not in self._entries:
            by_effort = sorted(self._entries.items(), key=lambda item: item[1].searched)  # of equals, by age
            for forgotten, _ in by_effort[: int(self._most * FORGOTTEN)]:
                del self._entries[forgotten]
        self._entries[state] = entry
