"""Compiled kernels are kept where they should be and nowhere else; compiling takes no time of a budget."""

import stat
import sys
from pathlib import Path

import pytest

from tests.kernel_scripts import kept, run

DOUBLE = """
from winnable.compiled.jit import kernel
@kernel
def double(x: int) -> int:
    return 2 * x
assert double(21) == 42
print(*counts(double))
"""
LOADED, COMPILED = "1 0", "0 1"
modes = pytest.mark.skipif(sys.platform == "win32", reason="modes and XDG folders")


@modes
def test_the_second_process_does_not_compile_again(tmp_path: Path) -> None:
    assert run(tmp_path, DOUBLE, fresh=True) == COMPILED
    assert run(tmp_path, DOUBLE, fresh=True) == LOADED
    folder = tmp_path / "cache" / "winnable" / "kernels"
    assert [path.suffix for path in folder.iterdir()] == [".kernel"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@modes
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_is_neither_read_nor_written(tmp_path: Path, mode: int) -> None:
    run(tmp_path, DOUBLE)
    (path,) = kept(tmp_path)
    content = path.read_bytes()
    path.parent.chmod(mode)
    assert run(tmp_path, DOUBLE) == COMPILED
    path.unlink()
    assert run(tmp_path, DOUBLE) == COMPILED
    assert kept(tmp_path) == []
    path.write_bytes(content)
    path.parent.chmod(0o700)
    assert run(tmp_path, DOUBLE) == LOADED


@modes
def test_a_named_folder_is_used_instead_of_the_users(tmp_path: Path) -> None:
    named = tmp_path / "named"
    assert run(tmp_path, DOUBLE, WINNABLE_CACHE=str(named)) == COMPILED
    assert run(tmp_path, DOUBLE, WINNABLE_CACHE=str(named)) == LOADED
    (path,) = kept(tmp_path)
    assert path.parent == named / "kernels"


READ_ONLY = """
import os
may = os.access
os.access = lambda path, mode: not mode & os.W_OK and may(path, mode)  # root may always
"""


@modes
def test_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    named = tmp_path / "image"
    run(tmp_path, DOUBLE, WINNABLE_CACHE=str(named))
    before = kept(named)
    (named / "kernels").chmod(0o555)
    other = DOUBLE.replace("2 * x", "x + x")
    try:
        assert run(tmp_path, READ_ONLY + DOUBLE, WINNABLE_CACHE=str(named)) == LOADED
        assert run(tmp_path, READ_ONLY + other, WINNABLE_CACHE=str(named)) == COMPILED
        assert kept(tmp_path) == before
    finally:
        (named / "kernels").chmod(0o700)


def test_kernels_run_as_plain_python_when_asked(tmp_path: Path) -> None:
    plain = DOUBLE.replace("print(*counts(double))", "print(type(double).__name__)")
    assert run(tmp_path, plain, WINNABLE_JIT="0") == "function"
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


NUMBERS = """
from winnable.compiled.jit import kernel
@kernel
def times(x: int, y: int) -> int:
    return x * y
@kernel
def both(x: int) -> int:
    return times(x, 4) + times(x, 5)
assert both(2) == 18
print(len(times.overloads), *counts(times, both))
"""


def test_a_number_in_the_source_makes_no_form_of_its_own(tmp_path: Path) -> None:
    assert run(tmp_path, NUMBERS) == "1 0 2"
    assert len(kept(tmp_path)) == 2


COMPILING = """
import time
time.monotonic = time.process_time  # whoever else is at work
from winnable.contract.core import Budget
from winnable.compiled.jit import kernel
@kernel
def total(numbers) -> float:
    whole = 0.0
    for number in numbers:
        whole += number
    return whole
import numpy as np
budget, began = Budget(), time.monotonic()
assert total(np.ones(3)) == 3
compiling = time.monotonic() - began
assert compiling > 0.1
assert budget.elapsed < 0.5 * compiling, (compiling, budget.elapsed)
"""


def test_compiling_takes_no_time_of_a_budget(tmp_path: Path) -> None:
    run(tmp_path, COMPILING, fresh=True)


BORROWING = """
from typing import NamedTuple
import numpy as np
from numba.core.errors import NumbaError
from winnable.compiled.jit import borrowing_kernel, inlined_kernel, kernel
class Room(NamedTuple):
    one: np.ndarray
    two: np.ndarray
@inlined_kernel
def inner(room):
    return room.one[0] + room.two[0]
@kernel
def makes(room) -> int:
    return np.array([room.one[0]]).sum()
@DECORATOR
def outer(room) -> int:
    return inner(room) + makes(room)
@borrowing_kernel
def lends() -> int:
    return np.ones(3)
assert outer(Room(np.array([1]), np.array([2]))) == 4
((_, code),) = outer.inspect_llvm().items()
print("incref" in code.split("define ")[1])
try:
    lends()
except NumbaError:
    print("refused")
"""


@pytest.mark.parametrize(("decorator", "counts"), [("kernel", "True"), ("borrowing_kernel", "False")])
def test_a_borrowing_kernel_counts_no_references(tmp_path: Path, decorator: str, counts: str) -> None:
    """What it calls may make arrays; it may not."""
    assert run(tmp_path, BORROWING.replace("DECORATOR", decorator)) == f"{counts}\nrefused"
