"""The parameters of a generator as forms and lists show them, read from its msgspec struct."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from msgspec import Struct, inspect


class Param(Struct, frozen=True):
    """One parameter: a whole number from `minimum` to `maximum`, a multiple of `step` as they are, or one of
    `choices`. It counts only where the parameters that `only` names have one of the choices there; a field
    says so by `Meta(extra={"only": ...})`."""

    name: str
    default: int | str
    minimum: int | None = None
    maximum: int | None = None
    step: int = 1
    choices: list[str] | None = None
    only: dict[str, list[str]] = {}


def describe_params(params_type: type[Any]) -> list[Param]:
    """The fields of `Game.params_type`, in order."""
    return list(_params(params_type))


def _params(params_type: type[Any]) -> Iterator[Param]:
    described = inspect.type_info(params_type)
    assert isinstance(described, inspect.StructType)
    hints = get_type_hints(params_type)
    for field in described.fields:
        kind, only = _unwrapped(field.type)
        if isinstance(kind, inspect.IntType):
            low = kind.ge if kind.ge is not None or kind.gt is None else kind.gt + 1
            high = kind.le if kind.le is not None or kind.lt is None else kind.lt - 1
            yield Param(field.name, field.default, low, high, kind.multiple_of or 1, only=only)
        elif isinstance(kind, inspect.LiteralType):
            choices = get_args(hints[field.name])  # in the order of the source; kind.values is sorted
            yield Param(field.name, field.default, choices=[str(choice) for choice in choices], only=only)
        else:
            raise TypeError(f"{params_type.__name__}.{field.name}: neither a whole number nor a choice")


def _unwrapped(kind: Any) -> tuple[Any, dict[str, list[str]]]:
    """The type without what is said about it, and what it says of `only`."""
    if not isinstance(kind, inspect.Metadata):
        return kind, {}
    extra: Any = kind.extra or {}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return kind.type, extra.get("only", {})
