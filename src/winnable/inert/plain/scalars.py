"""The numbers that `plain` arrays hold: their types, and which type several of them have together."""

from __future__ import annotations

import ctypes
from collections.abc import Collection
from functools import reduce
from typing import Any, Literal

MASK = 2**64 - 1


class uint64(int):
    """A number below 2**64 whose arithmetic wraps around."""

    def __new__(cls, value: Any = 0) -> uint64:
        return int.__new__(cls, int(value) & MASK)

    def __invert__(self) -> uint64:
        return uint64(~int(self))

    def __neg__(self) -> uint64:
        return uint64(-int(self))

    def __lshift__(self, places: Any) -> Any:
        if not isinstance(places, int):
            return NotImplemented
        return uint64(int(self) << places) if places < 64 else uint64(0)


class float32(float):
    """A number whose arithmetic rounds to 24 bits."""

    def __new__(cls, value: Any = 0.0) -> float32:
        return float.__new__(cls, ctypes.c_float(value).value)


def _closed(kind: Any, base: Any, name: str) -> None:
    """Makes results of the base's arithmetic numbers of this kind."""
    method = getattr(base, name)

    def operate(self: Any, other: Any) -> Any:
        result = method(self, other)
        return result if result is NotImplemented else kind(result)

    setattr(kind, name, operate)


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    for _side in ("__", "__r"):
        _closed(uint64, int, f"{_side}{_name}__")
        _closed(float32, float, f"{_side}{_name}__")
for _side in ("__", "__r"):
    _closed(float32, float, f"{_side}truediv__")
    for _name in ("and", "or", "xor", "rshift"):
        _closed(uint64, int, f"{_side}{_name}__")


class Dtype:
    """A type of elements; called, it makes a number of that type.

    kind: as numpy has it; rank: of kinds, where a Python number meets an array
    code: of `memoryview`
    """

    def __init__(self, kind: Literal["b", "i", "u", "f"], itemsize: int, code: Any, make: Any) -> None:
        self.kind, self.itemsize, self.code, self.make = kind, itemsize, code, make
        self.name = {"b": "bool", "i": "int", "u": "uint", "f": "float"}[kind]
        if kind != "b":
            self.name += str(8 * itemsize)
        self.rank = "biuf".index(kind)
        self._half = 1 << 8 * itemsize - 1

    def __call__(self, value: Any = 0) -> Any:
        value = self.make(value)
        if self.kind == "i":
            return (value + self._half) % (2 * self._half) - self._half
        return value % (2 * self._half) if self.kind == "u" else value

    def __eq__(self, other: object) -> bool:
        return self is other or TYPES.get(other) is self

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return self.name


int8, int16 = Dtype("i", 1, "b", int), Dtype("i", 2, "h", int)
int32, int64 = Dtype("i", 4, "i", int), Dtype("i", 8, "q", int)
uint8, uint16, uint32 = Dtype("u", 1, "B", int), Dtype("u", 2, "H", int), Dtype("u", 4, "I", int)
float64, bool_ = Dtype("f", 8, "d", float), Dtype("b", 1, "?", bool)
UINT64, FLOAT32 = Dtype("u", 8, "Q", uint64), Dtype("f", 4, "f", float32)
TYPES: dict[Any, Dtype] = {
    bool: bool_, int: int64, uint64: UINT64, float: float64, float32: FLOAT32, "<u8": UINT64,
}  # fmt: skip
"""What stands for a type in a call."""
_WEAK = {bool, int, float}


def dtype(given: Any) -> Dtype:
    """The type that is meant."""
    return given if isinstance(given, Dtype) else TYPES[given]


def common_type(given: Collection[Any]) -> Dtype:
    """Of arrays' types and those of numbers, by the rules of numpy 2 (NEP 50): Python's own numbers change no
    array's type but where their kind is higher."""
    strong = {dtype(one) for one in given if one not in _WEAK}
    found = reduce(_promoted, strong) if strong else bool_
    for kind in (TYPES[one] for one in given if one in _WEAK):
        if kind.rank > found.rank:
            found = kind
    return found


def _promoted(one: Dtype, other: Dtype) -> Dtype:
    if one.rank > other.rank:
        one, other = other, one
    if one.kind == other.kind:
        return max(one, other, key=lambda which: which.itemsize)
    if one is bool_:
        return other
    if other.kind == "f":
        return float64 if one.itemsize > 2 else other
    size = max(one.itemsize, 2 * other.itemsize)
    return {2: int16, 4: int32, 8: int64}.get(size, float64)
