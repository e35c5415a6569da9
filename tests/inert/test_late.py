"""Late values are made once, by whatever thread is first, and compiled code sees what they stand for."""

from __future__ import annotations

import ast
import threading
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.kernel_scripts import run
from winnable.inert.late import ENABLED, Late, LateModule, exchange, made

SOURCE = Path(__file__).parents[2] / "src"
GAME_FILES = sorted(SOURCE.glob("winnable/games/*/game.py"))


def test_a_value_is_made_once_and_no_thread_has_it_unfinished() -> None:
    finished: list[str] = []

    def make() -> list[str]:
        time.sleep(0.02)
        return finished

    value = Late(make, lambda _: finished.append("finished"))
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(value.value()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 4
    assert value.count("finished") == 1


def test_a_value_that_stands_for_itself_is_no_late_one() -> None:
    assert made(7) == 7
    assert made(Late(lambda: Late(lambda: 7))) == 7
    assert made(LateModule("json")).dumps([]) == LateModule("json").dumps([]) == "[]"


def test_a_function_gets_what_late_values_stand_for() -> None:
    kept: Any = Late(lambda: 3)

    def called() -> int:
        return kept

    place: dict[str, Any] = {
        "number": Late(lambda: 4),
        "json": LateModule("json"),
        "called": called,
        "__name__": "ours",
    }
    exec("def whole():\n    return json.dumps([number, called()])", place)
    exchange(place["whole"])
    assert place["whole"]() == "[4, 3]"
    assert place["number"] == 4


KERNELS = """
import sys
from winnable.compiled.jit import kernel
from winnable.inert.arrays import U, np
from winnable.inert.late import late
BIG = late(lambda: U(2**63))
@kernel
def faculty(n):
    return n * faculty(n - 1) if n > 1 else 1
@kernel
def whole(n):
    return np.int64(BIG >> U(60)) + faculty(n)
assert not {"numba", "numpy"} & set(sys.modules)
import pickle, threading
found = []
threads = [threading.Thread(target=lambda: found.append(whole(4))) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(found, type(faculty).__name__, whole.__name__)
"""


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled")
def test_kernels_import_nothing_until_they_are_called(tmp_path: Path) -> None:
    assert run(tmp_path, KERNELS, fresh=True) == "[32, 32, 32] CPUDispatcher whole"


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.parent.name)
def test_late_modules_are_those_that_the_type_checker_sees(path: Path) -> None:
    (seen,) = (
        branch
        for branch in ast.parse(path.read_text("utf-8")).body
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
    )
    imported = {
        alias.asname or alias.name: f"{one.module}.{alias.name}"
        for one in seen.body
        if isinstance(one, ast.ImportFrom) and str(one.module).startswith("winnable")
        for alias in one.names
    }
    names = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    late = {name: one for name, one in vars(import_module(names)).items() if isinstance(one, LateModule)}
    assert {name: one.__name__ for name, one in late.items()} == imported
    assert all(made(one).__name__ == one.__name__ for one in late.values())
