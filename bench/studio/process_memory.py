"""The memory and the processor time of a program with all the processes that it started, from /proc."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from winnable.contract.core import WinnableError

SAMPLE_SECONDS = 0.1
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Use(NamedTuple):
    """Of some processes together. memory: resident bytes; seconds: of the processor; processes: how many."""

    memory: int
    seconds: float
    processes: int


class Family:
    """All processes in whose environment a variable has a value: a program that was started so, what it
    started, and what that left behind."""

    def __init__(self, name: str, value: str) -> None:
        """Raises WinnableError where there is no /proc."""
        if not (_PROC / "self" / "statm").exists():
            raise WinnableError("there is no /proc to read the memory of processes from on this system")
        self._mark = f"\0{name}={value}\0".encode()

    def use(self) -> Use:
        """Now. What ends meanwhile counts for nothing."""
        memory, ticks, processes = 0, 0, 0
        for process in self._members():
            with suppress(OSError):
                resident = int((process / "statm").read_bytes().split()[1])
                fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
                memory += resident * _PAGE
                ticks += int(fields[11]) + int(fields[12])
                processes += 1
        return Use(memory, ticks / os.sysconf("SC_CLK_TCK"), processes)

    def interrupt(self, seconds: float) -> int:
        """As Ctrl-C on a terminal, which all of them hear. How many are left after so many seconds."""
        for process in self._members():
            with suppress(OSError):
                os.kill(int(process.name), signal.SIGINT)
        end = time.monotonic() + seconds
        while (left := len(self._members())) and time.monotonic() < end:
            time.sleep(SAMPLE_SECONDS)
        return left

    def _members(self) -> list[Path]:
        """Their folders. What has ended and waits to be asked for has no environment any more."""
        found = list[Path]()
        for process in _PROC.glob("[0-9]*"):
            with suppress(OSError):
                if self._mark in b"\0" + (process / "environ").read_bytes():
                    found.append(process)
        return found

    @contextmanager
    def watched(self) -> Generator[Callable[[], int]]:
        """The most memory at once until then, in bytes; looked at again and again."""
        most, ended = 0, threading.Event()

        def watch() -> None:
            nonlocal most
            while not ended.wait(SAMPLE_SECONDS):
                most = max(most, self.use().memory)

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield lambda: most
        finally:
            ended.set()
            thread.join()
