"""What looking one piece ahead gains, rules `simplified`: lines per game, and what it costs in speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from bench.report import Row
from winnable.games.tetris.measure.judge import Strength, expected_lines, herd_of
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import Ahead
from winnable.tuning.process import NO_CEILING

WIDTH = 10
NAMES = ("dt-20", "bcts", "dellacherie")
CASES: tuple[tuple[int, Ahead | None], ...] = ((10, None), (10, "preview"), (10, "mean"))
"""Rows of the board, and what is known of the next piece."""
KNOWN: dict[Ahead | None, str] = {None: "one piece", "mean": "ahead", "preview": "ahead with preview"}
BASE_PIECES = 50_000
"""Of each run of splitting."""
SPEED_PIECES = 20_000
MOST_PIECES = 10**9


def rows(
    games: int = 8,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    copies: int = 4000,
) -> Iterator[Row]:
    """games: runs of splitting, two or more; copies: of each, see `expected_lines`. Who dies often is played.

    For each controller and case the lines per game with their 95 % interval and the pieces that it took;
    then, on 10 × 20 cells, pieces a second of processor time."""
    done = 0
    for height, ahead in CASES:
        for name in NAMES:
            weights = CONTROLLERS[name].weights
            found = expected_lines(
                WIDTH, height, weights, seed, copies, games, MOST_PIECES, BASE_PIECES, ahead=ahead
            )
            yield from _rows(f"{WIDTH} × {height}, {name}, {KNOWN[ahead]}", found, games, seed)
            done += 1
            if progress is not None:
                progress(done, len(CASES) * len(NAMES))
    for name in NAMES:
        for ahead, known in KNOWN.items():
            yield Row(f"{name}, {known}: pieces", _speed(name, ahead, seed), "/s", n=SPEED_PIECES, seed=seed)


def _rows(name: str, found: Strength, runs: int, seed: int) -> Iterator[Row]:
    """n: games that ended; of splitting 0. Where only a lower bound is known, this is the value."""
    lines = found.low if found.lines is None else found.lines
    what = "lines, at least" if found.lines is None else f"lines, by {found.by}"
    yield Row(f"{name}: {what}", lines, "lines", found.low, found.high, found.deaths, seed)
    yield Row(f"{name}: pieces placed", found.pieces / 1e6, "M", n=runs, seed=seed)


def _speed(name: str, ahead: Ahead | None, seed: int) -> float:
    """Pieces a second of one core, in one game from the empty board."""
    herd, rng = herd_of(WIDTH, 20, CONTROLLERS[name].weights, ahead=ahead), np.random.default_rng(seed)
    anywhere = np.full(1, NO_CEILING)
    herd.leap(herd.start(1, rng), -anywhere, anywhere, np.ones(1, np.int64), rng)  # compiles
    start, began = herd.start(1, rng), time.process_time()
    leap = herd.leap(start, -anywhere, anywhere, np.full(1, SPEED_PIECES), rng)
    return int(leap.steps[0]) / (time.process_time() - began)
