"""Who is next: lamps and solvers share two threads, and neither starves."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from tests.waiting import PATIENCE
from winnable.contract.core import Progress, WinnableError
from winnable.web import jobs as jobs_module
from winnable.web.jobs import LIMITS, Job, Jobs, Lane, Outcome


class Board:
    """Submits searches that go on until they are cancelled, and notes what happens."""

    def __init__(self, **options: Any) -> None:
        self.jobs = Jobs(**options)
        self.started: list[str] = []
        self.ended: dict[str, Outcome] = {}

    def search(self, lane: Lane, name: str, late: Callable[[], None] | None = None) -> Job:
        def work(job: Job) -> str:
            self.started.append(name)
            budget = job.budget(2 * PATIENCE)
            while budget.allows("", 0, 0):
                time.sleep(0.001)
            return name

        return self.submit(lane, name, work, late=late)

    def submit(self, lane: Lane, name: str, work: Callable[[Job], Any], **options: Any) -> Job:
        return self.jobs.submit(lane, work, lambda outcome: self.ended.__setitem__(name, outcome), **options)

    async def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, (self.started, self.ended)
            await asyncio.sleep(0.002)


def run(play: Callable[[Board], Any], **options: Any) -> Board:
    board = Board(**options)

    async def main() -> None:
        try:
            await play(board)
        finally:
            board.jobs.close()
            assert board.jobs.join(PATIENCE)
            await asyncio.sleep(0.01)

    asyncio.run(main())
    return board


def test_a_solve_leaves_a_thread_to_the_lamp() -> None:
    async def play(board: Board) -> None:
        first = board.search("solve", "solve 1")
        board.search("solve", "solve 2")
        await board.until(lambda: board.started == ["solve 1"])
        lamp = board.search("lamp", "lamp")
        await board.until(lambda: board.started == ["solve 1", "lamp"])
        board.jobs.cancel(lamp)
        await board.until(lambda: "lamp" in board.ended)
        assert board.started == ["solve 1", "lamp"]
        board.jobs.cancel(first)
        await board.until(lambda: board.started[-1] == "solve 2")

    run(play)


def test_the_newest_lamp_goes_first() -> None:
    async def play(board: Board) -> None:
        one, _ = board.search("lamp", "lamp 1"), board.search("lamp", "lamp 2")
        board.search("lamp", "lamp 3")
        board.search("lamp", "lamp 4")
        await board.until(lambda: len(board.started) == 2)
        board.jobs.cancel(one)
        await board.until(lambda: len(board.started) == 3)
        assert board.started[2] == "lamp 4"

    run(play)


def test_lamps_make_room_when_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "FAIR_SECONDS", 0.1)

    async def play(board: Board) -> None:
        for number in range(4):
            board.search("lamp", f"lamp {number}")
        board.search("solve", "solve")
        await board.until(lambda: len(board.started) == 5)
        await asyncio.sleep(0.3)
        assert len(board.ended) == 3, "the last two may go on: nobody waits"
        assert all(outcome.cancelled for outcome in board.ended.values())

    run(play)


def test_slow_makers_block_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "QUICK_SECONDS", 1e9)

    async def play(board: Board) -> None:
        for number in range(LIMITS["make"]):
            board.search("make", f"slow {number}")
        board.search("make", "next")
        await board.until(lambda: len(board.started) == LIMITS["make"])
        assert board.jobs.counts() == (1, LIMITS["make"])
        monkeypatch.setattr(jobs_module, "QUICK_SECONDS", 0.1)
        board.search("make", "after it")
        await board.until(lambda: board.started[-2:] == ["next", "after it"])
        assert not board.ended, "nobody is stopped for it"

    run(play)


def test_a_lamp_that_waits_for_long_says_so_and_then_when_it_begins() -> None:
    async def play(board: Board) -> None:
        first, _ = board.search("lamp", "lamp 1"), board.search("lamp", "lamp 2")
        said: list[bool] = []
        third: Job = board.search("lamp", "lamp 3", lambda: said.append(third.waits))
        await board.until(lambda: said == [True])
        board.jobs.cancel(first)
        await board.until(lambda: said == [True, False])
        await board.until(lambda: "lamp 3" in board.started)
        await asyncio.sleep(0.3)
        assert said == [True, False]

    run(play, busy_seconds=0.1)


def test_no_lamp_begins_while_the_event_loop_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clicks go first; so does what does not search."""
    monkeypatch.setattr(jobs_module, "BREATH_SECONDS", 1.0)
    monkeypatch.setattr(jobs_module, "LATE_SECONDS", 0.2)

    async def play(board: Board) -> None:
        lamps = [board.search("lamp", f"lamp {number}") for number in range(3)]
        await board.until(lambda: len(board.started) == 2)
        time.sleep(0.5)  # something holds the event loop
        began = time.monotonic()
        await asyncio.sleep(0.1)
        board.jobs.cancel(lamps[0])
        await board.until(lambda: "lamp 0" in board.ended)
        board.search("play", "player")
        await board.until(lambda: "player" in board.started)
        await board.until(lambda: "lamp 2" in board.started)
        assert time.monotonic() - began >= 0.9

    run(play)


def test_the_oldest_lamp_makes_room_and_one_that_was_asked_to_is_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs_module, "FAIR_SECONDS", 0.1)
    let_go = threading.Event()

    async def play(board: Board) -> None:
        stubborn = board.submit("lamp", "stubborn", lambda _: let_go.wait(PATIENCE))
        board.search("lamp", "lamp 1")
        await board.until(lambda: board.started == ["lamp 1"])
        board.search("lamp", "lamp 2")
        board.search("lamp", "lamp 3")
        await board.until(lambda: stubborn.cancelled)
        await board.until(lambda: "lamp 1" in board.ended)
        await board.until(lambda: board.started[:2] == ["lamp 1", "lamp 3"])
        let_go.set()
        await board.until(lambda: "stubborn" in board.ended)

    run(play)


def test_work_does_not_hold_more_than_it_may() -> None:
    async def play(board: Board) -> None:
        for number in range(3):
            board.submit("load", f"load {number}", lambda job: time.sleep(0.2), size=100_000)
        with pytest.raises(WinnableError, match="large"):
            board.submit("load", "too much", lambda job: None, size=100_000)
        board.submit("load", "small", lambda job: None, size=1000)
        await board.until(lambda: len(board.ended) == 4)
        board.submit("load", "later", lambda job: None, size=300_000)
        await board.until(lambda: "later" in board.ended)

    run(play, max_size=300_000)


def test_searches_use_the_same_threads_again() -> None:
    """To start one holds the event loop up."""

    async def play(board: Board) -> None:
        threads: set[int] = set()
        for number in range(20):
            board.submit("lamp", str(number), lambda job: threads.add(threading.get_ident()))
            await board.until(lambda name=str(number): name in board.ended)
        assert len(threads) <= 2

    run(play)


def test_after_the_end_nothing_is_started() -> None:
    async def play(board: Board) -> None:
        board.jobs.close()
        board.search("lamp", "lamp")
        assert board.jobs.counts() == (1, 0)

    assert run(play).started == []


def test_a_job_that_waits_can_be_cancelled() -> None:
    async def play(board: Board) -> None:
        board.search("solve", "solve 1")
        waiting = board.search("solve", "solve 2")
        board.jobs.cancel(waiting)
        board.jobs.cancel(waiting)
        board.jobs.cancel(None)
        await board.until(lambda: "solve 2" in board.ended)
        assert board.ended["solve 2"] == Outcome(cancelled=True)
        assert board.jobs.counts() == (0, 1)

    run(play)


def test_how_jobs_end() -> None:
    def refuse(_: Job) -> None:
        raise WinnableError("tiles: no")

    def fail(_: Job) -> None:
        raise ZeroDivisionError

    def exhaust(_: Job) -> None:
        raise MemoryError

    async def play(board: Board) -> None:
        board.submit("load", "value", lambda _: 7)
        board.submit("load", "refused", refuse)
        board.submit("load", "failed", fail)
        board.submit("load", "exhausted", exhaust)
        board.submit("load", "late", lambda job: (time.sleep(0.05), job.budget(1)))
        board.jobs.cancel(board.submit("load", "never", lambda job: job.budget(1)))
        await board.until(lambda: len(board.ended) == 6)

    board = run(play)
    assert board.ended["value"] == Outcome(7)
    assert str(board.ended["refused"].error) == "tiles: no"
    assert "internal" in str(board.ended["failed"].error)
    assert "memory" in str(board.ended["exhausted"].error)
    assert board.ended["never"].cancelled


def test_a_job_that_was_cancelled_gets_no_budget() -> None:
    started, cancelled = threading.Event(), threading.Event()

    def work(job: Job) -> str:
        started.set()
        assert cancelled.wait(PATIENCE)
        job.budget(1)
        return "it went on"

    async def play(board: Board) -> None:
        job = board.submit("make", "make", work)
        await board.until(started.is_set)
        board.jobs.cancel(job)
        cancelled.set()
        await board.until(lambda: "make" in board.ended)

    assert run(play).ended["make"] == Outcome(cancelled=True)


@pytest.mark.parametrize(("pause", "expected"), [(0.0, [0, 1, 2, 3, 4]), (inf, [4])])
def test_progress_is_throttled_and_the_last_is_told(
    pause: float, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "PROGRESS_SECONDS", pause)
    told: list[Progress] = []

    def work(job: Job) -> None:
        budget = job.budget(PATIENCE, told.append)
        for expanded in range(5):
            budget.allows("counting", expanded, 2)

    async def play(board: Board) -> None:
        board.submit("solve", "solve", work)
        await board.until(lambda: "solve" in board.ended)

    run(play)
    assert [progress.expanded for progress in told] == expected


def test_a_search_that_is_cancelled_ends_with_what_it_has() -> None:
    async def play(board: Board) -> None:
        job = board.search("lamp", "lamp")
        await board.until(lambda: bool(board.started))
        board.jobs.cancel(job)
        await board.until(lambda: "lamp" in board.ended)
        assert board.ended["lamp"] == Outcome("lamp", cancelled=True)

    run(play)


def test_a_margin_has_only_what_searches_leave_over() -> None:
    async def play(board: Board) -> None:
        board.search("margin", "margin")
        await board.until(lambda: board.started == ["margin"])
        board.search("lamp", "first lamp")
        await board.until(lambda: board.started == ["margin", "first lamp"])
        assert not board.ended
        second = board.search("lamp", "second lamp")
        await board.until(lambda: "margin" in board.ended)
        assert board.ended["margin"].cancelled
        board.search("margin", "later")
        await board.until(lambda: "second lamp" in board.started)
        await asyncio.sleep(0.05)
        assert "later" not in board.started
        board.jobs.cancel(second)
        await board.until(lambda: "later" in board.started)

    run(play)
