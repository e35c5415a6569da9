"""The article's methods for rotate beside our solvers, with equal processor time for each board.

The article tells of one 5 × 5 board, finished in 10 seconds by 6 turns, the best that there is; that up to 7
× 7 its two methods do alike; and that from 8 × 8 on neither finds the best within 5 minutes. Its boards are
lost: ours have 4 colours there, as many of each as may be, shuffled. The larger ones are those of the
contest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from bench.rotate.finish import draw
from winnable.contract.core import finish, replay
from winnable.contract.methods import Wanted, choose
from winnable.games.rotate.game import GAME
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate

SIZES = ((4, 4), (5, 4), (6, 4), (7, 4), (8, 4), (10, 4), (12, 5), (14, 6), (20, 6), (20, 8))
"""Cells a side, and colours."""
METHODS = ("genetic", "improved-genetic", "pruned-search", "beam", "optimal")
SECONDS = 10.0
"""Of processor time, for one board: the clock of a busy machine would be unfair."""
NEXT_SEED = 1_000_003
ARTICLE_SIDE, ARTICLE_TURNS = 5, 6
HOPELESS = 8
"""From so many cells a side on the article's methods find no best line, it says."""


class Answer(NamedTuple):
    """turns: None where the board was not finished. excess: clusters too many then; None: not known."""

    turns: int | None
    optimal: bool
    excess: int | None
    seconds: float


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """For each size and method, on the same `games` boards: the share finished, the share proved to be
    shortest, the mean turns and seconds of those finished, and the mean of the clusters left too many on the
    others (the article's methods tell them)."""
    GAME.warm()
    done = 0
    for side, colours in SIZES:
        levels = [
            draw(side, side, colours, random.Random(f"rotate-article-table {side} {colours} {one}"))
            for one in range(seed, seed + games)
        ]
        for name in METHODS:
            answers: list[Answer] = []
            for game, level in enumerate(levels):
                answers.append(_answer(name, level, seed + game))
                done += 1
                if progress is not None:
                    progress(done, len(SIZES) * len(METHODS) * games)
            yield from _rows(f"{side} × {side}, {colours} colours, {name}", side, name, answers, seed)


def _rows(label: str, side: int, name: str, answers: list[Answer], seed: int) -> Iterator[Row]:
    """`reference` is what the article tells."""
    genetic, optimal = side == ARTICLE_SIDE and name == "genetic", sum(answer.optimal for answer in answers)
    turns = [answer.turns for answer in answers if answer.turns is not None]
    hopeless = 0 if side >= HOPELESS and name in ("genetic", "pruned-search") else None
    yield rate_row(f"{label}: finished", len(turns), len(answers), seed, 1 if genetic else None)
    yield rate_row(f"{label}: proved the shortest", optimal, len(answers), seed, hopeless)
    if turns:
        seconds = [answer.seconds for answer in answers if answer.turns is not None]
        yield mean_row(f"{label}: turns", turns, "", seed, ARTICLE_TURNS if genetic else None)
        yield mean_row(f"{label}: time", seconds, "s", seed, 10 if genetic else None)
    left = [answer.excess for answer in answers if answer.turns is None and answer.excess is not None]
    if left:
        yield mean_row(f"{label}: clusters too many", left, "", seed)


def _answer(name: str, level: Level, seed: int) -> Answer:
    """A method that ends without a line before its time does begins anew, with another seed."""
    puzzle, budget = Rotate(level), ProcessorBudget(SECONDS)
    settings = {"length": 0} if name == "genetic" else {}
    method = choose("solver", GAME.solvers, Wanted(name, settings), "rotate").method
    least: int | None = None
    while True:
        result = finish(method(puzzle, puzzle.initial(), budget, seed))
        if result.best is not None and result.best.target is not None:
            excess = int(result.best.target - result.best.value)
            least = excess if least is None else min(least, excess)
        seconds, seed = budget.elapsed, seed + NEXT_SEED
        if result.status == "solved":
            assert puzzle.is_goal(replay(puzzle, result.actions)), name
            return Answer(len(result.actions), result.optimal, None, seconds)
        if seconds >= SECONDS:
            return Answer(None, False, least, seconds)
