"""The exact mean of each controller on narrow boards, rules `simplified`: beside the best player's, and
whether the Judge and games played out agree with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import log, sqrt

import numpy as np

from bench.report import Row
from bench.tetris.exact_means import exact_mean, optimal_mean
from winnable.contract.core import finish
from winnable.games.tetris.measure.judge import WARMUP, danger_levels, herd_of
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.tuning.process import NO_CEILING
from winnable.tuning.splitting import SplittingPlan, split

BOARDS = ((4, 6),)
RUNS, COPIES, BASE_PIECES = 16, 4000, 20_000
"""Of splitting."""
MOST_PIECES = 10**9


def rows(
    games: int = 100_000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: to play out for each controller.

    On each board: the best player's exact lines (the interval is proved, not 95 %), then for each controller
    its own, its share of them, the same when it looks one piece further, and how many standard errors off
    playing and splitting are (z), in the pieces of a game."""
    done = 0
    for width, height in BOARDS:
        board = f"{width} × {height}"
        best = optimal_mean(width, height)
        lines = best.lines
        yield Row(f"{board}, best: lines", lines.middle, "lines", lines.low, lines.high, best.walls)
        for number, (name, controller) in enumerate(CONTROLLERS.items()):
            for ahead in (False, True):
                what = f"{board}, {name}" + (", ahead" if ahead else "")
                found = exact_mean(width, height, controller.weights, ahead)
                lines = found.lines
                yield Row(f"{what}: lines", lines.middle, "lines", lines.low, lines.high, found.walls)
                yield Row(f"{what}: share of the best", lines.middle / best.lines.middle)
                if not ahead:
                    pieces = found.pieces.middle
                    yield from _checks(what, width, height, controller.weights, pieces, games, seed, number)
            done += 1
            if progress is not None:
                progress(done, len(BOARDS) * len(CONTROLLERS))


def _checks(
    what: str,
    width: int,
    height: int,
    weights: Mapping[str, float],
    pieces: float,
    games: int,
    seed: int,
    number: int,
) -> Iterator[Row]:
    """Splitting finds the hazard, which is exactly 1 / the pieces of a game."""
    herd, chance = herd_of(width, height, weights), np.random.default_rng([seed, width, height, number])
    anywhere = np.full(games, NO_CEILING)
    lengths = herd.leap(herd.start(games, chance), -anywhere, anywhere, anywhere, chance).steps
    error = float(lengths.std(ddof=1)) / sqrt(games)
    yield Row(f"{what}: playing", (float(lengths.mean()) - pieces) / error, "z", n=games, seed=seed)
    levels = finish(danger_levels(herd, chance))
    plan = SplittingPlan(levels, BASE_PIECES, MOST_PIECES, COPIES, RUNS, WARMUP)
    found = split(herd, plan, chance)
    yield Row(f"{what}: splitting", -log(found.hazard * pieces) / found.error, "z", n=RUNS, seed=seed)
