"""The benchmark's rows are what its names say."""

from bench.tetris import article_table as tetris_article_table
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS
from winnable.games.tetris.article.tuning import FULL_TOP, TRAINING_TOP, board, survive_on
from winnable.tuning.survival import Survival


def test_rows_of_a_small_run() -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    found = {row.name: row for row in tetris_article_table.rows(3, 1, progress, runs=1, pieces=3000)}
    assert told == [(1, 3), (2, 3), (3, 3)]
    full = survive_on(board(FULL_TOP), ARTICLE_WEIGHTS, 1, 3, 10**7)
    row = found["published weights, full board (claimed: several thousand): lines per game"]
    assert (row.value, row.n) == (full.reward / 3, 3)
    assert row.ci_low is not None
    assert row.ci_high is not None
    assert row.ci_low < row.value < row.ci_high
    low = survive_on(board(TRAINING_TOP), ARTICLE_WEIGHTS, 1, 3, 10**7)
    assert found["published weights, training board: lines per game"].value == low.reward / 3
    assert {f"{name}, seed 1, full board: lines per game" for name in ("article-mean", "article-min")} <= set(
        found
    )


def test_a_game_that_goes_on_has_no_interval() -> None:
    row = tetris_article_table.lines_row("any", Survival(0, 100, 40.0, None, False), 1)
    assert (row.value, row.n, row.ci_low) == (40, 0, None)
    assert "goes on" in row.name
