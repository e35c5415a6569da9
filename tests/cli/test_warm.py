"""Where nothing is compiled yet, `solve` first says what needs no compiling; `warm` says what it compiled."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.cli_support import Run, document
from tests.kernel_scripts import environment
from tests.waiting import PATIENCE
from winnable.compiled import kernel_lists
from winnable.compiled.kernel_lists import Kernel, KernelList
from winnable.contract.game import Game
from winnable.contract.registry import load_game

BOARD = "012/340"
COUNT_ONES = "winnable.compiled.bit_kernels:count_ones"
ONE_KERNEL = KernelList(["uint64"], [Kernel(COUNT_ONES, "solver", (0,), (), 0.1)])


@pytest.fixture
def one_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All that drops needs, other games need none; nothing is compiled."""

    def read(game: Game) -> KernelList:
        return ONE_KERNEL if game.name == "drops" else KernelList([], [])

    monkeypatch.setattr(kernel_lists, "read", read)
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("one_kernel")
def test_warm_compiles_once(run: Run) -> None:
    (entry,) = document(run("warm", "--json"))["kernels"]
    assert (entry["name"], entry["game"], entry["part"], entry["error"]) == (
        COUNT_ONES,
        "drops",
        "solver",
        "",
    )
    assert entry["seconds"] > 0
    assert document(run("warm", "--json"))["kernels"] == []


@pytest.mark.usefixtures("one_kernel")
def test_the_profile_is_a_table_of_kernels(run: Run) -> None:
    headings, _, row, *_ = run("warm", "--profile").stdout.splitlines()
    assert headings.split() == ["kernel", "seconds", "part"]
    assert re.fullmatch(rf"{re.escape(COUNT_ONES)} +\d+\.\d\d +drops: solver *", row)


@pytest.mark.usefixtures("one_kernel")
def test_what_cannot_be_compiled_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = KernelList(["uint64"], [Kernel(COUNT_ONES, "solver", (0, 0), (), 0.1)])
    monkeypatch.setattr(kernel_lists, "read", lambda _: wrong)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert COUNT_ONES in run("warm").output


def _solve(folder: Path) -> tuple[str, str]:
    """stdout and stderr, in Chinese."""
    done = subprocess.run(
        [sys.executable, "-m", "winnable", "solve", "drops", BOARD],
        env=environment(folder, LC_ALL="zh_CN.UTF-8", WINNABLE_CACHE=str(folder / "kernels-of-its-own")),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def _wins(line: str) -> bool:
    game = load_game("drops")
    puzzle: Any = game.puzzle(game.parse_board(BOARD))
    state = puzzle.initial()
    for name in line.split():
        state = puzzle.apply(state, puzzle.parse_action(name))
    return puzzle.is_goal(state)


@pytest.mark.skipif(sys.platform == "win32", reason="locales by LC_ALL")
def test_a_line_comes_before_anything_is_compiled_in_the_language_of_the_locale(tmp_path: Path) -> None:
    answer, notes = _solve(tmp_path)
    assert "正在编译内核" in notes
    (line,) = re.findall(r"可以获胜，至多 \d+ 步；其余正在准备：(.+)", notes)
    assert _wins(line)
    kernels = {*(tmp_path / "kernels-of-its-own" / "kernels").iterdir()}
    again, notes = _solve(tmp_path)
    assert notes == ""
    assert again.splitlines()[:2] == answer.splitlines()[:2]
    assert {path for path in kernels if path.suffix == ".kernel" and not path.exists()} == set()
