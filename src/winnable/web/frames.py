"""What pages see happen within one action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from winnable.contract.core import Action

MAX_FRAMES = 400
MAX_FRAME_BYTES = 4_000_000
"""Of a trace as JSON; nobody could follow more."""


def frames_of(puzzle: Any, state: Any, action: Action) -> msgspec.Raw | None:
    """The trace of the action as JSON; None when there is none to see. Raises IllegalAction."""
    trace: Callable[..., Sequence[Any]] | None = getattr(puzzle, "trace", None)
    frames = trace(state, action) if trace else ()
    if not 1 < len(frames) <= MAX_FRAMES:
        return None
    content = msgspec.json.encode(frames)
    return msgspec.Raw(content) if len(content) <= MAX_FRAME_BYTES else None
