"""The driver of searches in slices, on searches that only count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.driving import driven
from winnable.contract.core import Budget, Progress, finish
from winnable.search import slices
from winnable.search.meter import Meter
from winnable.search.slices import SLICE_SECONDS, SliceEnd, Slices


class Counting:
    """Expands what it is granted, makes twice as many nodes, and ends as `solved` after `size` of them.

    taken: what each slice expanded; seconds: what a node takes, of a clock that stands still elsewhere
    """

    def __init__(self, size: int, seconds: float = 0.0, most: int = 10**9) -> None:
        self.counts = np.zeros(2, np.int64)
        self.taken: list[int] = []
        self.clock = 0.0
        self._size, self._seconds, self._most = size, seconds, most

    def go_on(self, nodes: int) -> SliceEnd:
        taken = min(nodes, self._most, self._size - int(self.counts[0]))
        self.counts += taken, 2 * taken
        self.taken.append(taken)
        self.clock += taken * self._seconds
        if self.counts[0] == self._size:
            return "solved"
        return "running" if taken == nodes else "paused"

    def paced(self, monkeypatch: pytest.MonkeyPatch) -> Counting:
        monkeypatch.setattr(slices.time, "perf_counter", lambda: self.clock)
        return self


def test_a_search_goes_on_where_it_stopped_and_counts_to_the_node() -> None:
    search = Counting(100)
    driver, meter = Slices(search.counts, 7), Meter(Budget())
    assert finish(driver.run(search.go_on, meter, "x", nodes=60)) == "stopped"
    assert (meter.expanded, meter.generated) == (60, 120)
    assert finish(driver.run(search.go_on, meter, "x", nodes=0)) == "stopped"
    assert finish(driver.run(search.go_on, other := Meter(Budget()), "x")) == "solved"
    assert (meter.expanded, other.expanded, other.generated) == (60, 40, 80)


def test_no_more_nodes_are_granted_than_the_budget_has() -> None:
    search = Counting(100)
    meter = Meter(Budget(expanded=30))
    meter.expanded = 5
    assert finish(Slices(search.counts, 10).run(search.go_on, meter, "x")) == "stopped"
    assert sum(search.taken) == 25
    assert meter.expanded == 30


def test_a_search_whose_nodes_take_several_steps_gets_enough_for_the_last_ones() -> None:
    search = Counting(100)
    granted: list[int] = []

    def go_on(steps: int) -> SliceEnd:
        granted.append(steps)
        return search.go_on(steps // 10)

    meter = Meter(Budget(expanded=30))
    driver = Slices(search.counts, 200, a_node=10)
    assert finish(driver.run(go_on, meter, "x", nodes=7)) == "stopped"
    assert finish(driver.run(go_on, meter, "x")) == "stopped"
    assert granted == [70, 230]
    assert meter.expanded == 30


def test_what_was_counted_beside_the_slices_is_told_once() -> None:
    search = Counting(100)
    driver, meter = Slices(search.counts), Meter(Budget())
    search.go_on(3)
    assert driver.count(meter) == 3
    assert driver.count(meter) == 0
    search.go_on(4)
    finish(driver.run(search.go_on, meter, "x", nodes=1))
    assert (meter.expanded, meter.generated) == (8, 16)


def test_slices_get_as_long_as_the_budget_is_to_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    each = SLICE_SECONDS / 1000
    search = Counting(10_000, each).paced(monkeypatch)
    finish(Slices(search.counts).run(search.go_on, Meter(Budget()), "x"))
    assert search.taken[:5] == [1, 4, 16, 64, 256]
    assert all(taken == pytest.approx(1000, abs=1) for taken in search.taken[5:-1])


def test_a_slice_that_pauses_by_itself_says_nothing_about_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search takes no time at all, so that slices would grow."""
    search = Counting(100, most=4).paced(monkeypatch)
    granted: list[int] = []

    def go_on(nodes: int) -> SliceEnd:
        granted.append(nodes)
        return search.go_on(nodes)

    assert finish(Slices(search.counts, 10).run(go_on, Meter(Budget()), "x")) == "solved"
    assert granted == [10] * 25


def test_the_budget_is_asked_before_each_slice_and_told_how_far_the_search_is() -> None:
    told: list[tuple[str, int, int, Any]] = []

    def hear(progress: Progress) -> None:
        told.append((progress.stage, progress.expanded, progress.generated, progress.values["width"]))
        if progress.expanded >= 20:
            budget.cancel()

    budget, search = Budget(), Counting(100, most=10)
    driver = Slices(search.counts, 50)
    assert driven(driver.run(search.go_on, Meter(budget), "wide", {"width": 3}), hear) == "stopped"
    assert told == [("wide", 0, 0, 3), ("wide", 10, 20, 3), ("wide", 20, 40, 3)]
    assert search.taken == [10, 10]
