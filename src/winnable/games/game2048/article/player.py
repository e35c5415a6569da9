"""The article's player, as it is written, and an expectimax over the same features.

As written, a board is worth the *sum* of what all boards are worth that may follow, over each empty cell,
each new tile (0.95 for a 2, 0.05 for a 4) and each move, so many levels deep; not the best of the moves, and
not the mean over the cells. So boards with many moves and many empty cells are worth more. Among moves worth
the same the last one is played. The article leaves the order of moves open; here it is up, right, down, left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from winnable.contract.chance import Turn
from winnable.contract.core import Action, Player
from winnable.contract.methods import Settable
from winnable.games.game2048.article.features import FOUR, TWO, evaluate
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State

Value: TypeAlias = Callable[[Game2048, State, int], float]
"""(game, board after a move, levels) -> what the board is worth."""


def summed(game: Game2048, afterstate: State, depth: int) -> float:
    """The article's value of a board after a move."""
    if depth == 0:
        return evaluate(afterstate, game.rows, game.columns)
    total = 0.0
    for cell, exponent in enumerate(afterstate):
        if exponent:
            continue
        for tile, weight in ((1, TWO), (2, FOUR)):
            state = (*afterstate[:cell], tile, *afterstate[cell + 1 :])
            for after in _moved(game, state):
                total += weight * summed(game, after, depth - 1)
    return total


def expected(game: Game2048, afterstate: State, depth: int) -> float:
    """The mean over new tiles of the best move's value, by the game's own odds; 0 when there is no move."""
    if depth == 0:
        return evaluate(afterstate, game.rows, game.columns)
    return sum(
        chance * max((expected(game, after, depth - 1) for after in _moved(game, state)), default=0.0)
        for chance, state in game.outcomes(afterstate)
    )


def _moved(game: Game2048, state: State) -> list[State]:
    return [game.afterstate(state, action)[0] for action in game.legal_actions(state)]


class ArticlePlayer:
    """Plays the move whose board is worth most; of several such, the last one."""

    def __init__(
        self,
        value: Value,
        depth: int,
        puzzle: Seeded2048,
        seed: int = 0,
    ) -> None:
        """`seed` has no effect."""
        self._game, self._value, self._depth = puzzle.game, value, depth

    def choose(self, state: Turn[State]) -> Action:
        """On 4 × 4 by kernels, which are some thousand times as fast."""
        if self._game.rows == self._game.columns == 4:
            from winnable.games.game2048.article import games as article_games
            from winnable.games.game2048.board import kernels

            if max(state.state) <= kernels.MAX_EXPONENT:
                fours = self._game.level.fours
                return article_games.choose(state.state, self._value is summed, self._depth, fours)
        return self.choose_readably(state)

    def choose_readably(self, state: Turn[State]) -> Action:
        best, chosen = -1.0, -1
        for action in self._game.legal_actions(state.state):
            after, _ = self._game.afterstate(state.state, action)
            value = self._value(self._game, after, self._depth)
            if value >= best:
                best, chosen = value, action
        return chosen


class Depth(Struct, frozen=True):
    """Levels of the search. The article's program looks 2 deep; the 50 % that the article tells were measured
    with 1, which is the default."""

    depth: Annotated[int, Meta(ge=1, le=3)] = 1


def _player(value: Value, puzzle: Seeded2048, seed: int, settings: Depth) -> ArticlePlayer:
    return ArticlePlayer(value, settings.depth, puzzle, seed)


ARTICLE_PLAYERS: Mapping[str, Callable[[Any, int], Player[Any]]] = {
    "article": Settable(partial(_player, summed), Depth()),
    "article-expectimax": Settable(partial(_player, expected), Depth()),
}
