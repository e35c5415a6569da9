"""How fast one core rates turns of rotate, beside the readable rules on the same boards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench.report import Row
from bench.rotate.frontier import board
from winnable.contract.core import Budget
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import beam
from winnable.search.meter import Meter

KINDS = (8, 4), (12, 5), (20, 8), (30, 8)
"""Side and colours."""
TURNS = 3_000_000
"""Rated for one timing, about."""
WIDTH = 64
READABLE_SECONDS = 0.5


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """For each kind of board, on one core: states that a beam expands a second, with all that belongs to it;
    turns that it rates a second; and how many times as many these are as the readable rules make, with a
    count of the clusters after each. The best of `games` timings counts, in processor time: other work on
    the machine only takes away."""
    beam.warm()
    for done, (side, colours) in enumerate(KINDS, 1):
        name, puzzle = f"{side} × {side}, {colours} colours", Rotate(board(side, colours, seed))
        states = max(1, TURNS // puzzle.num_actions)
        times: list[float] = []
        for _ in range(max(1, games)):
            meter, began = Meter(Budget(expanded=states)), time.process_time()
            for _ in beam.rounds(puzzle, puzzle.level.cells, meter, seed=seed, first_width=WIDTH):
                pass
            times.append((time.process_time() - began) / meter.expanded)
        speed = 1 / min(times)
        yield Row(f"{name}: states", speed / 1e3, "k/s", n=states, seed=seed)
        yield Row(f"{name}: turns", speed * puzzle.num_actions / 1e6, "M/s", n=TURNS, seed=seed)
        times_readable = speed * puzzle.num_actions / _readable(puzzle)
        yield Row(f"{name}: times the readable rules", times_readable, "x", seed=seed)
        if progress is not None:
            progress(done, len(KINDS))


def _readable(puzzle: Rotate) -> float:
    """Turns a second."""
    state, made, began = puzzle.initial(), 0, time.process_time()
    while time.process_time() - began < READABLE_SECONDS:
        cluster_numbers(puzzle.apply(state, made % puzzle.num_actions).cells, puzzle.columns)
        made += 1
    return made / (time.process_time() - began)
