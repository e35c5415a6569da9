"""What the article says of its genetic algorithm for rotate, run again as it is described.

One board of 5 × 5, with its settings and in 10 seconds: the best line, of 6 turns. That board is in a picture
only. Ours are of two kinds: 4 colours, as many of each as may be, shuffled; and finished boards from which
the article's six printed turns are taken back, so that these very turns finish them. Then, from 4 × 4 to
10 × 10, the greatest F = cells - clusters of its two methods in equal time: up to 7 × 7 they do alike, it
says, and from 8 × 8 on the genetic algorithm does better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from bench.rotate.finish import draw
from winnable.contract.core import Answer, finish, replay
from winnable.games.rotate.article.genetic import fitness
from winnable.games.rotate.article.settings import GeneticSettings, SearchSettings
from winnable.games.rotate.article.solver import solve_genetic, solve_pruned_search
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import finished_board
from winnable.games.rotate.rules.blocks import turned
from winnable.games.rotate.rules.level import Level, rows_of
from winnable.games.rotate.rules.puzzle import Rotate

PRINTED = ("3,1,2,3", "1,2,2,2", "4,4,2,1", "4,1,2,1", "2,1,2,2", "2,3,4,2")
"""The article's solution; tests/games/rotate/rules/test_rules.py says why the third number is a side."""
SIDE, COLOURS, ARTICLE_SECONDS = 5, 4, 10.0
SIDES = range(4, 11)
NEXT_SEED = 1_000_003


def rows(
    games: int = 4,
    seconds: float = 2.0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """On `games` boards of each kind: the share that the genetic algorithm finishes, by one run with the
    article's settings and by such runs one after the other for 10 seconds of the processor, and the mean F of
    these. Then for each side the mean F of both methods after `seconds` of the processor. `reference` of the
    first is what the article says; of F, the greatest that there can be."""
    GAME.warm()
    total, done = 2 * games + 2 * games * len(SIDES), 0

    def advance() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    for label, make in (("shuffled", _shuffled), ("the printed turns taken back", taken_back)):
        once = finished = 0
        best: list[int] = []
        for one in range(seed, seed + games):
            puzzle = Rotate(make(one))
            found = _genetic_again(puzzle, one, GeneticSettings(length=6), ARTICLE_SECONDS)
            once += len(found) == 1 and found[0].status == "solved"
            finished += found[-1].status == "solved"
            best.append(_fitness(puzzle, found))
            advance()
        name = f"{SIDE} × {SIDE}, {label}, genetic(length=6)"
        yield rate_row(f"{name}: finished by the first run", once, games, seed, 1)
        yield rate_row(f"{name}: finished in {ARTICLE_SECONDS:g} s", finished, games, seed, 1)
        yield mean_row(f"{name}: F", best, "", seed, SIDE * SIDE - COLOURS)
    for side in SIDES:
        puzzles = [Rotate(_shuffled(one, side)) for one in range(seed, seed + games)]
        for name in ("genetic", "pruned-search"):
            values: list[int] = []
            for one, puzzle in enumerate(puzzles, seed):
                values.append(_fitness(puzzle, _tried(name, puzzle, one, seconds)))
                advance()
            target = side * side - COLOURS
            yield mean_row(f"{side} × {side}, {name}, {seconds:g} s: F", values, "", seed, target)


def _tried(name: str, puzzle: Rotate, seed: int, seconds: float) -> list[Answer]:
    """The lengths of the genetic algorithm one after the other, again and again with other seeds."""
    if name == "genetic":
        return _genetic_again(puzzle, seed, GeneticSettings(length=0), seconds)
    budget = ProcessorBudget(seconds)
    return [finish(solve_pruned_search(puzzle, puzzle.initial(), budget, seed, SearchSettings()))]


def _genetic_again(puzzle: Rotate, seed: int, settings: GeneticSettings, seconds: float) -> list[Answer]:
    """Runs until one finishes the board or the time is over."""
    budget, found = ProcessorBudget(seconds), list[Answer]()
    while not found or (found[-1].status != "solved" and budget.elapsed < seconds):
        found.append(
            finish(solve_genetic(puzzle, puzzle.initial(), budget, seed + NEXT_SEED * len(found), settings))
        )
        if found[-1].status == "solved":
            assert puzzle.is_goal(replay(puzzle, found[-1].actions))
    return found


def _fitness(puzzle: Rotate, found: Sequence[Answer]) -> int:
    """The greatest that one of them came to."""
    lines = (result.actions or (result.best.actions if result.best else ()) for result in found)
    return max(fitness(replay(puzzle, line).cells, puzzle.columns) for line in lines)


def _shuffled(seed: int, side: int = SIDE) -> Level:
    return draw(side, side, COLOURS, random.Random(f"rotate-article-claims {side} {seed}"))


def taken_back(seed: int) -> Level:
    """A finished board, each colour one cluster of any form, from which the printed turns are taken back."""
    rng = random.Random(f"rotate-article-claims taken back {seed}")
    cells = finish(finished_board(SIDE, SIDE, COLOURS, rng))
    puzzle = Rotate(Level(rows_of(cells, SIDE)))
    for name in reversed(PRINTED):
        block, quarters = puzzle.block(puzzle.parse_action(name))
        cells = turned(cells, SIDE, block, 4 - quarters)
    return Level(rows_of(cells, SIDE))
