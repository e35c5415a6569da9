"""The command line has a small solver of its own that needs no compiler."""

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest

from tests.cli.cli_support import SMALL, encoded, plain_solver
from winnable.contract.abilities import Solves
from winnable.contract.registry import load_game
from winnable.games.triple.game import TripleGame


@pytest.fixture(autouse=True)
def plain_is_the_default(english: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """`plain` becomes the first of triple's solvers, also while a game is played."""

    monkeypatch.setattr(TripleGame, "live_solver", Solves.live_solver)
    solvers = cast(MutableMapping[str, Any], TripleGame.solvers)
    others = dict(solvers)
    for name in others:
        monkeypatch.delitem(solvers, name)
    monkeypatch.setitem(solvers, "plain", plain_solver)
    for name, solver in others.items():
        monkeypatch.setitem(solvers, name, solver)


@pytest.fixture
def level_file(tmp_path: Path) -> str:
    """A small winnable level."""
    game = load_game("triple")
    path = tmp_path / "small.json"
    path.write_bytes(encoded(game.parse_board(SMALL)))
    return str(path)
