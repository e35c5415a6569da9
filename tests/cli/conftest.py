"""Runs the command line in this process, with a small solver of its own that needs no compiler."""

import json
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest
from click.testing import CliRunner, Result

from winnable.core import Budget, SolveResult
from winnable.registry import load_game

SMALL = "7:0@0.0,0@8.0,1@16.0/1@4.4,1@12.4/0@8.8"
LOST = "3:0@0.0,1@8.0,2@16.0,0@24.0,1@32.0,2@40.0/3@0.0,4@8.0,5@16.0,3@24.0,4@32.0,5@40.0/3@0.0,4@8.0,5@16.0"
"""Of three slots two may rest, but the first three clicks are of three kinds."""

Run: TypeAlias = Callable[..., Result]


def plain_solver(puzzle: Any, state: Any, budget: Budget, seed: int) -> SolveResult:
    """Depth first with memory, over the contract alone."""
    path: list[int] = []
    seen: set[Any] = set()
    counts = [0, 0]

    def won(state: Any) -> bool | None:
        """None: out of budget."""
        if puzzle.is_goal(state):
            return True
        if state in seen:
            return False
        seen.add(state)
        counts[0] += 1
        if not budget.allows("depth first", counts[0], counts[1]):
            return None
        for action in puzzle.legal_actions(state):
            counts[1] += 1
            path.append(action)
            answer = won(puzzle.apply(state, action))
            if answer is not False:
                return answer
            path.pop()
        return False

    answer = won(state)
    if answer:
        return SolveResult("solved", tuple(path), len(path), None, False, *counts, budget.elapsed)
    return SolveResult("budget" if answer is None else "unsolvable", (), None, None, False, *counts, budget.elapsed)


@pytest.fixture(autouse=True)
def plain_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """`plain` becomes the first of triple's solvers."""
    solvers = cast(MutableMapping[str, Any], load_game("triple").solvers)
    others = dict(solvers)
    for name in others:
        monkeypatch.delitem(solvers, name)
    monkeypatch.setitem(solvers, "plain", plain_solver)
    for name, solver in others.items():
        monkeypatch.setitem(solvers, name, solver)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("solve", "level.json", code=0)`, in an empty folder; failures never show a traceback."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, code: int | None = 0, stdin: str | bytes | None = None) -> Result:
        from winnable.cli.app import app

        result = CliRunner().invoke(app, list(args), input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert "Traceback" not in result.output
        if code is not None:
            assert result.exit_code == code, result.output
        return result

    return run


@pytest.fixture
def level_file(tmp_path: Path) -> str:
    """A small winnable level."""
    game = load_game("triple")
    path = tmp_path / "small.json"
    path.write_bytes(encoded(game.parse_board(SMALL)))
    return str(path)


def encoded(level: Any) -> bytes:
    from winnable.library import encode_level

    return encode_level(level)


def document(result: Result) -> Any:
    """stdout is one JSON document and nothing else."""
    return json.loads(result.stdout)
