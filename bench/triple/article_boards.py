"""The article's boards for the default solver: how many can be won at all, and how long it takes to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from winnable.contract.core import finish
from winnable.games.triple.article.comparisons import PUBLISHED
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params

SECONDS = 60.0
MEAN_GOAL = 0.1


def rows(games: int = 20, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Three rows for each number of layers: the share of boards with a line that the rules replayed, and the
    seconds of the processor per board, their mean and the most. Board i of a row is that of the greedy
    table, `seed + i`."""
    GAME.warm()
    for done, layers in enumerate(PUBLISHED, 1):
        seconds: list[float] = []
        solved = 0
        for index in range(games):
            puzzle = GAME.puzzle(finish(GAME.generate(Params(layers=layers), seed + index)))
            budget = ProcessorBudget(SECONDS)
            result = finish(GAME.solvers["auto"](puzzle, puzzle.initial(), budget, seed))
            seconds.append(budget.elapsed)
            solved += result.status == "solved"
        if progress is not None:
            progress(done, len(PUBLISHED))
        yield rate_row(f"auto, {layers} layers: solved", solved, games, seed)
        yield mean_row(f"auto, {layers} layers: time per board", seconds, "s", seed, MEAN_GOAL)
        yield Row(f"auto, {layers} layers: time per board, at most", max(seconds), "s", n=games, seed=seed)
