"""Children compile what a list names, in the order in which it is wanted, and are gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.driving import driven
from tests.waiting import PATIENCE, wait_until
from winnable.analysis import engine as engines
from winnable.compiled import compiling, jit, kernel_lists
from winnable.compiled.compile_worker import LOCKS
from winnable.compiled.compiling import Compilers, Readiness
from winnable.compiled.kernel_lists import Kernel, KernelList, Said
from winnable.contract.budget import Budget, Progress
from winnable.contract.game import Game
from winnable.contract.registry import load_game
from winnable.store import caches

BITS, SHAPES = "winnable.compiled.bit_kernels", "winnable.games.tetris.players.shape_kernels"
TYPES: list[Said] = ["int64", "uint64", "uint64[1C]"]
LISTED = [
    Kernel(f"{BITS}:trailing_zeros", "first", (1,), (), 0.1),
    Kernel(f"{BITS}:count_ones", "first", (1,), (), 0.1),
    Kernel(f"{SHAPES}:step_of", "second", (0, 0), (), 0.1),
    Kernel(f"{SHAPES}:small_step", "third", (0,), (), 0.1),
]
FIRST, ALL = 2, len(LISTED)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")


def _nothing() -> None:
    pass


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty."""
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kernels"


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch, cache: Path) -> list[Kernel]:
    """The kernels of a small game, tetris by name."""
    game = replace(load_game("tetris"), kernels=dict.fromkeys(("first", "second", "third"), _nothing))
    listed = list(LISTED)

    def load(name: str) -> Game:
        assert name == "tetris"
        return game

    def read(_: Game) -> KernelList:
        return KernelList(TYPES, listed)

    monkeypatch.setattr(compiling, "load_game", load)
    monkeypatch.setattr(kernel_lists, "read", read)
    return listed


@pytest.fixture
def compilers(listed: list[Kernel], monkeypatch: pytest.MonkeyPatch) -> Generator[Compilers]:
    """With one child."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    compilers = Compilers()
    try:
        yield compilers
    finally:
        compilers.close()
        assert compilers.join(PATIENCE)
        assert not _children()


def _children() -> list[int]:
    """All processes that compile for this one, also those that were forked."""
    asked = subprocess.run(["ps", "-eo", "pid,stat,args", "-ww"], capture_output=True, text=True, check=True)
    own: list[int] = []
    for line in asked.stdout.splitlines():
        if "winnable.compiled.compile_worker work" in line and not line.split()[1].startswith("Z"):
            own.append(int(line.split()[0]))
    return [pid for pid in own if _is_ours(pid)]


def _is_ours(pid: int) -> bool:
    """Others may compile on this machine, too."""
    try:
        told = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"WINNABLE_CACHE={os.environ['WINNABLE_CACHE']}\0".encode() in told


def _names(compilers: Compilers) -> list[str]:
    return [took.name.partition(":")[2] for took in compilers.took()]


def _errors(compilers: Compilers) -> list[str]:
    return [took.error for took in compilers.took() if took.error]


def test_a_part_is_compiled_then_the_rest_and_the_children_go(compilers: Compilers, cache: Path) -> None:
    told: list[Readiness] = []
    assert compilers.wait("tetris", tell=told.append)
    assert told == [Readiness(done, FIRST) for done in range(FIRST + 1)]
    assert len(list(cache.iterdir())) == FIRST
    assert compilers.wait("tetris", None)
    assert compilers.readiness("tetris", None) == compilers.missing() == Readiness(ALL, ALL)
    assert _errors(compilers) == []
    assert sorted(_names(compilers)) == ["count_ones", "small_step", "step_of", "trailing_zeros"]
    assert sorted(path.suffix for path in cache.iterdir()) == [".kernel"] * ALL
    assert compilers.join(PATIENCE)
    assert not _children()


def test_what_is_on_the_disk_needs_no_child(compilers: Compilers) -> None:
    assert compilers.wait("tetris", None)
    again, told = Compilers(), list[Readiness]()
    assert again.want("tetris", None) == Readiness(ALL, ALL)
    assert again.wait("tetris", None, told.append)
    assert told == again.took() == []
    assert again.join(0)


@pytest.mark.skipif(os.name != "posix", reason="files are not locked")
def test_what_another_process_compiles_is_waited_for(compilers: Compilers, cache: Path) -> None:
    """As many workers may begin at once on one machine."""
    import fcntl

    with (caches.writable(LOCKS) / "compiling").open("ab") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        assert not compilers.wait("tetris", cancelled=iter([False] * 20 + [True]).__next__)
        assert compilers.readiness("tetris").done == 0
    assert compilers.wait("tetris")
    assert len(list(cache.iterdir())) == FIRST


def test_who_gives_up_does_not_wait(compilers: Compilers) -> None:
    assert not compilers.wait("tetris", None, cancelled=lambda: True)


def test_nothing_is_left_when_closed_in_the_middle(compilers: Compilers) -> None:
    answers: list[bool] = []
    waiting = threading.Thread(target=lambda: answers.append(compilers.wait("tetris", None)))
    waiting.start()
    wait_until(_children, "a child")
    compilers.close()
    waiting.join(PATIENCE)
    assert answers == [False]
    assert compilers.join(PATIENCE)
    assert not _children()


def test_nothing_outlives_the_process_that_wants_it(cache: Path) -> None:
    code = """
from tests.compiled.test_compiling import _children
from tests.driving import driven
from tests.waiting import wait_until
from winnable.compiled.compiling import Compilers
Compilers().want("tetris", None)
wait_until(_children, "a child")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
    kept = {*cache.glob("*.kernel")}
    wait_until(lambda: not _children(), "the end of the children")
    assert {*cache.glob("*.kernel")} == kept


def test_a_killed_child_is_followed_by_another(compilers: Compilers) -> None:
    compilers.want("tetris", None)
    wait_until(_children, "a child")
    os.killpg(os.getpgid(_children()[0]), signal.SIGKILL)
    assert compilers.wait("tetris", None)
    assert _errors(compilers) == []
    assert compilers.readiness("tetris", None) == Readiness(ALL, ALL)


@pytest.mark.parametrize(
    "wrong",
    [
        Kernel(f"{BITS}:no_such_kernel", "first", (1,), (), 0.1),
        Kernel("winnable.no_such_module:kernel", "first", (1,), (), 0.1),
        Kernel(f"{BITS}:bit_length", "first", (2, 2, 2), (), 0.1),
    ],
)
def test_a_list_that_is_wrong_holds_nothing_up(
    compilers: Compilers, listed: list[Kernel], wrong: Kernel
) -> None:
    listed.insert(0, wrong)
    assert compilers.wait("tetris", None)
    failed = [took.name for took in compilers.took() if took.error]
    assert failed == ([wrong.name] if len(wrong.arguments) > 1 else []), "what is gone is not waited for"
    assert len(_names(compilers)) == ALL + len(failed)


def test_what_somebody_waits_for_goes_before_what_may_be_needed(
    compilers: Compilers, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may, popen = threading.Event(), cast(Any, subprocess.Popen)

    def held(*arguments: Any, **named: Any) -> subprocess.Popen[bytes]:
        assert may.wait(PATIENCE)
        return popen(*arguments, **named)

    monkeypatch.setattr(subprocess, "Popen", held)
    compilers.want("tetris", None, ahead=True)  # the first of it is with the child that is not there yet
    assert compilers.missing() == Readiness(0, 0)
    compilers.want("tetris", "third")
    assert compilers.missing() == Readiness(0, 1)
    may.set()
    assert compilers.wait("tetris", "third")
    order = [path.name for path in cache.iterdir()]
    assert len(order) <= FIRST, order
    assert compilers.wait("tetris", None)


def test_a_child_that_took_its_memory_is_followed_by_another(listed: list[Kernel], cache: Path) -> None:
    compilers = Compilers(memory=1)
    try:
        assert compilers.wait("tetris", None)
        assert _errors(compilers) == []
        assert len(list(cache.iterdir())) == ALL
    finally:
        compilers.close()
    assert compilers.join(PATIENCE)
    assert not _children()


def test_a_listed_kernel_is_compiled_elsewhere_and_no_other(compilers: Compilers, cache: Path) -> None:
    from numba import types

    listed = kernel_lists.kernel_named(LISTED[2].name)
    assert not compilers.compile_elsewhere(listed, (types.float64, types.int64)), "not with these types"
    assert not compilers.compile_elsewhere(listed, (types.unicode_type,))
    assert not compilers.compile_elsewhere(kernel_lists.kernel_named(LISTED[0].name), (types.uint64,))
    assert not cache.exists() or not list(cache.iterdir())
    assert compilers.compile_elsewhere(listed, (types.int64, types.int64))
    assert any("step_of" in path.name for path in cache.iterdir())
    shutil.rmtree(cache)
    assert not compilers.compile_elsewhere(listed, (types.int64, types.int64)), "its file did not last"


def test_work_that_calls_a_missing_kernel_begins_anew_once_its_part_is_there(
    compilers: Compilers, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba import types

    told: list[Progress] = []
    begun: list[int] = []

    def is_never_empty(kind: str) -> bool:
        return False

    def make(processes: int | None) -> Compilers:
        return compilers

    function = kernel_lists.kernel_named(LISTED[3].name).py_func
    kernel = jit.kernel(function)  # which has never been called

    def work() -> int:
        begun.append(1)
        return kernel(2)

    monkeypatch.setattr(compiling, "Compilers", make)
    monkeypatch.setattr(caches, "is_empty", is_never_empty)
    monkeypatch.setattr(jit, "elsewhere", None)
    engine = engines.Engine()
    monkeypatch.setattr(engines, "_of_process", lambda _: engine)  # pyright: ignore
    assert driven(engine.run(work, Budget()), told.append) == function(2)
    assert len(begun) == 2
    steps = [(one.stage, one.values["part"], one.values["done"], one.values["total"]) for one in told]
    assert {*steps[:-1]} == {(engines.COMPILING, "third", 0, 1)}
    assert steps[-1] == (engines.COMPILING, "third", 0, 0), "it goes on"
    assert compilers.missing_kernel(kernel, (types.int64,)) is None
    assert compilers.missing_kernel(kernel, (types.unicode_type,)) is None
