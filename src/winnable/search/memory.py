"""How much memory this process takes, and how what nobody needs any more goes back to the system."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path

from winnable.contract.errors import WinnableError

SETTING = "WINNABLE_MEMORY"
"""The environment variable that says how many MiB a process may take in all."""
LEAST_MB, SEARCH_MB = 64, 1024
"""For one search: so much it always has, and more is seldom of use."""
PROGRAM_MB = 256
"""What the program takes itself, with the kernels of all games."""
MOST_MB, MOST_SHARE = 4096, 0.5
"""For a process of many searches, where nothing is set; and of the machine's memory."""
_ARENAS = -8
"""As `mallopt` numbers its settings."""

_keepers: dict[str, list[Callable[[], object]]] = {}


def most_memory() -> int | None:
    """Bytes, the most that it had so far; None where that is not known."""
    if sys.platform == "win32":
        return None
    from resource import RUSAGE_SELF, getrusage

    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def setting() -> int | None:
    """MiB, as the user has set it. Raises WinnableError."""
    text = os.environ.get(SETTING, "").strip()
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or not LEAST_MB <= int(text[:9]) <= 1 << 20:
        raise WinnableError("memory.setting", field=SETTING, given=text[:40], low=LEAST_MB, high=1 << 20)
    return int(text)


def for_a_search() -> int:
    """MiB, for the tables of the only one in this process. Raises WinnableError."""
    most = setting()
    return SEARCH_MB if most is None else max(LEAST_MB, most - PROGRAM_MB)


def for_all_searches() -> int:
    """MiB for a process of many, with all else that it needs. Raises WinnableError."""
    if (most := setting()) is not None:
        return most
    machine = machine_mb()
    return MOST_MB if machine is None else min(MOST_MB, int(MOST_SHARE * machine))


def machine_mb() -> int | None:
    """MiB that the machine has; None where that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, ValueError, OSError):  # Windows
        return None


class MemoryPool:
    """The memory of a process of many searches. Each may take half of what is free when it begins, so that
    there is some for the next ones; together, with all else in the process, they take no more than there is,
    but for LEAST_MB each. Any thread may ask."""

    def __init__(self, most: int) -> None:
        """most: MiB"""
        self._most = most
        self._granted: dict[Hashable, int] = {}
        self._lock = threading.Lock()

    def take(self, search: Hashable) -> int:
        """MiB for its tables, from now on; what it was granted before counts no more."""
        with self._lock:
            self._granted.pop(search, None)
            free = self._most - _taken_mb() - sum(self._granted.values())
            granted = self._granted[search] = max(LEAST_MB, min(SEARCH_MB, free // 2))
            return granted

    def give(self, search: Hashable) -> None:
        """It has ended."""
        with self._lock:
            self._granted.pop(search, None)


def _taken_mb() -> int:
    """By this process now. Where that cannot be known, what it takes at the least."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except OSError:
        return PROGRAM_MB
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def gives_back(forget: Callable[[], object], game: str) -> None:
    """`forget` will be called, in any thread, when nobody plays the game any more. It lets go of what is kept
    from one search to the next, and would be found or opened anew."""
    _keepers.setdefault(game, []).append(forget)


def give_back(*games: str) -> None:
    """What is kept for games that nobody plays, and all that is free, to the system."""
    for game in games:
        for forget in _keepers.get(game, ()):
            forget()
    gc.collect()
    trim()


def trim() -> None:
    """The C library keeps what was freed, for what comes; where it is GNU's it can be told not to."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).malloc_trim(0)


def share_one_heap() -> None:
    """Has all threads share one heap, in a process that stays and before it has threads. GNU's C library
    would give each a heap of its own, and keep what was freed at the end of each, tens of MiB, where `trim`
    does not reach it."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).mallopt(_ARENAS, 1)
