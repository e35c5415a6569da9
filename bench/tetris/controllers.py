"""How good the published controllers are: lines per game, beside what is published.

Published means on 10 × 20 cells are from C. Thiery, B. Scherrer, Building controllers for Tetris, ICGA
Journal 32, 2009 (Dellacherie about 5 million, BCTS 35 million ± 20 %; BCTS 910,000 ± 5 % where the piece must
travel), V. Gabillon, M. Ghavamzadeh, B. Scherrer, NIPS 2013 (DT-20, 51 million), and C. Fahey's page
(Dellacherie about 650,000, by travelling). Those on 10 × 10 were played by another program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from bench.report import Row
from winnable.games.tetris.measure.judge import Strength, by_playing, expected_lines, herd_of
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.tuning.survival import survive

WIDTH = 10
PLAYED = {"dellacherie": 2310.0, "el-tetris": 3247.0, "bcts": 3942.0, "dt-10": 5241.0, "dt-20": 4199.0}
PUBLISHED: Mapping[ControlledRules, Mapping[str, float]] = {
    "simplified": {"dellacherie": 5e6, "bcts": 35e6, "dt-20": 51e6},
    "travel": {"dellacherie": 650e3, "bcts": 910e3},
}
MOST_PIECES = 10**9


def rows(
    games: int = 300,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    copies: int = 4000,
    runs: int = 8,
) -> Iterator[Row]:
    """First `games` whole games of each on 10 × 10 cells, then splitting on 10 × 20 (copies, runs: see
    `expected_lines`), with the pieces that it took, under each of the rules. All intervals are 95 %."""
    done, total = 0, (1 + len(PUBLISHED)) * len(CONTROLLERS)
    for name, controller in CONTROLLERS.items():
        herd = herd_of(WIDTH, 10, controller.weights)
        played = survive(herd, np.random.default_rng(seed), deaths=games, steps=MOST_PIECES)
        yield _row(f"10 × 10, {name}", by_playing(played), seed, PLAYED.get(name))
        done += 1
        if progress is not None:
            progress(done, total)
    for rules in PUBLISHED:
        for name in CONTROLLERS:
            yield from split_rows(rules, name, seed, copies, runs)
            done += 1
            if progress is not None:
                progress(done, total)


def split_rows(rules: ControlledRules, name: str, seed: int, copies: int, runs: int) -> Iterator[Row]:
    where = f"10 × 20, {name}" + ("" if rules == "simplified" else f", rules {rules}")
    found = expected_lines(WIDTH, 20, CONTROLLERS[name].weights, seed, copies, runs, rules=rules)
    yield _row(where, found, seed, PUBLISHED[rules].get(name))
    yield Row(f"{where}: pieces placed", found.pieces / 1e6, "M", n=runs, seed=seed)


def _row(name: str, found: Strength, seed: int, reference: float | None) -> Row:
    """n: games that ended; of splitting 0. Where only a lower bound is known, this is the value."""
    lines = found.low if found.lines is None else found.lines
    what = "lines per game, at least" if found.lines is None else f"lines per game, by {found.by}"
    return Row(f"{name}: {what}", lines, "lines", found.low, found.high, found.deaths, seed, reference)
