"""What is refused, as the page is told: a code with values, which it says in the reader's language beside the
field, and the sentence in English."""

from __future__ import annotations

from typing import Any

import msgspec

from winnable import words
from winnable.core import WinnableError
from winnable.web.events import ErrorEvent

CANCELLED = WinnableError("cancelled")
INTERNAL = WinnableError("internal")
BINARY = WinnableError("binary")


def refusal(request: str, error: WinnableError) -> ErrorEvent:
    """request: the type of the one that is refused; empty when it had none."""
    values = {name: _plain(value) for name, value in error.values.items()}
    field = str(values.pop("field", ""))
    if not words.has(f"error.{error.code}"):
        return ErrorEvent(request, str(error))
    return ErrorEvent(request, str(error), error.code, values, field)


def _plain(value: Any) -> Any:
    """As JSON can say it."""
    return value if type(value) in (str, int, float, bool, list, tuple) else str(value)


def unreadable(error: Exception) -> WinnableError:
    """Of a message that is no request."""
    match error:
        case WinnableError():
            return error
        case RecursionError():
            return WinnableError("nested")
        case msgspec.ValidationError():
            return WinnableError("request", reason=str(error))
        case _:
            return WinnableError("json", reason=str(error))
