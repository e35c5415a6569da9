"""How fast one core plays whole chains of drops, beside the readable rules on the same chains."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import get_args

import numpy as np

from bench.drops.engine_kernels import click_all
from bench.report import Row
from winnable.games.drops.rules.chain import RULE_SETS, run_chain
from winnable.games.drops.rules.level import FULL, Level, RuleName
from winnable.games.drops.solve.click_kernels import to_bits
from winnable.games.drops.solve.linked_kernels import new_clicker

SIDE = 6
BOARDS = 10_000
REPEATS = 20
"""Passes over all boards for one timing."""
READABLE = 300
"""Boards that the readable rules play."""


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Four rows for each rule set, all for one core: chains a second, bursts of a chain, bursts a second, and
    how many times as many chains as by the readable rules. Boards of 6 × 6 cells of 0 to 4 drops, all alike
    likely; a random full cell is clicked. A chain begins with a copy of the board, which is timed too.
    The best of `games` timings counts, in processor time: other work on the machine only takes away.
    """
    rng = random.Random(seed)
    drawn = [_board(rng) for _ in range(BOARDS)]
    clicked = np.array([cell for _, cell in drawn], np.int64)
    boards = np.array([to_bits(cells) for cells, _ in drawn])
    for done, rules in enumerate(get_args(RuleName), 1):
        room = boards[0].copy(), new_clicker(Level(("1" * SIDE,) * SIDE, rules=rules))
        click_all(boards[:1], clicked, *room, 1)
        times: list[float] = []
        bursts = 0
        for _ in range(max(1, games)):
            began = time.process_time()
            bursts = click_all(boards, clicked, *room, REPEATS)
            times.append(time.process_time() - began)
        chains, speed = BOARDS * REPEATS, BOARDS * REPEATS / min(times)
        yield Row(f"{rules}: chains", speed / 1e6, "M/s", n=chains, seed=seed)
        yield Row(f"{rules}: bursts of a chain", bursts / chains, n=BOARDS, seed=seed)
        yield Row(f"{rules}: bursts", bursts / chains * speed / 1e6, "M/s", n=chains, seed=seed)
        yield Row(f"{rules}: times the readable rules", speed / _readable(drawn, rules), "x", seed=seed)
        if progress is not None:
            progress(done, len(get_args(RuleName)))


def _board(rng: random.Random) -> tuple[bytes, int]:
    """Cells, and the full one that is clicked."""
    while True:
        cells = bytes(rng.randrange(FULL + 1) for _ in range(SIDE**2))
        if FULL in cells:
            return cells, rng.choice([cell for cell, drops in enumerate(cells) if drops == FULL])


def _readable(drawn: list[tuple[bytes, int]], rules: RuleName) -> float:
    """Chains a second."""
    began = time.process_time()
    for cells, cell in drawn[:READABLE]:
        for _ in run_chain(cells, SIDE, cell, RULE_SETS[rules]):
            pass
    return READABLE / (time.process_time() - began)
