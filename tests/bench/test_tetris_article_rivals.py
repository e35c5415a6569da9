"""The benchmark's rows are what its names say."""

from math import exp, log, sqrt

import numpy as np
import pytest

from bench.tetris import article_rivals as rivals
from bench.tetris.article_runs import tune_by_hazard
from winnable.games.tetris.article.tuning import FULL_TOP, board, survive_on
from winnable.tuning.seeds import RECOMMENDED, evaluation_seed


def test_rows_of_a_small_run() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    found = {row.name: row for row in rivals.rows(5, 4, progress, runs=2, pieces=3000)}
    assert told == [(done, 6) for done in range(1, 7)]
    tuned = tune_by_hazard(rivals.OURS, 5, 3000)
    seen = survive_on(board(FULL_TOP), tuned.weights, evaluation_seed(5, RECOMMENDED), 5, rivals.MOST_PIECES)
    assert found["article-hazard, seed 5: evaluations"].n == tuned.pieces
    row = found["article-hazard, seed 5, full board: lines per game"]
    assert (row.value, row.n) == (seen.reward / 5, 5)
    assert found["article-hazard, seed 5, full board: pieces per game"].value == seen.steps / 5
    ours, theirs = (
        [found[f"{way}, seed {run}, full board: lines per game"].value for run in (4, 5)]
        for way in ("article-hazard", "article-min")
    )
    mean = found["article-hazard, full board: lines per game, geometric mean"]
    assert mean.value == pytest.approx(sqrt(ours[0] * ours[1]))
    assert mean.ci_low is not None
    assert mean.ci_low < mean.value
    ratio = found["article-hazard / article-min, full board"]
    assert ratio.value == pytest.approx(sqrt(ours[0] * ours[1] / theirs[0] / theirs[1]))


def test_the_intervals_are_students() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(2000):
        ours, theirs = rng.normal(log(5), 0.2, 8), rng.normal(0, 1, 8)
        row = rivals._ratio("any", list(ours), list(theirs), 0)  # pyright: ignore[reportPrivateUsage]
        assert row.ci_low is not None
        assert row.ci_high is not None
        hits += row.ci_low < 5 < row.ci_high
    assert 0.93 < hits / 2000 < 0.97
    one = rivals._geometric_mean("any", [0.0, 2.0], 0)  # pyright: ignore[reportPrivateUsage]
    assert one.value == pytest.approx(exp(1))
    assert one.ci_high == pytest.approx(exp(1 + 12.7062))


def test_one_run_has_no_interval() -> None:
    with pytest.raises(ValueError, match="runs"):
        next(rivals.rows(runs=1))
