"""What the default solver decides of fresh deals of the real game, and how small its proofs are.

The layouts are not ours: they are read from the folder that WINNABLE_LAYOUTS names, else from
`../shared/data/triple/layouts` beside the checkout; those of fewer than 100 tiles are left out.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any

from bench import SHARED
from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from winnable.contract.core import Budget, WinnableError, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.rules.puzzle import Triple
from winnable.levels.find import find_level
from winnable.search.memory import most_memory

FOLDER = SHARED / "triple" / "layouts"
FEWEST_TILES = 100
PROOF_SECONDS = 60.0
MEMORY_MB = 3500


def rows(
    games: int = 1000,
    seed: int = 0,
    seconds: float = 10.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """`games` deals by the game's own shuffle: all layouts with the first seed, then with the next one; so
    many seconds of the processor and MEMORY_MB each. Lines are replayed by the rules. For what is unsolvable,
    a closed set is looked for, for a minute each, and checked by the rules. Raises WinnableError without
    layouts."""
    GAME.warm()
    paths = layouts_needed()
    results: dict[str, list[str]] = {layout_name(path): [] for path in paths}
    times: list[float] = []
    checks: list[float] = []
    sizes: list[int] = []
    for done, (path, deal, puzzle) in enumerate(dealt(paths, games, seed), 1):
        result = finish(
            GAME.solvers["auto"](puzzle, puzzle.initial(), ProcessorBudget(seconds, memory_mb=MEMORY_MB), 0)
        )
        times.append(result.seconds)
        name = layout_name(path)
        results[name].append(result.status)
        if result.status == "budget":
            yield Row(f"undecided: {name}, deal {deal}", result.seconds, "s", seed=deal)
        elif result.status == "unsolvable" and (found := _proof(puzzle)) is not None:
            sizes.append(found[0])
            checks.append(found[1])
        if progress is not None:
            progress(done, games)
    for name, statuses in results.items():
        if statuses:
            yield rate_row(f"{name}: winnable", statuses.count("solved"), len(statuses), seed)
            yield rate_row(f"{name}: unsolvable", statuses.count("unsolvable"), len(statuses), seed)
    every = [status for statuses in results.values() for status in statuses]
    for status in ("solved", "unsolvable"):
        yield rate_row(f"all: {status}", every.count(status), len(every), seed)
    yield rate_row("all: decided", len(every) - every.count("budget"), len(every), seed, 0.99)
    yield mean_row("seconds for each", times, "s", seed)
    if lost := every.count("unsolvable"):
        yield rate_row("unsolvable with a closed set that the rules checked", len(sizes), lost, seed)
    if sizes:
        yield Row("positions of a closed set, at most", max(sizes), n=len(sizes), seed=seed)
        yield mean_row("seconds of the rules' check", checks, "s", seed)
        yield Row("seconds of the rules' check, at most", max(checks), "s", n=len(checks), seed=seed)
    if (memory := most_memory()) is not None:
        yield Row("memory at most", memory / 2**30, "GiB", reference=4)


def real_layouts() -> list[Path]:
    """Those of the real game, where they are at hand."""
    return [path for path in sorted(_folder().glob("*.json")) if _tiles(path) >= FEWEST_TILES]


def layouts_needed() -> list[Path]:
    """The same. Raises WinnableError where there are none."""
    if paths := real_layouts():
        return paths
    raise WinnableError(f"{_folder()}: no layouts here; WINNABLE_LAYOUTS names their folder")


def dealt(paths: Sequence[Path], games: int, seed: int) -> Iterator[tuple[Path, int, Triple]]:
    """So many deals by the game's own shuffle: onto all layouts by the first seed, then by the next one."""
    deals = product(range(seed, seed + -(-games // len(paths))), paths)
    for deal, path in islice(deals, games):
        yield path, deal, Triple(find_level(str(path), deal).level)


def _folder() -> Path:
    return Path(os.environ.get("WINNABLE_LAYOUTS", FOLDER))


def layout_name(path: Path) -> str:
    """Without the digest that follows it."""
    return path.stem.split("_")[0]


def _tiles(path: Path) -> int:
    return len(find_level(str(path), 0).level.tiles)


def _proof(puzzle: Any) -> tuple[int, float] | None:
    """Positions of a closed set, and the seconds of its check."""
    found = finish(GAME.refute(puzzle, puzzle.initial(), Budget(seconds=PROOF_SECONDS)))
    if found is None:
        return None
    started = time.process_time()
    fault = GAME.refutation_fault(puzzle, found)
    if fault is not None:
        raise WinnableError(f"triple-decide: a closed set that the rules refuse: {fault}")
    return found.positions, time.process_time() - started
