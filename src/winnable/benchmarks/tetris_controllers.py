"""How good the published controllers are, rules `simplified`: lines per game, beside what is published.

Published means on 10 × 20 cells are from C. Thiery, B. Scherrer, Building controllers for Tetris, ICGA
Journal 32, 2009 (Dellacherie about 5 million, BCTS 35 million ± 20 %), and V. Gabillon, M. Ghavamzadeh, B.
Scherrer, NIPS 2013 (DT-20, 51 million). Those on 10 × 10 were played by another program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from winnable.benchmarks.report import Row
from winnable.games.tetris.controllers import CONTROLLERS
from winnable.games.tetris.judge import Strength, by_playing, expected_lines, herd_of
from winnable.tuning.survival import survive

WIDTH = 10
PLAYED = {"dellacherie": 2310.0, "el-tetris": 3247.0, "bcts": 3942.0, "dt-10": 5241.0, "dt-20": 4199.0}
PUBLISHED = {"dellacherie": 5e6, "bcts": 35e6, "dt-20": 51e6}
MOST_PIECES = 10**9


def rows(
    games: int = 300,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    copies: int = 4000,
    runs: int = 8,
) -> Iterator[Row]:
    """First `games` whole games of each on 10 × 10 cells, then splitting on 10 × 20 (copies, runs: see
    `expected_lines`), with the pieces that it took. All intervals are 95 %."""
    done = 0
    for rows_up in (10, 20):
        for name, controller in CONTROLLERS.items():
            if rows_up == 10:
                herd = herd_of(WIDTH, rows_up, controller.weights)
                played = survive(herd, np.random.default_rng(seed), deaths=games, steps=MOST_PIECES)
                yield _row(f"10 × 10, {name}", by_playing(played), seed, PLAYED.get(name))
            else:
                found = expected_lines(WIDTH, rows_up, controller.weights, seed, copies, runs)
                yield _row(f"10 × 20, {name}", found, seed, PUBLISHED.get(name))
                yield Row(f"10 × 20, {name}: pieces placed", found.pieces / 1e6, "M", n=runs, seed=seed)
            done += 1
            if progress is not None:
                progress(done, 2 * len(CONTROLLERS))


def _row(name: str, found: Strength, seed: int, reference: float | None) -> Row:
    """n: games that ended; of splitting 0. Where only a lower bound is known, this is the value."""
    lines = found.low if found.lines is None else found.lines
    what = "lines per game, at least" if found.lines is None else f"lines per game, by {found.by}"
    return Row(f"{name}: {what}", lines, "lines", found.low, found.high, found.deaths, seed, reference)
