"""How tests wait: for what is to come, never for a time to pass."""

import time
from collections.abc import Callable

PATIENCE = 40.0
"""Seconds, and the only limit there is. What is waited for comes within a few of them, or in a minute where
all kernels of a game are compiled first; on a machine with other things to do it takes several times as long.
Only a test that fails waits for all of it."""
POLL_SECONDS = 0.01


def wait_until(
    holds: Callable[[], object],
    what: str | Callable[[], str],
    pause: Callable[[], object] = lambda: time.sleep(POLL_SECONDS),
) -> None:
    """Until it holds; AssertionError that says `what` was waited for after PATIENCE.

    pause: what is done between two looks; it may raise to end the waiting
    """
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"waited in vain for {what() if callable(what) else what}"
        pause()
