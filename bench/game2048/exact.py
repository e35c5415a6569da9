"""Small boards of 2048, solved: beside figures known before, what it takes, and how near other players get.

Tables that the player `exact` needs are left in the data folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

from bench.report import Row, mean_row
from winnable.contract.core import Search, finish
from winnable.games.game2048.exact.small import AT_ONCE, Solution, solve, tables_folder, warm
from winnable.games.game2048.players.by_name import PLAYERS
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048
from winnable.search.memory import most_memory

T = TypeVar("T")


class Board(NamedTuple):
    """With the figures of another program, which solved boards as we do, from two random tiles."""

    rows: int
    columns: int
    states: int
    afterstates: int
    mean: float
    chances: dict[int, float]
    """Of each of the largest tiles the highest chance to reach it."""

    def __str__(self) -> str:
        return f"{self.rows} × {self.columns}"


BOARDS = (
    Board(2, 2, 110, 67, 66.964149, {32: 0.082887}),
    Board(2, 3, 21_752, 14_883, 480.258272, {64: 0.939264, 128: 0.056992}),
    Board(2, 4, 4_980_767, 3_406_686, 2641.873036, {256: 0.869756, 512: 0.024639}),
    Board(3, 3, 48_713_519, 31_431_374, 5468.486797, {256: 0.995710, 512: 0.736774, 1024: 0.011338}),
)
"""The states of 3 × 3 are also those of S. Yamashita and T. Kaneko (2022)."""
RIVALS = ("random", "article", "article-expectimax")


def rows(
    games: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: of each player on each board.

    For each board: states and afterstates up to symmetry, the mean score and the chances of exact play, with
    known figures as reference; processor time and time with the kernels compiled (where the table is there
    already, to check it), and the most memory that the process had so far. Then the mean score of players,
    and which share of the exact mean it is; that of `exact` shows whether games played out agree."""
    warm()
    for number, board in enumerate(BOARDS):
        tell = partial(progress or _nobody, number, len(BOARDS))
        solution = yield from _solved(board.rows, board.columns, board, tell)
        for tile, known in board.chances.items():
            level = Level(rows=board.rows, columns=board.columns, goal=tile, ends=True)
            chance = finish(_driven(solve(level), tell).mean())
            yield Row(f"{board}: chance of {tile}", chance, reference=known)
        for player in ("exact", *RIVALS):
            yield from _played(board.rows, board.columns, player, finish(solution.mean()), games, seed)
    if progress is not None:
        progress(len(BOARDS), len(BOARDS))


def rows_2x5(
    games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """As `rows`, without known figures and with no player but `exact`; times are of this run. Ctrl-C ends it;
    the next run goes on from there."""
    warm()
    solution = yield from _solved(2, 5, None, partial(progress or _nobody, 0, 1))
    yield from _played(2, 5, "exact", finish(solution.mean()), games, seed)


def _nobody(done: int, boards: int) -> None:
    """Hears of it."""


def _driven(search: Search[T], tell: Callable[[], None]) -> T:
    """Without end, but for a Ctrl-C, which is heard when progress is told."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            return end.value
        tell()


def _solved(
    height: int, width: int, known: Board | None, tell: Callable[[], None]
) -> Generator[Row, None, Solution]:
    level, what = Level(rows=height, columns=width), f"{height} × {width}"
    clock, processor = time.perf_counter(), time.process_time()
    folder = tables_folder() if height * width > AT_ONCE else None
    solution = _driven(solve(level, folder=folder), tell)
    seconds, processor = time.perf_counter() - clock, time.process_time() - processor
    yield Row(f"{what}: states", solution.states, reference=known and known.states)
    yield Row(f"{what}: afterstates", solution.afterstates, reference=known and known.afterstates)
    yield Row(f"{what}: mean score", finish(solution.mean()), reference=known and known.mean)
    yield Row(f"{what}: processor time", processor, "s")
    yield Row(f"{what}: time", seconds, "s")
    if (memory := most_memory()) is not None:
        yield Row(f"{what}: memory", memory / 2**20, "MiB")
    return solution


def _played(height: int, width: int, player: str, best: float, games: int, seed: int) -> Iterator[Row]:
    scores: list[float] = []
    for dice in range(seed, seed + games):
        puzzle = Seeded2048(Level(rows=height, columns=width, dice=dice))
        state, chooses = puzzle.initial(), PLAYERS[player](puzzle, dice)
        while puzzle.legal_actions(state):
            state = puzzle.apply(state, finish(chooses.choose(state)))
        scores.append(state.score)
    what = f"{height} × {width}, {player}"
    yield mean_row(f"{what}: score", scores, seed=seed, reference=best)
    yield mean_row(f"{what}: share of the best", [score / best for score in scores], seed=seed)
