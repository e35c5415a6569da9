"""How fast one core plays tetris by each controller, beside the readable rules and other packages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from bench import peers
from bench.report import Row
from bench.tetris import peers as tetris_peers
from winnable.compiled.dice_kernels import draw, new_dice
from winnable.games.tetris.players import kernels, play_kernels
from winnable.games.tetris.players.controllers import CONTROLLERS, Controller
from winnable.games.tetris.players.herd import weight_table
from winnable.games.tetris.players.shape_kernels import ControlledRules, shape_table
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES
from winnable.games.tetris.rules.puzzle import NONE, State, Tetris
from winnable.inert.arrays import F64

WIDTH, HEIGHT = 10, 20
PIECES = 200_000
"""For one timing."""
READABLE = 100
ELSEWHERE = {"dellacherie": 0.685, "el-tetris": 0.685, "bcts": 0.685, "dt-10": 0.621, "dt-20": 0.621}
"""M pieces a second: another program, on 10 × 10 cells and a quiet machine."""


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Four rows for each controller on 10 × 20 cells, all for one core. Rules `simplified`: pieces a second,
    placements looked at a second, and how many times as many pieces as by the readable rules and features.
    Rules `travel`: pieces a second. Then a row for each other package (`tetris_peers`). The best of `games`
    timings counts, in processor time: other work on the machine only takes away."""
    for done, controller in enumerate(CONTROLLERS.values(), 1):
        table = weight_table(controller.weights, HEIGHT)
        seconds_of(table, seed, 10)  # compiles
        speed = PIECES / min(seconds_of(table, seed, PIECES) for _ in range(max(1, games)))
        name = controller.name
        yield Row(f"{name}: pieces", speed / 1e6, "M/s", n=PIECES, seed=seed, reference=ELSEWHERE.get(name))
        placements = speed * _placements() / 1e6
        yield Row(f"{name}: placements", placements, "M/s", n=PIECES, seed=seed)
        readable = _readable(controller, seed)
        yield Row(f"{name}: times the readable rules", speed / readable, "×", n=READABLE, seed=seed)
        travel = PIECES / min(seconds_of(table, seed, PIECES, "travel") for _ in range(max(1, games)))
        yield Row(f"{name}, rules travel: pieces", travel / 1e6, "M/s", n=PIECES, seed=seed)
        if progress is not None:
            progress(done, len(CONTROLLERS))
    yield from peers.rows(tetris_peers.PEERS, games, seed)


def seconds_of(table: F64, seed: int, pieces: int, rules: ControlledRules = "simplified") -> float:
    """Processor time for so many pieces, game after game from the empty board."""
    shapes, dice = shape_table(rules), new_dice(seed)
    work, no_memory = kernels.new_workspace(WIDTH), np.zeros(0, np.uint64)
    began, placed = time.process_time(), 0
    while placed < pieces:
        now = kernels.new_wall(WIDTH)
        game = play_kernels.play(now, HEIGHT, dice, pieces - placed, shapes, table, work, no_memory)
        placed += game.pieces
    return time.process_time() - began


def _placements() -> float:
    """Of a piece, in the mean: turns and columns. Good controllers hardly ever see one that ends the game."""
    return sum(map(len, Tetris(Level(width=WIDTH, height=HEIGHT)).actions)) / len(NAMES)


def _readable(controller: Controller, seed: int) -> float:
    """Pieces a second, by the same dice."""
    game, dice = Tetris(Level(width=WIDTH, height=HEIGHT)), new_dice(seed)
    wall: tuple[int, ...] = ()
    began = time.process_time()
    for _ in range(READABLE):
        state = State(wall, draw(dice, len(NAMES)), NONE)
        after, _ = game.afterstate(state, controller.choose(game, state))
        wall = () if after.over else after.wall
    return READABLE / (time.process_time() - began)
