"""Turns that rotate's boards of pairs take, beside the answers that a team of Kosen Procon 36 stored."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from bench import SHARED
from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row
from tests.driving import driven
from winnable.contract.core import Budget, Progress, finish, replay
from winnable.games.rotate.levels.generator import shuffle
from winnable.games.rotate.rules.level import Level, rows_of
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve.pairs import solve_pairs
from winnable.levels.files import read_level

SIDES = (8, 10, 12, 14, 16, 20, 24)
STORED: Mapping[int, float] = {8: 25, 10: 47, 24: 393}
"""Turns of the team's answers; its boards are not known."""
SAMPLES = SHARED / "rotate"
"""The contest's sample boards, where they are at hand."""


def rows(
    games: int = 2,
    seed: int = 0,
    seconds: float = 60.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """With so many seconds of processor time for each board: for each side the mean turns of `games` random
    boards and when their last beam began, then the same for each sample board. Each line is replayed by the
    rules."""
    small = _board(4, seed)
    finish(solve_pairs(small, small.initial(), Budget(expanded=10), 0))  # compiles
    samples = [Rotate(read_level(path.read_bytes()).level) for path in SAMPLES.glob("*.json")]
    samples.sort(key=lambda puzzle: puzzle.rows)
    kinds = [(f"{side} × {side}", [_board(side, one) for one in range(seed, seed + games)]) for side in SIDES]
    kinds += [(f"sample {puzzle.rows} × {puzzle.columns}", [puzzle]) for puzzle in samples]
    done, total = 0, sum(len(puzzles) for _, puzzles in kinds)
    for name, puzzles in kinds:
        turns: list[float] = []
        latest: list[float] = []
        for one, puzzle in enumerate(puzzles, seed):
            found = _solved(puzzle, seconds, one)
            turns.append(found[0])
            latest.append(found[1])
            done += 1
            if progress is not None:
                progress(done, total)
        yield mean_row(f"{name}: turns", turns, seed=seed, reference=STORED.get(puzzles[0].rows))
        yield mean_row(f"{name}: last beam began after", latest, "s", seed=seed)


def _board(side: int, seed: int) -> Rotate:
    """Labels in any order. No weight of the solver was chosen on these boards."""
    rng = random.Random(f"rotate-pairs {side} board {seed}")
    cells = [label for label in range(side * side // 2) for _ in (0, 1)]
    shuffle(cells, rng)
    return Rotate(Level(rows_of(cells, side), "pairs"))


def _solved(puzzle: Rotate, seconds: float, seed: int) -> tuple[int, float]:
    """Turns, and when the last beam began."""
    began: dict[tuple[str, int], float] = {}

    def note(progress: Progress) -> None:
        began.setdefault((progress.stage, progress.values.get("width", 0)), progress.seconds)

    result = driven(solve_pairs(puzzle, puzzle.initial(), ProcessorBudget(seconds), seed), note)
    assert puzzle.is_goal(replay(puzzle, result.actions))
    return len(result.actions), max(began.values(), default=0.0)
