"""How soon an attempt at a task has its score, with the move that lost it found by proof."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np

from bench.report import CheckFailed, Row, rate_row
from winnable.contract.abilities import SetsTasks
from winnable.contract.registry import loaded_games
from winnable.tasks import Task, Word, make
from winnable.tasks.task import opened


def rows(
    games: int = 500, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """So many attempts that lose, of each game: tasks that can be won, as many of each difficulty; an attempt
    follows a line that wins up to a move that is drawn, and from there on does anything that is legal.
    Kernels are warm, nothing is remembered from one attempt to the next. In how many the losing move is
    found; what the whole score takes, with the reason in words where the game gives one."""
    able = [game for game in loaded_games() if isinstance(game, SetsTasks)]
    for number, game in enumerate(able):
        game.warm()
        words: list[Word] = [*game.tasks]
        seconds, found = list[float](), 0
        draw, tasks = random.Random(seed), count()
        while len(seconds) < games:
            drawn = next(tasks)
            word = words[drawn % len(words)]
            task = make(game.name, seed + drawn // len(words), difficulty=word, solvable=True)
            moves = _losing(task, draw)
            if moves is None:  # some levels are hard to lose
                continue
            began = time.perf_counter()
            score = task.score(moves)
            seconds.append(time.perf_counter() - began)
            if not 0 <= score.value < 0.5:
                raise CheckFailed(f"{task.id}: an attempt that loses is worth {score.value}")
            found += score.lost_at is not None
            if progress is not None:
                progress(number * games + len(seconds), games * len(able))
        yield rate_row(f"{game.name}: losing move found", found, games, seed)
        quick = sum(1 for one in seconds if one <= 0.1)
        yield rate_row(f"{game.name}: scored within 100 ms", quick, games, seed, 0.95)
        for share, called in ((0.5, "median"), (0.95, "95th percentile"), (1, "longest")):
            took = 1000 * float(np.quantile(seconds, share))
            yield Row(f"{game.name}: score, {called}", took, "ms", n=games, seed=seed)


def _losing(task: Task, draw: random.Random) -> list[str] | None:
    """None: the attempt happened to win."""
    _, puzzle = opened(task.id)
    puzzle: Any
    moves = list(task.line[: int(draw.random() * len(task.line))])
    state = puzzle.initial()
    for move in moves:
        state = puzzle.apply(state, puzzle.parse_action(move))
    while legal := puzzle.legal_actions(state):
        action = legal[int(draw.random() * len(legal))]
        state = puzzle.apply(state, action)
        moves.append(puzzle.action_name(action))
    return None if puzzle.is_goal(state) else moves
