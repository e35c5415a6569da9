"""Turns that rotate's boards of pairs take, beside the answers that a team of Kosen Procon 36 stored."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from winnable.benchmarks.report import Row, mean_row
from winnable.core import Budget, Progress, replay
from winnable.games.rotate.level import Level
from winnable.games.rotate.pairs import solve_pairs
from winnable.games.rotate.rules import Rotate
from winnable.library import read_level

SECONDS: Mapping[int, float] = {4: 10, 6: 20, 8: 60, 10: 60, 12: 60, 16: 60, 20: 60, 24: 60}
"""Of the clock, for a board of that side."""
STORED: Mapping[int, float] = {8: 25, 10: 47, 24: 393}
"""Turns of the team's answers; its boards are not known."""
SAMPLES = Path(__file__).parents[4] / "shared" / "data" / "rotate"
"""The contest's sample boards, where they are at hand."""


def rows(games: int = 1, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """For each side the mean turns of `games` random boards and the seconds until its last beam began,
    then the same for each sample board. Each line is replayed by the rules."""
    solve_pairs(_board(4, 0), _board(4, 0).initial(), Budget(expanded=10), 0)  # compiles
    samples = [Rotate(read_level(path.read_bytes()).level) for path in SAMPLES.glob("*.json")]
    samples.sort(key=lambda puzzle: puzzle.rows)
    done, total = 0, len(SECONDS) * games + len(samples)
    for side, seconds in SECONDS.items():
        turns: list[float] = []
        latest: list[float] = []
        for game in range(seed, seed + games):
            found = _solved(_board(side, game), seconds, game)
            turns.append(found[0])
            latest.append(found[1])
            done += 1
            if progress is not None:
                progress(done, total)
        yield mean_row(f"{side} × {side}: turns", turns, seed=seed, reference=STORED.get(side))
        yield mean_row(f"{side} × {side}: last beam began after", latest, "s", seed=seed)
    for puzzle in samples:
        name, side = f"sample {puzzle.rows} × {puzzle.rows}", puzzle.rows
        found = _solved(puzzle, SECONDS[side], seed)
        done += 1
        if progress is not None:
            progress(done, total)
        yield Row(f"{name}: turns", found[0], seed=seed, reference=STORED.get(side))
        yield Row(f"{name}: last beam began after", found[1], "s", seed=seed)


def _board(side: int, seed: int) -> Rotate:
    """Labels in any order."""
    rng = random.Random(f"pairs {side} {seed}")
    cells = [label for label in range(side * side // 2) for _ in (0, 1)]
    for last in range(len(cells) - 1, 0, -1):
        chosen = int(rng.random() * (last + 1))
        cells[last], cells[chosen] = cells[chosen], cells[last]
    return Rotate(Level(tuple(tuple(cells[row * side : (row + 1) * side]) for row in range(side)), "pairs"))


def _solved(puzzle: Rotate, seconds: float, seed: int) -> tuple[int, float]:
    """Turns, and when the last beam began."""
    began: dict[str, float] = {}

    def note(progress: Progress) -> None:
        began.setdefault(progress.stage, progress.seconds)

    result = solve_pairs(puzzle, puzzle.initial(), Budget(seconds, on_progress=note), seed)
    assert puzzle.is_goal(replay(puzzle, result.actions))
    return len(result.actions), max(began.values(), default=0.0)
