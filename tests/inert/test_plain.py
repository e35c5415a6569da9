"""Arrays in plain memory are as numpy's."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
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
