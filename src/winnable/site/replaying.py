"""Native calls of kernels made once more where these were compiled ahead, in a browser's Python.

`python -m winnable.site.replaying LIBRARY LIST CASES`, there, prints a `Replayed`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from winnable.compiled import ahead
from winnable.compiled.ahead import Entry
from winnable.compiled.kernel_lists import Said
from winnable.inert import plain


class Array(Struct, frozen=True):
    """memory: its place in `Case.before`; start: of its first byte there"""

    memory: int
    start: int
    dtype: str
    shape: tuple[int, ...]


class Case(Struct, frozen=True, array_like=True):
    """One call as it was made natively.

    arguments: of these types; a tuple is a list, an array an `Array`
    before, after: the memory that the arrays lie in
    """

    kernel: str
    types: list[Said]
    arguments: list[Any]
    before: list[bytes]
    after: list[bytes]
    result: Any


class Replayed(Struct):
    """equal:   symbols of entries -> calls that gave the same, byte for byte
    wrong:   what did not
    seconds: that all calls took
    """

    equal: dict[str, int]
    wrong: list[str]
    seconds: float = 0.0


def replay(library: Path, entries: Sequence[Entry], cases: Sequence[Case]) -> Replayed:
    """Makes all calls that the library has entries for. Raises as `ahead.load`."""
    bound = {
        (entry.kernel, str(entry.arguments)): (entry, call) for entry, call in ahead.bound(library, entries)
    }
    done = Replayed({}, [])
    for case in cases:
        if (found := bound.get((case.kernel, str(case.types)))) is None:
            continue
        entry, call = found
        memory = [bytearray(one) for one in case.before]
        arguments = tuple(_read(one, memory) for one in case.arguments)
        began = time.perf_counter()
        try:
            result = _flat(call(arguments))
        except Exception as error:
            done.wrong.append(f"{case.kernel}: {type(error).__name__}: {error}")
            continue
        done.seconds += time.perf_counter() - began
        after = [*map(bytes, memory)]
        if result != case.result or after != case.after:
            arrays = [i for i, one in enumerate(after) if one != case.after[i]]
            done.wrong.append(f"{case.kernel}: {result}, not {case.result}; arrays that differ: {arrays}")
        else:
            done.equal[entry.symbol] = done.equal.get(entry.symbol, 0) + 1
    return done


def _read(value: Any, memory: Sequence[bytearray]) -> Any:
    if isinstance(value, dict):
        array = msgspec.convert(value, Array)
        dtype: Any = getattr(plain, "bool_" if array.dtype == "bool" else array.dtype)
        end = array.start + prod(array.shape) * plain.zeros(1, dtype).dtype.itemsize
        return plain.frombuffer(memoryview(memory[array.memory])[array.start : end], dtype).reshape(
            array.shape
        )
    if not isinstance(value, list):
        return value
    return tuple(_read(one, memory) for one in cast("list[Any]", value))


def _flat(result: Any) -> Any:
    return [_flat(one) for one in result] if isinstance(result, tuple) else result  # pyright: ignore[reportUnknownVariableType]


def main(library: str, listed: str, cases: str) -> None:
    """Replays the calls of a file with the library and its list."""
    entries = ahead.listed(Path(listed).read_bytes())
    made = msgspec.msgpack.decode(Path(cases).read_bytes(), type=list[Case])
    print(msgspec.json.encode(replay(Path(library), entries, made)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
