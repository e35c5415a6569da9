"""The driver of searches that go on in slices, as kernels do: between two of them it asks the budget, tells
how far the search has come, counts, and says how much the next one may take.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.search.meter import POLL_SECONDS, Meter

Outcome: TypeAlias = Literal["solved", "exhausted", "stopped"]
"""Of a run. stopped: by the budget, because the nodes that were granted are used up, or by the search itself,
which might go on another time."""
Standing: TypeAlias = Outcome | Literal["running", "paused"]
"""Of a search after a slice. running: it took all nodes; paused: it goes on, but stopped before, so that its
time says nothing about the next slice."""
Slice: TypeAlias = Callable[[int], Standing]
"""Goes on for at most so many nodes."""


class Slices:
    """Those of one search. Where it is cut does not change its result.

    counts: int64[2], a view of what the search itself counts: nodes expanded and generated. They only grow
    nodes:  for the first slice; the others take so many that they last about POLL_SECONDS
    """

    def __init__(self, counts: NDArray[np.int64], nodes: int = 1) -> None:
        self._counts, self._told, self._nodes = counts, counts.copy(), nodes

    def run(self, go_on: Slice, meter: Meter, stage: str, nodes: int = sys.maxsize, **values: Any) -> Outcome:
        """Until the search ends, has expanded up to `nodes` further nodes, or the budget is over."""
        while nodes > 0 and meter.allows(stage, **values):
            granted = min(nodes, self._nodes, meter.expanded_left)
            began = time.perf_counter()
            outcome = go_on(granted)
            seconds = time.perf_counter() - began
            nodes -= self.count(meter)
            if outcome == "running":
                wanted = granted * POLL_SECONDS / max(seconds, 1e-6)
                self._nodes = max(1, int(min(wanted, 4 * self._nodes, 1e6)))
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
