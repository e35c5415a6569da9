"""The clock of budgets and trainings: it stands still while kernels are compiled, so that a first use is not
cut short. And the day.
"""

from __future__ import annotations

import threading
import time
from datetime import date

_lock = threading.Lock()
_holders = 0
_stopped_at = 0.0
_stood_still = 0.0


def now() -> float:
    """In seconds, from no time in particular."""
    with _lock:
        return (_stopped_at if _holders else time.monotonic()) - _stood_still


def today() -> date:
    """The day where this machine stands: the level of the day and streaks go by it."""
    return date.today()


def stop() -> None:
    """Until as many called `go` as called this, in whatever threads."""
    global _holders, _stopped_at
    with _lock:
        if not _holders:
            _stopped_at = time.monotonic()
        _holders += 1


def go() -> None:
    global _holders, _stood_still
    with _lock:
        _holders -= 1
        if not _holders:
            _stood_still += time.monotonic() - _stopped_at
