"""The article's two ways of tuning beside ours, on the article's own terms: its game, its six figures, as
many simulated pieces for each run, nothing known of good weights beforehand.

Each run's recommended weights then play on the training board (over at row 7) and on the full one (row 19),
with dice that no search saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import exp, floor, log, sqrt

import numpy as np

from bench.report import Row
from bench.tetris.article_runs import Tuned, tune_as_the_article, tune_by_hazard
from bench.tetris.article_table import lines_row
from winnable.games.tetris.article.hazard import ArticleHazard
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS
from winnable.games.tetris.article.tuning import (
    FULL_TOP,
    TRAINING_TOP,
    FourGames,
    board,
    survive_on,
)
from winnable.stats.quantiles import student_975
from winnable.tuning.seeds import RECOMMENDED, evaluation_seed
from winnable.tuning.survival import Survival

BOARDS = {"training board": TRAINING_TOP, "full board": FULL_TOP}
ARTICLE_WAYS = (FourGames("article-min", "min"), FourGames("article-mean", "mean"))
OURS = ArticleHazard("article-hazard")
TOPS = range(TRAINING_TOP, FULL_TOP + 1, 2)
MOST_PIECES = 100_000_000
"""No weights play more on a board, however good they are."""


def rows(
    games: int = 100,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    runs: int = 8,
    pieces: int = 1_000_000,
) -> Iterator[Row]:
    """What the published weights play on boards that are over sooner or later. For each run: lines and pieces
    of a game on both boards, lines with the exact interval for games that last exponentially long. Then for
    each way the geometric mean over its runs, and how many times as long our games are; 95 % by Student's t
    of the logarithms (for the ratio Welch's).

    games:  that the weights of each run play on each board
    runs:   of each way, at least two, from the seeds `seed`, `seed` + 1 ...
    pieces: no generation of a run begins after so many
    """
    if runs < 2:
        raise ValueError(f"runs: {runs} is less than 2")
    for top in TOPS:
        seen = survive_on(board(top), ARTICLE_WEIGHTS, seed, games, MOST_PIECES)
        yield lines_row(f"published weights, over at row {top}", seen, seed)
    ways = (*ARTICLE_WAYS, OURS)
    logs: dict[tuple[str, str], list[float]] = {(way.name, where): [] for way in ways for where in BOARDS}
    for done, (way, run) in enumerate(((way, run) for way in ways for run in range(seed, seed + runs)), 1):
        found = _tuned(way, run, pieces)
        yield Row(f"{way.name}, seed {run}: evaluations", found.evaluations, n=found.pieces, seed=run)
        for where, top in BOARDS.items():
            name = f"{way.name}, seed {run}, {where}"
            seen = survive_on(
                board(top), found.weights, evaluation_seed(run, RECOMMENDED), games, MOST_PIECES
            )
            yield lines_row(name, seen, run)
            yield Row(f"{name}: pieces per game", seen.steps / max(seen.deaths, 1), n=seen.deaths, seed=run)
            logs[way.name, where].append(_log_lines(seen))
        if progress is not None:
            progress(done, len(ways) * runs)
    for where in BOARDS:
        for way in ways:
            yield _geometric_mean(f"{way.name}, {where}: lines per game", logs[way.name, where], seed)
        for way in ARTICLE_WAYS:
            name = f"{OURS.name} / {way.name}, {where}"
            yield _ratio(name, logs[OURS.name, where], logs[way.name, where], seed)


def _tuned(way: FourGames | ArticleHazard, seed: int, pieces: int) -> Tuned:
    return (
        tune_by_hazard(way, seed, pieces)
        if isinstance(way, ArticleHazard)
        else tune_as_the_article(way, seed, pieces)
    )


def _log_lines(seen: Survival) -> float:
    """Half a line stands for none. A player that never died has what it cleared, which is too little."""
    return log(max(seen.reward, 0.5) / max(seen.deaths, 1))


def _geometric_mean(name: str, logs: Sequence[float], seed: int) -> Row:
    mean = float(np.mean(logs))
    half = student_975(len(logs) - 1) * float(np.std(logs, ddof=1)) / sqrt(len(logs))
    return Row(
        f"{name}, geometric mean", exp(mean), "lines", exp(mean - half), exp(mean + half), len(logs), seed
    )


def _ratio(name: str, ours: Sequence[float], theirs: Sequence[float], seed: int) -> Row:
    """B. L. Welch, Biometrika 34, 1947; the degrees of freedom are rounded down."""
    ratio = float(np.mean(ours) - np.mean(theirs))
    parts = [float(np.var(logs, ddof=1)) / len(logs) for logs in (ours, theirs)]
    variance = sum(parts)
    freedom = len(ours) - 1
    if variance > 0:
        shares = sum(part**2 / (len(logs) - 1) for part, logs in zip(parts, (ours, theirs), strict=True))
        freedom = max(1, floor(variance**2 / shares))
    half = student_975(freedom) * sqrt(variance)
    return Row(name, exp(ratio), "×", exp(ratio - half), exp(ratio + half), len(ours), seed)
