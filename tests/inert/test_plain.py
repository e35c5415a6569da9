"""Arrays in plain memory are as numpy's."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from winnable.inert import plain

NUMBERS = {
    **{name: st.integers(*_limits) for name, *_limits in (
        *((f"int{n}", -(2 ** (n - 1)), 2 ** (n - 1) - 1) for n in (8, 16, 32, 64)),
        *((f"uint{n}", 0, 2**n - 1) for n in (8, 16, 32, 64)),
    )},
    "float32": st.floats(width=32, allow_nan=False),
    "float64": st.floats(allow_nan=False),
    "bool_": st.booleans(),
}  # fmt: skip
words = st.integers(0, 2**64 - 1)
slices = st.builds(slice, *[st.none() | st.integers(-4, 4)] * 2, st.sampled_from([None, 1, 2, -1, -2]))
indices = st.lists(st.integers(-4, 3) | slices, max_size=3).map(tuple)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any, st.SearchStrategy[Any]]:
    """The same array of both kinds, and what it may hold."""
    name = draw(st.sampled_from(sorted(NUMBERS)))
    shape = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple))
    theirs: Any = np.zeros(shape, getattr(np, name))
    theirs.flat = draw(st.lists(NUMBERS[name], min_size=theirs.size, max_size=theirs.size))
    ours: Any = plain.zeros(shape, getattr(plain, name))
    flat = plain.frombuffer(theirs.tobytes(), ours.dtype)
    for place, index in enumerate(np.ndindex(*shape)):
        ours[index] = flat[place]
    return ours, theirs, NUMBERS[name]


def assert_equal(ours: Any, theirs: Any) -> None:
    if not isinstance(ours, plain.ndarray):
        assert ours == theirs.item()
        return
    assert (ours.shape, ours.size, len(ours)) == (theirs.shape, theirs.size, len(theirs))
    assert ours.tolist() == theirs.tolist()
    assert ours.tobytes() == theirs.tobytes()


def part_of(array: Any, index: Any) -> Any:
    try:
        return array[index]
    except IndexError:
        return IndexError


@given(pairs(), indices, st.data())
def test_parts_are_read_written_and_shared(pair: Any, index: Any, data: st.DataObject) -> None:
    ours, theirs, element = pair
    assert_equal(ours, theirs)
    part, their_part = part_of(ours, index), part_of(theirs, index)
    if their_part is IndexError:
        assert part is IndexError
        return
    assert_equal(part, their_part)
    value = data.draw(element)
    copy, their_copy = ours.copy(), theirs.copy()
    ours[index] = theirs[index] = value
    assert_equal(ours, theirs)
    if isinstance(part, plain.ndarray):
        assert_equal(part, their_part)
        part.fill(other := data.draw(element))
        their_part.fill(other)
        assert_equal(ours, theirs)
        ours[index], theirs[index] = copy[index], their_copy[index]
        assert_equal(ours, theirs)


rows = st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=1)


@given(rows, st.sampled_from([*NUMBERS]))
def test_arrays_are_made_of_numbers(rows: list[list[int]], name: str) -> None:
    if name.startswith("u"):
        rows = [[abs(one) for one in row] for row in rows]
    assert_equal(plain.array(rows, getattr(plain, name)), np.array(rows, getattr(np, name)))
    assert_equal(plain.full((2, 3), rows[0][0]), np.full((2, 3), rows[0][0]))
    row, theirs = plain.zeros((3, 2), plain.int64), np.zeros((3, 2), np.int64)
    row[:] = rows[0]
    theirs[:] = rows[0]
    assert_equal(row, theirs)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2), st.integers(0, 1))
def test_how_far_floats_lie_apart(values: list[float], ddof: int) -> None:
    theirs = float(np.array(values).std(ddof=ddof))
    assert plain.array(values).std(ddof) == pytest.approx(theirs, rel=1e-9, abs=1e-6)


@given(st.lists(st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=3), min_size=1, max_size=9))
def test_deviations_along_an_axis(rows: list[list[float]]) -> None:
    ours: Any = plain.array(rows)
    theirs = np.array(rows)
    assert_equal(ours.var(axis=0), theirs.var(axis=0))
    assert_equal(plain.std(rows, axis=0), np.std(rows, axis=0))
    for name in ("tan", "arctan"):
        found = getattr(plain, name)(ours / 1e9).tolist()
        assert np.allclose(found, getattr(np, name)(theirs / 1e9), rtol=1e-14, atol=0)


def test_what_does_not_fit_is_refused() -> None:
    for kind in (plain, np):
        library: Any = kind
        array = library.zeros((2, 3))
        with pytest.raises(ValueError, match="broadcast"):
            array[:] = [1, 2]
        with pytest.raises(ValueError, match="inhomogeneous"):
            library.array([[1], [2, 3]])


OPERATORS = ("add", "sub", "mul", "and_", "or_", "xor", "floordiv", "mod", "lt", "eq", "ge")


@given(words, words, st.sampled_from(OPERATORS))
def test_words_wrap_around(x: int, y: int, name: str) -> None:
    operate = getattr(operator, name)
    if name in ("floordiv", "mod"):
        y = max(1, y)
    with np.errstate(over="ignore"):
        expected = operate(np.uint64(x), np.uint64(y))
    found = operate(plain.uint64(x), plain.uint64(y))
    assert found == expected
    assert isinstance(found, bool | plain.uint64)
    assert operate(plain.uint64(x), y) == operate(x, plain.uint64(y)) == expected


@given(words, st.integers(0, 63))
def test_words_are_shifted(x: int, places: int) -> None:
    ours, theirs = plain.uint64(x), np.uint64(x)
    assert ours << plain.uint64(places) == theirs << np.uint64(places)
    assert ours >> plain.uint64(places) == theirs >> np.uint64(places)
    assert ~ours == ~theirs


@given(words)
def test_numbers_become_others(x: int) -> None:
    for name in ("int8", "int32", "int64", "uint8", "uint32"):
        assert getattr(plain, name)(plain.uint64(x)) == getattr(np, name)(np.uint64(x)), name


INTEGERS = [name for name in NUMBERS if "int" in name]


@st.composite
def together(draw: st.DrawFn, names: list[str], count: int = 2) -> list[tuple[Any, Any]]:
    """Arrays of both kinds whose shapes are broadcast together, or a number."""
    shape = draw(st.lists(st.integers(0, 3), max_size=3))
    found: list[tuple[Any, Any]] = []
    for _ in range(count):
        name = draw(st.sampled_from(names))
        mine = [draw(st.sampled_from([n, 1])) for n in shape[draw(st.integers(0, len(shape))) :]]
        theirs: Any = np.zeros(mine, getattr(np, name))
        theirs.flat = draw(st.lists(NUMBERS[name], min_size=theirs.size, max_size=theirs.size))
        found.append(
            (plain.array(theirs.tolist(), getattr(plain, name)).reshape(*mine) if mine else None, theirs)
        )
    return [(ours, theirs) if ours is not None else (3, 3) for ours, theirs in found]


def assert_same(ours: Any, theirs: Any) -> None:
    """Types too."""
    assert_equal(ours, theirs)
    if isinstance(ours, plain.ndarray):
        assert ours.dtype.name == theirs.dtype.name


@given(
    together(INTEGERS),
    st.sampled_from(("add", "sub", "mul", "and_", "or_", "xor", "lt", "le", "eq", "ne", "truediv")),
)
@settings(max_examples=300)
def test_operators_wrap_around_and_broadcast(pair: Any, name: str) -> None:
    (x, their_x), (y, their_y) = pair
    operate = getattr(operator, name)
    if x is y or (name in ("and_", "or_", "xor") and "float" in str(np.result_type(their_x, their_y))):
        return
    with np.errstate(all="ignore"):
        expected = operate(their_x, their_y)
    try:
        found = operate(x, y)
    except ZeroDivisionError:
        assert name == "truediv"
        return
    assert_same(found, expected)
    for one, their_one in ((x, their_x), (y, their_y)):
        if isinstance(one, plain.ndarray):
            assert_same(one.astype(plain.uint16), their_one.astype(np.uint16))
            assert_same(one.T, their_one.T)


@given(together(["float32", "float64", "int16"]), st.sampled_from(("add", "sub", "mul", "lt", "ge")))
def test_floats_round(pair: Any, name: str) -> None:
    (x, their_x), (y, their_y) = pair
    with np.errstate(all="ignore"):
        expected = getattr(operator, name)(their_x, their_y)
    if x is not y and not np.isnan(expected).any():
        assert_same(getattr(operator, name)(x, y), expected)


def both(values: Any, name: str = "int64") -> tuple[Any, Any]:
    return plain.array(values, getattr(plain, name)), np.array(values, getattr(np, name))


grids = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=1, max_size=5)
)


@given(grids, st.data())
def test_arrays_are_indices(rows: list[list[int]], data: st.DataObject) -> None:
    ours, theirs = both(rows)
    height, width = theirs.shape
    downs = data.draw(st.lists(st.integers(-height, height - 1), min_size=1, max_size=5))
    acrosses = data.draw(st.lists(st.integers(-width, width - 1), min_size=len(downs), max_size=len(downs)))
    flags = data.draw(st.lists(st.booleans(), min_size=height, max_size=height))
    down, across, flag = both(downs), both(acrosses), both(flags, "bool_")
    indices: list[Callable[[int], Any]] = [
        lambda i: down[i],
        lambda i: (down[i], across[i]),
        lambda i: (slice(None), across[i]),
        lambda i: (down[i][:, None], across[i]),
        lambda i: flag[i],
        lambda i: (flag[i], 0),
        lambda i: (down[i], slice(None, None, -1)),
        lambda i: (..., None, across[i]),
        lambda i: (ours, theirs)[i] > 0,
    ]
    for index in indices:
        assert_same(ours[index(0)], theirs[index(1)])
        copy, their_copy = ours.copy(), theirs.copy()
        copy[index(0)] = their_copy[index(1)] = 7
        assert_same(copy, their_copy)
        copy[index(0)] += 1
        their_copy[index(1)] += 1
        assert_same(copy, their_copy)
    assert_same(ours.take(down[0], axis=0), theirs.take(down[1], axis=0))
    other, their_other = ours.copy(), theirs.copy()
    plain.bitwise_or.at(other, (down[0], across[0]), plain.array(8))
    np.bitwise_or.at(their_other, (down[1], across[1]), 8)
    assert_same(other, their_other)


@given(grids, st.sampled_from([None, 0, 1, -1]), st.sampled_from(("int16", "uint8", "float64")))
def test_reductions(rows: list[list[int]], axis: int | None, name: str) -> None:
    ours, theirs = both([[abs(one) for one in row] for row in rows] if name[0] == "u" else rows, name)
    for what in ("sum", "min", "max", "any", "all", "argmin", "argmax", "mean"):
        assert_same(getattr(ours, what)(axis=axis), getattr(theirs, what)(axis=axis))
    assert_same(plain.count_nonzero(ours, axis=axis), np.asarray(np.count_nonzero(theirs, axis=axis)))
    if axis is not None:
        assert_same(plain.argsort(ours, axis=axis), np.argsort(theirs, axis=axis, kind="stable"))
        assert_same(plain.sort(ours, axis=axis), np.sort(theirs, axis=axis))
        assert_same(plain.bitwise_or.reduce(both(rows)[0], axis), np.bitwise_or.reduce(both(rows)[1], axis))


@given(st.lists(st.floats(-1e9, 1e9), max_size=400))
def test_sums_add_in_numpys_order(values: list[float]) -> None:
    ours, theirs = both(values, "float64")
    assert ours.sum() == theirs.sum()


@given(grids, st.data())
def test_functions_of_whole_arrays(rows: list[list[int]], data: st.DataObject) -> None:
    numbers = [abs(one) for row in rows for one in row]
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    size = data.draw(st.integers(1, 20))

    def all_of(library: Any) -> Iterator[Any]:
        grid, flat = library.array(rows, library.int32), library.array(numbers, library.int64)
        for axis in (0, 1):
            yield library.concatenate([grid, grid[:1] if axis == 0 else grid[:, :1]], axis)
            yield library.stack([grid, grid], axis)
        yield from (library.hstack([grid, grid]), library.tile(flat, (2, 3)), library.append(flat, 5))
        yield library.repeat(grid, counts, axis=0)
        yield from (library.repeat(flat, 2), library.resize(flat, size), library.diff(flat))
        yield from library.split(library.concatenate([grid, grid], 1), 2, axis=1)
        yield from (library.cumsum(flat), library.cumsum(flat, dtype=library.int32))
        yield from (*library.nonzero(grid), library.flatnonzero(grid))
        yield from library.unique(grid, return_inverse=True, return_counts=True)
        yield from (library.isin(grid, [1, 2]), library.bincount(flat, minlength=4))
        yield from (library.searchsorted(library.sort(flat), flat), library.lexsort((flat[::-1], flat)))
        yield library.searchsorted(library.sort(flat), grid, side="right")
        yield from (library.clip(grid, -2, 3), library.where(grid > 0, grid, 0.5), library.abs(grid))
        yield from library.divmod(flat, 3)
        yield from (library.sqrt(flat), library.rint(flat / 4), library.bitwise_count(flat), -grid)
        yield from (
            library.isnan(flat / 2),
            library.full_like(grid, 3),
            library.ones(2),
            library.zeros_like(grid),
        )
        yield from (library.rot90(grid, size), library.fliplr(grid), library.flipud(grid), grid @ grid.T)
        yield library.quantile(flat, 0.8, method="higher")
        yield library.broadcast_to(flat, (2, len(numbers)))
        for order in ("little", "big"):
            packed = library.packbits(grid > 0, axis=1, bitorder=order)
            yield from (packed, library.packbits(grid > 0, bitorder=order))
            yield library.unpackbits(packed, axis=1, count=grid.shape[1], bitorder=order)
        words = library.arange(size, dtype=library.uint64)
        yield from (
            words.view(library.uint8),
            words.view(library.uint8).view("<u8"),
            words[::2].reshape(-1, 1),
        )
        grown = words.copy()
        grown.resize(size + 3, refcheck=False)
        yield grown

    for number, (ours, theirs) in enumerate(zip(all_of(plain), all_of(np), strict=True)):
        note(f"{number}")
        assert_same(ours, theirs)
