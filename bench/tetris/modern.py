"""The bot of modern tetris, by its real keys: sprints of 40 lines, attack, and marathons to level 15.

A game is played frame by frame with the default handling. Seconds of play are frames / 60: how long it takes
at the speed of its keys, with no time to think. Processor time is that of planning alone.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from bench.report import Row, mean_row, rate_row
from winnable.games.tetris.modern.players.bot import DEFAULT_WIDTH, Bot
from winnable.games.tetris.modern.players.weights import Style
from winnable.games.tetris.modern.rules.gravity import FRAMES_A_SECOND
from winnable.games.tetris.modern.rules.level import Level
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern

PIECES = 300
"""Of a game of the style `attack`."""
CLEARS = ("t-spin single", "t-spin double", "t-spin triple", "tetris", "perfect clear")


class _Game(NamedTuple):
    """last: its last state; clears: how often each; thoughts: processor seconds of each plan"""

    last: AnyState
    clears: Counter[str]
    thoughts: list[float]

    @property
    def seconds(self) -> float:
        return self.last.frames / FRAMES_A_SECOND


def rows(
    games: int = 20,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    pieces: int = PIECES,
    width: int = DEFAULT_WIDTH,
) -> Iterator[Row]:
    """games: of each kind, with the seeds `seed`, `seed` + 1 ... of the pieces; pieces: of an `attack` game;
    width: of the beam"""
    _play(Level(dice=seed), "sprint", 2, width)  # compiles
    total, number = 3 * games, count(1)

    def played(level: Level, style: Style, most: int | None = None) -> _Game:
        game = _play(level, style, most, width)
        if progress is not None:
            progress(next(number), total)
        return game

    seeds = range(seed, seed + games)
    yield from _sprint([played(Level(dice=dice), "sprint") for dice in seeds], seed)
    endless = [played(Level(mode="endless", dice=dice), "attack", pieces) for dice in seeds]
    yield from _attack(endless, pieces, seed)
    marathons = [played(Level(mode="marathon", dice=dice), "marathon") for dice in seeds]
    survived = sum(game.last.status == "won" for game in marathons)
    yield rate_row("marathon: 150 lines reached", survived, games, seed)
    yield mean_row("marathon: pieces", [game.last.placed for game in marathons], seed=seed)


def _play(level: Level, style: Style, most: int | None, width: int) -> _Game:
    puzzle, bot = Modern(level), Bot(level, style=style, width=width)
    state, clears, thoughts = puzzle.initial(), Counter[str](), list[float]()
    while state.status == "playing" and (most is None or state.placed < most):
        began = time.process_time()
        is_new = not bot.is_ready(state)
        keys = bot.next_keys(state)
        if is_new:
            thoughts.append(time.process_time() - began)
        state = puzzle.apply(state, keys)
        clears[state.events.clear] += 1
        clears["perfect clear"] += state.events.perfect
    return _Game(state, clears, thoughts)


def _sprint(games: list[_Game], seed: int) -> Iterator[Row]:
    won = [game for game in games if game.last.status == "won"]
    yield rate_row("sprint: 40 lines reached", len(won), len(games), seed)
    if won:
        yield mean_row("sprint: pieces", [game.last.placed for game in won], seed=seed)
        yield mean_row("sprint: seconds of play", [game.seconds for game in won], "s", seed)
        frames = [game.last.frames / game.last.placed for game in won]
        yield mean_row("sprint: frames per piece", frames, seed=seed)
    yield from _speed("sprint", games, seed)


def _attack(games: list[_Game], pieces: int, seed: int) -> Iterator[Row]:
    name = f"attack, {pieces} pieces"
    for what in ("attack", "lines"):
        values = [getattr(game.last.tally, what) / game.last.placed for game in games]
        yield mean_row(f"{name}: {what} per piece", values, seed=seed)
    for clear in CLEARS:
        values = [100 * game.clears[clear] / game.last.placed for game in games]
        yield mean_row(f"{name}: {clear} per 100 pieces", values, seed=seed)
    died = sum(game.last.status != "playing" for game in games)
    yield rate_row(f"{name}: deaths", died, len(games), seed)
    yield from _speed(name, games, seed)


def _speed(name: str, games: list[_Game], seed: int) -> Iterator[Row]:
    thoughts = [thought for game in games for thought in game.thoughts]
    yield Row(f"{name}: plans", len(thoughts) / sum(thoughts), "plans/s", n=len(thoughts), seed=seed)
    slow = float(np.quantile(thoughts, 0.99))
    yield Row(f"{name}: 99 % of plans within", 1000 * slow, "ms", n=len(thoughts), seed=seed)
