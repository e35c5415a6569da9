"""Who is next: lamps and solvers share two threads, and neither starves; without threads the loop drives
all, in the same order."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from math import inf
from typing import Any, ClassVar, NamedTuple, Protocol

import pytest

from tests.waiting import PATIENCE
from winnable.contract.core import Budget, Progress, WinnableError
from winnable.search import memory
from winnable.web import jobs as jobs_module
from winnable.web.jobs import LIMITS, SMALL_MB, Job, Jobs, Lane, Running

STEP = Progress("", 0, 0, 0.0)


class End(NamedTuple):
    value: Any = None
    error: WinnableError | None = None
    cancelled: bool = False


class Board:
    """Has searches done that go on until they are cancelled, and notes what happens."""

    def __init__(self, **options: Any) -> None:
        self.jobs = Jobs(**options)
        self.started: list[str] = []
        self.ended: dict[str, End] = {}
        self.progress: list[Progress] = []

    def search(self, lane: Lane, name: str, late: Callable[[], None] | None = None) -> Job[Any]:
        budget = Budget(2 * PATIENCE)

        def stream() -> Iterator[Progress | str]:
            self.started.append(name)
            while budget.limit(0) is None:
                time.sleep(0.001)
                yield STEP
            yield name

        return self.stream(lane, name, stream(), budget, late=late).job

    def stream(
        self, lane: Lane, name: str, stream: Iterable[Any], budget: Budget | None = None, **options: Any
    ) -> Running:
        return self._follow(name, self.jobs.stream(lane, stream, budget or Budget(), **options))

    def work(self, lane: Lane, name: str, work: Callable[[], Any], **options: Any) -> Job[Any]:
        return self._follow(name, self.jobs.work(lane, work, **options)).job

    def _follow(self, name: str, job: Job[Any]) -> Running:
        return self.jobs.follow(job, self._note(name, job))

    async def _note(self, name: str, job: Job[Any]) -> None:
        try:
            self.ended[name] = End(await job.result(hear=self.progress.append), None, job.cancelled)
        except WinnableError as error:
            self.ended[name] = End(error=error, cancelled=job.cancelled)

    async def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, (self.started, self.ended)
            await asyncio.sleep(0.002)


class Run(Protocol):
    def __call__(self, play: Callable[[Board], Any], **options: Any) -> Board: ...


def run_with_threads(play: Callable[[Board], Any], **options: Any) -> Board:
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


@pytest.fixture(params=["threads", "loop"])
def run(request: pytest.FixtureRequest) -> Run:
    def driven(play: Callable[[Board], Any], **options: Any) -> Board:
        return run_with_threads(play, threads=request.param == "threads", **options)

    return driven


def test_a_solve_leaves_a_thread_to_the_lamp(run: Run) -> None:
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


def test_the_newest_lamp_goes_first(run: Run) -> None:
    async def play(board: Board) -> None:
        one, _ = board.search("lamp", "lamp 1"), board.search("lamp", "lamp 2")
        board.search("lamp", "lamp 3")
        board.search("lamp", "lamp 4")
        await board.until(lambda: len(board.started) == 2)
        board.jobs.cancel(one)
        await board.until(lambda: len(board.started) == 3)
        assert board.started[2] == "lamp 4"

    run(play)


def test_lamps_make_room_when_others_wait(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "FAIR_SECONDS", 0.1)

    async def play(board: Board) -> None:
        for number in range(4):
            board.search("lamp", f"lamp {number}")
        board.search("solve", "solve")
        await board.until(lambda: len(board.started) == 5)
        await asyncio.sleep(0.3)
        assert len(board.ended) == 3, "the last two may go on: nobody waits"
        assert all(end.cancelled for end in board.ended.values())

    run(play)


def test_slow_makers_block_nobody(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "QUICK_SECONDS", 1e9)

    async def play(board: Board) -> None:
        for number in range(LIMITS["make"]):
            board.search("make", f"slow {number}")
        board.search("make", "next")
        await board.until(lambda: len(board.started) == LIMITS["make"])
        assert board.jobs.counts() == (1, LIMITS["make"])
        monkeypatch.setattr(jobs_module, "QUICK_SECONDS", 0.1)
        board.search("make", "after it")
        await board.until(lambda: sorted(board.started[-2:]) == ["after it", "next"])  # each has a thread
        assert not board.ended, "nobody is stopped for it"

    run(play)


def test_a_lamp_that_waits_for_long_says_so_and_then_when_it_begins(run: Run) -> None:
    async def play(board: Board) -> None:
        first, _ = board.search("lamp", "lamp 1"), board.search("lamp", "lamp 2")
        said: list[bool] = []
        third: Job[Any] = board.search("lamp", "lamp 3", lambda: said.append(third.waits))
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

    run_with_threads(play)


def test_the_oldest_lamp_makes_room_and_one_that_was_asked_to_is_not_asked_again(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs_module, "FAIR_SECONDS", 0.1)
    let_go = threading.Event()

    def hears_nothing() -> Iterator[Progress]:
        while not let_go.wait(0.001):
            yield STEP

    async def play(board: Board) -> None:
        stubborn = board.stream("lamp", "stubborn", hears_nothing()).job
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


def test_work_does_not_hold_more_than_it_may(run: Run) -> None:
    let_go = threading.Event()

    def holds() -> Iterator[Progress]:
        while not let_go.wait(0.001):
            yield STEP

    async def play(board: Board) -> None:
        for number in range(3):
            board.stream("load", f"load {number}", holds(), size=100_000)
        with pytest.raises(WinnableError, match="large"):
            board.work("load", "too much", lambda: None, size=100_000)
        board.work("load", "small", lambda: None, size=1000)
        await board.until(lambda: [*board.ended] == ["small"])
        let_go.set()
        await board.until(lambda: len(board.ended) == 4)
        board.work("load", "later", lambda: None, size=300_000)
        await board.until(lambda: "later" in board.ended)

    run(play, max_size=300_000)


def test_searches_use_the_same_threads_again() -> None:
    """To start one holds the event loop up."""

    async def play(board: Board) -> None:
        threads: set[int] = set()
        for number in range(20):
            board.work("lamp", str(number), lambda: threads.add(threading.get_ident()))
            await board.until(lambda name=str(number): name in board.ended)
        assert len(threads) <= 2

    run_with_threads(play)


def test_after_the_end_nothing_is_started(run: Run) -> None:
    async def play(board: Board) -> None:
        board.jobs.close()
        board.search("lamp", "lamp")
        assert board.jobs.counts() == (1, 0)

    assert run(play).started == []


def test_a_job_that_waits_can_be_cancelled(run: Run) -> None:
    async def play(board: Board) -> None:
        board.search("solve", "solve 1")
        waiting = board.search("solve", "solve 2")
        board.jobs.cancel(waiting)
        board.jobs.cancel(waiting)
        await board.until(lambda: "solve 2" in board.ended)
        assert board.ended["solve 2"] == End(cancelled=True)
        assert board.jobs.counts() == (0, 1)

    run(play)


def test_how_jobs_end(run: Run) -> None:
    def refuse() -> None:
        raise WinnableError("tiles: no")

    def fail() -> None:
        raise ZeroDivisionError

    def exhaust() -> None:
        raise MemoryError

    def nest() -> None:
        raise RecursionError

    async def play(board: Board) -> None:
        board.work("load", "value", lambda: 7)
        for work in (refuse, fail, exhaust, nest, sys.exit):
            board.work("load", work.__name__, work)
        board.jobs.cancel(board.work("load", "never", lambda: board.started.append("never")))
        await board.until(lambda: len(board.ended) == 7)

    board = run(play)
    assert board.ended["value"] == End(7)
    assert str(board.ended["refuse"].error) == "tiles: no"
    assert "internal" in str(board.ended["fail"].error)
    assert "memory" in str(board.ended["exhaust"].error)
    assert "nested" in str(board.ended["nest"].error)
    assert "internal" in str(board.ended["exit"].error), "and its thread goes on"
    assert board.ended["never"] == End(cancelled=True)
    assert not board.started


def test_a_search_that_exits_takes_no_thread_along(run: Run) -> None:
    async def play(board: Board) -> None:
        for number in range(4):
            board.work("lamp", f"{number}", sys.exit)
            await board.until(lambda: f"{number}" in board.ended)  # noqa: B023
        board.search("lamp", "lamp")
        await board.until(lambda: bool(board.started))

    run(play)


def test_a_job_that_is_cancelled_has_a_budget_that_is_over(run: Run) -> None:
    budget = Budget()

    begun = threading.Event()

    def stream() -> Iterator[Progress | bool]:
        begun.set()
        while not budget.is_cancelled:
            yield STEP
        yield budget.part().is_cancelled

    async def play(board: Board) -> None:
        job = board.stream("make", "make", stream(), budget).job
        await board.until(begun.is_set)
        board.jobs.cancel(job)
        await board.until(lambda: "make" in board.ended)

    assert run(play).ended["make"] == End(True, cancelled=True)


@pytest.mark.parametrize(("pause", "expected"), [(0.0, [0, 1, 2, 3, 4]), (inf, [4])])
def test_progress_is_throttled_and_the_last_is_told(
    run: Run, pause: float, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "PROGRESS_SECONDS", pause)

    async def play(board: Board) -> None:
        board.stream("solve", "solve", [Progress("counting", expanded, 2, 0.0) for expanded in range(5)])
        await board.until(lambda: "solve" in board.ended)

    assert [progress.expanded for progress in run(play).progress] == expected


def test_a_search_that_is_cancelled_ends_with_what_it_has(run: Run) -> None:
    async def play(board: Board) -> None:
        job = board.search("lamp", "lamp")
        await board.until(lambda: bool(board.started))
        board.jobs.cancel(job)
        await board.until(lambda: "lamp" in board.ended)
        assert board.ended["lamp"] == End("lamp", cancelled=True)

    run(play)


def test_a_margin_has_only_what_searches_leave_over(run: Run) -> None:
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


# -- what follows a job ------------------------------------------------------------------------------------


def test_what_is_given_up_is_never_heard_and_its_stream_is_closed(run: Run) -> None:
    closed = threading.Event()

    def stream() -> Iterator[Progress | int]:
        try:
            yield from count()
        finally:
            closed.set()

    async def play(board: Board) -> None:
        heard: list[int] = []

        async def listen(job: Job[int]) -> None:
            async for number in job.told():
                heard.append(number)

        job: Job[int] = board.jobs.stream("solve", stream(), Budget())
        running = board.jobs.follow(job, listen(job))
        await board.until(lambda: bool(heard))
        running.give_up()
        before = len(heard)
        await board.until(closed.is_set)
        await board.until(lambda: board.jobs.counts() == (0, 0))
        assert len(heard) == before
        assert job.cancelled
        assert running.is_over

    run(play)


def test_what_is_given_up_before_its_first_step_ends(run: Run) -> None:
    """And leaves no coroutine that was never awaited, which would be an error here."""

    async def play(board: Board) -> None:
        budget = Budget()
        running = board.stream("solve", "at once", iter(lambda: STEP, None), budget)
        waiting = board.stream("solve", "waiting", [1])
        for one in (waiting, running):
            one.give_up()
            one.give_up()
        await board.until(lambda: board.jobs.counts() == (0, 0))
        assert budget.is_cancelled
        await board.until(lambda: running.is_over and waiting.is_over)
        assert not board.ended

    run(play)


def test_what_is_cancelled_still_answers(run: Run) -> None:
    async def play(board: Board) -> None:
        board.search("solve", "first")
        await board.until(lambda: board.started == ["first"])
        waiting = board.stream("solve", "second", [2])
        waiting.cancel()
        assert not waiting.is_over
        await board.until(lambda: waiting.is_over)
        assert board.ended == {"second": End(cancelled=True)}

    run(play)


def test_whoever_listens_no_more_ends_the_job(run: Run) -> None:
    async def play(board: Board) -> None:
        async def listen(job: Job[int]) -> None:
            async for _ in job.told():
                break

        job: Job[int] = board.jobs.stream("solve", iter(lambda: 1, None), Budget())
        running = board.jobs.follow(job, listen(job))
        await board.until(lambda: running.is_over and board.jobs.counts() == (0, 0))
        assert job.cancelled

    run(play)


@pytest.mark.parametrize(
    ("error", "code"),
    [(ZeroDivisionError(), "internal"), (WinnableError("game.none"), "game.none"), (MemoryError(), "memory")],
)
def test_what_goes_wrong_where_it_is_heard_is_told(
    run: Run, error: Exception, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(board: Board) -> None:
        told: list[str] = []

        async def listen(job: Job[int]) -> None:
            await job.result()
            raise error

        job: Job[int] = board.jobs.stream("solve", [1], Budget())
        board.jobs.follow(job, listen(job), lambda failed: told.append(failed.code))
        await board.until(lambda: told == [code])

    run(play)
    assert ("ZeroDivisionError" in caplog.text) == (code == "internal")


# -- memory and threads ------------------------------------------------------------------------------------


def test_a_search_has_a_share_of_the_memory_as_long_as_it_runs(run: Run) -> None:
    class Counting(memory.MemoryPool):
        holders: ClassVar = set[object]()

        def take(self, search: object) -> int:
            self.holders.add(search)
            return 512

        def give(self, search: object) -> None:
            self.holders.discard(search)

    def used(budget: Budget) -> Iterator[tuple[int, int]]:
        yield budget.memory_mb, len(Counting.holders)

    async def play(board: Board) -> None:
        for name, small in (("whole", False), ("small", True)):
            budget = Budget()
            board.stream("solve", name, used(budget), budget, small=small)
            await board.until(lambda: name in board.ended)  # noqa: B023
        board.work("load", "work", lambda: len(Counting.holders))
        running = board.search("lamp", "lamp")
        await board.until(lambda: "work" in board.ended and bool(board.started))
        assert Counting.holders == {running}
        board.jobs.cancel(running)
        await board.until(lambda: "lamp" in board.ended)
        assert not Counting.holders

    ended = run(play, pool=Counting(1024)).ended
    assert [ended[name].value for name in ("whole", "small", "work")] == [(512, 1), (SMALL_MB, 0), 0]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no niceness of their own")
def test_the_event_loop_is_as_nice_as_before(run: Run) -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    async def play(board: Board) -> None:
        for number in range(3):
            board.search("lamp", f"{number}")
        await board.until(lambda: len(board.started) == 2)

    before = niceness()
    run(play)
    assert niceness() == before


def test_lamps_that_wait_begin_also_where_slices_make_the_loop_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "BREATH_SECONDS", PATIENCE)
    monkeypatch.setattr(jobs_module, "LATE_SECONDS", 0.0)

    async def play(board: Board) -> None:
        lamps = [board.search("lamp", f"lamp {number}") for number in range(3)]
        await board.until(lambda: len(board.started) == 2)
        await asyncio.sleep(0.2)  # the loop is looked at
        board.jobs.cancel(lamps[0])
        await board.until(lambda: "lamp 2" in board.started)

    run_with_threads(play, threads=False)


def test_the_end_comes_soon_while_all_lanes_are_busy(run: Run) -> None:
    """And no task is left pending, which would be an error here."""

    async def play(board: Board) -> None:
        for lane in LIMITS:
            for number in range(LIMITS[lane] + 1):
                board.search(lane, f"{lane} {number}")
        await board.until(lambda: "later 0" in board.started)
        board.jobs.close()
        assert board.jobs.join(PATIENCE)
        await board.until(lambda: len(board.ended) == sum(LIMITS.values()) + len(LIMITS))

    assert all(end.cancelled for end in run(play).ended.values())
