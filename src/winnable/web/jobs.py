"""Work off the event loop: threads that search, make levels or choose an action, and who is next.

Searches (`lamp` and `solve`) share SEARCH_THREADS threads; their kernels run without the GIL and poll their
budget every few milliseconds. A `solve` never takes the last thread, so that the lamp goes on beside it. Of
waiting lamps the newest goes first: that is the board being played. When the event loop itself is behind, no
lamp begins: clicks come first. A lamp that waits for long says so. A `margin` has a thread only as long as
these leave one over, and is cancelled when they need it. The other lanes have threads of their own, `later`
one for what nobody waits for, and `compare` one, as it may go on for hours: a search that a person waits for
would else wait behind it; what makes a level and is slow gives its place up and goes on beside the
others, until its budget ends.
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
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from queue import SimpleQueue
from typing import Any, Literal, TypeAlias

from winnable.contract import clock
from winnable.contract.core import Budget, Progress, WinnableError
from winnable.search import memory

Lane: TypeAlias = Literal["lamp", "solve", "margin", "play", "make", "load", "tune", "compare", "later"]

SEARCH_THREADS = 2
LIMITS: dict[Lane, int] = {
    "lamp": SEARCH_THREADS,
    "solve": SEARCH_THREADS - 1,
    "margin": 1,
    "play": 8,
    "make": 6,
    "load": 4,
    "tune": 1,
    "compare": 1,
    "later": 1,
}
SEARCHES: tuple[Lane, ...] = ("lamp", "solve", "margin")
FAIR_SECONDS = 3.0
"""A lamp that has searched for so long gives its thread up when another search waits."""
QUICK_SECONDS = 1.0
"""Nearly every level is made in less; what takes longer no longer counts in its lane."""
BUSY_SECONDS = 1.0
"""A lamp that has waited for so long is told that it waits."""
BEAT_SECONDS, LATE_SECONDS, BREATH_SECONDS = 0.05, 0.025, 0.1
"""While lamps wait, the event loop is looked at again and again: when it comes so much too late, no lamp
begins for a while."""
SMALL, MAX_SIZE = 2**16, 2**26
"""Characters: what a piece of work may always hold, and what all of it together may."""
SMALL_MB = 128
"""For a search that takes no share of the memory."""
PROGRESS_SECONDS = 0.1
NICENESS = 10
"""Of searches, more than that of the studio itself."""

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
    room: memory.Room
    """Where the memory of its searches comes from."""
    late: Callable[[], None] | None = None
    size: int = 0
    submitted: float = 0.0
    started: float = 0.0
    waits: bool = False
    """It has waited for long, and still does."""
    stood_still: float = 0.0
    """Seconds of the clock for which it waited until something was compiled."""
    cancelled: bool = False
    _budget: Budget | None = None
    _posted: float = 0.0
    _untold: tuple[Callable[[Progress], None], Progress] | None = None
    """The latest progress, until it is posted; the last one is posted when the work ends."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def budget(
        self,
        seconds: float,
        on_progress: Callable[[Progress], None] | None = None,
        nice: bool = True,
        small: bool = False,
    ) -> Budget:
        """In the thread: a budget that starts now and ends with the job. `on_progress` is called on the event
        loop, at most about ten times a second. nice: what holds the interpreter for moments only, as searches
        do. small: SMALL_MB are enough, and no search gets less for it. Raises Cancelled."""

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
            granted = SMALL_MB if small else self.room.take(self)
            # What is left until some end may be less than nothing by now.
            self._budget = Budget(max(0.0, seconds), sys.maxsize, granted, os.cpu_count() or 1, throttled)
        if nice:
            _let_clicks_go_first()
        return self._budget

    def now(self) -> float:
        """In seconds, from no time in particular: a clock that stands still while something is compiled that
        the job waits for."""
        return clock.now() - self.stood_still

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

    def __init__(
        self,
        room: memory.Room | None = None,
        *,
        busy_seconds: float = BUSY_SECONDS,
        max_size: int = MAX_SIZE,
    ) -> None:
        """room: None: as much as `memory.for_all_searches` says. Raises WinnableError."""
        self._room = room or memory.Room(memory.for_all_searches())
        self._busy_seconds, self._max_size = busy_seconds, max_size
        self._beat: asyncio.TimerHandle | None = None
        self._due = self._breathes_until = 0.0
        self._waiting: dict[Lane, deque[Job]] = {lane: deque() for lane in LIMITS}
        self._running: dict[Lane, set[Job]] = {lane: set() for lane in LIMITS}
        self._hurry_timer: asyncio.TimerHandle | None = None
        self._makers_timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._threads: set[threading.Thread] = set()
        self._searchers: list[threading.Thread] = []
        self._searches: SimpleQueue[Job | None] = SimpleQueue()

    def submit(
        self,
        lane: Lane,
        work: Callable[[Job], Any],
        done: Callable[[Outcome], None],
        late: Callable[[], None] | None = None,
        size: int = 0,
    ) -> Job:
        """late: of a lamp, called when it has waited for long, and when it begins after that
        size: characters that the work holds. Raises WinnableError when those of all work are too many"""
        loop = asyncio.get_running_loop()
        if size > SMALL and size + sum(job.size for job in self._all()) > self._max_size:
            raise WinnableError("jobs.full")
        job = Job(lane, work, done, loop, self._room, late, size, submitted=time.monotonic())
        self._waiting[lane].append(job)
        self._start_some()
        if self._waiting["lamp"] and self._beat is None and not self._closed:
            self._listen(loop)
        return job

    def later(self, seconds: float, function: Callable[[], None]) -> asyncio.TimerHandle:
        """Calls it in so many seconds."""
        return asyncio.get_running_loop().call_later(seconds, function)

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
        for timer in (self._hurry_timer, self._makers_timer, self._beat):
            if timer is not None:
                timer.cancel()
        for waiting in self._waiting.values():
            for job in list(waiting):
                self.cancel(job)
        for running in self._running.values():
            for job in running:
                job.cancel()
        for _ in self._searchers:
            self._searches.put(None)

    def join(self, seconds: float) -> bool:
        """After `close`, from any thread: waits for the running jobs; False when some do not end in time."""
        end = time.monotonic() + seconds
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _all(self) -> Iterator[Job]:
        return chain(*self._waiting.values(), *self._running.values())

    def counts(self) -> tuple[int, int]:
        """How many wait and how many run."""
        return sum(map(len, self._waiting.values())), sum(map(len, self._running.values()))

    def _start_some(self) -> None:
        while not self._closed and (job := self._next()) is not None:
            self._running[job.lane].add(job)
            job.started = time.monotonic()
            if job.lane in SEARCHES:
                self._searches.put(job)
                if self._searching() + len(self._running["margin"]) > len(self._searchers):
                    self._searchers.append(self._thread("search", self._keep_searching))
            else:
                self._thread(job.lane, self._run, job)
            if job.waits and job.late is not None:
                job.waits = False
                job.late()
        if self._searching() >= SEARCH_THREADS:
            for margin in self._running["margin"]:
                margin.cancel()
        self._hurry_lamps()
        self._pass_slow_makers()

    def _thread(self, name: str, target: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, name=f"winnable-{name}", daemon=True)
        self._threads = {old for old in self._threads if old.is_alive()} | {thread}
        thread.start()
        return thread

    def _keep_searching(self) -> None:
        """In a thread that stays: each click asks for a search, and to start a thread takes the event loop
        2 ms while others are busy."""
        while (job := self._searches.get()) is not None:
            self._run(job)

    def _next(self) -> Job | None:
        for lane in ("load", "play", "tune", "compare", "later"):
            if self._waiting[lane] and len(self._running[lane]) < LIMITS[lane]:
                return self._waiting[lane].popleft()
        if self._waiting["make"] and len(self._young_makers()) < LIMITS["make"]:
            return self._waiting["make"].popleft()
        if self._searching() >= SEARCH_THREADS:
            return None
        if self._waiting["solve"] and len(self._running["solve"]) < LIMITS["solve"]:
            return self._waiting["solve"].popleft()
        if time.monotonic() < self._breathes_until:
            return None
        if self._waiting["lamp"]:
            return self._waiting["lamp"].pop()
        if self._waiting["margin"] and len(self._running["margin"]) < LIMITS["margin"]:
            return self._waiting["margin"].pop()
        return None

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = time.monotonic() + BEAT_SECONDS
        self._beat = loop.call_later(BEAT_SECONDS, self._heard, loop)

    def _heard(self, loop: asyncio.AbstractEventLoop) -> None:
        """Whether the event loop is behind, and which lamps have waited for long."""
        now = time.monotonic()
        self._beat = None
        if now - self._due > LATE_SECONDS:
            self._breathes_until = now + BREATH_SECONDS
        self._start_some()
        for job in list(self._waiting["lamp"]):
            if now - job.submitted >= self._busy_seconds and not job.waits and job.late is not None:
                job.waits = True
                job.late()
        if self._waiting["lamp"] and not self._closed:
            self._listen(loop)

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
        log.debug("a %s job ended after %.3f s", job.lane, time.monotonic() - job.started)
        self._running[job.lane].discard(job)
        self._room.give(job)
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
            nice = os.getpriority(os.PRIO_PROCESS, os.getpid()) + NICENESS
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
