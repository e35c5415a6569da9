"""Searches that take turns, or run side by side in threads, with the same answer.

A *lane* is a search in rounds. Its iterator yields how far it is, as searches do, at the end of each round a
result or None, and ends when it has nothing left to try. The answer is the first result in the order of
turns: the first round of each lane, then the second of each, and so on. Side by side, a lane ends as soon as
another one has a result that comes before whatever it may find itself, so that the answer does not depend on
which thread is faster. A proof that there is no solution ends all at once, as no lane can contradict it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any, TypeAlias

from winnable.contract.core import Answer, Progress, Search, finish
from winnable.search.meter import Meter

Rounds: TypeAlias = Iterator[Progress | Answer | None]
Lane: TypeAlias = Callable[[Meter], Rounds]
"""Counts on the meter that it is given, and asks it whether it may go on."""
TOLD_SECONDS = 0.02
"""Between two looks at lanes that other threads search."""


def first_in_turn(lanes: Sequence[Lane], meter: Meter) -> Search[Answer | None]:
    """Drives the lanes in turn until one finds something; None when all lanes are at their end, or the budget
    is. In threads where it grants them, unless it limits what may be expanded: by turns the same is expanded
    each time."""
    if min(meter.budget.threads, len(lanes)) > 1 and meter.budget.expanded == sys.maxsize:
        return _SideBySide(lanes, meter).run()
    return _by_turns(lanes, meter)


def _by_turns(lanes: Sequence[Lane], meter: Meter) -> Search[Answer | None]:
    going = [lane(meter) for lane in lanes]
    while going:
        for rounds in tuple(going):
            if not (yield from meter.allows("next")):
                return None
            for told in rounds:
                if not isinstance(told, Progress):
                    if told is not None:
                        return told
                    break
                yield told
            else:
                going.remove(rounds)
    return None


class _SideBySide:
    """rounds: how many each lane has made; found: the results, by the round and the number of their lane"""

    def __init__(self, lanes: Sequence[Lane], meter: Meter) -> None:
        self._lanes, self._whole = lanes, meter
        self._meters = [_LaneMeter(self, number, meter) for number in range(len(lanes))]
        self._rounds = [0] * len(lanes)
        self._found: dict[tuple[int, int], Answer] = {}
        self._ended = threading.Event()

    def run(self) -> Search[Answer | None]:
        *others, last = range(len(self._lanes))
        with ThreadPoolExecutor(len(others)) as threads:
            ends = [threads.submit(self._finish, number) for number in others]
            try:
                yield from self._search(last)
                while wait(ends, TOLD_SECONDS).not_done:
                    yield from self._whole.budget.allows("next", *self.used)
            finally:  # whoever drives this may go on with it no more
                self._ended.set()
            for end in ends:
                end.result()
        whole = self._whole
        whole.expanded, whole.generated = self.used
        if not self._found:
            return None
        proof = next((result for result in self._found.values() if result.status == "unsolvable"), None)
        first = proof or self._found[min(self._found)]
        used = {"expanded": whole.expanded, "generated": whole.generated}
        return replace(first, **used, seconds=whole.budget.elapsed)

    @property
    def used(self) -> tuple[int, int]:
        """Positions expanded and generated, by all."""
        return (
            self._whole.expanded + sum(meter.expanded for meter in self._meters),
            self._whole.generated + sum(meter.generated for meter in self._meters),
        )

    def overtaken(self, number: int) -> bool:
        """Whether a lane need not go on."""
        now = self._rounds[number], number
        found = list(self._found.items())  # of a moment: other threads may add to it
        return self._ended.is_set() or any(at < now or r.status == "unsolvable" for at, r in found)

    def _search(self, number: int) -> Search[None]:
        meter = self._meters[number]
        for told in self._lanes[number](meter):
            if isinstance(told, Progress):
                yield told
            elif told is not None:
                self._found[self._rounds[number], number] = told
                return
            else:
                self._rounds[number] += 1
                if not (yield from meter.allows("next")):
                    return

    def _finish(self, number: int) -> None:
        """In a thread of its own."""
        try:
            finish(self._search(number))
        except BaseException:
            self._ended.set()
            raise


class _LaneMeter(Meter):
    """Counts for one lane, and tells of all."""

    def __init__(self, lanes: _SideBySide, number: int, whole: Meter) -> None:
        super().__init__(whole.budget)
        self._lanes, self._number = lanes, number

    def allows(self, stage: str, **values: Any) -> Search[bool]:
        if self._lanes.overtaken(self._number):
            return False
        return (yield from self.budget.allows(stage, *self._lanes.used, **values))
