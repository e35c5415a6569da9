"""What callers of the library hand over, taken as what it stands for, or refused by one error that names the
argument: numpy's numbers are numbers, True is none, and a float is no whole one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from math import inf, isnan
from operator import index
from pathlib import Path
from typing import Any, TypeVar, cast

from winnable.contract.errors import LevelError, WinnableError

T = TypeVar("T")
MAX_SEED = 2**53 - 1
"""JSON readers keep integers exact up to here."""


def shown(value: Any, write: Callable[[Any], str] = repr) -> str:
    """What is wrong, for a message, whatever a stranger's object does; numbers of many digits as hex."""
    try:
        return write(value)
    except Exception:
        return hex(value) if type(value) is int else type(value).__name__


def whole(field: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """Any integer's plain value. Raises WinnableError."""
    try:
        number = index(value)
    except TypeError:
        raise LevelError("params.whole", field=field, given=shown(value)) from None
    if isinstance(value, bool):
        raise LevelError("params.whole", field=field, given=shown(value))
    return _within(field, number, low, high)


def number(field: str, value: Any, low: float | None = None, high: float | None = None) -> float:
    """Any number but NaN. Raises WinnableError."""
    try:
        if isinstance(value, str | bytes | bytearray | bool):
            raise TypeError
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise LevelError("params.number", field=field, given=shown(value)) from None
    if isnan(found):
        raise LevelError("params.number", field=field, given=shown(value))
    return _within(field, value if type(value) is int else found, low, high)


def _within(field: str, value: Any, low: float | None, high: float | None) -> Any:
    if not (-inf if low is None else low) <= value <= (inf if high is None else high):
        code = "params.least" if high is None else "params.range"
        raise LevelError(code, field=field, given=value, low=low, high=high)
    return value


def of_kind(field: str, value: Any, kind: type[T]) -> T:
    """Raises WinnableError."""
    if not isinstance(value, kind):
        raise WinnableError("shape.kind", field=field, kind=kind.__name__, given=type(value).__name__)
    return value


def path_text(field: str, value: Any) -> str:
    """Of a path, or of text that may be one. Raises WinnableError."""
    text = os.fspath(value) if isinstance(value, os.PathLike) else value  # type: ignore[arg-type]
    return of_kind(field, text, str)


def path(field: str, value: Any) -> Path:
    return Path(path_text(field, value))


def several(field: str, values: Any) -> Iterable[Any]:
    """What can be gone through, and is no text. Raises WinnableError."""
    if isinstance(values, str | bytes | bytearray) or not isinstance(values, Iterable):
        raise WinnableError("shape.kind", field=field, kind="Iterable", given=type(values).__name__)
    return cast("Iterable[Any]", values)
