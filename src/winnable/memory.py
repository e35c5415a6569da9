"""How much memory this process takes."""

from __future__ import annotations

import sys


def most_memory() -> int | None:
    """Bytes, the most that it had so far; None where that is not known."""
    if sys.platform == "win32":
        return None
    from resource import RUSAGE_SELF, getrusage

    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
