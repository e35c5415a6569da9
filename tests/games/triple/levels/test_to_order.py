"""Levels as hard as asked: what is promised is measured again, by other games."""

import numpy as np
import pytest

from winnable.contract.core import Budget, LevelError, finish, replay
from winnable.contract.game import GaveUp
from winnable.games.triple.levels import to_order
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.levels.to_order import adjusted
from winnable.games.triple.players.fair_players import Quick
from winnable.games.triple.rules.level import Level, Tools
from winnable.games.triple.rules.puzzle import Triple

PARAMS = Params(layers=5, sets=2, kinds=8, side=4)


def share_won(level: Level, player: str, games: int) -> float:
    kinds = np.unique([tile.kind for tile in level.tiles], return_inverse=True)[1].astype(np.int32)
    won, _ = Quick(Triple(level), player, 77_777).play_deal(kinds, games)
    return won / games


@pytest.mark.parametrize(
    ("player", "share"), [("careful", 0.5), ("careful", 0.2), ("hurried", 0.05), ("hurried", 0.01)]
)
def test_the_player_wins_the_share_that_was_asked_for(player: str, share: float) -> None:
    level = finish(generate(PARAMS, 3))
    made = finish(adjusted(level, player, share, 3, Budget()))
    assert abs(share_won(made, player, 4000) - share) <= 0.03 + 0.02  # and its own noise
    assert [tile.kind for tile in made.tiles] != [tile.kind for tile in level.tiles]
    assert sorted(tile.kind for tile in made.tiles) == sorted(tile.kind for tile in level.tiles)
    assert made.certificate is not None
    puzzle = Triple(made)
    assert puzzle.is_goal(replay(puzzle, made.certificate.actions))
    assert made.provenance is not None
    assert made.provenance.params["win_rate"] == share


def test_the_same_seed_makes_the_same_level() -> None:
    level = finish(generate(PARAMS, 3))
    assert finish(adjusted(level, "hurried", 0.05, 3, Budget())) == finish(
        adjusted(level, "hurried", 0.05, 3, Budget())
    )


def test_what_is_not_found_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    easy = finish(generate(Params(layers=1, sets=2, kinds=3), 1))
    monkeypatch.setattr(to_order, "MOST_GAMES", 5000)
    with pytest.raises(GaveUp, match=r"difficulty: no level found of which 20\.0% of the games are won"):
        finish(adjusted(easy, "careful", 0.2, 1, Budget()))
    cancelled = Budget()
    cancelled.cancel()
    with pytest.raises(GaveUp, match="difficulty: the budget ran out after 0 games"):
        finish(adjusted(easy, "careful", 0.2, 1, cancelled))


def test_what_cannot_be_asked_is_refused() -> None:
    level = finish(generate(PARAMS, 3))
    with pytest.raises(LevelError, match="by: 'foresight' cannot be asked; there are: matching, hurried"):
        finish(adjusted(level, "foresight", 0.5, 1, Budget()))
    with pytest.raises(LevelError, match=r"difficulty: careful would win 0\.00% of its games"):
        finish(adjusted(level, "careful", 0.0, 1, Budget()))
    with pytest.raises(LevelError, match="tools: levels to order are made for the game without them"):
        finish(adjusted(Level(level.tiles, tools=Tools()), "careful", 0.5, 1, Budget()))
