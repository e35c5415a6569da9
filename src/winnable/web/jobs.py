"""Work off the event loop: threads that search, make levels or choose an action, and who is next.

Searches (`lamp` and `solve`) share SEARCH_THREADS threads; their kernels run without the GIL and poll their
budget every few milliseconds. A `solve` never takes the last thread, so that the lamp goes on beside it. Of
waiting lamps the newest goes first: that is the board being played. The other lanes have threads of their
own; what makes a level and is slow gives its place up and goes on beside the others, until its budget ends.
All methods are called on the event loop; `done` and what `call` posts arrive there too.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from winnable.core import Budget, Progress, WinnableError

Lane: TypeAlias = Literal["lamp", "solve", "play", "make", "load", "tune"]

SEARCH_THREADS = 2
LIMITS: dict[Lane, int] = {
    "lamp": SEARCH_THREADS,
    "solve": SEARCH_THREADS - 1,
    "play": 8,
    "make": 6,
    "load": 4,
    "tune": 1,
}
FAIR_SECONDS = 3.0
"""A lamp that has searched for so long gives its thread up when another search waits."""
QUICK_SECONDS = 1.0
"""Nearly every level is made in less; what takes longer no longer counts in its lane."""
PROGRESS_SECONDS = 0.1
NICENESS = 10

log = logging.getLogger("winnable.studio")


class Cancelled(Exception):
    """Raised in a job's thread by `Job.budget` after `cancel`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended; exactly one of `value` and `error` counts."""

    value: Any = None
    error: WinnableError | None = None
    """Why the job did not come to its end."""
    cancelled: bool = False
    """It may have a value all the same: searches answer with what they have."""


@dataclass(eq=False, slots=True)
class Job:
    """One piece of work; `work` gets the job and runs in a thread."""

    lane: Lane
    work: Callable[[Job], Any]
    done: Callable[[Outcome], None]
    loop: asyncio.AbstractEventLoop
    started: float = 0.0
    cancelled: bool = False
    _budget: Budget | None = None
    _posted: float = 0.0
    _untold: tuple[Callable[[Progress], None], Progress] | None = None
    """The latest progress, until it is posted; the last one is posted when the work ends."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def budget(
        self, seconds: float, on_progress: Callable[[Progress], None] | None = None, nice: bool = True
    ) -> Budget:
        """In the thread: a budget that starts now and ends with the job. `on_progress` is called on the event
        loop, at most about ten times a second. nice: what holds the interpreter for moments only, as searches
        do. Raises Cancelled."""

        def throttled(progress: Progress) -> None:
            now = time.monotonic()
            if on_progress is not None:
                self._untold = on_progress, progress
                if now - self._posted >= PROGRESS_SECONDS:
                    self._posted = now
                    self.tell()

        with self._lock:
            if self.cancelled:
                raise Cancelled
            self._budget = Budget(seconds, threads=os.cpu_count() or 1, on_progress=throttled)
        if nice:
            _let_clicks_go_first()
        return self._budget

    def tell(self) -> None:
        """In the thread: posts the progress that waits, if any does."""
        if self._untold is not None:
            on_progress, progress = self._untold
            self._untold = None
            self.call(on_progress, progress)

    def call(self, function: Callable[..., None], *arguments: Any) -> None:
        """In the thread: calls it on the event loop."""
        with suppress(RuntimeError):  # the loop is closed: nobody is left to tell
            self.loop.call_soon_threadsafe(function, *arguments)

    def cancel(self) -> None:
        """From any thread; the job still ends with `done`."""
        with self._lock:
            self.cancelled = True
            if self._budget is not None:
                self._budget.cancel()


class Jobs:
    """All work of one server."""

    def __init__(self) -> None:
        self._waiting: dict[Lane, deque[Job]] = {lane: deque() for lane in LIMITS}
        self._running: dict[Lane, set[Job]] = {lane: set() for lane in LIMITS}
        self._hurry_timer: asyncio.TimerHandle | None = None
        self._makers_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._threads: set[threading.Thread] = set()

    def submit(self, lane: Lane, work: Callable[[Job], Any], done: Callable[[Outcome], None]) -> Job:
        job = Job(lane, work, done, asyncio.get_running_loop())
        self._waiting[lane].append(job)
        self._start_some()
        return job

    def cancel(self, job: Job | None) -> None:
        """Ends it soon, whether it runs or waits; None and ended jobs are fine."""
        if job is None:
            return
        job.cancel()
        if job in self._waiting[job.lane]:
            self._waiting[job.lane].remove(job)
            job.loop.call_soon(job.done, Outcome(cancelled=True))

    def close(self) -> None:
        """Cancels everything and starts nothing more."""
        self._closed = True
        for timer in (self._hurry_timer, self._makers_timer):
            if timer is not None:
                timer.cancel()
        for waiting in self._waiting.values():
            for job in list(waiting):
                self.cancel(job)
        for running in self._running.values():
            for job in running:
                job.cancel()

    def join(self, seconds: float) -> bool:
        """After `close`, from any thread: waits for the running jobs; False when some do not end in time."""
        end = time.monotonic() + seconds
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def counts(self) -> tuple[int, int]:
        """How many wait and how many run."""
        return sum(map(len, self._waiting.values())), sum(map(len, self._running.values()))

    def _start_some(self) -> None:
        while not self._closed and (job := self._next()) is not None:
            self._running[job.lane].add(job)
            job.started = time.monotonic()
            thread = threading.Thread(target=self._run, args=(job,), name=f"winnable-{job.lane}", daemon=True)
            self._threads = {old for old in self._threads if old.is_alive()} | {thread}
            thread.start()
        self._hurry_lamps()
        self._pass_slow_makers()

    def _next(self) -> Job | None:
        for lane in ("load", "play", "tune"):
            if self._waiting[lane] and len(self._running[lane]) < LIMITS[lane]:
                return self._waiting[lane].popleft()
        if self._waiting["make"] and len(self._young_makers()) < LIMITS["make"]:
            return self._waiting["make"].popleft()
        if self._searching() >= SEARCH_THREADS:
            return None
        if self._waiting["solve"] and len(self._running["solve"]) < LIMITS["solve"]:
            return self._waiting["solve"].popleft()
        return self._waiting["lamp"].pop() if self._waiting["lamp"] else None

    def _young_makers(self) -> list[float]:
        """Their ages in seconds: those who still have a place."""
        ages = [time.monotonic() - job.started for job in self._running["make"]]
        return [age for age in ages if age < QUICK_SECONDS]

    def _pass_slow_makers(self) -> None:
        """While levels wait to be made: as soon as one of those who are at it has no place any more."""
        if self._makers_timer is not None:
            self._makers_timer.cancel()
            self._makers_timer = None
        ages = self._young_makers()
        if self._waiting["make"] and ages and not self._closed:
            loop, left = self._waiting["make"][0].loop, QUICK_SECONDS - max(ages)
            self._makers_timer = loop.call_later(left, self._start_some)

    def _searching(self) -> int:
        return len(self._running["lamp"]) + len(self._running["solve"])

    def _hurry_lamps(self) -> None:
        """While searches wait, lamps have to hurry: the oldest gives up its thread when its time is over."""
        if self._hurry_timer is not None:
            self._hurry_timer.cancel()
            self._hurry_timer = None
        lamps = [job for job in self._running["lamp"] if not job.cancelled]
        if not (self._waiting["lamp"] or self._may_solve()) or not lamps or self._closed:
            return
        oldest = min(lamps, key=lambda job: job.started)
        left = FAIR_SECONDS - (time.monotonic() - oldest.started)
        if left <= 0:
            oldest.cancel()
        else:
            self._hurry_timer = oldest.loop.call_later(left, self._hurry_lamps)

    def _may_solve(self) -> bool:
        return bool(self._waiting["solve"]) and len(self._running["solve"]) < LIMITS["solve"]

    def _run(self, job: Job) -> None:
        try:
            outcome = Outcome(value=job.work(job), cancelled=job.cancelled)
            job.tell()
        except Cancelled:
            outcome = Outcome(cancelled=True)
        except WinnableError as error:
            outcome = Outcome(error=error, cancelled=job.cancelled)
        except RecursionError:
            outcome = Outcome(error=WinnableError("nested"), cancelled=job.cancelled)
        except MemoryError:
            outcome = Outcome(error=WinnableError("memory"), cancelled=job.cancelled)
        except BaseException:
            log.exception("a %s job failed", job.lane)
            outcome = Outcome(error=WinnableError("internal"), cancelled=job.cancelled)
        job.call(self._ended, job, outcome)

    def _ended(self, job: Job, outcome: Outcome) -> None:
        self._running[job.lane].discard(job)
        try:
            job.done(outcome)
        except Exception:
            log.exception("the end of a %s job failed", job.lane)
        self._start_some()


def _let_clicks_go_first() -> None:
    """On Linux each thread has a niceness of its own. With two searches on two cores it brought the worst
    click from 90 ms to 9 ms, because the event loop then runs at once when it wakes up. Only searches do
    this: they hold the interpreter for moments only, and a nice thread must not hold it for long."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
