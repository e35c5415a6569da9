"""The article's player of 俄羅斯方塊 with its published weights, and how far its way of tuning gets.

The article says that the weights reach several thousand lines on its board (21 rows, 10 columns, over when
row 19 is touched), and that they were tuned on a lower one (row 7). In its program O turns into I. Beside it
stand the same player with an O that stays as it is, and one that reads the listing in the other way, as its
indentation is lost: with the test for short rows inside the loop over columns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench.report import Row, rate_row
from bench.tetris.article_runs import tune_as_the_article
from winnable.compiled.dice_kernels import new_dice
from winnable.games.tetris.article.kernels import play_game
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS
from winnable.games.tetris.article.tuning import (
    FULL_TOP,
    TRAINING_TOP,
    WIDTH,
    FourGames,
    board,
    survive_on,
    weight_array,
)
from winnable.tuning.survival import Survival

PLAIN_PIECES_PER_SECOND = 282_000
"""The same six figures written plainly for numba, by another program."""
THOUSANDS = 1000
MOST_PIECES = 10_000_000
"""No row plays more, however good its weights."""
TUNABLES = (FourGames("article-mean", "mean"), FourGames("article-min", "min"))


def rows(
    games: int = 100,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    runs: int = 2,
    pieces: float = 1e6,
) -> Iterator[Row]:
    """Lines per game, with the exact interval for games that last exponentially long (`Survival.interval`).

    games:  of each row
    runs:   of either way of tuning, from the seeds `seed`, `seed` + 1 ...
    pieces: that a run may place; then its best weights play on both boards
    """
    parts: list[Iterator[Row]] = [_published(games, seed)]
    parts += [_tuned(tunable, seed + run, games, pieces) for tunable in TUNABLES for run in range(runs)]
    for done, part in enumerate(parts, 1):
        yield from part
        if progress is not None:
            progress(done, len(parts))


def _published(games: int, seed: int) -> Iterator[Row]:
    weights, dice = weight_array(ARTICLE_WEIGHTS), new_dice(seed)
    play_game(board(FULL_TOP), weights, new_dice(seed), 1)  # compiles
    started = time.process_time()
    played = [play_game(board(FULL_TOP), weights, dice, MOST_PIECES) for _ in range(games)]
    seconds = time.process_time() - started
    placed, lines = sum(game.pieces for game in played), sum(game.lines for game in played)
    over = sum(game.over for game in played)
    seen = Survival(over, placed, float(lines), None, over == games)
    name = "published weights, full board"
    yield lines_row(f"{name} (claimed: several thousand)", seen, seed)
    many = sum(game.lines >= THOUSANDS for game in played)
    yield rate_row(f"{name}: games of 1,000 lines or more", many, games, seed)
    unsent = sum(game.unsent for game in played)
    yield Row(f"{name}: pieces without any value below 1000", unsent, n=placed, seed=seed)
    yield Row(f"{name}: speed", placed / seconds, "pieces/s", n=placed, reference=PLAIN_PIECES_PER_SECOND)
    stays = survive_on(board(FULL_TOP, False), ARTICLE_WEIGHTS, seed, games, MOST_PIECES)
    yield lines_row(f"{name}, O stays as it is", stays, seed)
    once_a_column = (*ARTICLE_WEIGHTS[:4], *(WIDTH * weight for weight in ARTICLE_WEIGHTS[4:]))
    other = survive_on(board(FULL_TOP), once_a_column, seed, games, MOST_PIECES)
    yield lines_row(f"{name}, short rows counted once a column", other, seed)
    low = survive_on(board(TRAINING_TOP), ARTICLE_WEIGHTS, seed, games, MOST_PIECES)
    yield lines_row("published weights, training board", low, seed)


def _tuned(tunable: FourGames, seed: int, games: int, pieces: float) -> Iterator[Row]:
    found = tune_as_the_article(tunable, seed, pieces)
    name = f"{tunable.name}, seed {seed}"
    yield Row(f"{name}: evaluations", found.evaluations, n=found.pieces, seed=seed)
    yield Row(f"{name}: what its best four games said", found.fitness, "lines", n=4, seed=seed)
    for where, top in (("training board", TRAINING_TOP), ("full board", FULL_TOP)):
        seen = survive_on(board(top), found.weights, seed, games, MOST_PIECES)
        yield lines_row(f"{name}, {where}", seen, seed)


def lines_row(name: str, seen: Survival, seed: int) -> Row:
    """Lines per game; n counts games that ended. If none did: the lines so far, without an interval."""
    if not seen.deaths:
        return Row(f"{name}: lines of the first game, which goes on", seen.reward, "lines", n=0, seed=seed)
    low, high = (seen.reward / seen.steps / hazard for hazard in reversed(seen.interval()))
    return Row(f"{name}: lines per game", seen.reward / seen.deaths, "lines", low, high, seen.deaths, seed)
