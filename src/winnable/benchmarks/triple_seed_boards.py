"""The seed's boards for the default solver: how many can be won at all, and how long it takes to know."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from winnable.benchmarks.report import Row, mean_row, rate_row
from winnable.core import Budget
from winnable.games.triple.game import GAME
from winnable.games.triple.generator import Params

LAYERS = range(12, 31, 3)
SECONDS = 60.0


def rows(games: int = 20, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Two rows for each number of layers: the share of boards with a line that the rules replayed, and the
    seconds per board. Board i of a row is that of the greedy table, `seed + i`."""
    GAME.warm()
    for done, layers in enumerate(LAYERS, 1):
        seconds: list[float] = []
        solved = 0
        for index in range(games):
            puzzle = GAME.puzzle(GAME.generate(Params(layers=layers), seed + index))
            started = time.perf_counter()
            result = GAME.solvers["auto"](puzzle, puzzle.initial(), Budget(seconds=SECONDS), seed)
            seconds.append(time.perf_counter() - started)
            solved += result.status == "solved"
        if progress is not None:
            progress(done, len(LAYERS))
        yield rate_row(f"auto, {layers} layers: solved", solved, games, seed)
        yield mean_row(f"auto, {layers} layers: time per board", seconds, "s", seed)
