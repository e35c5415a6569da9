"""`TypeVar` with a default, as Python has it from 3.13 on: a `Game`, a `Puzzle` that names no types is one of
any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVar
else:
    import typing

    def TypeVar(name: str, *, default: Any = None, **more: Any) -> typing.TypeVar:
        """Makes one that only the type checker knows the default of."""
        return typing.TypeVar(name, **more)
