"""The article's four solvers of drops side by side, within the limits that it set: clicks, nodes and seconds.

Levels: 6 × 6 cells of one drop each, the hardest that the article tells of; random boards of our generator;
and some recorded levels of the real game. These are not ours: they are read from the file that
WINNABLE_RECORDED names, else from `../shared/data/drops/classic.jsonl` beside the checkout, and left out
when there is none.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import SHARED
from bench.report import Row
from winnable.contract.core import Answer, Budget, finish
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.generator import Params, draw
from winnable.games.drops.rules.level import Level

FILE = SHARED / "drops" / "classic.jsonl"
RECORDED = (1, 2, 4, 3, 6)
"""Numbers of recorded levels; their fewest clicks rise."""
SOLVERS = ("bfs", "a", "a-star", "genetic")
ALL_ONES = "all ones"
PUBLISHED: dict[tuple[str, str], float] = {(ALL_ONES, "a"): 14, (ALL_ONES, "genetic"): 60}
"""Seconds that the article tells, roughly. It adds that there `genetic` is usually better than `a`, and that
`bfs` and `a-star` find nothing beyond four clicks in their 30 seconds, on any level."""


def rows(games: int = 4, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Three rows for each level and solver: how it ended and with how many clicks (without a line: what was
    proved of every line, at least), the nodes expanded, and the seconds of processor time. `games` random
    boards, those of the seeds from `seed` on; the genetic algorithm's chance has `seed` too."""
    GAME.warm()
    levels = {ALL_ONES: Level(board=("1" * 6,) * 6)}
    levels |= {f"random {seed + i}": draw(Params(), random.Random(seed + i)) for i in range(games)}
    levels |= recorded_levels()
    for done, (name, level) in enumerate(levels.items(), 1):
        puzzle = GAME.puzzle(Level(board=level.board))
        for solver in SOLVERS:
            started = time.process_time()
            result = finish(GAME.solvers[solver](puzzle, puzzle.initial(), Budget(), seed))
            seconds = time.process_time() - started
            label = f"{name}, {solver}"
            clicks = result.cost or result.lower_bound or 0
            yield Row(f"{label}: {_outcome(result)}", clicks, "clicks", seed=seed)
            yield Row(f"{label}: nodes", result.expanded, seed=seed)
            yield Row(
                f"{label}: time", round(seconds, 4), "s", seed=seed, reference=PUBLISHED.get((name, solver))
            )
        if progress is not None:
            progress(done, len(levels))


def recorded_levels() -> dict[str, Level]:
    """By name; none when the file is not there."""
    file = Path(os.environ.get("WINNABLE_RECORDED", FILE))
    if not file.is_file():
        return {}
    entries = {entry["number"]: entry for entry in map(json.loads, file.read_text("utf-8").splitlines())}
    return {
        f"recorded {number}": Level(board=tuple(entries[number]["board"].split("/")))
        for number in RECORDED
        if number in entries
    }


def _outcome(result: Answer) -> str:
    if result.status == "solved":
        return "optimal" if result.optimal else "solved"
    return "no line, proved at least" if result.lower_bound else "no line"
