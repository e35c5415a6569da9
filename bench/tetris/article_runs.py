"""Whole runs that tune the article's six weights: its own search, and ours."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from winnable.contract.core import finish
from winnable.games.tetris.article.hazard import ArticleHazard
from winnable.games.tetris.article.tuning import FourGames
from winnable.optimize.cma_es import CMAES
from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.tuning.loop import GenerationEvent, State, tune
from winnable.tuning.seeds import evaluation_seed

POPULATION, ITERATIONS = 20, 1000
"""Of the article."""
MOST_EVALUATIONS = 10_000_000


class Tuned(NamedTuple):
    """What a run found. fitness: the four lucky games that made these weights the best of the run."""

    weights: tuple[float, ...]
    fitness: float
    evaluations: int
    pieces: int


def tune_as_the_article(tunable: FourGames, seed: int, pieces: float = inf) -> Tuned:
    """The article's search: 1,000 iterations of differential evolution with 20 genomes, its crossover 0.3 and
    factor 0.5 (where its program departs from the rule, see `DifferentialEvolution`). No generation begins
    after so many pieces."""
    optimizer = DifferentialEvolution(
        tunable.low, tunable.high, POPULATION, seed=seed, max_generations=1 + ITERATIONS
    )
    judged, played = 0, 0
    while not optimizer.should_stop() and played < pieces:
        genomes = optimizer.ask()
        losses: list[float] = []
        for genome in genomes:
            weights = tuple(map(float, genome))
            judgement = finish(tunable.evaluate(weights, evaluation_seed(seed, judged), tunable.steps))
            losses.append(judgement.loss)
            played += int(judgement.cost)
            judged += 1
        optimizer.tell(genomes, losses)
    best, loss = optimizer.best
    return Tuned(tuple(map(float, best)), -loss, judged, played)


def tune_by_hazard(tunable: ArticleHazard, seed: int, pieces: float = inf) -> Tuned:
    """CMA-ES with learning-rate adaptation from the middle of the bounds: like `tune_as_the_article` it knows
    nothing of good weights. No generation begins after so many pieces. Recommended is the mean of the
    distribution, and fitness the least log hazard that a candidate seemed to have."""
    spent = 0.0

    def count(event: GenerationEvent, _: State) -> None:
        nonlocal spent
        spent = event.cost

    found = finish(
        tune(
            tunable,
            CMAES(tunable.low, tunable.high, lr_adapt=True, seed=seed),
            seed=seed,
            evaluations=MOST_EVALUATIONS,
            steps=tunable.horizon(),
            on_event=count,
            stop=lambda: spent >= pieces,
        )
    )
    return Tuned(found.recommendation, found.best, found.evaluations, int(found.cost))
