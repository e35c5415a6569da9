"""The child that gives first answers: whom it answers, what it survives, and that it never stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fresh_python import ROOT
from tests.waiting import PATIENCE
from winnable.analysis.uncompiled import Uncompiled
from winnable.contract.chance import Outlook
from winnable.contract.core import Answer, Budget, WinnableError, finish, replay
from winnable.contract.registry import GAMES
from winnable.levels.find import find_level

HARD = "triple:layers=26,sets=10,slots=4#1"
"""Nothing is said of it for a long time."""
LONG = 3600.0


@pytest.fixture
def first() -> Iterator[Uncompiled]:
    with Uncompiled() as first:
        yield first


def soon(happens: Callable[[], Any]) -> Any:
    """What it gives, as soon as that is something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := happens():
            return found
        time.sleep(0.01)
    raise AssertionError("it never happened")


def is_gone(pid: int) -> bool:
    """Also a zombie that nobody waits for is."""
    try:
        os.kill(pid, 0)
        return b") Z" in Path(f"/proc/{pid}/stat").read_bytes()
    except (ProcessLookupError, FileNotFoundError):
        return True


def ask(first: Uncompiled, name: str, budget: Budget) -> Answer | Outlook:
    game, level, _ = find_level(name)
    return finish(first.ask(game, level, game.puzzle(level).initial(), budget))


class Asking:
    """A question in a thread of its own."""

    def __init__(self, first: Uncompiled, name: str, budget: Budget) -> None:
        self.answer: Answer | Outlook | None = None
        self.error: WinnableError | None = None
        self._thread = threading.Thread(target=self._ask, args=(first, name, budget))
        self._thread.start()

    def _ask(self, first: Uncompiled, name: str, budget: Budget) -> None:
        try:
            self.answer = ask(first, name, budget)
        except WinnableError as error:
            self.error = error

    def end(self) -> Answer | Outlook | None:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.answer


def test_one_child_answers_for_all_games_also_from_the_middle_of_a_game(first: Uncompiled) -> None:
    pids: set[int | None] = set()
    for name in GAMES:
        game, level, _ = find_level("drops:slack=none#1" if name == "drops" else name, seed=1)
        puzzle = game.puzzle(level)
        state = puzzle.initial()
        state = puzzle.apply(state, puzzle.legal_actions(state)[0])
        found = finish(first.ask(game, level, state, Budget(60)))
        if isinstance(found, Answer):
            assert found.status == "solved"
            assert puzzle.is_goal(replay(puzzle, found.actions, state))
        else:
            assert found.by in game.players
            assert found.score is not None
        pids.add(first.pid)
    assert len(pids) == 1
    assert None not in pids


def test_the_same_question_gets_the_same_answer(first: Uncompiled) -> None:
    name = "2048:#5"
    game, level, _ = find_level(name)
    state = game.puzzle(level).initial()
    one, same, other = (finish(first.ask(game, level, state, Budget(60), seed)) for seed in (1, 1, 2))
    assert one == same != other


def test_it_keeps_to_its_budget(first: Uncompiled) -> None:
    found = ask(first, HARD, Budget(0.1))
    assert isinstance(found, Answer)
    assert found.status == "budget"
    assert found.limit is not None
    assert found.limit.kind == "time"


def test_it_stands_by(first: Uncompiled) -> None:
    assert first.pid is None
    first.start("drops", "2048")
    pid = first.pid
    assert pid is not None
    assert isinstance(ask(first, "drops/05-puddle", Budget(60)), Answer)
    assert first.pid == pid


def test_a_question_can_be_cancelled_and_the_child_goes_on(first: Uncompiled) -> None:
    budget = Budget(LONG)
    asking = Asking(first, HARD, budget)
    pid = soon(lambda: first.pid)
    budget.cancel()
    found = asking.end()
    assert isinstance(found, Answer)
    assert found.status == "budget"
    assert found.limit is not None
    assert found.limit.kind == "cancelled"
    assert isinstance(ask(first, "drops/05-puddle", Budget(60)), Answer)
    assert first.pid == pid or is_gone(pid)


def test_a_question_that_waits_for_its_turn_can_be_cancelled(first: Uncompiled) -> None:
    busy, waiting = Budget(LONG), Budget(LONG)
    asking = Asking(first, HARD, busy)
    soon(lambda: first.pid)
    second = Asking(first, "2048:#1", waiting)
    waiting.cancel()
    assert second.end() == Outlook()
    busy.cancel()
    asking.end()


def test_a_question_that_nobody_goes_on_with_is_in_nobodys_way(first: Uncompiled) -> None:
    """Neither one that is being answered nor one that waits for its turn."""
    game, level, _ = find_level(HARD)
    state = game.puzzle(level).initial()
    answered, waiting = (first.ask(game, level, state, Budget(LONG)) for _ in range(2))
    for _ in range(3):
        assert next(answered).stage == next(waiting).stage == "first"
    pid = first.pid
    waiting.close()
    answered.close()
    assert isinstance(ask(first, "drops/05-puddle", Budget(60)), Answer)
    assert first.pid == pid, "the child only ended its answer"


def test_a_player_chooses(first: Uncompiled) -> None:
    game, level, _ = find_level("2048:#1")
    puzzle = game.puzzle(level)
    state = puzzle.initial()
    chosen = finish(first.choose(game, level, state, Budget(60), "random"))
    assert chosen in puzzle.legal_actions(state)


def test_a_child_that_is_killed_is_started_once_more(first: Uncompiled) -> None:
    budget = Budget(LONG)
    asking = Asking(first, HARD, budget)
    pid = soon(lambda: first.pid)
    os.kill(pid, signal.SIGTERM)
    assert soon(lambda: first.pid not in (None, pid) and first.pid)
    assert is_gone(pid)
    budget.cancel()
    assert isinstance(asking.end(), Answer)
    assert asking.error is None


def test_one_that_dies_twice_is_one_error_and_the_next_question_is_answered(first: Uncompiled) -> None:
    asking = Asking(first, HARD, Budget(LONG))
    one = soon(lambda: first.pid)
    os.kill(one, signal.SIGTERM)
    os.kill(soon(lambda: first.pid not in (None, one) and first.pid), signal.SIGTERM)
    assert asking.end() is None
    assert asking.error is not None
    assert asking.error.code == "uncompiled.died"
    assert isinstance(ask(first, "drops/05-puddle", Budget(60)), Answer)


def test_one_that_dies_between_two_questions_is_not_noticed(first: Uncompiled) -> None:
    first.start()
    pid = soon(lambda: first.pid)
    os.kill(pid, signal.SIGTERM)
    assert isinstance(ask(first, "drops/05-puddle", Budget(60)), Answer)


def test_closing_leaves_no_process_also_in_the_middle_of_a_question() -> None:
    first = Uncompiled()
    asking = Asking(first, HARD, Budget(LONG))
    pid = soon(lambda: first.pid)
    first.close()
    found = asking.end()
    assert isinstance(found, Answer)
    assert found.status == "budget"
    assert is_gone(pid)
    assert first.pid is None
    first.close()
    with pytest.raises(WinnableError, match="closed"):
        ask(first, "drops/05-puddle", Budget(60))


@pytest.mark.parametrize("busy", [False, True])
def test_the_child_ends_when_its_parent_dies(busy: bool) -> None:
    asks = f"threading.Thread(target=lambda: ask(first, {HARD!r}, Budget(3600)), daemon=True).start()"
    script = f"""
import os, signal, threading, time
from tests.analysis.test_uncompiled import ask, Budget, Uncompiled
first = Uncompiled()
first.start()
{asks if busy else ""}
time.sleep(0.2)
print(first.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    pid = int(done.stdout)
    soon(lambda: is_gone(pid))


def test_what_should_not_have_been_raised_comes_with_where_it_was(first: Uncompiled) -> None:
    game, level, _ = find_level("drops/05-puddle")
    with pytest.raises(RuntimeError, match="Traceback"):
        finish(first.ask(game, level, "no state", Budget(60)))
    assert isinstance(ask(first, "drops/05-puddle", Budget(60)), Answer)


def test_python_that_cannot_be_started_is_one_error(
    first: Uncompiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WinnableError) as caught:
        ask(first, "drops/05-puddle", Budget(60))
    assert caught.value.code == "uncompiled.start"
