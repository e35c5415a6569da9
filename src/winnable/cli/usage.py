"""What click refuses, in the reader's language: its own words are English only."""

from __future__ import annotations

import re

import click

from winnable.words import t

_SHAPES = {
    r"Invalid value for (?P<name>[^:]+): (?P<text>.*)": "value",
    r"Invalid value: (?P<text>.*)": "text",
    r"Missing (?:argument|option|parameter) (?P<name>'[^']+'|[^.]+)\.?.*": "missing",
    r"No such option:? (?P<name>\S+?)\.?": "option",
    r"No such command (?P<name>'.*')\.?": "command",
    r"Got unexpected extra arguments? \((?P<text>.*)\)": "extra",
    r"Option (?P<name>\S+) requires an argument\.?": "argument",
    r"Option (?P<name>\S+) does not take a value\.?": "flag",
    r"(?P<given>'.*') is not a valid integer\.?": "integer",
    r"(?P<given>'.*') is not a valid float\.?": "float",
    r"(?P<given>\S+) is not in the range (?P<range>.*?)\.?": "range",
    r"(?P<given>'.*') is not one of (?P<known>.*?)\.?": "choice",
}
"""Its messages, by the last part of `cli.usage.WHAT`."""


def usage_text(error: click.UsageError) -> str:
    return _said(error.format_message().rstrip("."))


def _said(text: str) -> str:
    for shape, what in _SHAPES.items():
        if match := re.fullmatch(shape, text, re.DOTALL):
            values = match.groupdict()
            if "text" in values and what != "extra":
                values["text"] = _said(values["text"])
            return values["text"] if what == "text" else t(f"cli.usage.{what}", **values)
    return text
