"""How short the beam's lines are on large boards of rotate."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from bench.rotate.finish import draw
from tests.driving import driven
from winnable.contract.core import Progress, WinnableError, replay
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import solver

KINDS = {
    (8, 4): 14,
    (10, 4): 23,
    (12, 5): 40,
    (14, 6): 60,
    (16, 6): 82,
    (20, 6): 140,
    (20, 8): 160,
    (30, 8): 400,
}
"""Side and colours -> the mean number of turns that we aim at."""


def rows(
    games: int = 20,
    seed: int = 0,
    seconds: float = 60.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """For each kind of `games` boards, with so many seconds of processor time for each: the mean turns of the
    lines found, beside the aim; the share of boards that have a line, and how soon the first one came, in the
    mean and at the latest. Every line is replayed by the readable rules."""
    solver.warm()
    for done, ((side, colours), aim) in enumerate(KINDS.items()):
        name, turns = f"{side} × {side}, {colours} colours", list[float]()
        firsts: list[float] = []
        for one in range(seed, seed + games):
            found, first = _solved(Rotate(board(side, colours, one)), seconds)
            if found is not None:
                turns.append(found)
                firsts.append(first)
            if progress is not None:
                progress(games * done + one - seed + 1, games * len(KINDS))
        yield rate_row(f"{name}: finished", len(turns), games, seed)
        if turns:
            yield mean_row(f"{name}: turns", turns, "", seed, aim)
            yield Row(f"{name}: first line after, mean", sum(firsts) / len(firsts), "s", n=games, seed=seed)
            yield Row(f"{name}: first line after, at most", max(firsts), "s", n=games, seed=seed)


def board(side: int, colours: int, seed: int) -> Level:
    return draw(side, side, colours, random.Random(f"rotate-frontier {side} {colours} {seed}"))


def _solved(puzzle: Rotate, seconds: float) -> tuple[int | None, float]:
    """The turns of the shortest line, and the seconds to the first one."""
    told: list[Progress] = []

    def listen(progress: Progress) -> None:
        if len(told) < 2 and (not told or progress.stage != told[0].stage):
            told.append(progress)

    search = solver.solve_beam(puzzle, puzzle.initial(), ProcessorBudget(seconds), 0)
    result = driven(search, listen)
    if not puzzle.is_goal(replay(puzzle, result.actions)):
        return None, seconds
    if len(result.actions) != result.cost:
        raise WinnableError(
            f"rotate-frontier: a line of {len(result.actions)} turns is said to cost {result.cost}"
        )
    return result.cost, told[1].seconds if len(told) > 1 else result.seconds
