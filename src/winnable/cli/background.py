"""Long runs in a thread of their own, and the one way in which all long work hears that it is to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from winnable.core import WinnableError

T = TypeVar("T")


def interrupt_when_terminated() -> None:
    """From now on SIGTERM does what Ctrl-C does, so that whoever ends the program so loses nothing either."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def stopped_by_interrupt(stop: Callable[[], None]) -> Generator[threading.Event]:
    """The first Ctrl-C, or SIGTERM, is no exception: it stops the run; a second one stops the program."""
    interrupted = threading.Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()
        stop()

    if threading.current_thread() is not threading.main_thread():
        yield interrupted
        return
    before = {number: signal.signal(number, on_interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def in_thread(work: Callable[[], T], tick: Callable[[], None]) -> T:
    """So that this thread hears Ctrl-C at once, whatever the work is at."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="winnable-run", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
        tick()
    if not failed:
        return done[0]
    if isinstance(failed[0], WinnableError):
        raise failed[0]
    raise WinnableError("cli.run_failed", reason=f"{type(failed[0]).__name__}: {failed[0]}") from failed[0]
