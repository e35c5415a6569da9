"""Inputs for fuzzing: valid ones changed a little, as bytes, as text or as JSON, and what a schema allows."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any, cast

import msgspec
from msgspec import inspect

INTEGERS = (-(2**63), -(2**53), -2, -1, 0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 99, 100, 255, 256,
            1000, 4096, 65535, 10**6, 2**31, 2**53 - 1, 2**53, 2**63, 2**64, 10**30)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, "", " ", "\0", "é", "十滴水", "\u202e", "x" * 100, "1e400", "-1", "../../etc/passwd",
    0.5, -0.0, 1e308, 5e-324, [], {}, [[]], [[[[]]]], {"": None}, {"format": "winnable.drops/1"},
)  # fmt: skip
TOKENS = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"1e999", b"-",
    b"\\u0000", b"\\ud800", b"[" * 300, b"9" * 40, b"\r\n", b"#", b"=", b";", b"/", b"@", b"\xe2\x80\xae",
)  # fmt: skip
MARKS = "0123456789-+.,:;/#=@|[](){}<>?*_~^'\"\\ \t\n\0abcxyzABCXYZ×λ十\u0660\uff11\u202e\U0001f600"
_NUMBER = re.compile(r"\d+")


def changed_bytes(rng: Random, content: bytes, other: bytes) -> bytes:
    """One to eight changes: bits, bytes, pieces taken out, put twice, put in, taken from `other`."""
    result = bytearray(content)
    for _ in range(1 << rng.randrange(4)):
        at = rng.randrange(len(result) + 1)
        length = 1 << rng.randrange(6)
        match rng.randrange(8):
            case 0 if at < len(result):
                result[at] ^= 1 << rng.randrange(8)
            case 1 if at < len(result):
                result[at] = rng.randrange(256)
            case 2:
                del result[at : at + length]
            case 3:
                result[at:at] = result[at : at + length]
            case 4:
                result[at:at] = rng.choice(TOKENS)
            case 5 if other:
                start = rng.randrange(len(other))
                result[at : at + length] = other[start : start + length]
            case 6 if rng.random() < 0.2:
                del result[at:]
            case _:
                result[at:at] = rng.randbytes(rng.randrange(4))
    return bytes(result)


def changed_text(rng: Random, text: str, other: str) -> str:
    """The same of characters; and numbers become others."""
    for _ in range(1 << rng.randrange(3)):
        at = rng.randrange(len(text) + 1)
        length = 1 << rng.randrange(5)
        match rng.randrange(7):
            case 0:
                text = text[:at] + rng.choice(MARKS) + text[at + 1 :]
            case 1:
                text = text[:at] + text[at + length :]
            case 2:
                text = text[:at] + text[at : at + length] + text[at:]
            case 3 if other:
                start = rng.randrange(len(other))
                text = text[:at] + other[start : start + length] + text[at + length :]
            case 4 if found := list(_NUMBER.finditer(text)):
                number = rng.choice(found)
                text = (
                    text[: number.start()]
                    + str(changed_integer(rng, int(number[0][:30])))
                    + text[number.end() :]
                )
            case 5 if rng.random() < 0.2:
                text = text[:at]
            case _:
                text = text[:at] + rng.choice(MARKS) + text[at:]
    return text


def changed_integer(rng: Random, value: int) -> int:
    return rng.choice((value - 1, value + 1, -value, 2 * value, rng.choice(INTEGERS), rng.randrange(100)))


def changed_json(rng: Random, document: Any, other: Any) -> Any:
    """One to four changes somewhere in it: values, keys and lengths. `document` is no more its old self."""
    for _ in range(1 << rng.randrange(3)):
        parent, key = _somewhere(rng, document)
        if parent is None:
            document = _changed_value(rng, document, other)
            continue
        match rng.randrange(8):
            case 0 if isinstance(parent, list):
                cast("list[Any]", parent).insert(key, parent[key])
            case 1:
                del parent[key]
            case 2 if isinstance(parent, list) and len(cast("list[Any]", parent)) > 1:
                at = rng.randrange(len(cast("list[Any]", parent)))
                parent[key], parent[at] = parent[at], parent[key]
            case 3 if isinstance(parent, dict):
                parent[rng.choice((f"{key}x", "", "format", "certificate", "title"))] = parent[key]
            case _:
                parent[key] = _changed_value(rng, parent[key], other)
    return document


def _somewhere(rng: Random, document: Any) -> tuple[Any, Any]:
    """A container and a key of it; now and then the document itself."""
    parent: Any = None
    key: Any = None
    at = document
    while (keys := _keys(at)) and (parent is None or rng.random() < 0.7):
        parent, key = at, rng.choice(keys)
        at = parent[key]
    return (parent, key) if rng.random() < 0.99 else (None, None)


def _keys(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(cast("dict[Any, Any]", value))
    return range(len(cast("list[Any]", value))) if isinstance(value, list) else ()


def _changed_value(rng: Random, value: Any, other: Any) -> Any:
    draw = rng.random()
    if draw < 0.15:
        return _value(rng)
    if draw < 0.25:
        parent, key = _somewhere(rng, other)
        return other if parent is None else parent[key]
    if isinstance(value, bool) or value is None:
        return rng.choice((True, False, None, 0, 1))
    if isinstance(value, int):
        return changed_integer(rng, value)
    if isinstance(value, float):
        return rng.choice((-value, value * 2, value / 3, 0.0, 1e308, round(value, 1)))
    if isinstance(value, str):
        return changed_text(rng, value, other if isinstance(other, str) else "")
    if isinstance(value, list) and value:
        items = cast("list[Any]", value)
        return items[: rng.randrange(len(items))] if rng.random() < 0.5 else items * 2
    return _value(rng)


def _value(rng: Random) -> Any:
    """A copy, as what it is put into may be changed further."""
    return deepcopy(rng.choice(VALUES))


def dumped(document: Any) -> bytes:
    """As JSON, also where it holds integers and text that msgspec does not write."""
    try:
        return msgspec.json.encode(document)
    except (msgspec.MsgspecError, OverflowError, ValueError, RecursionError):
        pass
    try:
        return json.dumps(document, ensure_ascii=True).encode()
    except (ValueError, RecursionError):  # it came to hold itself
        return b"{}"


class Schema:
    """Draws documents of a type, most of them valid in each field."""

    def __init__(self, kind: Any) -> None:
        self._type = inspect.type_info(kind)

    def draw(self, rng: Random) -> Any:
        return _drawn(rng, self._type, 0)


def _drawn(rng: Random, kind: Any, depth: int) -> Any:
    if rng.random() < 0.01:
        return _value(rng)
    match kind:
        case inspect.Metadata():
            return _drawn(rng, kind.type, depth)
        case inspect.UnionType():
            return _drawn(rng, rng.choice(kind.types), depth)
        case inspect.StructType():
            fields = {kind.tag_field: kind.tag} if kind.tag_field else {}
            for field in kind.fields:
                if field.required or rng.random() < 0.5:
                    fields[field.encode_name] = _drawn(rng, field.type, depth + 1)
            return fields
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.IntType():
            low = kind.ge if kind.ge is not None else -100
            high = kind.le if kind.le is not None else low + 1000
            near = rng.choice((low, high, low + rng.randrange(8), rng.choice(INTEGERS)))
            return near if rng.random() < 0.1 else min(max(near, low), high)
        case inspect.FloatType():
            return rng.choice((0, 0.25, 0.5, 1, 2.5, 60, 1e9, -1))
        case inspect.StrType():
            return _drawn_text(rng, kind.pattern)
        case inspect.LiteralType():
            return rng.choice(kind.values)
        case inspect.ListType() | inspect.VarTupleType():
            if depth > 6:
                return []
            return [_drawn(rng, kind.item_type, depth + 1) for _ in range(rng.choice((0, 1, 2, 3, 8)))]
        case inspect.TupleType():
            return [_drawn(rng, item, depth + 1) for item in kind.item_types]
        case inspect.DictType():
            keys = (_drawn(rng, kind.key_type, depth + 1) for _ in range(rng.randrange(3)))
            return {str(key): _drawn(rng, kind.value_type, depth + 1) for key in keys}
        case _:
            return _value(rng)


def _drawn_text(rng: Random, pattern: str | None) -> str:
    if pattern and (repeated := re.fullmatch(r"\^?(?:\\A)?\[(.+)\]\{(\d+)\}(?:\\Z)?\$?", pattern)):
        letters = re.sub(r"(.)-(.)", lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))),
                         repeated[1])  # fmt: skip
        return "".join(rng.choice(letters) for _ in range(int(repeated[2])))
    return "".join(rng.choice(MARKS) for _ in range(rng.choice((0, 1, 2, 5, 20))))
