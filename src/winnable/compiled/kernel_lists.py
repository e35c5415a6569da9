"""Which kernels a game needs, each with the types of its arguments: so that they can be compiled ahead, by
any process and side by side, before anything calls them.

A game's list is the file `kernels.json` beside its `game.py`, made by running what the game's `kernels` name
and writing down what was compiled, in that order: `winnable warm --record`. What a list lacks is compiled
when it is called.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from winnable.contract.game import Game
from winnable.inert.late import made

FILE = "kernels.json"
FLAGS = {"True": True, "False": False}
Said: TypeAlias = str | list[Any]
"""An argument's type: `int64`, `True` (that flag alone), `uint64[2C]` (dimensions and layout; `!`: read
only), or a list of the parts of a tuple after `tuple` or, where they have names, MODULE:CLASS."""


class Kernel(Struct, frozen=True):
    """One compiled form of a kernel.

    name:      MODULE:NAME
    part:      the first of the game's `kernels` that needs it
    arguments: indices into the list's `types`
    calls:     indices of kernels before it in the list, which become part of it
    seconds:   that compiling it took, without those, on the machine where the list was made
    inner:     only other kernels call it
    """

    name: str
    part: str
    arguments: tuple[int, ...]
    calls: tuple[int, ...]
    seconds: float
    inner: bool = False


class KernelList(Struct, frozen=True):
    types: list[Said]
    kernels: list[Kernel]

    def arguments(self, kernel: Kernel) -> list[Said]:
        """The types of a kernel's arguments, in full."""
        return [self.types[index] for index in kernel.arguments]


def path_of(game: Game) -> Path:
    """The file of the game's list."""
    return game.levels.parent / FILE


def read(game: Game) -> KernelList:
    """Empty for a game that compiles nothing, or has none."""
    if not game.kernels or not path_of(game).is_file():
        return KernelList([], [])
    return msgspec.json.decode(path_of(game).read_bytes(), type=KernelList)


def write(game: Game, kernels: KernelList) -> None:
    """A line for each type and kernel, so that a change shows as what it is."""
    types = ",\n".join(msgspec.json.encode(said).decode() for said in kernels.types)
    entries = ",\n".join(msgspec.json.encode(kernel).decode() for kernel in kernels.kernels)
    path_of(game).write_text(f'{{"types":[\n{types}\n],"kernels":[\n{entries}\n]}}\n')


def kernel_named(name: str) -> Any:
    """A numba dispatcher. Raises ImportError, AttributeError."""
    module, _, function = name.partition(":")
    return made(getattr(import_module(module), function))


def said(type: Any) -> Said:
    """The text of a numba type. Raises ValueError for one that no list can hold."""
    types: Any = import_module("numba.core.types")
    if isinstance(type, types.BaseTuple):
        kind: Any = getattr(type, "instance_class", None)
        name = f"{kind.__module__}:{kind.__qualname__}" if kind not in (None, tuple) else "tuple"
        return [name, *map(said, type)]
    if isinstance(type, types.Array) and type.aligned:
        return f"{type.dtype}[{type.ndim}{type.layout}]{'' if type.mutable else '!'}"
    if isinstance(type, types.BooleanLiteral):
        return str(type.literal_value)
    plain = isinstance(type, types.Number | types.Boolean | types.NoneType)
    if plain and not isinstance(type, types.Literal):
        return str(type)
    raise ValueError(str(type))


def type_of(said: Said) -> Any:
    """Inverse of `said`."""
    types: Any = import_module("numba.core.types")
    if isinstance(said, list):
        kind = tuple if said[0] == "tuple" else kernel_named(said[0])
        return types.BaseTuple.from_types([type_of(part) for part in said[1:]], kind)
    if array := re.fullmatch(r"(\w+)\[(\d)(\w)\](!?)", said):
        dtype, dimensions, layout, readonly = array.groups()
        return types.Array(getattr(types, dtype), int(dimensions), layout, readonly=bool(readonly))
    if said in FLAGS:
        return types.literal(FLAGS[said])
    return getattr(types, "boolean" if said == "bool" else said)
