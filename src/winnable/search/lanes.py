"""Searches that take turns, or run side by side in threads, with the same answer.

A *lane* is a search in rounds. Its iterator makes one at each step, which gives a result or None, and ends
when it has nothing left to try. The answer is the first result in the order of turns: the first round of each
lane, then the second of each, and so on. Side by side, a lane ends as soon as another one has a result that
comes before whatever it may find itself, so that the answer does not depend on which thread is faster. A
proof that there is no solution ends all at once, as no lane can contradict it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeAlias

from winnable.contract.core import SolveResult
from winnable.search.meter import Meter

Lane: TypeAlias = Callable[[Meter], Iterator[SolveResult | None]]
"""Counts on the meter that it is given, and asks it whether it may go on."""


def first_in_turn(lanes: Sequence[Lane], meter: Meter) -> SolveResult | None:
    """None when all lanes are at their end, or the budget is. In threads where it grants them, unless it
    limits what may be expanded: by turns the same is expanded each time."""
    if min(meter.budget.threads, len(lanes)) > 1 and meter.budget.expanded == sys.maxsize:
        return _SideBySide(lanes, meter).run()
    return _by_turns(lanes, meter)


def _by_turns(lanes: Sequence[Lane], meter: Meter) -> SolveResult | None:
    searching = [lane(meter) for lane in lanes]
    while searching:
        for rounds in tuple(searching):
            if not meter.allows("next"):
                return None
            try:
                result = next(rounds)
            except StopIteration:
                searching.remove(rounds)
            else:
                if result is not None:
                    return result
    return None


class _SideBySide:
    """rounds: how many each lane has made; found: the results, by the round and the number of their lane"""

    def __init__(self, lanes: Sequence[Lane], meter: Meter) -> None:
        self._lanes, self._whole = lanes, meter
        self._meters = [_LaneMeter(self, number, meter) for number in range(len(lanes))]
        self._rounds = [0] * len(lanes)
        self._found: dict[tuple[int, int], SolveResult] = {}
        self._failed = threading.Event()

    def run(self) -> SolveResult | None:
        *others, last = range(len(self._lanes))
        with ThreadPoolExecutor(len(others)) as threads:
            ends = [threads.submit(self._search, number) for number in others]
            self._search(last)
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
        return self._failed.is_set() or any(at < now or r.status == "unsolvable" for at, r in found)

    def _search(self, number: int) -> None:
        meter = self._meters[number]
        try:
            for result in self._lanes[number](meter):
                if result is not None:
                    self._found[self._rounds[number], number] = result
                    return
                self._rounds[number] += 1
                if not meter.allows("next"):
                    return
        except BaseException:
            self._failed.set()
            raise


class _LaneMeter(Meter):
    """Counts for one lane, and tells of all."""

    def __init__(self, lanes: _SideBySide, number: int, whole: Meter) -> None:
        super().__init__(whole.budget)
        self._lanes, self._number = lanes, number

    def allows(self, stage: str, **values: Any) -> bool:
        return not self._lanes.overtaken(self._number) and self.budget.allows(
            stage, *self._lanes.used, **values
        )
