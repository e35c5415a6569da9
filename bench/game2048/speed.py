"""How many random moves of 2048 one core makes a second, beside the readable rules and other packages."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from bench import peers
from bench.game2048 import peers as game2048_peers
from bench.report import Row
from winnable.compiled.dice_kernels import new_dice
from winnable.contract.chance import SeededDice
from winnable.games.game2048.board import kernels
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048

GAMES = 50_000
"""Of one timing."""
READABLE_MOVES = 2_000
PROTOTYPE = 46.6
"""M moves a second: another program of ours for numba, on a quiet machine."""


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Moves a second by kernels, and how many times as many as by the readable rules and as by each other
    package. The best of `games` timings counts, in processor time."""
    kernels.random_games(1, 10, kernels.slides(), new_dice(seed))  # compiles
    speed = max(_speed(seed + one) for one in range(max(1, games)))
    yield Row("random moves", speed / 1e6, "M/s", n=GAMES, seed=seed, reference=PROTOTYPE)
    readable = _readable_speed(seed)
    yield Row("times the readable rules", speed / readable, "×", n=READABLE_MOVES, seed=seed)
    for row in peers.rows(game2048_peers.PEERS, games, seed):
        yield row
        if row.n:
            yield Row(f"times {row.name.partition(',')[0]}", speed / row.value, "×", n=row.n, seed=seed)
    if progress is not None:
        progress(1, 1)


def _speed(seed: int) -> float:
    dice, slides = new_dice(seed), kernels.slides()
    began = time.process_time()
    moves, _ = kernels.random_games(GAMES, 10, slides, dice)
    return moves / (time.process_time() - began)


def _readable_speed(seed: int) -> float:
    game, rng, dice = Game2048(Level()), random.Random(seed), SeededDice(seed, 0)
    state = game.initial(dice)
    began = time.process_time()
    for _ in range(READABLE_MOVES):
        legal = game.legal_actions(state)
        if not legal:
            state = game.initial(dice)
            continue
        after, _ = game.afterstate(state, legal[int(rng.random() * len(legal))])
        state = game.sample(after, dice)
    return READABLE_MOVES / (time.process_time() - began)
