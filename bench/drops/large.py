"""Large boards with few drops: the beam's clicks beside the lower bound and the article's algorithm A."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from bench.report import Row, mean_row
from winnable.contract.core import Budget, Progress, finish, replay
from winnable.games.drops.game import GAME
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.beam import rounds
from winnable.games.drops.solve.exact import ExactSearch
from winnable.search.meter import Meter

SIDES = (10, 20)
WATER = 1.3
"""Units per cell, on average."""
EMPTY = 0.15
"""Of the cells of a board with gaps."""
SECONDS = 60.0
"""For the beam, of the clock; the article's A has its own limit."""


def rows(games: int = 2, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """`games` boards of each kind and side. For each board: clicks, with the lower bound as reference; the
    gap, (clicks - bound) / clicks; seconds until the last improvement; the clicks of the article's A and how
    many fewer ours are, if A finds a line. Then the mean gap for each side."""
    GAME.warm()
    done = 0
    for side in SIDES:
        gaps: list[float] = []
        for kind, draw in KINDS.items():
            for game in range(games):
                level = draw(side, random.Random(f"{kind} {side} {seed + game}"))
                name = f"{kind} {side} × {side} #{seed + game}"
                for row in _rows_of(name, level, seed + game):
                    if row.name.endswith("gap"):
                        gaps.append(row.value)
                    yield row
                done += 1
                if progress is not None:
                    progress(done, len(SIDES) * len(KINDS) * games)
        yield mean_row(f"{side} × {side}: mean gap", gaps, seed=seed)


def _rows_of(name: str, level: Level, seed: int) -> Iterator[Row]:
    puzzle = Drops(level)
    line: tuple[int, ...] = ()
    bound, latest = 0, 0.0
    began = time.perf_counter()
    search = ExactSearch(level, memory=0)
    meter = Meter(Budget())
    known = sum(finish(search.lower_bound(part, meter)) for part in search.components(level.cells))
    for after in rounds(level.cells, level, Budget(SECONDS), seed=seed, lower_bound=known):
        if isinstance(after, Progress):
            continue
        if after.line != line:
            line, latest = after.line, time.perf_counter() - began
        bound = after.lower_bound
    assert puzzle.is_goal(replay(puzzle, line))
    yield Row(f"{name}: clicks", len(line), seed=seed, reference=bound)
    yield Row(f"{name}: gap", (len(line) - bound) / len(line), seed=seed)
    yield Row(f"{name}: last improved after", latest, "s", seed=seed)
    rival = finish(GAME.solvers["a"](puzzle, puzzle.initial(), Budget(), seed))
    yield Row(f"{name}: lines of the article's A", int(rival.status == "solved"), seed=seed)
    if rival.cost is not None:
        yield Row(f"{name}: clicks of the article's A", rival.cost, seed=seed)
        yield Row(f"{name}: fewer clicks than the article's A", 1 - len(line) / rival.cost, seed=seed)


def _ones_and_twos(side: int, rng: random.Random) -> Level:
    """No cell is empty."""
    return _board(side, [1] * side**2, 2, rng)


def _with_gaps(side: int, rng: random.Random) -> Level:
    """Some cells are empty; the others hold 1 to 3 drops."""
    return _board(side, [int(rng.random() >= EMPTY) for _ in range(side**2)], 3, rng)


def _scattered(side: int, rng: random.Random) -> Level:
    """Drops fall on any cell with room."""
    return _board(side, [0] * side**2, FULL, rng, anywhere=True)


def _board(side: int, cells: list[int], most: int, rng: random.Random, anywhere: bool = False) -> Level:
    """Adds drops to cells that hold some (or any), up to `most` in each, until there are enough."""
    while sum(cells) < WATER * side**2:
        cell = int(rng.random() * side**2)
        if (anywhere or cells[cell]) and cells[cell] < most:
            cells[cell] += 1
    return Level(board=tuple("".join(map(str, cells[row * side : (row + 1) * side])) for row in range(side)))


KINDS: dict[str, Callable[[int, random.Random], Level]] = {
    "ones and twos": _ones_and_twos,
    "with gaps": _with_gaps,
    "scattered": _scattered,
}
