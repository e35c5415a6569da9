"""Runs the command line in this process, with a small solver of its own that needs no compiler."""

from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

from tests.cli.cli_support import SMALL, Run, encoded, plain_solver
from winnable import words
from winnable.contract.abilities import Solves
from winnable.contract.registry import load_game
from winnable.games.triple.game import TripleGame


@pytest.fixture(autouse=True)
def plain_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """`plain` becomes the first of triple's solvers, also while a game is played."""

    monkeypatch.setattr(TripleGame, "live_solver", Solves.live_solver)
    solvers = cast(MutableMapping[str, Any], TripleGame.solvers)
    others = dict(solvers)
    for name in others:
        monkeypatch.delitem(solvers, name)
    monkeypatch.setitem(solvers, "plain", plain_solver)
    for name, solver in others.items():
        monkeypatch.setitem(solvers, name, solver)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever the locale of those who test; a test may set LC_ALL to another before it runs a command."""
    monkeypatch.setenv("LC_ALL", "C")
    yield
    words.use("en")


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
