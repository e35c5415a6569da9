"""Kernels that were compiled ahead, for a Python without numba: a shared object a game, and a list of what is
in it. What no list has runs as plain Python.

A kernel is called with one address, that of its arguments, in slots of 8 bytes each: numbers, and arrays as
numba has them (two pointers that nobody reads, elements, bytes of one, address, shape, strides).
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import update_wrapper
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Struct

from winnable.compiled.kernel_lists import Said
from winnable.inert.plain import MASK, ndarray, uint64

P = ParamSpec("P")
R = TypeVar("R")
Pack: TypeAlias = Callable[[Any], bytes]
"""Value -> its slots. Raises Mismatch for one of another type."""
Call: TypeAlias = Callable[[tuple[Any, ...]], Any]
Unpack: TypeAlias = Callable[[bytes], Any]

_NUMBERS = {
    "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I",
    "uint64": "Q", "float32": "f", "float64": "d", "bool": "?",
}  # fmt: skip
"""Types of numbers, as `struct` has them."""


class Entry(Struct, frozen=True):
    """A kernel that Python calls, compiled.

    symbol:    its name in the shared object, an `int f(void *slots)`
    kernel:    MODULE:NAME
    arguments: their types
    slots:     that these take; one more is for an error, and then comes the result
    result:    its type; `none`
    """

    symbol: str
    kernel: str
    arguments: list[Said]
    slots: int
    result: Said


class Mismatch(Exception):
    """An argument is of another type."""


class Kernel:
    """Calls the first of its entries that takes the arguments; else it is the plain function.
    may_arrive: module -> whether its entries may still come; see `jit.awaited`"""

    def __init__(self, function: Callable[..., Any], may_arrive: Callable[[str], bool]) -> None:
        self.function = function
        self.bound: list[Call] = []
        self._may_arrive = may_arrive
        self._is_awaited = True

    def __call__(self, *arguments: Any) -> Any:
        for call in self.bound:
            try:
                return call(arguments)
            except Mismatch:
                continue
        if self._is_awaited:
            self._is_awaited = self._may_arrive(self.function.__module__)
        return self.function(*arguments)


def kernel(function: Callable[P, R], may_arrive: Callable[[str], bool]) -> Callable[P, R]:
    """Stands for a function that may be compiled ahead; see `load`."""
    stands: Any = update_wrapper(Kernel(function, may_arrive), function)
    return stands


def load(library: Path, entries: Sequence[Entry]) -> None:
    """Binds all entries of a shared object to their kernels. Raises OSError for a library that cannot be
    loaded, AttributeError, ImportError for one that does not fit."""
    for entry, call in bound(library, entries):
        module, _, name = entry.kernel.partition(":")
        stands: Kernel = getattr(import_module(module), name)
        stands.bound.append(call)


def bound(library: Path, entries: Sequence[Entry]) -> list[tuple[Entry, Call]]:
    """Each entry, with what calls it, but those that return an array of their own. Raises likewise."""
    functions = ctypes.CDLL(str(library))
    return [
        (entry, _bound(entry, getattr(functions, entry.symbol)))
        for entry in entries
        if not _has_array(entry.result)
    ]


def listed(content: bytes) -> list[Entry]:
    """What is in a shared object. Raises msgspec.DecodeError."""
    return msgspec.json.decode(content, type=list[Entry])


def _bound(entry: Entry, function: Any) -> Call:
    packs = [_pack(said) for said in entry.arguments]
    unpack, size = _result(entry.result)
    start = 8 * (entry.slots + 1)
    slots = ctypes.create_string_buffer(start + size)
    function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int
    address = ctypes.addressof(slots)

    def call(arguments: tuple[Any, ...]) -> Any:
        if len(arguments) != len(packs):
            raise Mismatch
        flat = b"".join([pack(one) for pack, one in zip(packs, arguments, strict=True)])
        ctypes.memmove(address, flat, len(flat))
        if status := function(address):
            raise RuntimeError(f"{entry.kernel} ended with status {status}")
        return unpack(slots.raw[start:])

    return call


# -- arguments ----------------------------------------------------------------------------------------------


def _pack(said: Said) -> Pack:
    if isinstance(said, list):
        return _Tuple([_pack(part) for part in said[1:]])
    if said in ("True", "False"):
        return _flag(said == "True")
    if said == "none":
        return lambda value: bytes(8)
    if "[" in said:
        dtype, _, rest = said.partition("[")
        return _array(dtype, int(rest[0]))
    return _number(said)


def _number(name: str) -> Pack:
    pack = struct.Struct(f"<{_NUMBERS[name]}").pack
    if name == "uint64":
        return lambda value: pack(value & MASK)
    size = struct.calcsize(_NUMBERS[name])

    def packed(value: Any) -> bytes:
        return pack(value) + bytes(8 - size)

    return pack if size == 8 else packed


def _flag(meant: bool) -> Pack:
    def packed(value: Any) -> bytes:
        if value is not meant:
            raise Mismatch
        return struct.pack("<?7x", meant)

    return packed


def _array(dtype: str, dimensions: int) -> Pack:
    def packed(value: Any) -> bytes:
        if not isinstance(value, ndarray) or value.dtype.name != dtype or value.ndim != dimensions:
            raise Mismatch
        return value.described

    return packed


class _Tuple:
    """Remembers the last one: a workspace is handed over again and again."""

    def __init__(self, packs: list[Pack]) -> None:
        self._packs = packs
        self._last: Any = None
        self._flat = b""

    def __call__(self, value: Any) -> bytes:
        if value is not self._last:
            parts = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else ()
            if len(parts) != len(self._packs):
                raise Mismatch
            self._flat = b"".join([pack(one) for pack, one in zip(self._packs, parts, strict=True)])
            self._last = value
        return self._flat


# -- results ------------------------------------------------------------------------------------------------


def _has_array(said: Said) -> bool:
    return any(map(_has_array, said[1:])) if isinstance(said, list) else "[" in said


def _result(said: Said) -> tuple[Unpack, int]:
    """How to read a result, and its bytes."""
    form, build = _form(said)
    shape = struct.Struct("<" + _aligned(form))
    return lambda raw: build(iter(shape.unpack(raw[: shape.size]))), max(8, shape.size)


def _form(said: Said) -> tuple[list[str], Callable[[Any], Any]]:
    """Its numbers as `struct` has them, and what makes the result of them."""
    if isinstance(said, list):
        parts = [_form(part) for part in said[1:]]
        kind = _class(said[0])

        def build(values: Any) -> Any:
            return kind([make(values) for _, make in parts])

        return [one for form, _ in parts for one in form], build
    if said == "none":
        return [], lambda values: None
    return [_NUMBERS[said]], (lambda values: uint64(next(values))) if said == "uint64" else next


def _class(name: str) -> Callable[[list[Any]], Any]:
    if name == "tuple":
        return tuple
    module, _, kind = name.partition(":")
    return getattr(import_module(module), kind)._make


def _aligned(form: list[str]) -> str:
    """Each number at a multiple of its size."""
    place, said = 0, ""
    for one in form:
        size = struct.calcsize(one)
        gap = -place % size
        said += f"{gap}x{one}" if gap else one
        place += gap + size
    return said
