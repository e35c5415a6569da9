"""How the article tunes its player: differential evolution, judged by four games on a low board.

The board is 10 wide and 21 high, but a cell in row 7 (a third of the height) ends the game; in the article's
text the board has 10 rows, as in `article-ten-rows`. Pieces turn as in its program, where O becomes I.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import isfinite
from typing import Literal

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import Search, WinnableError, finish
from winnable.contract.tunable import Judgement, Tunable
from winnable.games.tetris.article.kernels import NO_CAP, Board, form_table, game_played, play_game
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, FEATURES, ArticlePlayer
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.inert.arrays import F64, np
from winnable.tuning.survival import Survival

WIDTH, HEIGHT = 10, 21
FULL_TOP = HEIGHT - 2
TRAINING_TOP = HEIGHT // 3
TEXT_TOP = 10
"""Rows of the text's training board; a cell in the next one ends the game."""
GAMES = 4
CAPPED_ABOVE = 1000
"""Lines: by the mean, a game that has more is the limit of those after it."""
BOUND = 10.0
GAME_PIECES = 100_000
"""At most, where nothing else is said; the article has no such limit."""


@cache
def board(top: int, square_turns: bool = True) -> Board:
    """The article's board, that is over when a cell of the row `top` is filled. square_turns: see
    `form_table`."""
    return Board(WIDTH, HEIGHT, top, form_table(square_turns))


@dataclass(frozen=True, slots=True)
class FourGames:
    """The six weights, judged by lines in four games on the training board, which is over when a cell of the
    row `top` is filled; a step is a piece.

    by: `mean`, as in the article's program. A game with more than 1,000 lines is a limit for those after it:
        they stop as soon as they exceed it and then count as much.
        `min`, as in its text. A game stops as soon as it exceeds the least so far, which changes nothing.
    """

    name: str
    by: Literal["mean", "min"]
    genes: tuple[str, ...] = tuple(FEATURES)
    low: tuple[float, ...] = (-BOUND,) * len(FEATURES)
    high: tuple[float, ...] = (BOUND,) * len(FEATURES)
    start: tuple[float, ...] = ARTICLE_WEIGHTS
    steps: float = GAMES * GAME_PIECES
    top: int = TRAINING_TOP

    def player(self, genome: tuple[float, ...]) -> Callable[[SeededTetris, int], ArticlePlayer]:
        """The article's player with these weights."""
        return partial(ArticlePlayer, weights=genome)

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Search[Judgement]:
        """Play each game for at most a quarter of the steps, and one piece at least. The error of `min` is
        its value: the least of games that last geometrically long is geometric too, with a deviation as large
        as its mean. Raises WinnableError unless the genome is six finite numbers."""
        weights, dice = weight_array(genome), new_dice(seed)
        scores: list[int] = []
        pieces, cap = 0, NO_CAP
        for _ in range(GAMES):
            most = max(1, int(steps / GAMES))
            played = yield from game_played(board(self.top), weights, dice, most, cap)
            score = min(played.lines, cap)
            scores.append(score)
            pieces += played.pieces
            if self.by == "min" or score > CAPPED_ABOVE:
                cap = min(cap, score)
        if self.by == "min":
            return Judgement(-float(min(scores)), float(min(scores)), float(pieces))
        error = float(np.std(scores, ddof=1)) / GAMES**0.5
        return Judgement(-sum(scores) / GAMES, error, float(pieces))


def weight_array(genome: tuple[float, ...]) -> F64:
    """The genome as an array. Raises WinnableError unless it is six finite numbers."""
    if len(genome) != len(FEATURES) or not all(map(isfinite, genome)):
        raise WinnableError("tetris.genome", field="genome", given=genome, count=len(FEATURES))
    return np.array(genome, np.float64)


def survive_on(board: Board, weights: tuple[float, ...], seed: int, games: int, pieces: int) -> Survival:
    """Play game after game until so many are over or so many pieces are placed; steps are pieces, the reward
    is lines."""
    return finish(survived_on(board, weights, seed, games, pieces))


def survived_on(
    board: Board, weights: tuple[float, ...], seed: int, games: int, pieces: int
) -> Search[Survival]:
    """The same."""
    dice, array = new_dice(seed), weight_array(weights)
    over, placed, lines = 0, 0, 0
    while over < games and placed < pieces:
        played = yield from game_played(board, array, dice, pieces - placed)
        over += played.over
        placed += played.pieces
        lines += played.lines
    return Survival(over, placed, float(lines), None, over == games)


TUNABLES: dict[str, Tunable] = {
    tunable.name: tunable
    for tunable in (
        FourGames("article-mean", "mean"),
        FourGames("article-min", "min"),
        FourGames("article-ten-rows", "min", top=TEXT_TOP),
    )
}
"""For `tunables` in the game's `game.py`."""


def warm() -> None:
    """Compiles the article's player."""
    play_game(board(TRAINING_TOP), weight_array(ARTICLE_WEIGHTS), new_dice(0), 1)
