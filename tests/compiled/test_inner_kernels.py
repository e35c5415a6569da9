"""Kernels that only others call have no machine code of their own, and yet all of them work."""

from pathlib import Path

import pytest

from tests.fresh_python import printed
from tests.kernel_scripts import COUNTS

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
print(compilers.standing("tetris"))
"""
VALUES = f"""{COUNTS}
import numpy as np
from winnable.compiled.bit_kernels import count_ones
from winnable.games.tetris.players.kernels import figures_of, wells_in
column = np.uint64(0b1011001)
figures = figures_of(column), wells_in(np.uint64(0b10), column)
ones = count_ones(column)
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty."""
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kernels"


def kinds(cache: Path) -> list[str]:
    return sorted(f"{path.name.split('.')[1].split('-')[0]}{path.suffix}" for path in cache.iterdir())


INNER = ["bit_length.inner", "count_ones.inner", "trailing_zeros.inner"]
WHOLE = ["figures_of.kernel", "wells_in.kernel"]


def test_callers_are_whole_and_what_python_calls_after_all_is_compiled(cache: Path) -> None:
    printed(COMPILE, jit=True)
    assert kinds(cache) == sorted(INNER + WHOLE), "none of those that nobody calls"
    script = f"{VALUES}print(*figures)\nprint(ones)\n"
    figures, ones = printed(script, jit=False).splitlines()
    script = f"{VALUES}print(*figures, *counts(figures_of, wells_in))\nprint(ones, *counts(count_ones))\n"
    assert printed(script, jit=True).splitlines() == [f"{figures} 2 0", f"{ones} 0 1"]
    assert "count_ones.kernel" in kinds(cache)


def test_inner_kernels_are_not_missed_once_their_callers_are_there(cache: Path) -> None:
    printed(COMPILE, jit=True)
    for path in cache.glob("*.inner"):
        path.unlink()
    assert printed(COMPILE, jit=True) == "Standing(done=6, total=6)\n"
    assert kinds(cache) == WHOLE
    next(cache.glob("*figures_of*")).unlink()
    printed(COMPILE, jit=True)
    assert kinds(cache) == sorted(INNER + WHOLE)


def test_a_kernel_that_was_inner_for_another_game_is_made_whole(cache: Path) -> None:
    printed(COMPILE, jit=True)
    whole = COMPILE.replace(
        'count_ones", "first", (0,), (), 0.1, True', 'count_ones", "first", (0,), (), 0.1, False'
    )
    assert whole != COMPILE
    printed(whole, jit=True)
    assert kinds(cache) == sorted([*INNER, *WHOLE, "count_ones.kernel"])
