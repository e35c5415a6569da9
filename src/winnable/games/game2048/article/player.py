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
from winnable.contract.core import Action, Budget, Found, Player, Search, searching
from winnable.contract.methods import Settable
from winnable.games.game2048.article.features import FOUR, TWO, evaluate
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State
from winnable.search.meter import Meter

Leaf: TypeAlias = Callable[[State, int, int], float]
"""(board after a move, rows, columns) -> what it is worth at a glance."""
Value: TypeAlias = Callable[[Game2048, State, int, Meter, Leaf], Found[float]]
"""(game, board after a move, levels above the leaves, meter, leaf) -> what the board is worth."""


def summed(
    game: Game2048, afterstate: State, depth: int, meter: Meter, leaf: Leaf = evaluate
) -> Search[float]:
    """The article's value of a board after a move."""
    if depth == 0:
        return leaf(afterstate, game.rows, game.columns)
    total = 0.0
    for cell, exponent in enumerate(afterstate):
        if exponent:
            continue
        for tile, weight in ((1, TWO), (2, FOUR)):
            state = (*afterstate[:cell], tile, *afterstate[cell + 1 :])
            for after in _moved(game, state):
                total += weight * (yield from summed(game, after, depth - 1, meter, leaf))
            yield from _told(meter)
    return total


def expected(
    game: Game2048, afterstate: State, depth: int, meter: Meter, leaf: Leaf = evaluate
) -> Search[float]:
    """The mean over new tiles of the best move's value, by the game's own odds; 0 when there is no move."""
    if depth == 0:
        return leaf(afterstate, game.rows, game.columns)
    parts: list[float] = []
    for chance, state in game.outcomes(afterstate):
        best = 0.0
        for after in _moved(game, state):
            best = max(best, (yield from expected(game, after, depth - 1, meter, leaf)))
        parts.append(chance * best)
        yield from _told(meter)
    return sum(parts)


def _told(meter: Meter) -> Search[None]:
    """Of one more board that was looked at."""
    meter.expanded += 1
    if meter.is_due:
        yield from meter.allows("outlook")


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

    def choose(self, state: Turn[State]) -> Search[Action]:
        """Chooses by the article's search, on 4 × 4 by kernels, which are some thousand times as fast."""
        if self._game.rows == self._game.columns == 4:
            from winnable.games.game2048.article import games as article_games
            from winnable.games.game2048.board import kernels

            if max(state.state) <= kernels.MAX_EXPONENT:
                sums, fours = self._value is summed, self._game.level.fours
                return self._choose(
                    state,
                    0,
                    lambda board, rows, columns: article_games.worth(board, sums, self._depth, fours),
                )
        return self.choose_readably(state)

    def choose_readably(self, state: Turn[State]) -> Search[Action]:
        """The same choice by the readable rules alone."""
        return self._choose(state, self._depth, evaluate)

    def _choose(self, state: Turn[State], depth: int, leaf: Leaf) -> Search[Action]:
        best, chosen, meter = -1.0, -1, Meter(Budget())
        for action in self._game.legal_actions(state.state):
            after, _ = self._game.afterstate(state.state, action)
            value = yield from searching(self._value(self._game, after, depth, meter, leaf))
            yield from meter.allows("outlook")
            if value >= best:
                best, chosen = value, action
        return chosen


class Depth(Struct, frozen=True):
    """Levels of the search. The article's program looks 2 deep; the 50 % that the article tells were measured
    with 1, which is the default."""

    depth: Annotated[int, Meta(ge=1, le=3)] = 1


def _player(value: Value, puzzle: Seeded2048, seed: int, settings: Depth) -> ArticlePlayer:
    return ArticlePlayer(value, settings.depth, puzzle, seed)


ARTICLE_PLAYERS: Mapping[str, Callable[[Any, int], Player]] = {
    "article": Settable(partial(_player, summed), Depth()),
    "article-expectimax": Settable(partial(_player, expected), Depth()),
}
