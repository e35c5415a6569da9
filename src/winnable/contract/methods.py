"""What a solver, a player, a repair or an optimiser can be set to, described once.

A game names its methods in mappings from a name to a function. One that can be set is a `Settable`: as it
stands it has its defaults, so that whoever knows nothing of settings calls it like any other. People write
`NAME` or `NAME(key=value,...)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple
from unicodedata import normalize

from msgspec import to_builtins

from winnable.contract.arguments import of_kind
from winnable.contract.core import WinnableError
from winnable.contract.generics import TypeVar
from winnable.contract.params import Param, describe_params, make_params, shortest, split_pairs

F = TypeVar("F", bound=Callable[..., Any], default=Any)
_PARTS = re.compile(r"([^,()]*)(?:\(([^()]*)\)\s*)?(?:,|$)")


@dataclass(frozen=True, slots=True)
class Settable:
    """A function that takes its settings after its other arguments."""

    function: Callable[..., Any]
    settings: Any
    """A msgspec struct with a default for each field."""

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments, self.settings)

    def set(self, settings: Any) -> Settable:
        return replace(self, settings=settings)


class Wanted(NamedTuple):
    """A method as somebody named it."""

    name: str
    values: Mapping[str, Any]


class Chosen(NamedTuple, Generic[F]):
    """One of a game's methods, set."""

    name: str
    method: F
    settings: dict[str, Any]
    """All that it can be set to, with its values here. Encodes to JSON."""

    @property
    def label(self) -> str:
        """`a`, or `a(k=1)` where it does not have its defaults; `parse_methods` reads it."""
        if not isinstance(self.method, Settable):
            return self.name
        changed = shortest(self.method.settings)
        return f"{self.name}({changed})" if changed else self.name


def settings_type(method: Any) -> type[Any] | None:
    """The struct of what it can be set to; None: to nothing."""
    if not isinstance(method, Settable):
        return None
    settings: Any = method.settings
    return settings.__class__


def settings_of(method: Any) -> list[Param]:
    """What it can be set to."""
    kind = settings_type(method)
    return [] if kind is None else describe_params(kind)


def parse_methods(text: str) -> list[Wanted]:
    """`a(k=1),greedy` -> the methods that it names, each once; wide characters count as plain ones. Raises
    WinnableError."""
    text = normalize("NFKC", text)
    found: dict[tuple[str, str], Wanted] = {}
    at = 0
    while at < len(text):
        match = _PARTS.match(text, at)
        if match is None:
            raise WinnableError("methods", field="by", given=text[at:][:40])
        at = max(match.end(), at + 1)
        name, settings = match[1].strip(), match[2] or ""
        if name:
            found[name, settings] = Wanted(name, split_pairs(settings, name))
        elif settings:
            raise WinnableError("methods", field="by", given=match[0][:40])
    return list(found.values())


def parse_method(text: str) -> Wanted:
    """One of them. Raises WinnableError."""
    found = parse_methods(text)
    if len(found) != 1:
        raise WinnableError("method.one", given=text[:40])
    return found[0]


def choose_method(
    kind: str, methods: Mapping[str, F], text: str | None, game: str, settings: Sequence[str] = ()
) -> Chosen[F]:
    """One that is named and set by `NAME(key=value,...)`, and by each `key=value` of `settings`; the first
    one where none is named. Raises WinnableError."""
    if text is not None:
        of_kind(kind, text, str)
    wanted = parse_method(text) if text else Wanted(next(iter(methods), ""), {})
    values = {**wanted.values, **split_pairs(",".join(settings), wanted.name)}
    return choose(kind, methods, Wanted(wanted.name, values), game)


def choose(kind: str, methods: Mapping[str, F], wanted: Wanted, game: str) -> Chosen[F]:
    """kind: the field that named it, for errors. Raises WinnableError that names what is wrong."""
    if wanted.name not in methods:
        code = "unknown" if methods else "none"
        raise WinnableError(code, field=kind, game=game, given=wanted.name[:40], known=list(methods))
    method: Any = methods[wanted.name]
    if (kind_of_settings := settings_type(method)) is None:
        if wanted.values:
            raise WinnableError("settings.none", field=next(iter(wanted.values))[:40], method=wanted.name)
        return Chosen(wanted.name, methods[wanted.name], {})
    settings = make_params(kind_of_settings, wanted.values, wanted.name)
    return Chosen(wanted.name, method.set(settings), to_builtins(settings))
