"""What is refused, as the page is told: a code with values, which it says in the reader's language beside the
field, and the sentence in English."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from types import NoneType
from typing import Any, cast

from winnable import words
from winnable.contract.core import WinnableError, unreadable
from winnable.contract.errors import printable
from winnable.store.database import StoreError
from winnable.web.events import ErrorEvent

CANCELLED = WinnableError("cancelled")
INTERNAL = WinnableError("internal")
BINARY = WinnableError("binary")

log = logging.getLogger("winnable.studio")


def refused(error: BaseException, what: str) -> WinnableError:
    """The error as it is told; a fault of ours is logged. what: failed"""
    match error:
        case WinnableError():
            return error
        case RecursionError():
            return WinnableError("nested")
        case MemoryError():
            return WinnableError("memory")
        case _:
            log.error("%s failed", what, exc_info=error)
            return INTERNAL


@contextmanager
def only_logged() -> Generator[None]:
    """Tells what goes wrong with the store to the log alone."""
    try:
        yield
    except StoreError as error:
        log.error("%s", error)


def refusal(request: str, error: WinnableError) -> ErrorEvent:
    """request: the type of the one that is refused; empty when it had none."""
    values = {name: _plain(value) for name, value in error.values.items()}
    field = values.pop("field", "")
    if not words.has(f"error.{error.code}"):
        return ErrorEvent(request, str(error))
    return ErrorEvent(request, str(error), error.code, values, field)


def _plain(value: Any) -> Any:
    """As JSON can say it, and as a page may show it; errors among the values are in English."""
    if isinstance(value, list | tuple):
        return list(map(_plain, cast("list[Any]", value)))
    return value if type(value) in (int, float, bool, NoneType) else printable(str(value), kept="\n")


def unread(error: Exception) -> WinnableError:
    """Why a message is no request."""
    if isinstance(error, WinnableError):
        return error
    return WinnableError("nested") if isinstance(error, RecursionError) else unreadable(error)
