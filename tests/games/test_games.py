"""What every game of the registry must hold. A new game is picked up here by itself."""

import pytest

from winnable.contract.game import Game
from winnable.contract.registry import GAMES, load_game
from winnable.testing import GameContract


class TestGames(GameContract):
    @pytest.fixture(params=list(GAMES))
    def game(self, request: pytest.FixtureRequest) -> Game:
        return load_game(request.param)
