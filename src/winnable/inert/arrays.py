"""`np`: numpy, imported when it is first used; the arrays of `plain` where it is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from winnable.inert.late import is_installed, late, late_module

IS_NUMPY = is_installed("numpy")
"""Whether `np` has all that numpy has."""

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike as ArrayLike
    from numpy.typing import NDArray

    I8: TypeAlias = NDArray[np.int8]
    I16: TypeAlias = NDArray[np.int16]
    I32: TypeAlias = NDArray[np.int32]
    I64: TypeAlias = NDArray[np.int64]
    U8: TypeAlias = NDArray[np.uint8]
    U16: TypeAlias = NDArray[np.uint16]
    U32: TypeAlias = NDArray[np.uint32]
    U64: TypeAlias = NDArray[np.uint64]
    F32: TypeAlias = NDArray[np.float32]
    F64: TypeAlias = NDArray[np.float64]
    Bools: TypeAlias = NDArray[np.bool_]
    U = np.uint64
else:
    from winnable.inert import plain

    np = late_module("numpy") if IS_NUMPY else plain
    ArrayLike = NDArray = I8 = I16 = I32 = I64 = U8 = U16 = U32 = U64 = F32 = F64 = Bools = Any
    U = late(lambda: np.uint64)


def distinct_rows(rows: U64, keys: U64) -> U64:
    """Each once, in any order. keys: uint64[rows]; rows that are equal have equal ones, others hardly ever"""
    size = 8 * rows.shape[1]
    if IS_NUMPY:
        order = np.argsort(keys)
        by_key = keys[order]
        again = np.flatnonzero(by_key[1:] == by_key[:-1])
        later, sooner = order[again + 1], order[again]
        if (rows.take(later, axis=0) != rows.take(sooner, axis=0)).any():
            return np.unique(rows.view(np.dtype((np.void, size)))).view(np.uint64).reshape(-1, rows.shape[1])
        first = np.ones(len(rows), np.bool_)
        first[later] = False
        return rows.take(np.flatnonzero(first), axis=0)
    content = rows.tobytes()
    distinct = sorted({content[first : first + size] for first in range(0, len(content), size)})
    return np.frombuffer(b"".join(distinct), np.uint64).reshape(-1, rows.shape[1])
