"""Arrays in plain memory, and what numpy does with each of their elements.

An array is a view of memory: slices share it, `copy` does not. Elements are read as Python's numbers, but
those of uint64 and float32, whose arithmetic stays within them.
"""

from __future__ import annotations

import array as _rows
import ctypes
import operator
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from math import prod
from typing import Any, Literal, TypeAlias, cast

from winnable.inert.plain.scalars import FLOAT32, UINT64, Dtype, bool_, common_type, dtype, float64, int64

Shape: TypeAlias = "int | Sequence[int]"
Index: TypeAlias = Any
"""Numbers, slices, None, `...`, and arrays or lists of places or of booleans, as numpy has them."""
ALL = slice(None)
_row: Any = _rows.array


def _cast(buffer: Any, code: Any) -> Any:
    memory: Any = memoryview(buffer)
    return memory.cast("B").cast(code)


class ndarray:
    """Elements of one type in memory that it may share with others, in any number of dimensions."""

    def __init__(
        self, memory: Any, dtype: Dtype, shape: tuple[int, ...], start: int, steps: tuple[int, ...]
    ) -> None:
        """memory: cast to the type. start: the first element's place in it; steps: from one to the next"""
        self.memory, self.dtype, self.shape, self.ndim = memory, dtype, shape, len(shape)
        self.start, self.steps = start, steps
        self._wraps = dtype is UINT64 or dtype is FLOAT32

    @cached_property
    def described(self) -> bytes:
        """As compiled kernels take it (see `compiled.ahead`). Raises ValueError for one with gaps."""
        if not self.is_whole:
            raise ValueError("the array has gaps")
        bytes_of_one = self.dtype.itemsize
        first = _address(self.memory) + self.start * bytes_of_one
        strides = (size * bytes_of_one for size in _sizes(self.shape))
        slots = (0, 0, self.size, bytes_of_one, first, *self.shape, *strides)
        return struct.pack(f"<{len(slots)}q", *slots)

    @cached_property
    def is_whole(self) -> bool:
        """Whether its elements lie one after the other."""
        sizes = zip(self.shape, self.steps, _sizes(self.shape), strict=True)
        return not self.size or all(n == 1 or step == size for n, step, size in sizes)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def data(self) -> Any:
        return memoryview(self.tobytes())

    @property
    def T(self) -> ndarray:
        return ndarray(self.memory, self.dtype, self.shape[::-1], self.start, self.steps[::-1])

    # -- elements -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numbers()) if self.ndim == 1 else (self[i] for i in range(len(self)))

    def __getitem__(self, index: Index) -> Any:
        place = self._place(index)
        if place is not None:
            return self._element(place)
        chosen = self._chosen(index)
        if isinstance(chosen, ndarray):
            return chosen if chosen.shape else self._element(chosen.start)
        shape, places = chosen
        return made(shape, self.dtype, [self.memory[place] for place in places])

    def take(self, places: Index, axis: Literal[0] = 0) -> Any:
        """`self[places]`, which numpy does faster so."""
        return self[places]

    def __setitem__(self, index: Index, value: Any) -> None:
        place = self._place(index)
        if place is not None:
            self.memory[place] = self.dtype.make(value)
            return
        chosen = self._chosen(index)
        shape = chosen.shape if isinstance(chosen, ndarray) else chosen[0]
        content = _content(value, shape, self.dtype)
        if isinstance(chosen, ndarray) and chosen.is_whole:
            self.memory[chosen.start : chosen.start + chosen.size] = content
            return
        places = chosen.places() if isinstance(chosen, ndarray) else chosen[1]
        for place, one in zip(places, content.tolist(), strict=True):  # which may be of the same memory
            self.memory[place] = one

    def _place(self, index: Index) -> int | None:
        """Where the element lies; None for an index of more than one."""
        indices = _as_tuple(index)
        if len(indices) != self.ndim:
            return None
        place = self.start
        for one, n, step in zip(indices, self.shape, self.steps, strict=True):
            if not isinstance(one, int):
                return None
            if not -n <= one < n:
                raise IndexError(f"index {one} is out of bounds for an axis with size {n}")
            place += (one if one >= 0 else one + n) * step
        return place

    def _chosen(self, index: Index) -> ndarray | tuple[tuple[int, ...], list[int]]:
        """The view that the index means; where there are arrays in it, the shape and the places."""
        indices = [one for part in _as_tuple(index) for one in _places_of(part)]
        taken = sum(one is not None and one is not ... for one in indices)
        if taken > self.ndim:
            raise IndexError(f"too many indices: {taken} of {self.ndim}")
        where = next((i for i, one in enumerate(indices) if one is ...), len(indices))
        indices[where : where + 1] = [ALL] * (self.ndim - taken)
        are_arrays = any(isinstance(one, ndarray) for one in indices)
        start, axes, arrays = self.start, list[tuple[int, int]](), list[Any]()
        first, axis = 0, 0
        for one in indices:
            if one is None:
                axes.append((1, 0))
                continue
            n, step, axis = self.shape[axis], self.steps[axis], axis + 1
            if isinstance(one, slice):
                span = range(*one.indices(n))
                start += span.start * step if span else 0
                axes.append((len(span), span.step * step))
            elif isinstance(one, ndarray) or are_arrays:
                first = first if arrays else len(axes)
                if len(axes) > first:  # arrays apart: their axes come first
                    first = 0
                arrays.append(_checked(asarray(one), n) * step)
            else:
                start += int(_checked(asarray(one), n)[()]) * step
        if not arrays:
            shape, steps = tuple(n for n, _ in axes), tuple(step for _, step in axes)
            return ndarray(self.memory, self.dtype, shape, start, steps)
        offsets = reduce(operator.add, arrays)
        spans: list[Any] = [range(0, n * step, step) if step else [0] * n for n, step in axes]
        spans.insert(first, offsets.values())
        shape = *(n for n, _ in axes[:first]), *offsets.shape, *(n for n, _ in axes[first:])
        return shape, _sums(start, spans)

    def places(self) -> Sequence[int]:
        """The places of its elements in the memory, in order."""
        if self.is_whole:
            return range(self.start, self.start + self.size)
        steps = ([step * i for i in range(n)] for n, step in zip(self.shape, self.steps, strict=True))
        return _sums(self.start, steps)

    def values(self) -> list[Any]:
        """All elements in order, as Python's numbers."""
        if self.is_whole:
            return self.memory[self.start : self.start + self.size].tolist()
        *outer, (n, step) = zip(self.shape, self.steps, strict=True)
        rows = _sums(self.start, ([step * i for i in range(n)] for n, step in outer))
        if step == 1:
            return [one for row in rows for one in self.memory[row : row + n].tolist()]
        return [self.memory[row + step * i] for row in rows for i in range(n)]

    def numbers(self) -> list[Any]:
        """The same as numbers of its type."""
        return [*map(self.dtype.make, self.values())] if self._wraps else self.values()

    def _element(self, place: int) -> Any:
        value = self.memory[place]
        return self.dtype.make(value) if self._wraps else value

    def item(self) -> Any:
        (value,) = self.values()
        return value

    def tolist(self) -> Any:
        if self.ndim > 1:
            return [row.tolist() for row in self]
        return self.values() if self.ndim else self.item()

    def tobytes(self) -> bytes:
        part = self if self.is_whole else self.copy()
        return bytes(part.memory[part.start : part.start + part.size])

    def fill(self, value: Any) -> None:
        self[...] = value

    def resize(self, shape: Shape, refcheck: bool = True) -> None:
        """In place, more elements being 0. Nothing else may share the memory."""
        more, size = zeros(shape, self.dtype), self.size
        more.memory[: more.size][:size] = self.memory[self.start :][: min(size, more.size)]
        self.__dict__.clear()
        self.__dict__.update(more.__dict__)

    def setflags(self, write: Literal[False]) -> None:
        """It is only read from now on."""
        self.memory = self.memory.toreadonly()

    # -- others of the same elements ------------------------------------------------------------------------

    def copy(self) -> ndarray:
        return array(self)

    def astype(self, kind: Any, copy: bool = True) -> ndarray:
        return array(self, kind) if copy or dtype(kind) is not self.dtype else self

    def reshape(self, *shape: Any) -> ndarray:
        sizes: list[int] = [*(shape[0] if isinstance(shape[0], Sequence) else shape)]
        if -1 in sizes:
            sizes[sizes.index(-1)] = self.size // max(1, -prod(sizes))
        if prod(sizes) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {tuple(sizes)}")
        part = self if self.is_whole else self.copy()
        return ndarray(part.memory, part.dtype, tuple(sizes), part.start, _sizes(sizes))

    def ravel(self) -> ndarray:
        return self.reshape(-1)

    def view(self, kind: Any) -> ndarray:
        """Its last axis has no gaps."""
        found = dtype(kind)

        def scaled(n: int) -> int:
            return n * self.dtype.itemsize // found.itemsize

        shape, steps = (*self.shape[:-1], scaled(self.shape[-1])), (*map(scaled, self.steps[:-1]), 1)
        return ndarray(_cast(self.memory, found.code), found, shape, scaled(self.start), steps)

    # -- arithmetic -----------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __neg__(self) -> Any:
        return negative(self)

    def __abs__(self) -> Any:
        return absolute(self)

    def __invert__(self) -> Any:
        return logical_not(self) if self.dtype is bool_ else invert(self)

    def __matmul__(self: Any, other: Any) -> Any:
        """Of two axes, with one or two."""
        products = self * other if other.ndim == 1 else self[:, :, None] * other
        return products.sum(axis=1, dtype=products.dtype)

    def rows(self, axis: int | None) -> tuple[tuple[int, ...], list[list[Any]]]:
        """What is left of the shape without the axis, None: without any, and the numbers along it."""
        if axis is None:
            return (), [self.numbers()]
        shape, steps = [*self.shape], [*self.steps]
        shape.append(n := shape.pop(axis))
        steps.append(steps.pop(axis))
        moved = ndarray(self.memory, self.dtype, tuple(shape), self.start, tuple(steps))
        # Whole numbers may wrap around at the end.
        numbers = moved.numbers() if self.dtype is FLOAT32 else moved.values()
        return (*shape[:-1],), [numbers[n * i : n * (i + 1)] for i in range(prod(shape[:-1]))]

    def _reduced(self, function: Callable[[list[Any]], Any], axis: int | None, found: Dtype) -> Any:
        shape, rows = self.rows(axis)
        return scalar(made(shape, found, map(function, rows)))

    def sum(self, axis: int | None = None, dtype: Any = None) -> Any:
        found = sum_type(self.dtype) if dtype is None else _dtype(dtype)
        if axis is None or axis in (-1, self.ndim - 1):
            return self._reduced(total if found.kind == "f" else sum, axis, found)
        return self._reduced(lambda row: reduce(operator.add, row, 0), axis, found)

    def mean(self, axis: int | None = None) -> Any:
        n = self.size if axis is None else self.shape[axis]
        return self.sum(axis, self.dtype if self.dtype.kind == "f" else float64) / n

    def var(self, axis: Literal[0] | None = None, ddof: int = 0) -> Any:
        """Of floats."""
        apart = self - self.mean(axis)
        return (apart * apart).sum(axis) / ((self.size if axis is None else self.shape[axis]) - ddof)

    def std(self, ddof: int = 0) -> Any:
        """Of all elements, which are floats."""
        return self.var(None, ddof) ** 0.5

    def min(self, axis: int | None = None) -> Any:
        return self._reduced(min, axis, self.dtype)

    def max(self, axis: int | None = None) -> Any:
        return self._reduced(max, axis, self.dtype)

    def any(self, axis: int | None = None) -> Any:
        return self._reduced(any, axis, bool_)

    def all(self, axis: int | None = None) -> Any:
        return self._reduced(all, axis, bool_)

    def argmin(self, axis: int | None = None) -> Any:
        return self._reduced(lambda row: row.index(min(row)), axis, int64)

    def argmax(self, axis: int | None = None) -> Any:
        return self._reduced(lambda row: row.index(max(row)), axis, int64)

    def argsort(self, axis: int = -1, kind: Any = None) -> ndarray:
        """Of equal elements the first one comes first, whatever the kind."""
        shape, rows = self.rows(axis)
        orders = (one for row in rows for one in sorted(range(len(row)), key=row.__getitem__))
        return _turned_back(made((*shape, self.shape[axis]), int64, orders), axis)

    def sort(self, axis: int = -1) -> None:
        shape, rows = self.rows(axis)
        ordered = (one for row in rows for one in sorted(row))
        self[...] = _turned_back(made((*shape, self.shape[axis]), self.dtype, ordered), axis)


_dtype = dtype


def total(row: Sequence[Any]) -> Any:
    """The sum in numpy's order, which adds by pairs of halves, and up to 128 numbers in eight columns."""
    n = len(row)
    if n < 8:
        return reduce(operator.add, row, 0.0)
    if n <= 128:
        whole = n - n % 8
        a, b, c, d, e, f, g, h = (reduce(operator.add, row[i:whole:8]) for i in range(8))
        return reduce(operator.add, row[whole:], ((a + b) + (c + d)) + ((e + f) + (g + h)))
    half = n // 2 - n // 2 % 8
    return total(row[:half]) + total(row[half:])


def sum_type(one: Dtype) -> Dtype:
    """The type of sums."""
    return one if one.kind == "f" else UINT64 if one.kind == "u" else int64


def _turned_back(found: ndarray, axis: int) -> ndarray:
    """Its last axis put where that one was."""
    shape, steps = [*found.shape], [*found.steps]
    for one in (shape, steps):
        one.insert(axis % found.ndim, one.pop())
    return ndarray(found.memory, found.dtype, tuple(shape), found.start, tuple(steps))


def _as_tuple(index: Index) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)


def _places_of(index: Any) -> list[Any]:
    """An index in its simple parts."""
    if index is None or index is ... or isinstance(index, (int, slice)):
        return [index]
    found = asarray(index)
    return [*nonzero(found)] if found.dtype is bool_ else [found if found.size else found.astype(int64)]


def _content(value: Any, shape: tuple[int, ...], dtype: Dtype) -> Any:
    """Memory with all elements of an array of that shape and type, which is set to the value."""
    if not isinstance(value, (ndarray, Sequence)):
        one = zeros(1, dtype)
        one.memory[0] = dtype.make(value)
        return _cast(one.tobytes() * prod(shape), dtype.code)
    found = broadcast_to(asarray(value), shape)
    if not (found.is_whole and found.dtype is dtype):
        found = made(shape, dtype, found.values())
    return found.memory[found.start : found.start + found.size]


def _sums(start: int, spans: Iterable[Sequence[int]]) -> list[int]:
    """With a number of each span; those of the last one change first."""
    return reduce(lambda sums, span: [one + more for one in sums for more in span], spans, [start])


def _checked(index: ndarray, n: int) -> Any:
    """Places from 0 on. Raises IndexError."""
    places = index.values()
    if places and not (-n <= min(places) and max(places) < n):
        raise IndexError(f"an index is out of bounds for an axis with size {n}")
    return made(index.shape, int64, (place % n for place in places))


def nonzero(values: Any) -> tuple[ndarray, ...]:
    """The places of elements that are not 0, an array for each axis."""
    found = asarray(values)
    places = [place for place, value in enumerate(found.values()) if value]
    axes = zip(found.shape, _sizes(found.shape), strict=True)
    return tuple(made((len(places),), int64, [place // size % n for place in places]) for n, size in axes)


def _sizes(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(prod(shape[i + 1 :]) for i in range(len(shape)))


def _address(memory: Any) -> int:
    """Where it begins, also where it may only be read."""
    if not memory.readonly:
        return ctypes.addressof((ctypes.c_char * 0).from_buffer(memory))
    first: Any = ctypes.py_object(memory)
    view = (ctypes.c_void_p * 16)()  # a Py_buffer begins with the address, and is no longer than this
    ctypes.pythonapi.PyObject_GetBuffer(first, view, 0)
    address = int(view[0] or 0)
    ctypes.pythonapi.PyBuffer_Release(view)
    return address


# -- arrays are made ---------------------------------------------------------------------------------------


def frombuffer(buffer: Any, dtype: Any = float64, count: int = -1) -> ndarray:
    """A view of the buffer, of one dimension."""
    memory, found = memoryview(buffer).cast("B"), _dtype(dtype)
    size = len(memory) // found.itemsize if count < 0 else count
    return ndarray(_cast(memory[: size * found.itemsize], found.code), found, (size,), 0, (1,))


def zeros(shape: Shape, dtype: Any = float64) -> ndarray:
    """An array of zeros."""
    sizes, found = (shape,) if isinstance(shape, int) else tuple(shape), _dtype(dtype)
    memory = bytearray(-(-prod(sizes) * found.itemsize // 8) * 8 or 8)  # also for a view of larger elements
    return ndarray(_cast(memory, found.code), found, sizes, 0, _sizes(sizes))


empty = zeros


def made(shape: Sequence[int], found: Dtype, values: Iterable[Any]) -> ndarray:
    """An array of these numbers, which wrap around."""
    new, flat = zeros(shape, found), list[Any](values)
    try:
        content = memoryview(_row(found.code, flat))
    except (OverflowError, TypeError, ValueError):  # it wraps around, is of another kind, or a truth value
        for place, value in enumerate(map(found, flat)):
            new.memory[place] = value
    else:
        new.memory[: len(flat)] = content
    return new


def full(shape: Shape, value: Any, dtype: Any = None) -> ndarray:
    """dtype: None: that of the value"""
    new = zeros(shape, type(value) if dtype is None else dtype)
    new[...] = value
    return new


def array(values: Any, dtype: Any = None) -> ndarray:
    """An array of nested sequences, or a copy. dtype: None: that of the values"""
    shape, flat, types = _flat(values)
    found = _dtype(dtype) if dtype is not None else common_type(types) if types else float64
    if isinstance(values, ndarray):
        return made(shape, found, flat)
    new = zeros(shape, found)
    for place, value in enumerate(flat):
        new.memory[place] = found.make(value)
    return new


def asarray(values: Any, dtype: Any = None) -> Any:
    """An array; the same one where it is of the type already."""
    if isinstance(values, ndarray) and (dtype is None or values.dtype is _dtype(dtype)):
        return values
    return array(values, dtype)


def _flat(values: Any) -> tuple[tuple[int, ...], list[Any], set[Any]]:
    """The shape, all numbers in order, and their types."""
    if isinstance(values, ndarray):
        return values.shape, values.values(), {values.dtype}
    if not isinstance(values, Sequence):
        return (), [values], {type(values)}
    rows: list[Any] = [*values]
    if not any(isinstance(row, (Sequence, ndarray)) for row in rows):
        return (len(rows),), rows, set(map(type, rows))
    parts = [_flat(row) for row in rows]
    shapes = {shape for shape, _, _ in parts}
    if len(shapes) > 1:
        raise ValueError("setting an array element with a sequence: the shape is inhomogeneous")
    flat = [one for _, some, _ in parts for one in some]
    return (len(parts), *shapes.pop()), flat, {one for _, _, types in parts for one in types}


def broadcast_to(values: Any, shape: Sequence[int]) -> ndarray:
    """A view in which elements stand for several. Raises ValueError."""
    found = asarray(values)
    steps = [0] * (len(shape) - found.ndim)
    fits = found.ndim <= len(shape)
    for n, step, wanted in zip(found.shape, found.steps, shape[len(steps) :], strict=False):
        fits &= n in (1, wanted)
        steps.append(step if n == wanted else 0)
    if not fits:
        raise ValueError(f"could not broadcast input array from shape {found.shape} into {tuple(shape)}")
    return ndarray(found.memory, found.dtype, tuple(shape), found.start, tuple(steps))


def scalar(found: ndarray) -> Any:
    """The number of an array without axes; any other as it is."""
    return found if found.shape else found[()]


# -- functions of elements ---------------------------------------------------------------------------------


Function: TypeAlias = Callable[[Any], Any] | Callable[[Any, Any], Any] | Callable[[Any, Any, Any], Any]


class ufunc:
    """A function of numbers, of all elements of arrays that are broadcast together."""

    def __init__(self, function: Function, result: Callable[[list[Any]], Dtype] = common_type) -> None:
        """result: the types of the operands -> that of the results"""
        self.result = result
        self.function: Callable[..., Any] = function

    def __call__(self, *given: Any, out: ndarray | None = None, dtype: Any = None) -> Any:
        operands = [array(one) if isinstance(one, Sequence) else one for one in given]
        arrays = [one for one in operands if isinstance(one, ndarray)]
        types: list[Any] = [one.dtype if isinstance(one, ndarray) else type(one) for one in operands]
        found = _dtype(dtype) if dtype is not None else self.result(types)
        shape = _together([one.shape for one in arrays])
        lists = [
            broadcast_to(one, shape).values() if isinstance(one, ndarray) else [one] * prod(shape)
            for one in operands
        ]
        if found.kind == "f":
            lists = [[*map(float, one)] for one in lists]
        results = made(shape, found, map(self.function, *lists))
        if out is None:
            return scalar(results)
        out[...] = results
        return out

    def reduce(self, values: Any, axis: int | None = 0) -> Any:
        found = asarray(values)
        shape, rows = found.rows(axis)
        return scalar(made(shape, found.dtype, (reduce(self.function, row) for row in rows)))

    def at(self, values: ndarray, index: Any, others: Any) -> None:
        """In place, also where an index stands there several times."""
        places = made(values.shape, int64, range(values.size))[index]
        each = broadcast_to(others, places.shape).numbers()
        flat = values.ravel()
        for place, other in zip(places.values(), each, strict=True):
            flat[place] = self.function(flat[place], other)
        values[...] = flat.reshape(values.shape)


def _together(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that they are broadcast to."""
    shape: list[int] = []
    for one in shapes:
        shape = [1] * (len(one) - len(shape)) + shape
        for axis, n in enumerate(one, len(shape) - len(one)):
            shape[axis] = n if shape[axis] == 1 else shape[axis]
    return tuple(shape)


def floating(types: list[Any]) -> Dtype:
    """The type of results that are no whole numbers."""
    found = common_type(types)
    return found if found.kind == "f" else float64


def boolean(types: list[Any]) -> Dtype:
    """That of comparisons."""
    return bool_


invert, logical_not = ufunc(operator.invert), ufunc(operator.not_, boolean)
_SAME = "add", "sub", "mul", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"
_COMPARED = "lt", "le", "gt", "ge", "eq", "ne"
_OPERATORS = {
    **{name: ufunc(getattr(operator, f"__{name}__")) for name in _SAME},
    **{name: ufunc(getattr(operator, f"__{name}__"), floating) for name in ("truediv",)},
    **{name: ufunc(getattr(operator, f"__{name}__"), boolean) for name in _COMPARED},
}
add, bitwise_and, bitwise_or = (_OPERATORS[name] for name in ("add", "and", "or"))
negative, absolute = ufunc(operator.neg), ufunc(abs)


def _define(name: str, function: ufunc) -> None:
    """The operator, on the right hand too, and in place."""

    def operate(self: ndarray, other: Any) -> Any:
        return function(self, other)

    def reflected(self: ndarray, other: Any) -> Any:
        return function(other, self)

    def in_place(self: ndarray, other: Any) -> Any:
        return function(self, other, out=self)

    setattr(ndarray, f"__{name}__", operate)
    if function.result is not boolean:
        setattr(ndarray, f"__r{name}__", reflected)
        setattr(ndarray, f"__i{name}__", in_place)


for _name, _function in _OPERATORS.items():
    _define(_name, _function)
