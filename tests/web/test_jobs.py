"""Who is next: lamps and solvers share two threads, and neither starves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from winnable.core import Progress, WinnableError
from winnable.web import jobs as jobs_module
from winnable.web.jobs import LIMITS, Job, Jobs, Lane, Outcome


class Board:
    """Submits searches that go on until they are cancelled, and notes what happens."""

    def __init__(self) -> None:
        self.jobs = Jobs()
        self.started: list[str] = []
        self.ended: dict[str, Outcome] = {}

    def search(self, lane: Lane, name: str) -> Job:
        def work(job: Job) -> str:
            self.started.append(name)
            budget = job.budget(60)
            while budget.allows("", 0, 0):
                time.sleep(0.001)
            return name

        return self.submit(lane, name, work)

    def submit(self, lane: Lane, name: str, work: Callable[[Job], Any]) -> Job:
        return self.jobs.submit(lane, work, lambda outcome: self.ended.__setitem__(name, outcome))

    async def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + 10
        while not true():
            assert time.monotonic() < end, (self.started, self.ended)
            await asyncio.sleep(0.002)


def run(play: Callable[[Board], Any]) -> Board:
    board = Board()

    async def main() -> None:
        try:
            await play(board)
        finally:
            board.jobs.close()
            assert board.jobs.join(10)
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


def test_progress_is_throttled() -> None:
    told: list[Progress] = []

    def work(job: Job) -> None:
        budget = job.budget(0.5, told.append)
        while budget.allows("counting", 1, 2):
            pass

    async def play(board: Board) -> None:
        board.submit("solve", "solve", work)
        await board.until(lambda: "solve" in board.ended)

    run(play)
    assert 2 <= len(told) <= 7


def test_cancelling_is_quick() -> None:
    async def play(board: Board) -> None:
        job = board.search("lamp", "lamp")
        await board.until(lambda: bool(board.started))
        began = time.monotonic()
        board.jobs.cancel(job)
        await board.until(lambda: "lamp" in board.ended)
        assert time.monotonic() - began < 1
        assert board.ended["lamp"] == Outcome("lamp", cancelled=True)

    run(play)
