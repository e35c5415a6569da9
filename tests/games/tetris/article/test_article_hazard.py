"""Our tuning of the article's weights: bounded evaluations, equal pieces, and more lines than the
article's."""

import pickle
from math import log

import pytest

from bench.tetris.article_runs import tune_by_hazard
from winnable.contract.core import WinnableError, finish
from winnable.games.tetris.article.hazard import TUNABLES, ArticleHazard
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS
from winnable.games.tetris.article.tuning import board, survive_on

OURS = TUNABLES["article-hazard"]


def test_evaluations_are_bounded_and_repeatable() -> None:
    for steps in (0.5, 40, 2000, 1e6):
        judgement = finish(OURS.evaluate(ARTICLE_WEIGHTS, 5, steps))
        assert 1 <= judgement.cost <= max(1, steps)
        assert judgement == finish(pickle.loads(pickle.dumps(OURS)).evaluate(ARTICLE_WEIGHTS, 5, steps))
    assert judgement != finish(OURS.evaluate(ARTICLE_WEIGHTS, 6, 1e6))


def test_the_loss_is_the_log_hazard() -> None:
    many = ArticleHazard("many", top=9, deaths=400)
    judgement = finish(many.evaluate(ARTICLE_WEIGHTS, 1, 1e7))
    seen = survive_on(board(9), ARTICLE_WEIGHTS, 2, 400, 10**7)
    assert judgement.error == pytest.approx(0.05, rel=0.01)
    assert judgement.loss == pytest.approx(log(seen.deaths / seen.steps), abs=0.3)
    cut = finish(OURS.evaluate(ARTICLE_WEIGHTS, 1, 10))
    assert (cut.loss, cut.cost) == (log(0.5 / 10), 10), "nobody dies of ten pieces"


@pytest.mark.parametrize("genome", [(1.0,) * 5, (*ARTICLE_WEIGHTS[:5], float("inf"))])
def test_six_finite_weights_are_needed(genome: tuple[float, ...]) -> None:
    with pytest.raises(WinnableError, match="genome"):
        finish(OURS.evaluate(genome, 0, 10))


def test_tuning_stops_at_its_pieces_and_plays_better_than_what_it_began_with() -> None:
    low = ArticleHazard("low", top=9)
    found = tune_by_hazard(low, 3, 100_000)
    assert found == tune_by_hazard(low, 3, 100_000)
    assert found.pieces >= 100_000
    before = tune_by_hazard(low, 3, 1)
    assert before.evaluations < 30, "one generation"
    lines = [
        seen.reward / seen.deaths
        for seen in (survive_on(board(9), tuned.weights, 1, 100, 10**6) for tuned in (before, found))
    ]
    assert lines[1] > 2 * lines[0]
    assert lines[1] > 60
