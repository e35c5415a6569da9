"""What click refuses, in the reader's language: its own words are English only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import click

from winnable.contract.errors import MOST_SENTENCE, WinnableError, nearest, shortened, with_near
from winnable.words import language, t

_NEAR = r"(?: \(?(?:Did you mean|Possible options:).*)?"
"""What click takes to be meant; what we do is said in its place."""
_SHAPES = {
    r"Invalid value for (?P<name>[^:]+): (?P<text>.*)": "value",
    r"Invalid value: (?P<text>.*)": "text",
    r"Missing (?:argument|option|parameter) (?P<name>'[^']+'|[^.]+)\.?.*": "missing",
    r"No such option:? (?P<name>[^ .]+)\.?" + _NEAR: "option",
    r"No such command (?P<name>'[^']*')\.?" + _NEAR: "command",
    r"Got unexpected extra arguments? \((?P<text>.*)\)": "extra",
    r"Option (?P<name>\S+) requires an argument\.?": "argument",
    r"Option (?P<name>\S+) does not take a value\.?": "flag",
    r"(?P<given>'.*') is not a valid integer(?: range)?\.?": "integer",
    r"(?P<given>'.*') is not a valid float(?: range)?\.?": "float",
    r"(?P<given>\S+) is not in the range (?P<range>.*?)\.?": "range",
    r"(?P<given>'.*') is not one of (?P<known>.*?)\.?": "choice",
}
"""Its messages, by the last part of `cli.usage.WHAT`."""


def said(code: str, **values: Any) -> str:
    """The text of an error that click reports, as of every other: `error.CODE` with these values."""
    return WinnableError(code, **values).said(language())


def usage_text(error: click.UsageError) -> str:
    """The reason why click refuses what was typed, in the reader's language."""
    return _said(error.format_message().rstrip("."), error.ctx)


def _said(text: str, ctx: click.Context | None) -> str:
    for shape, what in _SHAPES.items():
        if match := re.fullmatch(shape, text, re.DOTALL):
            values = match.groupdict()
            if "text" in values and what != "extra":
                values["text"] = _said(values["text"], ctx)
            quoted = {name: shortened(values[name]) for name in ("name", "given") if name in values}
            values |= quoted | ({"text": shortened(values["text"])} if what == "extra" else {})
            if what == "text":
                return values["text"]
            given = values.get("name", values.get("given", "")).strip("'")
            return t(f"cli.usage.{what}", **values) + with_near(nearest(given, _names(what, values, ctx)))
    return shortened(text, MOST_SENTENCE)


def _names(what: str, values: Mapping[str, str], ctx: click.Context | None) -> Iterable[str]:
    """That could stand in place of the one which is unknown."""
    if what == "choice":
        return re.findall(r"'([^']*)'", values["known"])
    if ctx is None or what not in ("option", "command"):
        return ()
    if what == "command" and isinstance(group := ctx.command, click.Group):
        return group.list_commands(ctx)
    return [name for param in ctx.command.params for name in (*param.opts, *param.secondary_opts)]
