"""What numpy does with whole arrays: they are put together, sorted, searched, counted and packed."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from itertools import accumulate, cycle, islice
from typing import Any, Literal

from winnable.inert.plain.arrays import (
    ALL,
    array,
    asarray,
    boolean,
    broadcast_to,
    floating,
    frombuffer,
    full,
    made,
    ndarray,
    nonzero,
    sum_type,
    ufunc,
    zeros,
)
from winnable.inert.plain.scalars import bool_, common_type, dtype, float64, int64, uint8

_dtype = dtype


def errstate(**_: str) -> AbstractContextManager[None]:
    """Nobody warns here."""
    return nullcontext()


# -- functions of elements ---------------------------------------------------------------------------------

maximum, minimum = ufunc(max), ufunc(min)
sqrt, exp, log1p = ufunc(math.sqrt, floating), ufunc(math.exp, floating), ufunc(math.log1p, floating)
tan, arctan = ufunc(math.tan, floating), ufunc(math.atan, floating)
rint, floor = ufunc(round, floating), ufunc(math.floor, floating)
isnan, isinf = ufunc(math.isnan, boolean), ufunc(math.isinf, boolean)
isfinite = ufunc(math.isfinite, boolean)
bitwise_count = ufunc(int.bit_count, lambda types: uint8)
where = ufunc(lambda chosen, one, other: one if chosen else other, lambda types: common_type(types[1:]))
"""(condition, values, values)"""


def round_(values: Any) -> Any:
    """The nearest whole numbers, of two that are as near the even one."""
    return rint(values)


def clip(values: Any, low: Any, high: Any) -> Any:
    """The values, or the bound that they are beyond."""
    return minimum(maximum(values, low), high)


def divmod_(values: Any, by: Any) -> tuple[Any, Any]:
    """Quotients and remainders."""
    return values // by, values % by


def logaddexp(one: Any, other: Any) -> Any:
    """log(exp(one) + exp(other))"""
    return maximum(one, other) + log1p(exp(-abs(one - other)))


# -- arrays are made of others -----------------------------------------------------------------------------


def arange(start: int, stop: int | None = None, step: int = 1, dtype: Any = int64) -> ndarray:
    """Whole numbers."""
    span = range(start) if stop is None else range(start, stop, step)
    return made((len(span),), _dtype(dtype), span)


def ones(shape: Any, dtype: Any = float64) -> ndarray:
    return full(shape, 1, dtype)


def zeros_like(values: ndarray, dtype: Any = None) -> ndarray:
    return zeros(values.shape, values.dtype if dtype is None else dtype)


empty_like = zeros_like


def full_like(values: ndarray, value: Any, dtype: Any = None) -> ndarray:
    return full(values.shape, value, values.dtype if dtype is None else dtype)


def concatenate(arrays: Iterable[Any], axis: int = 0) -> ndarray:
    """Along an axis that they have."""
    parts = [asarray(one) for one in arrays]
    shape = [*parts[0].shape]
    shape[axis] = sum(part.shape[axis] for part in parts)
    kind, place = common_type([part.dtype for part in parts]), 0
    if axis == 0:
        return made(shape, kind, [one for part in parts for one in part.values()])
    found = zeros(shape, kind)
    for part in parts:
        found[(ALL,) * axis + (slice(place, place + part.shape[axis]),)] = part
        place += part.shape[axis]
    return found


def stack(arrays: Iterable[Any], axis: int = 0) -> ndarray:
    """Along a new axis."""
    return concatenate([asarray(one)[(ALL,) * axis + (None,)] for one in arrays], axis)


def hstack(arrays: Sequence[Any]) -> ndarray:
    return concatenate(arrays, min(1, asarray(arrays[0]).ndim - 1))


def append(values: Any, more: Any) -> ndarray:
    """Both as one, flat."""
    return concatenate([asarray(values).ravel(), asarray([more] if isinstance(more, int) else more).ravel()])


def tile(values: Any, times: int | Sequence[int]) -> ndarray:
    """Copies along each axis."""
    counts = (times,) if isinstance(times, int) else times
    found = asarray(values)
    found = found.reshape((1,) * (len(counts) - found.ndim) + found.shape)
    for axis, count in enumerate(counts, found.ndim - len(counts)):
        found = concatenate([found] * count, axis) if count else found[(ALL,) * axis + (slice(0),)]
    return found


def resize(values: ndarray, size: int) -> ndarray:
    """Of one dimension, repeated or cut."""
    return made((size,), values.dtype, islice(cycle(values.values()), size))


def repeat(values: Any, counts: Any, axis: int | None = None) -> ndarray:
    """Each element, or with axis 0 each row, so many times."""
    found = asarray(values) if axis == 0 else asarray(values).ravel()
    each = broadcast_to(counts, (len(found),)).values()
    rows = found.values() if found.ndim == 1 else range(len(found))
    repeated = [row for row, count in zip(rows, each, strict=True) for _ in range(count)]
    return made((len(repeated),), found.dtype, repeated) if found.ndim == 1 else found[repeated]


def split(values: ndarray, parts: int, axis: int = 0) -> list[ndarray]:
    """Views of as many equal parts."""
    n = values.shape[axis] // parts
    return [values[(ALL,) * axis + (slice(n * i, n * (i + 1)),)] for i in range(parts)]


def fliplr(values: ndarray) -> ndarray:
    return values[:, ::-1]


def flipud(values: ndarray) -> ndarray:
    return values[::-1]


def rot90(values: ndarray, times: int = 1) -> ndarray:
    """Turned to the left so often."""
    for _ in range(times % 4):
        values = values.T[::-1]
    return values


# -- counted, sorted, searched -----------------------------------------------------------------------------


def count_nonzero(values: Any, axis: int | None = None) -> Any:
    return (asarray(values) != 0).sum(axis)


def flatnonzero(values: Any) -> ndarray:
    return nonzero(asarray(values).ravel())[0]


def cumsum(values: Any, axis: int = 0, dtype: Any = None, out: ndarray | None = None) -> ndarray:
    """Of one axis."""
    found = asarray(values)
    sums = accumulate(found.numbers())
    new = made(found.shape, sum_type(found.dtype) if dtype is None else _dtype(dtype), sums)
    if out is None:
        return new
    out[...] = new
    return out


def diff(values: Any) -> ndarray:
    """Of neighbours along the last axis."""
    found = asarray(values)
    return found[..., 1:] - found[..., :-1]


def unique(values: Any, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """The distinct elements, ascending."""
    found = asarray(values)
    flat: list[Any] = found.numbers()
    counts = Counter(flat)
    distinct = sorted(counts)
    results = [made((len(distinct),), found.dtype, distinct)]
    if return_inverse:
        number = {one: place for place, one in enumerate(distinct)}
        results.append(made(found.shape, int64, map(number.__getitem__, flat)))
    if return_counts:
        results.append(made((len(distinct),), int64, map(counts.__getitem__, distinct)))
    return tuple(results) if len(results) > 1 else results[0]


def isin(values: Any, others: Any) -> Any:
    found, among = asarray(values), {*asarray(others).numbers()}
    return made(found.shape, bool_, (one in among for one in found.numbers()))


def bincount(values: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    """How often each whole number is there, or the sum of what its places weigh."""
    found = asarray(values).values()
    new = zeros(max([minlength - 1, *found]) + 1, int64 if weights is None else float64)
    for one, weight in zip(found, [1] * len(found) if weights is None else weights, strict=True):
        new[one] += weight
    return new


def sort(values: Any, axis: int = -1) -> ndarray:
    found = array(values)
    found.sort(axis)
    return found


def argsort(values: Any, axis: int = -1, kind: Any = None) -> ndarray:
    """Stable, whatever the kind."""
    return asarray(values).argsort(axis)


def argpartition(values: Any, places: Any, axis: int = -1) -> ndarray:
    """All are where they belong."""
    return argsort(values, axis)


def lexsort(keys: Sequence[Any]) -> ndarray:
    """The order by the last key, of equal ones by the key before."""
    rows = [*zip(*(asarray(key).numbers() for key in reversed(keys)), strict=True)]
    return made((len(rows),), int64, sorted(range(len(rows)), key=rows.__getitem__))


def searchsorted(values: Any, wanted: Any, side: Literal["left", "right"] = "left") -> Any:
    """Where they would be inserted."""
    numbers = asarray(values).numbers()
    find: Callable[..., int] = bisect_left if side == "left" else bisect_right
    return ufunc(lambda one: find(numbers, one), lambda types: int64)(wanted)


def quantile(values: Any, share: float, method: Literal["higher"]) -> Any:
    """The least element that at least this share of the others is no more than."""
    ordered = sorted(asarray(values).numbers())
    return ordered[math.ceil(share * (len(ordered) - 1))]


def std(values: Any, axis: Literal[0] | None = None, ddof: int = 0) -> Any:
    """The standard deviation."""
    return sqrt(asarray(values).astype(float64).var(axis, ddof))


def mean(values: Any, axis: int | None = None) -> Any:
    return asarray(values).mean(axis)


def any_(values: Any) -> bool:
    return asarray(values).any()


# -- bits --------------------------------------------------------------------------------------------------


_SHIFTS = {"little": range(8), "big": range(7, -1, -1)}


def packbits(values: Any, axis: int | None = None, bitorder: Literal["big", "little"] = "big") -> ndarray:
    """Eight elements a byte, along the last axis; axis None: of all elements."""
    found = asarray(values) if axis is not None else asarray(values).ravel()
    shape, rows = found.rows(-1)
    size = (found.shape[-1] + 7) // 8
    content = (
        sum(bool(bit) << shift for bit, shift in zip(row[8 * i : 8 * i + 8], _SHIFTS[bitorder], strict=False))
        for row in rows
        for i in range(size)
    )
    return made((*shape, size), uint8, content)


@cache
def _bits_of_bytes(order: Literal["big", "little"]) -> list[bytes]:
    return [bytes(byte >> shift & 1 for shift in _SHIFTS[order]) for byte in range(256)]


def unpackbits(
    values: Any, axis: int | None = None, count: int | None = None, bitorder: Literal["big", "little"] = "big"
) -> ndarray:
    """The bits of bytes, along the last axis, the first so many; axis None: of all bytes."""
    found = asarray(values) if axis is not None else asarray(values).ravel()
    of_byte = _bits_of_bytes(bitorder)
    content: bytes = found.tobytes()
    bits = frombuffer(bytearray().join(of_byte[byte] for byte in content), uint8)
    return bits.reshape(*found.shape[:-1], 8 * found.shape[-1])[..., :count]
