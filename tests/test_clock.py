"""The clock of budgets stands still while anybody holds it."""

import threading
import time

import pytest

from winnable import clock
from winnable.core import Budget


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
    assert budget.allows("stage", 0, 0)
    clock.go()
    seconds[0] += 9
    assert budget.allows("stage", 0, 0)
    seconds[0] += 1
    assert not budget.allows("stage", 0, 0)


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
