"""Level repairs side by side: the article's, until greedy wins, for both ways to keep swaps; and ours, by the
fewest swaps until a line is known. On the article's boards, and on boards that are proved not to be
winnable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from bench.triple.lost import lost_boards
from winnable.contract.core import finish, replay
from winnable.contract.game import GaveUp
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.repair.fewest_swaps import FewestSwaps, fewest_swaps
from winnable.games.triple.repair.repair import RepairRun, run_repair
from winnable.games.triple.repair.settings import Keep, RepairSettings
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple

BOARDS = (Params(layers=14), Params(layers=26), Params(layers=26, slots=6))
"""The second is the article's (section 4.2 of its article); the third is harder than any of its."""
KEEPS: tuple[Keep, ...] = ("improving", "always")
MAX_GAMES = 20_000
LOST_SHARE = 8
"""One lost board of each origin for so many of the article's: they take longer."""


def rows(
    games: int = 50,
    seed: int = 0,
    seconds: float = 20.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """Means over the repaired ones of `games` boards; board i is `generate(params, seed + i)`, and the
    article's repair plays up to MAX_GAMES. Then of lost boards (see triple_lost.py), so many seconds of the
    processor for each repair."""
    GAME.warm()
    total = len(BOARDS) * (len(KEEPS) + 1)
    for done, (params, keep) in enumerate(product(BOARDS, (*KEEPS, None)), 1):
        levels = [finish(generate(params, seed + index)) for index in range(games)]
        name = f"{params.layers} layers, {params.slots} slots"
        yield from _rows(name, levels, keep, seed, float("inf"))
        if progress is not None:
            progress(done, total)
    boards = lost_boards(-(-games // LOST_SHARE), seed)
    for origin in dict.fromkeys(board.origin for board in boards):
        levels = [board.level for board in boards if board.origin == origin]
        for keep in (KEEPS[0], None):
            yield from _rows(f"lost, {origin}", levels, keep, seed, seconds)


def _rows(name: str, levels: Sequence[Level], keep: Keep | None, seed: int, seconds: float) -> Iterator[Row]:
    """keep: the article's repair; None: ours"""
    name = f"{f'de-repair, keep {keep}' if keep else 'fewest-swaps'}, {name}"
    runs: list[RepairRun | FewestSwaps] = []
    changed: list[int] = []
    took: list[float] = []
    for index, level in enumerate(levels):
        most = MAX_GAMES if keep and seconds == float("inf") else None
        budget = ProcessorBudget(seconds) if most is None else ProcessorBudget(seconds, most)
        try:
            run = (
                finish(run_repair(level, seed + index, budget, RepairSettings(keep)))
                if keep
                else finish(fewest_swaps(level, seed, budget))
            )
        except GaveUp:
            continue
        took.append(budget.elapsed)
        runs.append(run)
        changed.append(sum(kind != tile.kind for kind, tile in zip(run.kinds, level.tiles, strict=True)))
        line = run.actions if isinstance(run, RepairRun) else run.line
        puzzle = Triple(level.with_kinds(run.kinds))
        assert puzzle.is_goal(replay(puzzle, line)), "a repair that cannot be won"
    yield rate_row(f"{name}: repaired", len(runs), len(levels), seed)
    if not runs:
        return
    ours = [run for run in runs if isinstance(run, FewestSwaps)]
    seeds = [run for run in runs if isinstance(run, RepairRun)]
    if seeds:
        yield mean_row(f"{name}: rounds", [run.rounds for run in seeds], "", seed)
        yield mean_row(f"{name}: games", [run.games for run in seeds], "", seed)
    if ours:
        yield mean_row(f"{name}: swaps", [len(run.swaps) for run in ours], "", seed)
        proved = sum(run.fewest == len(run.swaps) for run in ours)
        yield rate_row(f"{name}: proved the fewest", proved, len(ours), seed)
    yield mean_row(f"{name}: tiles changed", changed, "", seed)
    yield mean_row(f"{name}: time", took, "s", seed)
