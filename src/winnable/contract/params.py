"""What a generator or a method can be set to, read from a msgspec struct with a default for each field: as
forms and lists show it, and from the text or the JSON that people and programs send."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, cast, get_args, get_type_hints
from unicodedata import normalize

import msgspec
from msgspec import Struct, inspect

from winnable.contract.arguments import shown
from winnable.contract.core import LevelError, unreadable

P = TypeVar("P")


class Param(Struct, frozen=True):
    """One parameter: a number from `minimum` to `maximum`, a multiple of `step` as they are, or one of
    `choices`. A number that is not `whole` has decimals. It counts only where the parameters that `only`
    names have one of the choices there; a field says so by `Meta(extra={"only": ...})`."""

    name: str
    default: int | float | str
    minimum: float | None = None
    maximum: float | None = None
    step: int = 1
    choices: list[str] | None = None
    only: dict[str, list[str]] = {}
    whole: bool = True


def describe_params(params_type: type[Any]) -> list[Param]:
    """The fields of the struct, in order."""
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
        elif isinstance(kind, inspect.FloatType):
            yield Param(field.name, field.default, kind.ge, kind.le, only=only, whole=False)
        elif isinstance(kind, inspect.LiteralType):
            choices = get_args(hints[field.name])  # in the order of the source; kind.values is sorted
            yield Param(field.name, field.default, choices=[str(choice) for choice in choices], only=only)
        else:
            raise TypeError(f"{params_type.__name__}.{field.name}: neither a number nor a choice")


def _unwrapped(kind: Any) -> tuple[Any, dict[str, list[str]]]:
    """The type without what is said about it, and what it says of `only`."""
    if not isinstance(kind, inspect.Metadata):
        return kind, {}
    extra: Any = kind.extra or {}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return kind.type, extra.get("only", {})


def pairs_text(params: object) -> str:
    """`key=value,key=value` of such a text, or of a mapping. Raises LevelError for anything else."""
    if isinstance(params, Mapping):
        given = cast("Mapping[Any, Any]", params).items()
        pairs = [f"{shown(name, str)}={shown(value, str)}" for name, value in given]
        for pair in pairs:  # that would be read as several, or as another one
            if "," in (plain := normalize("NFKC", pair)) or plain.count("=") > 1:
                raise LevelError("params.pair", field="params", given=pair[:40], owner="params")
        return ",".join(pairs)
    if not isinstance(params, str):
        raise LevelError("params.form", field="params", given=type(params).__name__)
    return params


def split_pairs(text: str, owner: str) -> dict[str, str]:
    """`key=value,key=value`; a Chinese keyboard's wide characters count as plain ones. Raises LevelError."""
    values: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in normalize("NFKC", text).split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise LevelError("params.pair", field="params", given=part[:40], owner=owner)
        if key in values:
            raise LevelError("params.twice", field=key[:40])
        values[key] = value
    return values


def make_params(params_type: type[P], values: Mapping[str, Any], owner: str) -> P:
    """The struct; what is missing takes its default. `owner`: whose they are, for errors. Raises LevelError
    that names the field and what it takes."""
    params = {param.name: param for param in describe_params(params_type)}
    for name in values:
        if name not in params:
            known, given = list(params), shown(name, str)[:40]
            raise LevelError("params.unknown" if known else "settings.none", field=given, method=owner,
                             owner=owner, given=given, known=known)  # fmt: skip
    made = {name: _value(params[name], value) for name, value in values.items()}
    try:
        return msgspec.convert(made, params_type)
    except msgspec.ValidationError as error:  # what a struct says of several fields together
        raise unreadable(error).within("params") from None


def _value(param: Param, given: Any) -> Any:
    text = shown(given, str)
    said = text[:40] or "''"
    if param.choices is not None:
        if text not in param.choices:
            raise LevelError("params.choice", field=param.name, given=said, known=param.choices)
        return text
    try:
        number = int(text) if param.whole else float(text)
    except ValueError:
        code = "params.whole" if param.whole else "params.number"
        raise LevelError(code, field=param.name, given=said) from None
    low = -math.inf if param.minimum is None else param.minimum
    high = math.inf if param.maximum is None else param.maximum
    if not low <= number <= high:  # nan is not
        code = "params.range" if high < math.inf else "params.least"
        raise LevelError(code, field=param.name, given=said, low=low, high=high)
    if param.whole and number % param.step:
        raise LevelError("params.step", field=param.name, given=said, step=param.step)
    return number


def shortest(params: Any) -> str:
    """`key=value,...`: what does not have its default."""
    default = type(params)()
    changed = {name: getattr(params, name) for name in params.__struct_fields__}
    return ",".join(
        f"{name}={str(value).removesuffix('.0')}"
        for name, value in changed.items()
        if value != getattr(default, name)
    )
