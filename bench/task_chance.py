"""What answers to tasks are worth that nobody has thought about."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from bench.report import Row, mean_row
from winnable.contract.abilities import SetsTasks
from winnable.contract.registry import loaded_games
from winnable.tasks import Task, dataset
from winnable.tasks.task import opened


def rows(
    games: int = 300, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """So many tasks of each game, as they come and of each difficulty; the mean value of always answering
    "unsolvable", and of legal moves that are drawn until the game ends."""
    able = [game for game in loaded_games() if isinstance(game, SetsTasks)]
    asked: list[tuple[Any, Any]] = [(game, None) for game in able]
    asked += [(game, word) for game in able for word in game.tasks]
    for done, (game, word) in enumerate(asked):
        game.warm()
        claims, drawn, draw = list[float](), list[float](), random.Random(seed)
        for task in dataset(game.name, games, seed, difficulty=word):
            claims.append(task.score("unsolvable").value)
            if word is None:
                drawn.append(task.score(_moves(task, draw)).value)
            if progress is not None:
                progress(done * games + len(claims), games * len(asked))
        name = f"{game.name}, {word or 'all'}"
        yield mean_row(f"{name}: always unsolvable", claims, seed=seed)
        if drawn:
            yield mean_row(f"{name}: any legal moves", drawn, seed=seed)


def _moves(task: Task, draw: random.Random) -> list[int]:
    _, puzzle = opened(task.id)
    puzzle: Any
    state, moves = puzzle.initial(), list[int]()
    while not puzzle.is_goal(state) and (legal := puzzle.legal_actions(state)):
        moves.append(legal[int(draw.random() * len(legal))])
        state = puzzle.apply(state, moves[-1])
    return moves
