"""The engine of a process: programs are answered within their seconds where nothing is compiled yet, by what
needs no compiler; what waits for kernels holds nobody up; that kernels are compiled is said once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import winnable
from tests.driving import driven
from tests.fresh_python import ROOT
from tests.waiting import PATIENCE, wait_until
from winnable import words
from winnable.analysis import companion_of
from winnable.analysis import engine as engines
from winnable.analysis.by_proof import ByProof
from winnable.analysis.engine import COMPILING, Engine, engine
from winnable.analysis.margin import margins
from winnable.analysis.rating import rating_of
from winnable.analysis.verdicts import Point
from winnable.board import _Seconds as Seconds  # pyright: ignore[reportPrivateUsage]
from winnable.compiled import jit
from winnable.compiled.compiling import Missing, Readiness
from winnable.contract.core import Answer, Budget, Limit, Progress, Search, WinnableError, finish
from winnable.contract.registry import GAMES, load_game
from winnable.levels.find import find_level
from winnable.store import caches

NEVER = f"""
import winnable
from winnable.analysis import engine
engine.FIRST_SECONDS = {PATIENCE}
def wait(*_, **__):
    raise AssertionError("somebody waits for a compiler")
engine.Engine._compiled = wait
"""
LATE = """
import winnable, time
from winnable.analysis import engine
from winnable.contract.core import Progress
def wait(*_, **__):
    while True:
        yield Progress(engine.COMPILING, 0, 0, 0.0)
        time.sleep(0.01)
engine.Engine._compiled = wait
"""
"""As when the time is over before they are ready."""
EASY = {
    "triple": "triple:layers=2,sets=2,kinds=4#1",
    "drops": "drops/01-first-drops",
    "rotate": "rotate/01-one-turn",
}
LATEST = 15.0
"""Seconds that a question of one may take, on a machine with other things to do. On a quiet one it is 1.5."""


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
found = winnable.solve({EASY["triple"]!r}, seconds={PATIENCE})
print(found.status, found.first, winnable.load({EASY["triple"]!r}).push(*found.moves).standing)
board = winnable.load("2048:#1")
print({{*board.values({PATIENCE})}} == {{*board.legal_moves}}, board.hint({PATIENCE}) in board.legal_moves)
board = winnable.load("tetris:#1")
print(board.hint({PATIENCE}) in board.legal_moves)
print(winnable.load("drops/05-puddle").difficulty({PATIENCE}) is not None)
"""
    assert cold(NEVER + script, tmp_path) == "solved True won\nTrue True\nTrue\nTrue\n"


def test_what_is_not_known_in_time_is_said_to_be_open(tmp_path: Path) -> None:
    script = """
board = winnable.load("drops:slack=none#1")
print(board.verdict(0), board.line(0), board.hint(0))
found = board.solve(0)
print(found.status, found.limit.kind)
print(board.margin(0).wins is None, board.margin(0).fewest.open == len(board.legal_moves))
print(board.report(0) == winnable.Report("unknown"))
board = winnable.load("tetris:#1")
print(board.values(0), board.hint(0) in (None, *board.legal_moves))
board = winnable.load("2048:goal=11#1")
print(board.values(0), board.chance(0).share)
"""
    found = cold(LATE + script, tmp_path)
    assert found == "unknown None None\nbudget time\nTrue True\nTrue\n{} True\n{} None\n"


@pytest.mark.parametrize("name", GAMES)
def test_where_nothing_is_compiled_yet_a_question_keeps_to_its_seconds(name: str, tmp_path: Path) -> None:
    """Whatever is asked, and whether or not that suffices for an answer."""
    script = f"""
import time, winnable
def asked(question, *given):
    began = time.monotonic()
    found = question(*given)
    times.append(time.monotonic() - began)
    return found
times, board = [], winnable.load({name!r}, seed=1)
if {name in ("2048", "tetris")}:
    assert asked(board.hint, 1) in (None, *board.legal_moves)
    assert set(asked(board.values, 1)) <= set(board.legal_moves)
    asked(board.chance, 1)
    asked(board.difficulty, 1)
else:
    assert asked(board.verdict, 1) in ("winnable", "unknown")
    assert asked(board.hint, 1) in (None, *board.legal_moves)
    assert asked(board.margin, 1).legal == len(board.legal_moves)
    assert asked(board.solve, 1).status in ("solved", "budget")
    assert asked(board.report, 1).verdict in ("winnable", "unknown")
print(*times)
"""
    times = [float(seconds) for seconds in cold(script, tmp_path).split()]
    print(f"{name}: {', '.join(f'{seconds:.2f}' for seconds in times)} s")
    assert max(times) < LATEST


class _Compilers:
    """Has one kernel to compile, which is there after so many looks at how far it is.

    parts: whether the parts of games are compiled
    """

    def __init__(self, looks: int = 1, parts: bool = True) -> None:
        self.looks, self.parts, self.asked = looks, parts, list[tuple[Any, ...]]()
        self.is_closed = False

    def knows(self, game: str) -> bool:
        return True

    def missing(self) -> Readiness:
        return Readiness(int(not self.looks), 1)

    def readiness(self, game: str, part: str | None = "") -> Readiness:
        return Readiness(int(self.parts), 1)

    def want(self, game: str, part: str | None = "", ahead: bool = False) -> Readiness:
        self.asked.append((game, part))
        self.looks = max(0, self.looks - 1)
        return self.missing()

    def missing_kernel(self, kernel: Any, types: Any) -> Any:
        return Missing("drops", "solver", lambda: not self.looks) if self.looks else None

    def compile_elsewhere(self, kernel: Any, types: Any) -> bool:
        self.asked.append(("elsewhere",))
        return True

    def close(self) -> None:
        self.is_closed = True


Use = Callable[[_Compilers], Engine]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Makes an engine with these compilers that of the process."""
    made: list[Engine] = []

    def use(compilers: _Compilers) -> Engine:
        one = Engine()
        one._compilers = compilers  # type: ignore[assignment]  # pyright: ignore
        monkeypatch.setattr(engines, "_of_process", lambda _: one)  # pyright: ignore
        made.append(one)
        return one

    monkeypatch.setattr(jit, "elsewhere", None)
    monkeypatch.setattr(jit, "ENABLED", True)
    monkeypatch.setattr(caches, "is_empty", lambda _: False)  # pyright: ignore
    yield use
    for one in made:
        one.close()


def call_a_kernel() -> bool:
    """Whether others have compiled it."""
    return jit.elsewhere is not None and jit.elsewhere(None, ())


def calls_a_kernel(tries: list[int]) -> Callable[[], str]:
    def work() -> str:
        tries.append(1)
        assert not call_a_kernel(), "no list has it"
        return "done"

    return work


def test_a_kernel_that_is_missing_is_waited_for_and_the_work_begins_anew(use: Use) -> None:
    compilers, tries, told = _Compilers(looks=3), list[int](), list[Progress]()
    assert driven(use(compilers).run(calls_a_kernel(tries), Budget()), told.append) == "done"
    assert len(tries) == 2
    assert {*compilers.asked} == {("drops", "solver")}
    steps = [(one.stage, one.values["game"], one.values["part"], one.values["done"]) for one in told]
    assert steps == [(COMPILING, "drops", "solver", 0)] * 3
    assert [one.values["total"] for one in told] == [1, 1, 0], "then nobody waits any more"
    assert not call_a_kernel(), "outside of questions kernels are compiled where they are called"


def test_work_that_is_a_search_begins_anew_too(use: Use) -> None:
    tries: list[int] = []

    def work() -> Search[str]:
        tries.append(1)
        yield Progress("before", 0, 0, 0.0)
        assert not call_a_kernel()
        yield Progress("after", 0, 0, 0.0)
        return "done"

    told: list[Progress] = []
    assert driven(use(_Compilers(2)).run(work, Budget()), told.append) == "done"
    assert [one.stage for one in told] == ["before", COMPILING, COMPILING, "before", "after"]


def test_its_budgets_time_stands_still_meanwhile(use: Use) -> None:
    began, budget, told = time.monotonic(), Budget(), list[Progress]()
    driven(use(_Compilers(looks=9)).run(calls_a_kernel([]), budget), told.append)
    elapsed = budget.elapsed
    waited = told[-1].seconds
    assert waited >= 7 * engines.POLL_SECONDS
    assert elapsed <= time.monotonic() - began - waited
    assert elapsed >= 0


def test_what_a_game_needs_first_is_waited_for_likewise(use: Use) -> None:
    began, budget, told = time.monotonic(), Budget(), list[Progress]()
    compilers = _Compilers(looks=9, parts=False)
    driven(use(compilers).ready(load_game("drops"), budget), told.append)
    waited = [one.seconds for one in told if one.stage == COMPILING][-1]
    assert budget.elapsed <= time.monotonic() - began - waited
    assert {*compilers.asked} == {("drops", "")}
    ready = use(_Compilers())
    assert ready.is_ready(load_game("drops"))
    assert list(ready.ready(load_game("drops"), budget)) == []


def test_all_that_is_asked_waits_in_the_open(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that takes long is begun before what it needs is there: whoever waits may do something else."""
    use(_Compilers(looks=10**9, parts=False))
    monkeypatch.setattr(engines, "begun", lambda _: pytest.fail("it is not compiled"))  # pyright: ignore
    asked: list[Iterator[Any]] = [rating_of(find_level("drops:#1"), Budget())]
    for name in (EASY["triple"], "drops/05-puddle", "rotate/04-two-steps", "2048:#1", "tetris:#1"):
        game, level, _ = find_level(name)
        puzzle = game.puzzle(level)
        known, state = companion_of(game, level, puzzle), puzzle.initial()
        action = puzzle.legal_actions(state)[0]
        point = Point([state, puzzle.apply(state, action)], [action], 0)
        if isinstance(known, ByProof):
            asked += [
                known.decide(point, Budget()),
                known.blame(point, Budget()),
                known.needed(point, Budget()),
            ]
            asked += [margins(known, state, Budget()), known.ask(point, Budget(0))]
        else:
            asked.append(known.outlook(state, Budget()))
            asked += [known.weighed(state, Budget()), known.costs(point, Budget())]
    for stream in asked:
        stages = (one.stage for one in stream if isinstance(one, Progress))
        assert next((stage for stage in stages if stage != "first"), None) == COMPILING, stream


def test_work_that_no_clock_ends_has_children_compile(use: Use) -> None:
    compilers = _Compilers()
    one = use(compilers)
    assert one.patient(lambda: one.patient(lambda: True) and call_a_kernel())
    assert compilers.asked == [("elsewhere",)]
    with pytest.raises(ZeroDivisionError):
        one.patient(lambda: 1 // 0)
    assert not call_a_kernel()


def test_a_process_may_leave_all_compiling_to_children(use: Use) -> None:
    compilers = _Compilers()
    one = use(compilers)
    one.take_over(tells=False)
    assert call_a_kernel()
    assert compilers.asked == [("elsewhere",)]
    one.close()
    assert compilers.is_closed
    assert not call_a_kernel(), "nobody does it any more"


def test_and_not_for_longer_than_the_question_has(use: Use) -> None:
    tries: list[int] = []
    one = use(_Compilers(looks=10**9))
    budget = Seconds(0)
    assert budget.finish(one.run(calls_a_kernel(tries), budget)) is None
    assert budget.finish(one.ready(load_game("drops"), budget)) is None
    assert len(tries) == 1
    assert not call_a_kernel()


def test_a_first_answer_that_is_enough_ends_the_question(use: Use) -> None:
    engine = use(_Compilers(looks=10**9, parts=False))
    board = winnable.load("drops/01-first-drops")
    assert board.verdict(PATIENCE) == "winnable"
    assert engine.first_answers.pid is not None
    game, level, _ = find_level("rotate/01-one-turn")
    known = companion_of(game, level, game.puzzle(level))
    start = Point([known.puzzle.initial()], [], 0)
    answers = (answer for answer in known.ask(start, Budget()) if isinstance(answer, Answer))
    one, other = islice(answers, 2)
    assert (one.status, one.first) == ("budget", False)
    assert (other.status, other.first) == ("solved", True)
    assert known.line(start.state) == other.actions != ()


def test_a_search_that_is_dropped_while_it_waits_leaves_nothing_behind(use: Use) -> None:
    one = use(_Compilers(looks=10**9, parts=False))
    game, level, _ = find_level("triple:layers=26,sets=10,slots=4#1")
    state, budget = game.puzzle(level).initial(), Budget()
    waiting: list[Search[Any]] = [
        one.run(calls_a_kernel([]), budget),
        one.ready(game, budget),
        one.first(game, level, state, budget),
        one.first(game, level, state, budget),
    ]
    for _ in range(5):
        for search in waiting:
            assert isinstance(next(search), Progress)
    wait_until(lambda: not any(thread.name == "winnable-look" for thread in threading.enumerate()), "a look")
    for search in waiting:
        search.close()
    assert not call_a_kernel(), "this thread is at no question"
    game, level, _ = find_level("drops/05-puddle")
    found = finish(one.first(game, level, game.puzzle(level).initial(), Budget()))
    assert isinstance(found, Answer), "the next one is answered"
    assert found.status == "solved"


def test_between_two_steps_a_thread_may_drive_another_search(use: Use) -> None:
    """A kernel that is called there is no matter of the first one."""
    one = use(_Compilers(looks=10**9))

    def work() -> Search[None]:
        while True:
            yield Progress("working", 0, 0, 0.0)

    search = one.run(work, Budget())
    next(search)
    assert not call_a_kernel()
    next(search)
    search.close()


def test_a_list_that_cannot_be_used_holds_nothing_up(use: Use, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(_Compilers):
        def want(self, *_: Any, **__: Any) -> Readiness:
            raise ValueError("no list")

        def missing_kernel(self, kernel: Any, types: Any) -> Any:
            raise ValueError("no list")

    tries: list[int] = []
    one = use(Broken(parts=False))
    game = load_game("drops")
    finish(one.ready(game, Budget()))
    assert finish(one.run(calls_a_kernel(tries), Budget())) == "done", "it is compiled where it is called"
    assert len(tries) == 1
    assert "drops's kernels cannot be used" in caplog.text


def test_closed_compilers_end_what_waits_for_them(use: Use) -> None:
    compilers = _Compilers(looks=10**9)
    search = use(compilers).run(calls_a_kernel([]), Budget())
    next(search)
    compilers.close()
    with pytest.raises(WinnableError, match="closed"):
        finish(search)


def test_that_kernels_are_compiled_is_said_once(use: Use, capsys: pytest.CaptureFixture[str]) -> None:
    one = use(_Compilers(looks=0))
    finish(one.run(calls_a_kernel([]), Budget()))
    finish(one.ready(load_game("drops"), Budget()))
    assert not one.patient(call_a_kernel)
    assert capsys.readouterr().err == ""
    one = use(_Compilers(looks=5))
    for _ in range(2):
        list(islice(one.run(calls_a_kernel([]), Budget()), 2))
    assert capsys.readouterr().err.splitlines() == [words.t("cli.compiling.once")]
    one = use(_Compilers(looks=5))
    one.take_over(tells=False)
    finish(one.run(calls_a_kernel([]), Budget()))
    assert capsys.readouterr().err == ""
    one = use(_Compilers(looks=9, parts=False))
    game, level, _ = find_level("drops/01-first-drops")
    for _ in range(2):
        finish(one.first(game, level, game.puzzle(level).initial(), Budget()))
    assert capsys.readouterr().err.splitlines() == [words.t("cli.compiling.once")], (
        "while a first answer comes"
    )


def test_how_far_it_is_is_known_where_somebody_waits(use: Use) -> None:
    assert Engine().standing is None
    assert use(_Compilers(looks=1)).standing == Readiness(0, 1)
    assert use(_Compilers(looks=0)).standing is None


def test_a_process_that_was_forked_has_its_own(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody compiles there for its parent's children, which are none of its."""
    parent = use(_Compilers())
    parent.take_over(tells=False)
    assert engine() is parent
    assert call_a_kernel()
    child = use(_Compilers(looks=0))
    assert engine() is child
    assert not call_a_kernel()


def test_a_part_of_a_questions_seconds_is_a_budget_like_any_other() -> None:
    """Searches take theirs apart, and change them."""
    whole = Seconds(60)
    part = replace(whole.part(0.5), expanded=7)
    assert 29 < part.seconds <= 30
    assert (part.expanded, part.limit(7)) == (7, Limit("nodes", 7))
    whole.wait(1000)
    assert whole.elapsed >= 0, "what is compiled meanwhile counts"
    whole.cancel()
    assert part.is_cancelled
    assert whole.counting(5).limit(0) == Limit("cancelled")


def test_a_question_has_seconds() -> None:
    board = winnable.load("drops/01-first-drops")
    for ask in (board.verdict, board.hint, board.solve, board.report, board.margin, board.difficulty):
        with pytest.raises(WinnableError, match="seconds"):
            ask(-1)
