"""The clock of budgets stands still while anybody holds it."""

import threading
import time

import pytest

from winnable.contract import clock
from winnable.contract.core import Budget, Limit, Progress, finish


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the time is, as its only entry. Budgets that were made before go on as if it had never been."""
    there = [100.0]
    monkeypatch.setattr(clock, "_stood_still", 0.0)
    monkeypatch.setattr(time, "monotonic", lambda: there[0])
    return there


def test_it_goes_on_when_the_last_one_lets_go(seconds: list[float]) -> None:
    began = clock.now()
    seconds[0] += 1
    clock.stop()
    seconds[0] += 2
    assert clock.now() - began == 1
    clock.stop()
    seconds[0] += 4
    clock.go()
    seconds[0] += 8
    assert clock.now() - began == 1
    clock.go()
    assert clock.now() - began == 1
    seconds[0] += 16
    assert clock.now() - began == 17


def test_budgets_go_by_it(seconds: list[float]) -> None:
    budget = Budget(seconds=10)
    clock.stop()
    seconds[0] += 50
    assert budget.elapsed == 0
    assert finish(budget.allows("stage", 0, 0))
    clock.go()
    seconds[0] += 9
    assert finish(budget.allows("stage", 0, 0))
    seconds[0] += 1
    assert not finish(budget.allows("stage", 0, 0))


def test_limits_are_met_exactly_there(seconds: list[float]) -> None:
    budget = Budget(seconds=10, expanded=7)
    seconds[0] += 9
    assert [budget.limit(nodes) for nodes in (6, 7)] == [None, Limit("nodes", 7)]
    assert [finish(budget.allows("stage", nodes, 0)) for nodes in (6, 7)] == [True, False]
    seconds[0] += 1
    assert budget.limit(7) == Limit("time", 10)
    assert not finish(budget.allows("stage", 0, 0))
    budget.cancel()
    assert budget.limit(7) == Limit("cancelled")


def test_a_part_has_a_share_of_the_time_left_and_ends_with_the_whole(seconds: list[float]) -> None:
    whole = Budget(10, expanded=7, memory_mb=3, threads=2)
    seconds[0] += 4
    part = whole.part(0.5)
    assert (part.seconds, part.expanded, part.memory_mb, part.threads) == (3, 7, 3, 2)
    assert whole.part(0.5, most=2).seconds == 2
    assert next(part.allows("stage", 1, 2)) == Progress("stage", 1, 2, 0.0, {})
    seconds[0] += 3
    assert (part.limit(0), whole.limit(0)) == (Limit("time", 3), None)
    part.wait(2)
    assert (part.limit(0), part.elapsed, whole.elapsed) == (None, 1, 5), (
        "what is waited for counts for neither"
    )
    rest = whole.part()
    whole.cancel()
    assert rest.limit(0) == Limit("cancelled")
    seconds[0] += 30
    assert whole.part().seconds == 0


def test_threads_hold_it_together() -> None:
    def hold() -> None:
        for _ in range(2000):
            clock.stop()
            clock.go()

    threads = [threading.Thread(target=hold) for _ in range(4)]
    before, began = clock.now(), time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 <= clock.now() - before <= time.monotonic() - began
    started = clock.now()
    time.sleep(0.01)
    assert clock.now() - started > 0.005, "nobody holds it any more"


def test_of_a_time_that_is_over_a_part_has_none(seconds: list[float]) -> None:
    """Not less than none, which no budget takes."""
    budget = Budget(seconds=10)
    assert budget.part(most=-0.001).seconds == 0
    seconds[0] += 11
    assert budget.part().seconds == budget.part(share=0.5, most=3).seconds == 0
