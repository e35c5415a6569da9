"""Long work: the one way in which it shows its progress on a terminal, and hears that it is to stop.

Ctrl-C, or SIGTERM, ends it with what was found so far. `Work` is for searches, which it cancels: they then
answer within milliseconds. `long_run` is for what goes on for hours and keeps what it has.
"""

from __future__ import annotations

import logging
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from types import FrameType, TracebackType
from typing import Any, TypeVar

from winnable import words
from winnable.analysis.engine import engine
from winnable.cli import compiling
from winnable.cli.live_table import LiveTable
from winnable.cli.output import one_line
from winnable.contract import ending
from winnable.contract.core import Budget, Found, Progress, searching
from winnable.search.memory import for_a_search

log = logging.getLogger("winnable")
T = TypeVar("T")

LAST_SECONDS = 15.0
"""For the last evaluation or checkpoint of long work."""
_SHOWN_EACH = 0.1
_SHOWN_AFTER = 1.0
"""Seconds; what takes less needs no progress."""


@contextmanager
def stopped_by_interrupt(
    stop: Callable[[], None], seconds: float = ending.SECONDS
) -> Generator[threading.Event]:
    """The first Ctrl-C, or SIGTERM, is no exception: it stops the work; a second one stops the program, and
    so does work that has not stopped after so many seconds."""
    interrupted = threading.Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()
        ending.begin(seconds)
        stop()

    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return
    before = {number: signal.signal(number, on_interrupt) for number in ending.SIGNALS}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if interrupted.is_set():
            ending.call_off()


def in_thread(work: Callable[[], T], tick: Callable[[], None]) -> T:
    """So that this thread hears Ctrl-C at once, whatever the work is at."""
    future: Future[T] = Future()
    thread = threading.Thread(target=_fulfil, args=(future, work), name="winnable-work", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
        tick()
    return future.result()


def _fulfil(future: Future[T], work: Callable[[], T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


def long_run(work: Callable[[], T], stop: Callable[[], None], table: LiveTable) -> tuple[T, bool]:
    """Returns what the work does, and whether it was told to stop. Raises what the work does."""
    with stopped_by_interrupt(stop, LAST_SECONDS) as interrupted, table:
        return in_thread(work, table.tick), interrupted.is_set()


class Work:
    """`with Work("solving") as work:` ... a `total` shows a bar, else a spinner turns."""

    def __init__(
        self, title: str, total: int | None = None, ends_in: float = ending.SECONDS, *, done: int = 0
    ) -> None:
        """ends_in: seconds, see `stopped_by_interrupt`. done: of the total, at the beginning"""
        self.lost = 0
        """Parts of it that no worker came to an end with."""
        self.told = False
        """Whether the work that calls back heard of it."""
        self.latest: Progress | None = None
        """What the last search told last."""
        self._title, self._total, self._done, self._ends_in = title, total, done, ends_in
        self._text = ""
        self._bar: Any = None
        self._task: Any = None
        self._budget: Budget | None = None
        self._started = self._shown = time.monotonic()
        self._interrupted = threading.Event()
        self._hearing: AbstractContextManager[threading.Event] | None = None

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C, or SIGTERM, was heard."""
        return self._interrupted.is_set()

    @property
    def is_cut(self) -> bool:
        """Whether part of it is not done, and may be tried again."""
        return self.interrupted or self.lost > 0

    def __enter__(self) -> Work:
        self._hearing = stopped_by_interrupt(self._cancel, self._ends_in)
        self._interrupted = self._hearing.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._hearing is not None:
            self._hearing.__exit__(None, None, None)
        if self._bar is not None:
            self._bar.stop()

    def advance(self, text: str = "") -> None:
        """One of `total` is done."""
        self._done += 1
        self._text = one_line(text)
        self._show()

    def progress(self, done: int, total: int) -> None:
        """Shows how far work that calls back is; after Ctrl-C it must end here, as it would not hear of it
        elsewhere."""
        if self.interrupted:
            self.told = True
            raise KeyboardInterrupt
        self._done, self._total = done, total
        self._show()

    def budget(self, seconds: float) -> Budget:
        """The budget of work in this thread; Ctrl-C cancels it."""
        self._budget = Budget(seconds, memory_mb=for_a_search())
        if self.interrupted:
            self._budget.cancel()
        return self._budget

    def whole(self) -> Budget:
        """The budget of a batch, with all cores and without an end of its own; Ctrl-C cancels it."""
        whole = self.budget(math.inf)
        whole.threads = os.cpu_count() or 1
        return whole

    def tell(self, progress: Progress) -> None:
        """Shows how far a search of a batch is."""
        if time.monotonic() - self._shown > _SHOWN_EACH:
            self._shown = time.monotonic()
            standing = engine().standing
            self._text = _progress_text(progress) if standing is None else compiling.said(standing)
            self._show()

    def search(self, make: Callable[[Budget], Found[T]], seconds: float, memory_mb: int | None = None) -> T:
        """Returns what `make(budget)` finds in a thread of its own, while this one shows how far it is and
        hears Ctrl-C."""
        self.latest = None
        budget = Budget(
            seconds,
            memory_mb=for_a_search() if memory_mb is None else memory_mb,
            threads=os.cpu_count() or 1,
        )
        self._budget = budget
        if self.interrupted:
            budget.cancel()

        def tick() -> None:
            if (standing := engine().standing) is not None:
                self._text = compiling.said(standing)
            elif self.latest is not None:
                self._text = _progress_text(self.latest)
            self._show()

        try:
            return in_thread(lambda: self._driven(make(budget)), tick)
        finally:
            log.debug("%s: %.3f s of %g", self._title, budget.elapsed, seconds)
            self._budget = None

    def _driven(self, found: Found[T]) -> T:
        steps = searching(found)
        while True:
            try:
                self.latest = next(steps)
            except StopIteration as end:
                return end.value

    def _cancel(self) -> None:
        if self._budget is not None:
            self._budget.cancel()

    def _show(self) -> None:
        if self._bar is None:
            if time.monotonic() - self._started < _SHOWN_AFTER or not sys.stderr.isatty():
                return
            self._bar = _make_bar(self._total)
            self._task = self._bar.add_task(self._title, total=self._total)
            self._bar.tasks[0].start_time -= time.monotonic() - self._started  # it was not shown at once
            self._bar.start()
        self._bar.update(
            self._task, completed=self._done, total=self._total, description=f"{self._title}  {self._text}"
        )


def stage_text(progress: Progress) -> str:
    """Says what a search is about, in the reader's language."""
    key = f"stage.{progress.stage}"
    return words.t(key, **progress.values) if words.has(key) else progress.stage


def _progress_text(progress: Progress) -> str:
    rate = progress.expanded / progress.seconds if progress.seconds else 0
    return stage_text(progress) + words.t("cli.progress", nodes=f"{progress.expanded:,}", rate=f"{rate:,.0f}")


def _make_bar(total: int | None) -> Any:
    from rich import progress
    from rich.console import Console

    columns: list[Any] = [progress.SpinnerColumn(), progress.TimeElapsedColumn()]
    if total is not None:
        columns += [progress.BarColumn(), progress.MofNCompleteColumn(), progress.TimeRemainingColumn()]
    columns.append(progress.TextColumn("{task.description}", markup=False))
    return progress.Progress(*columns, console=Console(stderr=True), transient=True)
