"""What happens at a limit of memory is said, with the option that raises it."""

from typing import Any

import pytest

from tests.cli.cli_support import Run, document, one_error
from winnable.cli.work import Work
from winnable.contract.abilities import solvers_of
from winnable.contract.registry import load_game

LARGE = "triple:#1"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("C", "its memory of 1 MiB is full; a larger --memory gives it more"),
        ("zh_CN.UTF-8", "内存用完（1 MiB）；加大 --memory 可放宽"),
    ],
)
def test_a_full_memory_is_told(run: Run, language: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", language)
    solve = "solve", LARGE, "--solver", "depth-first", "--memory", "1"
    assert words in run(*solve, code=3).stdout
    limit = document(run(*solve, "--json", code=3))["limit"]
    assert limit == {"kind": "memory", "value": 1}


def test_the_setting_holds_where_no_option_is_given(
    run: Run, level_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = list[int]()
    plain = solvers_of(load_game("triple"))["plain"]

    def noted(puzzle: Any, state: Any, budget: Any, seed: int) -> Any:
        given.append(budget.memory_mb)
        return plain(puzzle, state, budget, seed)

    triple: Any = load_game("triple")
    monkeypatch.setitem(triple.solvers, "plain", noted)
    run("solve", level_file)
    monkeypatch.setenv("WINNABLE_MEMORY", "500")
    run("solve", level_file)
    run("solve", level_file, "--memory", "77")
    assert given == [1024, 244, 77]
    monkeypatch.setenv("WINNABLE_MEMORY", "much")
    one_error(run("solve", level_file, code=2), "WINNABLE_MEMORY: much is no number of MiB from 64")


def test_what_the_system_does_not_have_is_one_line(
    run: Run, level_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhaust(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Work, "search", exhaust)
    one_error(run("solve", level_file, code=3), "there is not enough memory for this")


def test_the_studio_says_what_it_may_be_given(run: Run) -> None:
    one_error(run("studio", "--memory", "3", code=2), "--memory")
