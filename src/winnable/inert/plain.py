"""Arrays in plain memory, for where numpy is not installed: what is here is as numpy's of that name.

An array is a view of memory: slices share it, `copy` does not. Elements are read as Python's numbers, but
those of uint64, which wrap around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, TypeAlias

Shape: TypeAlias = "int | Sequence[int]"
Index: TypeAlias = "int | slice | tuple[int | slice, ...]"
MASK = 2**64 - 1


class uint64(int):
    """A number below 2**64 whose arithmetic wraps around."""

    def __new__(cls, value: Any = 0) -> uint64:
        return int.__new__(cls, int(value) & MASK)

    def __invert__(self) -> uint64:
        return uint64(~int(self))

    def __neg__(self) -> uint64:
        return uint64(-int(self))


def _wrapping(name: str) -> Callable[[uint64, Any], Any]:
    method = getattr(int, name)

    def wrapping(self: uint64, other: Any) -> Any:
        result = method(self, other)
        return result if result is NotImplemented else uint64(result)

    return wrapping


for _name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "rshift"):
    setattr(uint64, f"__{_name}__", _wrapping(f"__{_name}__"))
    setattr(uint64, f"__r{_name}__", _wrapping(f"__r{_name}__"))


def _shifted(self: uint64, places: Any) -> uint64:
    return uint64(int(self) << places) if places < 64 else uint64(0)


setattr(uint64, "__lshift__", _shifted)  # noqa: B010


def _cast(buffer: Any, code: Any) -> Any:
    memory: Any = memoryview(buffer)
    return memory.cast(code)


class Dtype:
    """A type of elements; called, it makes a number of that type."""

    def __init__(self, name: str, code: Any, kind: Callable[[Any], Any]) -> None:
        """code: of `memoryview`"""
        self.name, self.code, self.kind = name, code, kind
        self.itemsize: int = _cast(bytes(8), code).itemsize
        self._bits = 8 * self.itemsize

    def __call__(self, value: Any = 0) -> Any:
        value = self.kind(value)
        if self.code in "bhiq":
            half = 1 << (self._bits - 1)
            return ((value + half) & (2 * half - 1)) - half
        return value & ((1 << self._bits) - 1) if self.code in "BHI" else value

    def __repr__(self) -> str:
        return self.name


int8, int16 = Dtype("int8", "b", int), Dtype("int16", "h", int)
int32, int64 = Dtype("int32", "i", int), Dtype("int64", "q", int)
uint8, uint16, uint32 = Dtype("uint8", "B", int), Dtype("uint16", "H", int), Dtype("uint32", "I", int)
float32, float64, bool_ = Dtype("float32", "f", float), Dtype("float64", "d", float), Dtype("bool", "?", bool)
_UINT64 = Dtype("uint64", "Q", uint64)
inf, nan = float("inf"), float("nan")


class ndarray:
    """Elements of one type in memory that it may share with others, in any number of dimensions."""

    def __init__(
        self, memory: Any, dtype: Dtype, shape: tuple[int, ...], start: int, steps: tuple[int, ...]
    ) -> None:
        """memory: cast to the type. start: the first element's place in it; steps: from one to the next"""
        self.memory, self.dtype, self.shape = memory, dtype, shape
        self._start, self._steps = start, steps

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Index) -> Any:
        found = self._part(index)
        return found._element(found._start) if not found.shape else found

    def __setitem__(self, index: Index, value: Any) -> None:
        part = self._part(index)
        if not part.shape:
            self.memory[part._start] = self.dtype.kind(value)
            return
        values = array(value, self.dtype) if isinstance(value, (ndarray, Sequence)) else None
        if values is None:
            part.fill(value)
        elif values.shape == part.shape:
            for place, other in zip(part.places(), values.places(), strict=True):
                self.memory[place] = values.memory[other]
        elif values.ndim < part.ndim:
            for row in part:
                row[:] = values
        else:
            raise ValueError(f"could not broadcast input array from shape {values.shape} into {part.shape}")

    def copy(self) -> ndarray:
        other = empty(self.shape, self.dtype)
        other[:] = self if self.shape else self.tolist()
        return other

    def fill(self, value: Any) -> None:
        value = self.dtype.kind(value)
        for place in self.places():
            self.memory[place] = value

    def tolist(self) -> Any:
        if not self.shape:
            return self._element(self._start)
        rows: list[Any] = [row.tolist() if isinstance(row, ndarray) else row for row in self]
        return [int(one) for one in rows] if self.dtype is _UINT64 and self.ndim == 1 else rows

    def tobytes(self) -> bytes:
        return b"".join(bytes(self.memory[place : place + 1]) for place in self.places())

    def _element(self, place: int) -> Any:
        value = self.memory[place]
        return uint64(value) if self.dtype is _UINT64 else value

    def places(self) -> Iterator[int]:
        """The places of its elements in the memory, in order."""
        steps = ([step * i for i in range(n)] for n, step in zip(self.shape, self._steps, strict=True))
        return (self._start + sum(one) for one in product(*steps))

    def _part(self, index: Index) -> ndarray:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) > self.ndim:
            raise IndexError(f"too many indices: {len(indices)} of {self.ndim}")
        start, shape, steps = self._start, list[int](), list[int]()
        for i, (n, step) in enumerate(zip(self.shape, self._steps, strict=True)):
            one = indices[i] if i < len(indices) else slice(None)
            if isinstance(one, slice):
                chosen = range(*one.indices(n))
                start += chosen.start * step if chosen else 0
                shape.append(len(chosen))
                steps.append(chosen.step * step)
            elif -n <= one < n:
                start += (one % n) * step
            else:
                raise IndexError(f"index {one} is out of bounds for axis {i} with size {n}")
        return ndarray(self.memory, self.dtype, tuple(shape), start, tuple(steps))


def frombuffer(buffer: Any, dtype: Any = float64) -> ndarray:
    """A view of the buffer, of one dimension."""
    memory, found = memoryview(buffer).cast("B"), _dtype(dtype)
    return ndarray(_cast(memory, found.code), found, (len(memory) // found.itemsize,), 0, (1,))


def zeros(shape: Shape, dtype: Any = float64) -> ndarray:
    """An array of zeros."""
    sizes, found = (shape,) if isinstance(shape, int) else tuple(shape), _dtype(dtype)
    memory = _cast(bytearray(max(1, prod(sizes)) * found.itemsize), found.code)
    return ndarray(memory, found, sizes, 0, tuple(prod(sizes[i + 1 :]) for i in range(len(sizes))))


empty = zeros


def full(shape: Shape, value: Any, dtype: Any = None) -> ndarray:
    """dtype: None: that of the value"""
    made = zeros(shape, _dtype_of(value) if dtype is None else dtype)
    made.fill(value)
    return made


def array(values: Any, dtype: Any = None) -> ndarray:
    """An array of nested sequences, or a copy. dtype: None: that of the values"""
    if isinstance(values, ndarray):
        shape, flat = values.shape, [values.memory[place] for place in values.places()]
        dtype = values.dtype if dtype is None else dtype
    else:
        shape, flat = _flat(values)
    found = (
        _dtype(dtype) if dtype is not None else max(map(_dtype_of, flat), key=_WIDER.index, default=float64)
    )
    made = zeros(shape, found)
    for place, value in enumerate(flat):
        made.memory[place] = found.kind(value)
    return made


_WIDER = (bool_, int64, _UINT64, float64)


def _dtype(given: Any) -> Dtype:
    return given if isinstance(given, Dtype) else _UINT64 if given is uint64 else _dtype_of(given())


def _dtype_of(value: Any) -> Dtype:
    kinds = {bool: bool_, int: int64, uint64: _UINT64, float: float64}
    return kinds[type(value)]


def _flat(values: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape, and all numbers in order."""
    if not isinstance(values, (Sequence, ndarray)):
        return (), [values]
    rows: list[Any] = [*values]
    parts = [_flat(value) for value in rows]
    shapes = {shape for shape, _ in parts} or {()}
    if len(shapes) > 1:
        raise ValueError("setting an array element with a sequence: the shape is inhomogeneous")
    return (len(parts), *shapes.pop()), [one for _, flat in parts for one in flat]
