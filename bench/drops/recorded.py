"""The exact solver of drops on recorded boards of the real game, and the recorded solutions by our rules.

The boards are not ours: they are read from the folder that WINNABLE_RECORDED names, else from
`../shared/data/drops` beside the checkout.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench import SHARED
from bench.report import Row
from winnable.contract.core import Action, Answer, Budget, IllegalAction, WinnableError, finish, replay
from winnable.games.drops.game import GAME
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.solve import solver

FOLDER = SHARED / "drops"
SECONDS = 60.0
"""For one board, of the clock."""


class Collection(NamedTuple):
    """A file of recorded boards, by what it is called: its rules, and what its entries call their clicks."""

    name: str
    rules: RuleName
    clicks: str


COLLECTIONS = (
    Collection("classic", "classic", "budget"),
    Collection("packs", "snappers", "budget"),
    Collection("logged", "snappers", "logged_minimum"),
)


def rows(
    games: int = 1_000_000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """For each collection, at most its first `games` boards: how many fewest clicks are proved; for how many
    these are as many as recorded, fewer, more; processor time in all and at most, with the kernels compiled;
    and the recorded solutions that empty their board. Raises WinnableError without boards."""
    folder = Path(os.environ.get("WINNABLE_RECORDED", FOLDER))
    recorded = {one: _entries(folder / f"{one.name}.jsonl")[:games] for one in COLLECTIONS}
    total = sum(map(len, recorded.values()))
    if not total:
        raise WinnableError(f"{folder}: no recorded boards here; WINNABLE_RECORDED names their folder")
    solver.warm()
    done = 0
    for collection, entries in recorded.items():
        solved: list[tuple[Answer, int]] = []
        times: list[float] = []
        for entry in entries:
            puzzle = GAME.puzzle(_level(collection, entry))
            started = time.process_time()
            result = finish(GAME.solvers["optimal"](puzzle, puzzle.initial(), Budget(seconds=SECONDS), seed))
            times.append(time.process_time() - started)
            solved.append((result, entry[collection.clicks]))
            done += 1
            if progress is not None:
                progress(done, total)
        if entries:
            yield from _rows_of(collection.name, solved, times)
            yield from _rows_of_solutions(collection, entries)


def _rows_of(name: str, solved: list[tuple[Answer, int]], times: list[float]) -> Iterator[Row]:
    n = len(solved)
    proved = [
        (result.cost, clicks) for result, clicks in solved if result.optimal and result.cost is not None
    ]
    yield Row(f"{name}: fewest clicks proved", len(proved), n=n, reference=n)
    yield Row(f"{name}: as many as recorded", sum(cost == clicks for cost, clicks in proved), n=n)
    yield Row(f"{name}: fewer than recorded", sum(cost < clicks for cost, clicks in proved), n=n)
    yield Row(f"{name}: more than recorded", sum(cost > clicks for cost, clicks in proved), n=n)
    yield Row(f"{name}: processor time", round(sum(times), 3), "s", n=n)
    yield Row(f"{name}: longest processor time", round(1000 * max(times), 1), "ms", n=n)


def _rows_of_solutions(collection: Collection, entries: list[dict[str, Any]]) -> Iterator[Row]:
    solutions = [(entry, clicks) for entry in entries for clicks in entry.get("solutions", ())]
    if solutions:
        held = sum(_wins(_level(collection, entry), clicks) for entry, clicks in solutions)
        yield Row(f"{collection.name}: recorded solutions that win", held, n=len(solutions))


def _entries(file: Path) -> list[dict[str, Any]]:
    """No entries when there is no such file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


def _level(collection: Collection, entry: dict[str, Any]) -> Level:
    return Level(tuple(entry["board"].split("/")), rules=collection.rules)


def _wins(level: Level, clicks: list[Action]) -> bool:
    puzzle = GAME.puzzle(level)
    try:
        return puzzle.is_goal(replay(puzzle, clicks))
    except IllegalAction:
        return False
