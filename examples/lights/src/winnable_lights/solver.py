"""The fewest presses, by chasing: what is pressed in the first row leaves no choice in the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from winnable.contract.core import Answer, Budget, Search
from winnable.search.meter import Meter
from winnable_lights.rules import Lights


def fewest(puzzle: Any, state: Any, budget: Budget, seed: int) -> Search[Answer]:
    """Exact: no order of presses matters, and none is made twice."""
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    found: list[tuple[int, ...]] = []
    for presses in lines(puzzle, state.lit):
        meter.expanded += 1
        if meter.is_due and not (yield from meter.allows("chasing")):
            return meter.result("budget")
        found += [presses] if presses is not None and len(presses) <= state.left else []
    if not found:
        return meter.result("unsolvable")
    line = min(found, key=len)
    return (yield from meter.solved(puzzle, state, line, len(line)))


def lines(lights: Lights, lit: int) -> Iterator[tuple[int, ...] | None]:
    """For each choice in the first row the presses that follow from it, where they put out all."""
    for first in range(1 << lights.columns):
        rest, presses = lit, list[int]()
        for cell in range(lights.num_actions):
            above = cell - lights.columns
            if (first >> cell if above < 0 else rest >> above) & 1:
                rest ^= lights.switches[cell]
                presses.append(cell)
        yield None if rest else tuple(presses)
