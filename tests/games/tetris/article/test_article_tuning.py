"""The article's fitness, game by game by an uncapped player, and its tuning."""

import pickle

import numpy as np
import pytest

from bench.tetris import article_runs
from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import Progress, Search, WinnableError, finish
from winnable.games.tetris.article import tuning as article_tuning
from winnable.games.tetris.article.kernels import NO_CAP, Board, Played, play_game
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, FEATURES
from winnable.games.tetris.article.tuning import TRAINING_TOP, TUNABLES, FourGames, board, survive_on
from winnable.games.tetris.players.kernels import F64, U64

MEAN, LEAST = FourGames("mean", "mean"), FourGames("min", "min")


class Scripted:
    """In place of `game_played`: games whose lines are given; each line takes a piece."""

    def __init__(self, *lines: int) -> None:
        self.lines, self.caps = list(lines), list[int]()

    def __call__(self, board: Board, weights: F64, dice: U64, most: int, cap: int) -> Search[Played]:
        self.caps.append(cap)
        lines = min(self.lines[len(self.caps) - 1], cap + 1, most)
        yield Progress("tuning", lines, 0, 0.0)
        return Played(lines, lines, True, 0)


@pytest.mark.parametrize(
    ("lines", "caps", "mean"),
    [
        ((5, 1000, 40, 3), (NO_CAP,) * 4, (5 + 1000 + 40 + 3) / 4),
        ((1500, 2000, 20, 1600), (NO_CAP, 1500, 1500, 1500), (1500 + 1500 + 20 + 1500) / 4),
        ((3000, 1200, 2000, 1300), (NO_CAP, 3000, 1200, 1200), (3000 + 1200 + 1200 + 1200) / 4),
    ],
)
def test_a_game_of_more_than_a_thousand_lines_limits_those_after_it(
    monkeypatch: pytest.MonkeyPatch, lines: tuple[int, ...], caps: tuple[int, ...], mean: float
) -> None:
    games = Scripted(*lines)
    monkeypatch.setattr(article_tuning, "game_played", games)
    assert finish(MEAN.evaluate(ARTICLE_WEIGHTS, 1, 1e6)).loss == -mean
    assert tuple(games.caps) == caps


def test_the_least_of_four_games_stops_the_others_early(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Scripted(50, 70, 20, 20)
    monkeypatch.setattr(article_tuning, "game_played", games)
    judgement = finish(LEAST.evaluate(ARTICLE_WEIGHTS, 1, 1e6))
    assert (judgement.loss, judgement.error) == (-20, 20)
    assert games.caps == [NO_CAP, 50, 50, 20]
    assert judgement.cost == 50 + 51 + 20 + 20


def test_the_games_are_those_of_the_dice() -> None:
    dice, weights = new_dice(7), np.array(ARTICLE_WEIGHTS)
    played = [play_game(board(TRAINING_TOP), weights, dice, 10**6) for _ in range(4)]
    judgement = finish(MEAN.evaluate(ARTICLE_WEIGHTS, 7, 4e6))
    assert judgement.loss == -sum(game.lines for game in played) / 4
    assert judgement.cost == sum(game.pieces for game in played)
    assert judgement.error == pytest.approx(np.std([game.lines for game in played], ddof=1) / 2)
    assert finish(LEAST.evaluate(ARTICLE_WEIGHTS, 7, 4e6)).loss <= 0


@pytest.mark.parametrize("name", TUNABLES)
def test_evaluations_are_bounded_and_repeatable(name: str) -> None:
    tunable = TUNABLES[name]
    judgement = finish(tunable.evaluate(tunable.start, 5, 40))
    assert judgement == finish(pickle.loads(pickle.dumps(tunable)).evaluate(tunable.start, 5, 40))
    assert judgement.cost <= 40
    assert finish(tunable.evaluate(tunable.start, 5, 0.5)).cost <= 4
    assert tunable.genes == tuple(FEATURES)
    assert all(
        low <= start <= high
        for low, start, high in zip(tunable.low, tunable.start, tunable.high, strict=True)
    )


@pytest.mark.parametrize("genome", [(1.0,) * 5, (*ARTICLE_WEIGHTS[:5], float("nan"))])
def test_six_finite_weights_are_needed(genome: tuple[float, ...]) -> None:
    with pytest.raises(WinnableError, match="genome"):
        finish(MEAN.evaluate(genome, 0, 10))


def test_tuning_finds_more_than_random_weights_and_stops_at_its_pieces() -> None:
    found = article_runs.tune_as_the_article(MEAN, 3, 30_000)
    assert found == article_runs.tune_as_the_article(MEAN, 3, 30_000)
    assert found.pieces >= 30_000
    assert found.evaluations % article_runs.POPULATION == 0
    assert all(abs(weight) <= 10 for weight in found.weights)
    rng = np.random.default_rng(1)
    others = [tuple(map(float, rng.uniform(-10, 10, 6))) for _ in range(9)]
    lives = [survive_on(board(TRAINING_TOP), weights, 1, 50, 10**5) for weights in [found.weights, *others]]
    first, *rest = (life.reward / life.deaths for life in lives)
    assert first > sorted(rest)[4]


def test_lives_stop_at_games_or_pieces() -> None:
    games = survive_on(board(TRAINING_TOP), ARTICLE_WEIGHTS, 1, 5, 10**6)
    assert (games.deaths, games.stopped) == (5, True)
    pieces = survive_on(board(TRAINING_TOP), ARTICLE_WEIGHTS, 1, 10**6, 1000)
    assert (pieces.steps, pieces.stopped) == (1000, False)
    assert pieces.deaths == pieces.counted
