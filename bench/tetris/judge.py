"""Whether the Judge says the truth, and what it saves: splitting beside playing.

The cost of an estimate is its pieces × its relative variance. Playing counts deaths, which are a Poisson
process as games last exponentially long: d deaths have the relative variance 1 / d and take d games, so that
playing costs one mean game, however long one plays. Splitting's variance is that of its independent runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf, log, sqrt

import numpy as np

from bench.report import Row
from winnable.contract.core import finish
from winnable.games.tetris.measure.judge import WARMUP, danger_levels, herd_of
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.tuning.process import Floats
from winnable.tuning.splitting import Splitting, SplittingPlan, split
from winnable.tuning.survival import survive

WIDTH = 10
NAMES = ("bcts", "dt-20", "wary")
CHECKED = {10: 3.5, 12: 6.0, 14: 13.0}
"""Rows of the boards where playing is cheap enough: what splitting saved there by another program."""
UNCHECKED = {20: 88.0}
"""Where it is not."""
TRAVEL = (12, 14)
"""Likewise rows of boards, rules `travel`."""
BASE_PIECES = 50_000
MOST_PIECES = 2_000_000_000
"""Of splitting; it takes a hundredth of them."""
PLAYED_PIECES = 50_000_000
"""At most, on each board."""


def rows(
    games: int = 300,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    copies: int = 4000,
    runs: int = 16,
) -> Iterator[Row]:
    """games:  to play to their end on each board, if PLAYED_PIECES are enough for them
    copies, runs: of splitting

    On each board: the hazard by splitting / by playing with its interval, their difference in joint standard
    errors (z; beyond 3 is a fault), the gain of splitting at equal error, and the steps of its climbs."""
    cases = list(_cases())
    for done, (rules, height, name) in enumerate(cases, 1):
        yield from case_rows(rules, height, name, games, seed, copies, runs)
        if progress is not None:
            progress(done, len(cases))


def _cases() -> Iterator[tuple[ControlledRules, int, str]]:
    for name in NAMES:
        for height in (*CHECKED, *UNCHECKED):
            yield "simplified", height, name
        for height in TRAVEL:
            yield "travel", height, name


def case_rows(
    rules: ControlledRules, height: int, name: str, games: int, seed: int, copies: int, runs: int
) -> Iterator[Row]:
    herd = herd_of(WIDTH, height, CONTROLLERS[name].weights, rules)
    chance = [np.random.default_rng([seed, height, number]) for number in range(3)]
    levels = finish(danger_levels(herd, chance[0]))
    plan = SplittingPlan(levels, BASE_PIECES, MOST_PIECES, copies, runs, WARMUP)
    found = split(herd, plan, chance[1])
    simplified = rules == "simplified"
    where = f"{WIDTH} × {height}, {name}" + ("" if simplified else f", rules {rules}")
    if not simplified or height in CHECKED:
        played = survive(herd, chance[2], deaths=games, steps=PLAYED_PIECES)
        ratio, error = log(found.hazard) - played.log_hazard, sqrt(found.error**2 + played.error**2)
        low, high = (float(np.exp(ratio + side * 1.96 * error)) for side in (-1, 1))
        yield Row(
            f"{where}: hazard by splitting / by playing", float(np.exp(ratio)), "", low, high, runs, seed, 1.0
        )
        yield Row(f"{where}: difference in standard errors", ratio / error, "z", n=played.deaths, seed=seed)
    gain, least, most = gain_of(found)
    reference = (CHECKED | UNCHECKED)[height] if simplified else None
    yield Row(f"{where}: gain at equal error", gain, "×", least, most, runs, seed, reference)
    climbs = (found.steps - runs * (WARMUP + BASE_PIECES)) / (runs * copies * len(levels))
    yield Row(f"{where}: pieces of a climb", climbs, "pieces", n=runs, seed=seed)


def gain_of(found: Splitting) -> tuple[float, float, float]:
    """Pieces that playing takes for those that splitting takes, at the same error; with its 95 % interval, by
    bootstrap of the runs. Base games and warm-up count."""
    rng = np.random.default_rng(0)
    hazards = np.array(found.hazards)
    again = (hazards[rng.integers(hazards.size, size=hazards.size)] for _ in range(2000))
    drawn = [_relative_variance(sample) for sample in again]
    variances = (_relative_variance(hazards), *np.quantile(drawn, (0.975, 0.025)))
    steps = found.steps / hazards.size
    gain, low, high = (1 / (found.hazard * steps * float(v)) if v else inf for v in variances)
    return gain, low, high


def _relative_variance(hazards: Floats) -> float:
    return float(hazards.var(ddof=1)) / float(hazards.mean()) ** 2
