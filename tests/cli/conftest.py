"""The command line has a small solver of its own that needs no compiler."""

from pathlib import Path

import pytest

from tests.cli.cli_support import SMALL, encoded, plain_solver
from winnable.contract.abilities import Solves
from winnable.contract.registry import load_game
from winnable.games.triple.game import TripleGame


@pytest.fixture(autouse=True)
def plain_is_the_default(english: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """`plain` becomes the first of triple's solvers, also while a game is played."""

    monkeypatch.setattr(TripleGame, "live_solver", Solves.live_solver)
    monkeypatch.setattr(TripleGame, "solvers", {"plain": plain_solver, **TripleGame.solvers})


@pytest.fixture
def level_file(tmp_path: Path) -> str:
    """A small winnable level."""
    game = load_game("triple")
    path = tmp_path / "small.json"
    path.write_bytes(encoded(game.parse_board(SMALL)))
    return str(path)
