"""Players of tetris: the published controllers, also looking ahead, the article's, and a random one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import astuple

from winnable.contract.chance import Turn
from winnable.contract.core import Action, Found, Player, Search
from winnable.contract.methods import Settable
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, ArticlePlayer
from winnable.games.tetris.players.ahead import LOOKING_AHEAD, LooksAhead
from winnable.games.tetris.players.controllers import CONTROLLERS, Controller
from winnable.games.tetris.players.herd import fast_choice
from winnable.games.tetris.rules.puzzle import SeededTetris, State, Tetris
from winnable.play.playing import RandomPlayer


class Controlled:
    """Places pieces as a controller says."""

    def __init__(self, controller: Controller, puzzle: SeededTetris, seed: int = 0) -> None:
        """`seed` has no effect."""
        self._controller, self._game = controller, puzzle.game

    def choose(self, state: Turn[State]) -> Search[Action]:
        """The controller's placement, step by step."""
        return self._controller.choosing(self._game, state.state)


class Ahead:
    """Places pieces as a controller says that looks one piece further: by kernels under the rules
    `simplified`, by the readable features under others."""

    def __init__(self, player: LooksAhead, puzzle: SeededTetris, seed: int = 0) -> None:
        """`seed` has no effect."""
        self._game = puzzle.game
        self._choose: Callable[[Tetris, State], Found[Action]] = player.choosing
        if puzzle.level.rules == "simplified":
            self._choose = fast_choice(player)

    def choose(self, state: Turn[State]) -> Found[Action]:
        """The placement of the controller that looks ahead."""
        return self._choose(self._game, state.state)


_Weight = Annotated[float, Meta(ge=-1e6, le=1e6)]


class Weights(Struct, frozen=True):
    """Of the article's six figures, in its order; what has the weight 0 plays no part. Its published ones."""

    space: _Weight = ARTICLE_WEIGHTS[0]
    height_difference: _Weight = ARTICLE_WEIGHTS[1]
    complete_rows: _Weight = ARTICLE_WEIGHTS[2]
    max_height: _Weight = ARTICLE_WEIGHTS[3]
    one_short: _Weight = ARTICLE_WEIGHTS[4]
    more_short: _Weight = ARTICLE_WEIGHTS[5]


def _article(puzzle: SeededTetris, seed: int, weights: Weights) -> ArticlePlayer:
    return ArticlePlayer(puzzle, seed, astuple(weights))


PLAYERS: Mapping[str, Callable[[Any, int], Player]] = {
    **{name: partial(Controlled, CONTROLLERS[name]) for name in reversed(CONTROLLERS)},
    **{name: partial(Ahead, LOOKING_AHEAD[name]) for name in reversed(LOOKING_AHEAD)},
    "article": Settable(_article, Weights()),
    "random": RandomPlayer,
}
