"""The states of a long line, few of which are kept: the others are replayed. Otherwise a level of 64 x 64
with 50,000 actions, which is a file of two kilobytes, would take 1.7 GB."""

from __future__ import annotations

import gc
import sys
from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, overload

from winnable.contract.core import Action, Puzzle

KEPT_BYTES = 32 * 2**20
"""Of all states that one holder keeps."""
LEAST = 64
"""So many are kept however large they are."""
SLOT_BYTES = 100
"""That a dictionary takes for each."""
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""What values refer to and do not hold."""


def most_kept(state: Hashable) -> int:
    """How many states like this one may be kept."""
    return max(LEAST, KEPT_BYTES // (size_of(state) + SLOT_BYTES))


def size_of(value: Any) -> int:
    """Bytes of a value and of all in it."""
    seen: set[int] = set()
    waiting, size = [value], 0
    while waiting:
        part = waiting.pop()
        if id(part) not in seen and not isinstance(part, _SHARED):
            seen.add(id(part))
            size += sys.getsizeof(part)
            waiting += gc.get_referents(part)
    return size


class LineStates(Sequence[Any]):
    """The states along a line: as a list of them, which they would be if they were not so many. It never
    changes; several threads may read it."""

    def __init__(self, puzzle: Puzzle, actions: Sequence[Action], kept: Mapping[int, Any]) -> None:
        """kept: some of them, the first among them, by their places"""
        self._puzzle, self._actions, self._kept = puzzle, actions, kept
        self._places = sorted(kept)
        self._block: tuple[int, tuple[Any, ...]] = 0, (kept[0],)
        """A place of a kept one, and the states from there on that were replayed last."""

    def __len__(self) -> int:
        return len(self._actions) + 1

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self._part(*index.indices(len(self)))
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._at(index % len(self))

    def _at(self, place: int) -> Any:
        if place in self._kept:
            return self._kept[place]
        first = self._places[bisect_right(self._places, place) - 1]
        begun, block = self._block
        if begun != first:
            block = (self._kept[first],)
        while len(block) <= place - first:
            action = self._actions[first + len(block) - 1]
            block = (*block, self._puzzle.apply(block[-1], action))
        self._block = first, block
        return block[place - first]

    def _part(self, start: int, stop: int, step: int) -> Sequence[Any]:
        if step != 1 or stop - start <= LEAST:
            return [self[place] for place in range(start, stop, step)]
        kept = {place - start: self._kept[place] for place in self._places if start <= place < stop}
        return LineStates(self._puzzle, self._actions[start : stop - 1], {0: self[start], **kept})
