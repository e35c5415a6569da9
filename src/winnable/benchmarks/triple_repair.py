"""The seed's level repair: rounds, games and tiles changed until greedy wins, for both ways to keep swaps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import product

from winnable.benchmarks.report import Row, mean_row, rate_row
from winnable.core import Budget
from winnable.games.triple.generator import Params, generate
from winnable.games.triple.repair import Keep, RepairFailed, RepairRun, run_repair

BOARDS = (Params(layers=14), Params(layers=26), Params(layers=26, slots=6))
"""The second is the seed's (section 4.2 of its article); the third is harder than any of its."""
KEEPS: tuple[Keep, ...] = ("improving", "always")
MAX_GAMES = 20_000


def rows(games: int = 50, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Means over the repaired ones of `games` boards; board i is `generate(params, seed + i)`."""
    for done, (params, keep) in enumerate(product(BOARDS, KEEPS), 1):
        runs: list[RepairRun] = []
        changed: list[int] = []
        seconds: list[float] = []
        for index in range(games):
            level = generate(params, seed + index)
            started = time.perf_counter()
            try:
                runs.append(run_repair(level, seed + index, Budget(expanded=MAX_GAMES), keep))
            except RepairFailed:
                continue
            seconds.append(time.perf_counter() - started)
            kinds = zip(runs[-1].kinds, level.tiles, strict=True)
            changed.append(sum(kind != tile.kind for kind, tile in kinds))
        if progress is not None:
            progress(done, len(BOARDS) * len(KEEPS))
        name = f"de-repair, {params.layers} layers, {params.slots} slots, keep {keep}"
        yield rate_row(f"{name}: repaired", len(runs), games, seed)
        if runs:
            yield mean_row(f"{name}: rounds", [run.rounds for run in runs], "", seed)
            yield mean_row(f"{name}: games", [run.games for run in runs], "", seed)
            yield mean_row(f"{name}: tiles changed", changed, "", seed)
            yield mean_row(f"{name}: time", seconds, "s", seed)
