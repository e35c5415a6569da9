"""The two passes of exact play, see small.py, by all cores.

Forward, `explore` finds the afterstates of each layer; backward, `evaluate` finds what they are worth. Each
looks at two layers besides the one that it is at: so it goes on with whatever `Layers` hold, and when they
are in a file, no more than a few are in memory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from winnable.contract.core import Budget, Search
from winnable.contract.tables import BudgetEnded
from winnable.games.game2048.exact import kernels
from winnable.games.game2048.exact.layers import Layers
from winnable.inert.arrays import F64, U64, np

KnownWorths: TypeAlias = Callable[[int, U64], F64]
"""(layer, afterstates of it) -> what they are worth, nan where that is to be found."""
SLICE = 1 << 12
"""Boards that one core works on between two looks at the budget."""
T = TypeVar("T")


def no_boards() -> U64:
    """An empty array of boards."""
    return np.empty(0, np.uint64)


class BoardSet:
    """Boards, each once; `slots` are those of kernels.py."""

    def __init__(self, boards: U64 | None = None) -> None:
        self.slots = np.zeros(2, np.uint64)
        self.size = 0
        if boards is not None:
            self.add(boards)

    def add(self, boards: U64) -> None:
        """Adds those that are new, and makes room for them."""
        needed = 2 * (self.size + boards.size)
        if needed > self.slots.size:
            before = self.members()
            self.slots = np.zeros(1 << needed.bit_length(), np.uint64)
            kernels.add(before, self.slots)
        self.size += kernels.add(boards, self.slots)

    def members(self) -> U64:
        """The boards, in no order."""
        return self.slots[self.slots != 0]


class Values:
    """What boards are worth, by their slots in a set."""

    def __init__(self, boards: U64, worths: F64) -> None:
        self.slots = BoardSet(boards).slots
        self.worths = np.empty(self.slots.size)
        kernels.put(boards, worths, self.slots, self.worths)


class Boards(Protocol):
    """What the passes know of the boards that they solve."""

    @property
    def fours(self) -> int:
        """Percent of the new tiles that are a 4."""
        ...

    def with_new_tile(self, boards: U64, exponent: int) -> U64:
        """All that follow; the same one may come several times."""
        ...

    def afterstates(self, states: U64) -> U64:
        """All that follow and are not known to be won; the same one may come several times."""
        ...

    def worths(self, boards: U64, following: Values, later: Values) -> F64:
        """The worths of afterstates. following, later: the layers that a new 2 and a new 4 lead to."""
        ...


def nothing_known(layer: int, boards: U64) -> F64:
    """What is known where nothing is: nan for each board."""
    return np.full(boards.size, np.nan)


class Passes:
    """Searches that raise BudgetEnded when it does. What follows from known afterstates is not looked at."""

    def __init__(self, boards: Boards, budget: Budget, known: KnownWorths = nothing_known) -> None:
        self._boards, self._budget, self._known = boards, budget, known
        self._stage, self._done = "", 0

    def __enter__(self) -> Passes:
        self._pool = ThreadPoolExecutor(os.cpu_count())
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def explore(self, layers: Layers, starts: Sequence[U64]) -> Search[None]:
        """starts: canonical boards at which games begin, by layers."""
        latest, one_before = (self._unknown(layers, len(layers) - back) for back in (1, 2))
        while len(layers) < len(starts) or latest.size or one_before.size:
            self._stage = f"forward, layer {len(layers)}"
            start = starts[len(layers)] if len(layers) < len(starts) else no_boards()
            states = yield from self._states(start, latest, one_before)
            layers.add_boards((yield from self._afterstates(states)), states.size)
            latest, one_before = self._unknown(layers, len(layers) - 1), latest

    def evaluate(self, layers: Layers) -> Search[None]:
        """Adds the worths of all layers that have none, from the last one back to the first."""
        following, later = (
            Values(layers.boards(layer), layers.worths(layer))
            if layer < len(layers)
            else Values(no_boards(), np.empty(0))
            for layer in (layers.unsolved, layers.unsolved + 1)
        )
        for layer in range(layers.unsolved - 1, -1, -1):
            self._stage = f"back, layer {layer} of {len(layers)}"
            boards = layers.boards(layer)
            worths = self._known(layer, boards)
            unknown = np.isnan(worths)
            solve = partial(self._boards.worths, following=following, later=later)
            found: list[F64] = [np.empty(0)]
            yield from self._spread(solve, boards[unknown], found.append)
            worths[unknown] = np.concatenate(found)
            following, later = Values(boards, layers.add_worths(worths)), following

    def _unknown(self, layers: Layers, layer: int) -> U64:
        if layer < 0:
            return no_boards()
        boards = layers.boards(layer)
        return boards[np.isnan(self._known(layer, boards))]

    def _states(self, start: U64, latest: U64, one_before: U64) -> Search[U64]:
        """Of a layer. latest, one_before: the afterstates of the two layers before, from which a 2 and a 4
        lead to it."""
        found = BoardSet(start)
        fours = self._boards.fours
        for boards, exponent, percent in ((latest, 1, 100 - fours), (one_before, 2, fours)):
            if percent:
                new_tile = partial(self._boards.with_new_tile, exponent=exponent)
                yield from self._spread(new_tile, boards, found.add)
        return found.members()

    def _afterstates(self, states: U64) -> Search[U64]:
        found = BoardSet()
        yield from self._spread(self._boards.afterstates, states, found.add)
        return np.sort(found.members())

    def _spread(self, work: Callable[[U64], T], boards: U64, take: Callable[[T], None]) -> Search[None]:
        """Hands over what the work makes of each slice of the boards, in order."""
        slices = [boards[first : first + SLICE] for first in range(0, boards.size, SLICE)]
        spread = map if sys.platform == "emscripten" else self._pool.map  # which has no threads
        for part, made in zip(slices, spread(work, slices), strict=True):
            self._done += part.size
            if not (yield from self._budget.allows(self._stage, self._done, self._done)):
                raise BudgetEnded("2048.budget", field="budget")
            take(made)
