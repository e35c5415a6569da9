"""The driver of searches that go on in slices, as kernels do: between two of them it asks the budget, tells
how far the search has come, counts, and says how much the next one may take.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from winnable.contract.core import Found, Search
from winnable.inert.arrays import NDArray, np
from winnable.search.meter import Meter

SLICE_SECONDS = 0.015
Outcome: TypeAlias = Literal["solved", "exhausted", "stopped"]
"""Of a run. stopped: by the budget, because the nodes that were granted are used up, or by the search itself,
which might go on another time."""
SliceEnd: TypeAlias = Outcome | Literal["running", "paused"]
"""Of a search after a slice. running: it took all steps; paused: it goes on, but stopped before, so that its
time says nothing about the next slice."""
Slice: TypeAlias = Callable[[int], Found[SliceEnd]]
"""Goes on for at most so many steps; by a search where it may have more to do than that."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Slices:
    """Those of one search. Where it is cut does not change its result.

    counts: int64[2], a view of what the search itself counts: nodes expanded and generated. They only grow
    first:  steps of the first slice; the others take so many that they last about SLICE_SECONDS
    a_node: the most steps that a node takes
    """

    def __init__(self, counts: NDArray[np.int64], first: int = 1, a_node: int = 1) -> None:
        self._counts, self._told, self._steps, self._a_node = counts, counts.copy(), first, a_node

    def run(
        self,
        go_on: Slice,
        meter: Meter,
        stage: str,
        told: Mapping[str, Any] = NOTHING,
        *,
        nodes: int = sys.maxsize,
    ) -> Search[Outcome]:
        """Goes on until the search ends, has expanded up to `nodes` further nodes, or the budget is over.

        told: the values of the stage, which slices may change as they go along"""
        while nodes > 0 and (yield from meter.allows(stage, **told)):
            steps = min(self._steps, self._a_node * min(nodes, meter.expanded_left))
            began = time.perf_counter()
            step = go_on(steps)
            outcome = (yield from step) if isinstance(step, Generator) else step
            seconds = time.perf_counter() - began
            nodes -= self.count(meter)
            if outcome == "running":
                wanted = steps * SLICE_SECONDS / max(seconds, 1e-6)
                self._steps = max(1, int(min(wanted, 4 * self._steps, 1e6)))
            elif outcome != "paused":
                return outcome
        return "stopped"

    def count(self, meter: Meter) -> int:
        """Tells the meter what was counted since the last time: so many nodes expanded."""
        expanded, generated = (self._counts - self._told).tolist()
        self._told[:] = self._counts
        meter.expanded += expanded
        meter.generated += generated
        return expanded
