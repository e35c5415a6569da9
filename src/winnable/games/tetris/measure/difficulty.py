"""How hard a board of tetris is for a person: how soon a hasty player's game is over."""

from __future__ import annotations

import random
from collections.abc import Callable

from winnable.contract.chance import Turn
from winnable.contract.core import Action, Budget, Search
from winnable.games.tetris.article.player import ArticlePlayer
from winnable.games.tetris.measure.long_run import Board
from winnable.games.tetris.players import kernels
from winnable.games.tetris.players.choice_kernels import choose
from winnable.games.tetris.players.shape_kernels import shape_table
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import SeededTetris, State
from winnable.stats.difficulty import Rating, Word, rating

HASTE = 0.2
"""How often the hasty player drops a piece anywhere; else it places it well."""
GAMES, MOST_PIECES = 40, 300
"""On the level's own pieces, which tell days apart by little: of 60 days in a row, the shortest game
had 67 pieces in the mean, the longest 87."""
WORDS: tuple[tuple[float, Word], ...] = ((10, "easy"), (15, "medium"), (20, "tricky"), (30, "hard"))
"""Up to which figure each word goes: 100, 67, 50 and 33 pieces."""


def rate(level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
    """The figure is 1000 by the number of pieces that a game has in the mean. None: the budget ended."""
    puzzle, rng, placed = SeededTetris(level), random.Random(seed), 0
    well = _player(puzzle)
    for games in range(GAMES):
        state = puzzle.initial()
        while (legal := puzzle.legal_actions(state)) and state.turn < MOST_PIECES:
            if not (yield from budget.allows("rating", placed + state.turn, games)):
                return None
            action = legal[int(rng.random() * len(legal))] if rng.random() < HASTE else well(state)
            state = puzzle.apply(state, action)
        placed += state.turn
    return rating(1000 * GAMES / max(1, placed), WORDS)


def _player(puzzle: SeededTetris) -> Callable[[Turn[State]], Action]:
    """Under the article's rules, by which controllers are slow, the article's."""
    level, game = puzzle.level, puzzle.game
    if level.rules == "article":
        return ArticlePlayer(puzzle).choose
    shapes, work = shape_table(level.rules), kernels.new_workspace(level.width)
    table = Board(level.width, level.height, rules=level.rules).herd().table

    def choose_well(turn: Turn[State]) -> Action:
        wall, piece = turn.state.wall, turn.state.piece
        action = choose(kernels.pack_wall(wall, level.width), level.height, piece, shapes, table, work)
        return game.legal_actions(turn.state)[0] if action == kernels.NOWHERE else int(action)

    return choose_well
