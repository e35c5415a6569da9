"""What stands behind a board in a text notation: `BOARD,key=value,flag`, where nothing is the default."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, get_args

from winnable.contract.core import LevelError


class Option(NamedTuple):
    """shown: what stands for the value in errors; "": the key stands alone
    read:  (key, value) -> what it means. Raises LevelError"""

    shown: str
    read: Callable[[str, str], Any]


def _is_there(key: str, text: str) -> bool:
    return True


FLAG = Option("", _is_there)


def whole_number(low: int, high: int) -> Option:
    """An option whose value is a whole number in low ... high."""

    def read(key: str, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 16 and low <= int(text) <= high):
            raise LevelError("params.within", field=key, given=text[:40], low=low, high=high)
        return int(text)

    return Option("N", read)


def matching(shown: str, pattern: str, most: int) -> Option:
    """Text of at most so many characters that a regular expression matches. Refused as `given.KEY`."""

    def read(key: str, text: str) -> str:
        if len(text) > most or re.fullmatch(pattern, text) is None:
            raise LevelError(f"given.{key}", field=key, given=text[:40], most=most)
        return text

    return Option(shown, read)


def choice(literal: Any) -> Option:
    """One of the strings of a `Literal`."""
    choices: tuple[str, ...] = get_args(literal)

    def read(key: str, text: str) -> str:
        if text not in choices:
            raise LevelError("given.option", field=key, given=text[:40], known=choices)
        return text

    return Option("NAME", read)


def split_board(text: str) -> tuple[str, list[str]]:
    """The board and the options behind it."""
    board, *options = text.strip().split(",")
    return board, options


def read_options(options: Iterable[str], known: Mapping[str, Option]) -> dict[str, Any]:
    """Key -> what it means, of those that are given. Raises LevelError."""
    given: dict[str, Any] = {}
    for text in options:
        key, equals, value = (part.strip() for part in text.partition("="))
        if key in given:
            raise LevelError("given.twice", field="board", key=key)
        if key not in known or bool(equals) != bool(known[key].shown):
            listed = [f"{name}={one.shown}" if one.shown else name for name, one in known.items()]
            raise LevelError("given.option", field="board", given=text[:40], known=listed)
        given[key] = known[key].read(key, value)
    return given
