"""What must stay as it is unless a commit says otherwise: a game of each kind, as text, and what solvers find
and players choose, a number each. WINNABLE_GOLDEN=write writes the files anew."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from bench import signature
from winnable.contract.core import action_name, finish
from winnable.contract.registry import GAMES, load_game
from winnable.levels.find import made_level
from winnable.levels.identity import Identity
from winnable.play.session import Session

GOLDEN = Path(__file__).parent / "golden"
PLIES = 12
SEED = 20261125


def playthrough(name: str) -> Iterable[str]:
    """The board of the daily level, then each action and what it leads to, chosen by chance."""
    game = load_game(name)
    session = Session(finish(made_level(Identity(game, game.daily, SEED))))
    yield f"{session.level_id}\n{game.format_board(session.level)}\n"
    dice = random.Random(SEED)
    while True:
        yield f"\n{game.render(session.puzzle, session.state)}\n{session.standing}"
        legal = session.puzzle.legal_actions(session.state)
        yield f", {len(legal)} actions\n"
        if session.standing != "playing" or session.ply == PLIES:
            return
        action = legal[dice.randrange(len(legal))]
        yield f"\n{session.ply + 1}. {action_name(session.puzzle, action)}\n"
        session.act(action)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_went(name: str) -> None:
    compare(GOLDEN / f"{name}.txt", "".join(playthrough(name)))


@pytest.mark.parametrize("name", GAMES)
def test_solvers_find_and_players_choose_what_they_did(name: str) -> None:
    """As `winnable bench signature` prints it."""
    rows = [
        f"{row.name} {row.value:.0f}\n" for row in signature.rows(targets=name) if row.name != "signature"
    ]
    compare(GOLDEN / f"{name}.signature", "".join(rows))


def compare(path: Path, text: str) -> None:
    if os.environ.get("WINNABLE_GOLDEN") == "write":
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
