"""What the default solver finds on recorded boards of the real game.

The boards are not ours: they are read from the folder that WINNABLE_RECORDED names, else from
`../shared/data/triple/levels` beside the checkout.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import SHARED
from bench.report import Row, mean_row
from winnable.contract.core import Answer, Budget, WinnableError, finish
from winnable.games.triple.game import GAME
from winnable.levels.find import find_level

FOLDER = SHARED / "triple" / "levels"
SECONDS = 60.0


def rows(
    games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """One row a board with its verdict and the seconds it took, then the counts; at most `games` boards, in
    order of their names. Every line was replayed by the rules. Raises WinnableError without boards."""
    paths = recorded_boards()[:games]
    if not paths:
        raise WinnableError(f"{_folder()}: no recorded boards here; WINNABLE_RECORDED names their folder")
    GAME.warm()
    results: list[Answer] = []
    seconds: list[float] = []
    for done, path in enumerate(paths, 1):
        puzzle = GAME.puzzle(find_level(str(path)).level)
        started = time.perf_counter()
        results.append(finish(GAME.solvers["auto"](puzzle, puzzle.initial(), Budget(seconds=SECONDS), seed)))
        seconds.append(time.perf_counter() - started)
        if progress is not None:
            progress(done, len(paths))
        yield Row(f"{path.stem}: {results[-1].status}", round(seconds[-1], 3), "s", seed=seed)
    for status in ("solved", "unsolvable", "budget"):
        count = sum(result.status == status for result in results)
        yield Row(f"boards {status}", count, "", n=len(paths), seed=seed)
    yield mean_row("time per board", seconds, "s", seed)
    yield Row("longest time", max(seconds), "s", n=len(paths), seed=seed)


def recorded_boards() -> list[Path]:
    """Those that are at hand, in order of their names."""
    return sorted(_folder().glob("*.json"))


def _folder() -> Path:
    return Path(os.environ.get("WINNABLE_RECORDED", FOLDER))
