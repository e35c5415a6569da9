"""Programs are answered within their seconds where nothing is compiled yet: by what needs no compiler, which
nobody waits for; that kernels are compiled is said once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fresh_python import ROOT
from tests.waiting import PATIENCE
from winnable import words
from winnable.analysis import in_time
from winnable.analysis.in_time import Question, patient
from winnable.compiled import jit
from winnable.compiled.compiling import Missing, Standing
from winnable.contract.core import Budget, SolveResult, WinnableError
from winnable.levels.find import find_level
from winnable.store import caches

NEVER = f"""
import winnable
from winnable.analysis import in_time
from winnable.compiled import compiling
in_time.FIRST_SECONDS = {PATIENCE}
def wait(*_, **__):
    raise AssertionError("somebody waits for a compiler")
compiling.Compilers.wait = wait
"""
LATE = NEVER.replace('raise AssertionError("somebody waits for a compiler")', "return False")
"""As when the time is over before they are ready."""
EASY = {
    "triple": "triple:layers=2,sets=2,kinds=4#1",
    "drops": "drops/01-first-drops",
    "rotate": "rotate/01-one-turn",
}


def cold(script: str, cache: Path) -> str:
    """What it prints in a process that finds nothing compiled; it must say once that kernels are."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=ROOT,
        env={**os.environ, "WINNABLE_CACHE": str(cache), "WINNABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [words.t("cli.compiling.once")], done.stderr
    return done.stdout


@pytest.mark.parametrize("name", EASY)
def test_what_can_be_won_is_answered_without_the_compiler(name: str, tmp_path: Path) -> None:
    script = f"""
board = winnable.load({EASY[name]!r})
print(board.verdict({PATIENCE}))
line = board.line(0)
print(board.hint(0) == line[0], board.copy().push(*line).standing)
print(board.report({PATIENCE}) == winnable.Report("winnable"))
"""
    assert cold(NEVER + script, tmp_path) == "winnable\nTrue won\nTrue\n"


def test_solutions_and_outlooks_too(tmp_path: Path) -> None:
    script = f"""
solution = winnable.solve({EASY["triple"]!r}, seconds={PATIENCE})
print(solution.status, winnable.load({EASY["triple"]!r}).push(*solution.moves).standing)
board = winnable.load("2048:#1")
print({{*board.values({PATIENCE})}} == {{*board.legal_moves}}, board.hint({PATIENCE}) in board.legal_moves)
board = winnable.load("tetris:#1")
print(board.hint({PATIENCE}) in board.legal_moves)
print(winnable.load("drops/05-puddle").difficulty({PATIENCE}) is not None)
"""
    assert cold(NEVER + script, tmp_path) == "solved won\nTrue True\nTrue\nTrue\n"


def test_what_is_not_known_in_time_is_said_to_be_open(tmp_path: Path) -> None:
    script = """
board = winnable.load("drops:slack=none#1")
print(board.verdict(0), board.line(0), board.hint(0))
solution = board.solve(0)
print(solution.status, solution.limit)
print(board.margin(0).wins is None, board.margin(0).fewest.open == len(board.legal_moves))
print(board.report(0) == winnable.Report("unknown"))
board = winnable.load("tetris:#1")
print(board.values(0), board.hint(0) in (None, *board.legal_moves))
board = winnable.load("2048:goal=11#1")
print(board.values(0), board.chance(0).share)
"""
    found = cold(LATE + script, tmp_path)
    assert found == "unknown None None\nbudget time\nTrue True\nTrue\n{} True\n{} None\n"


class _Compilers:
    """Has one kernel to compile, which is there as soon as somebody waits for it."""

    def __init__(self) -> None:
        self.waited: list[tuple[Any, ...]] = []

    def knows(self, game: str) -> bool:
        return True

    def standing(self, game: str) -> Standing:
        return Standing(1, 1)

    def want(self, game: str) -> None: ...

    def missing_kernel(self, kernel: Any, types: Any) -> Any:
        return None if self.waited else Missing("drops", "solver", lambda: bool(self.waited))

    def compile_elsewhere(self, kernel: Any, types: Any) -> bool:
        self.waited.append(("elsewhere",))
        return True

    def wait(self, game: str, part: str = "", *, cancelled: Callable[[], bool], **_: Any) -> bool:
        self.waited.append((game, part))
        return not cancelled()


@pytest.fixture
def compilers(monkeypatch: pytest.MonkeyPatch) -> _Compilers:
    fake = _Compilers()
    meanwhile = in_time._Meanwhile()  # pyright: ignore[reportPrivateUsage]
    meanwhile._compilers = fake  # type: ignore[assignment]  # pyright: ignore
    monkeypatch.setattr(in_time, "_meanwhile", lambda _process: meanwhile)  # pyright: ignore
    monkeypatch.setattr(jit, "elsewhere", None)
    monkeypatch.setattr(jit, "ENABLED", True)
    monkeypatch.setattr(caches, "is_empty", lambda _part: False)  # pyright: ignore
    return fake


def calls_a_kernel(tries: list[int]) -> Callable[[Budget], str]:
    def work(budget: Budget) -> str:
        tries.append(1)
        assert jit.elsewhere is not None
        assert not jit.elsewhere(None, ()), "no list has it"
        return "done"

    return work


def test_a_kernel_that_is_missing_is_waited_for_and_the_work_begins_anew(compilers: _Compilers) -> None:
    game, level, _ = find_level("drops/01-first-drops")
    tries: list[int] = []
    assert Question(game, level, PATIENCE).answer(calls_a_kernel(tries)) == "done"
    assert len(tries) == 2
    assert compilers.waited == [("drops", "solver")]
    assert jit.elsewhere is not None
    assert not jit.elsewhere(None, ()), "outside of questions kernels are compiled where they are called"


def test_work_that_no_clock_ends_has_children_compile(compilers: _Compilers) -> None:
    assert patient(lambda: jit.elsewhere and jit.elsewhere(None, ()))
    assert compilers.waited == [("elsewhere",)]


def test_and_not_for_longer_than_the_question_has(compilers: _Compilers) -> None:
    game, level, _ = find_level("drops/01-first-drops")
    tries: list[int] = []
    assert Question(game, level, 0).answer(calls_a_kernel(tries)) is None
    assert (len(tries), compilers.waited) == (1, [])


def test_a_first_answer_that_is_enough_ends_the_question(compilers: _Compilers) -> None:
    game, level, _ = find_level("drops/01-first-drops")
    told: list[Any] = []

    def learn(found: Any) -> bool:
        told.append(found)
        return True

    state = game.puzzle(level).initial()
    assert Question(game, level, PATIENCE).answer(calls_a_kernel([]), state, learn) is None
    assert isinstance(told[0], SolveResult)
    assert told[0].status == "solved"
    assert compilers.waited == []


def test_a_question_has_seconds() -> None:
    game, level, _ = find_level("drops/01-first-drops")
    with pytest.raises(WinnableError, match="seconds"):
        Question(game, level, -1)
