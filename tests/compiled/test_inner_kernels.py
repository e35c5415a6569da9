"""Kernels that only others call have no machine code of their own, and yet all of them work."""

import shutil
from pathlib import Path

import pytest

from tests.kernel_scripts import run

COMPILE = """
from dataclasses import replace
from winnable.compiled import compiling, kernel_lists
from winnable.compiled.compiling import Compilers
from winnable.compiled.kernel_lists import Kernel, KernelList
from winnable.contract.registry import load_game

BITS, WALL = "winnable.compiled.bit_kernels", "winnable.games.tetris.players.kernels"
listed = [
    Kernel(f"{BITS}:trailing_zeros", "first", (0,), (), 0.1, True),
    Kernel(f"{BITS}:bit_length", "first", (0,), (), 0.1, True),
    Kernel(f"{BITS}:count_ones", "first", (0,), (), 0.1, True),
    Kernel(f"{WALL}:holes_of", "first", (0,), (1,), 0.1, True),
    Kernel(f"{WALL}:figures_of", "first", (0,), (0, 1, 2), 0.1, False),
    Kernel(f"{WALL}:wells_in", "first", (0, 0), (2,), 0.1, False),
]
game = replace(load_game("tetris"), kernels={"first": lambda: None})
compiling.load_game = lambda name: game
kernel_lists.read = lambda game: KernelList(["uint64"], listed)
compilers = Compilers()
assert compilers.wait("tetris")
compilers.close()
assert not [took for took in compilers.took() if took.error], compilers.took()
print(compilers.readiness("tetris"))
"""
VALUES = """
import numpy as np
from winnable.compiled.bit_kernels import count_ones
from winnable.games.tetris.players.kernels import figures_of, wells_in
column = np.uint64(0b1011001)
figures = figures_of(column), wells_in(np.uint64(0b10), column)
ones = count_ones(column)
"""


def printed(cache: Path, script: str, jit: str = "1") -> str:
    return run(cache.parent, script, WINNABLE_CACHE=str(cache.parent), WINNABLE_JIT=jit)


def kinds(cache: Path) -> list[str]:
    return sorted(f"{path.name.split('.')[1].split('-')[0]}{path.suffix}" for path in cache.iterdir())


INNER = ["bit_length.inner", "count_ones.inner", "trailing_zeros.inner"]
WHOLE = ["figures_of.kernel", "wells_in.kernel"]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cache that was empty before."""
    cache = tmp_path_factory.mktemp("compiled") / "kernels"
    printed(cache, COMPILE)
    assert kinds(cache) == sorted(INNER + WHOLE), "none of those that nobody calls"
    return cache


@pytest.fixture
def cache(compiled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(compiled, tmp_path / "kernels"))


def test_callers_are_whole_and_what_python_calls_after_all_is_compiled(cache: Path) -> None:
    figures, ones = printed(cache, f"{VALUES}print(*figures)\nprint(ones)\n", jit="0").splitlines()
    script = f"{VALUES}print(*figures, *counts(figures_of, wells_in))\nprint(ones, *counts(count_ones))\n"
    assert printed(cache, script).splitlines() == [f"{figures} 2 0", f"{ones} 0 1"]
    assert "count_ones.kernel" in kinds(cache)


def test_inner_kernels_are_not_missed_once_their_callers_are_there(cache: Path) -> None:
    for path in cache.glob("*.inner"):
        path.unlink()
    assert printed(cache, COMPILE) == "Readiness(done=6, total=6)"
    assert kinds(cache) == WHOLE
    next(cache.glob("*figures_of*")).unlink()
    printed(cache, COMPILE)
    assert kinds(cache) == sorted(INNER + WHOLE)


def test_a_kernel_that_was_inner_for_another_game_is_made_whole(cache: Path) -> None:
    whole = COMPILE.replace(
        'count_ones", "first", (0,), (), 0.1, True', 'count_ones", "first", (0,), (), 0.1, False'
    )
    assert whole != COMPILE
    printed(cache, whole)
    assert kinds(cache) == sorted([*INNER, *WHOLE, "count_ones.kernel"])
