"""Our own controller beside DT-20: by the Judge, in one run, and then whole games of it to the end.

A game lasts for hours, so they are kept as they stand (`kept_games.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from bench.kept_games import KeptGames
from bench.report import Row
from winnable.compiled.dice_kernels import new_dice
from winnable.games.tetris.measure.judge import by_playing, expected_lines
from winnable.games.tetris.players import kernels, play_kernels
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import weight_table
from winnable.games.tetris.players.shape_kernels import shape_table
from winnable.tuning.survival import Survival

OURS, PUBLISHED, PUBLISHED_LINES = "wary", "dt-20", 51e6
WIDTH, HEIGHT = 10, 20
SLICE = 2_000_000
"""Pieces, some seconds: so long Ctrl-C waits."""
MOST_PIECES = 10**9
MEMORY = 1 << 26
"""Places, of each worker: half a GiB."""
BASE_PIECES = 400_000
"""Of each run of splitting: what makes a wall dangerous is seldom, and without it a run says too much."""


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as far as it is played. dice, wall: as kernels have them."""

    dice: list[int]
    wall: list[int]
    pieces: int = 0
    lines: int = 0
    over: bool = False


def rows(
    games: int = 20, seed: int = 0, progress: Callable[[int, int], None] | None = None, runs: int = 8
) -> Iterator[Row]:
    """On 10 × 20 cells, lines per game with 95 % intervals: of both by splitting (`runs` of 4,000 copies),
    then of ours over `games` whole games, with dice from `seed` on. Ctrl-C ends it with the games as they
    stand; of those that are not over what they have counts."""
    for name, reference in ((PUBLISHED, PUBLISHED_LINES), (OURS, None)):
        weights = CONTROLLERS[name].weights
        found = expected_lines(
            WIDTH, HEIGHT, weights, seed, runs=runs, most_pieces=MOST_PIECES, base_pieces=BASE_PIECES
        )
        what = f"{name}: lines per game, by {found.by}"
        yield Row(what, found.lines or found.low, "lines", found.low, found.high, runs, seed, reference)
    kept, seeds = whole_games(CONTROLLERS[OURS].weights), range(seed, seed + games)

    def told(over: int) -> None:
        if progress is not None:
            progress(over, games)

    try:
        played = kept.play_out(seeds, told)
    except KeyboardInterrupt:
        played = kept.as_they_stand(seeds)
    yield from _whole_games(played, seed)


def _whole_games(played: Sequence[Game], seed: int) -> Iterator[Row]:
    deaths, pieces = sum(game.over for game in played), sum(game.pieces for game in played)
    if pieces:
        lines = sum(game.lines for game in played)
        found = by_playing(Survival(deaths, pieces, lines, None, deaths == len(played)))
        value = found.lines or found.low
        yield Row(f"{OURS}: lines per game, played out", value, "lines", found.low, found.high, deaths, seed)
    yield Row(f"{OURS}: games that are over, of {len(played)}", deaths, n=len(played), seed=seed)
    yield Row(f"{OURS}: pieces placed in whole games", pieces / 1e9, "G", n=len(played), seed=seed)


def whole_games(weights: Mapping[str, float]) -> KeptGames[Game]:
    """Of a controller with these weights."""
    decided_by = [sorted(weights.items()), WIDTH, HEIGHT]
    return KeptGames("tetris-record", decided_by, Game, begin, partial(play_on, dict(weights), SLICE))


def begin(seed: int) -> Game:
    """With dice from this seed."""
    return Game(new_dice(seed).tolist(), kernels.new_wall(WIDTH).tolist())


def play_on(weights: Mapping[str, float], pieces: int, game: Game) -> Game:
    """The game after so many pieces more, or at its end."""
    now, dice = np.array(game.wall, np.uint64), np.array(game.dice, np.uint64)
    work = kernels.new_workspace(WIDTH)
    table, memory = weight_table(weights, HEIGHT), _memory(tuple(weights.items()))
    more, lines, over = play_kernels.play(now, HEIGHT, dice, pieces, shape_table(), table, work, memory)
    return Game(dice.tolist(), now.tolist(), game.pieces + more, game.lines + lines, over)


@lru_cache(1)
def _memory(weights: tuple[tuple[str, float], ...]) -> NDArray[np.uint64]:
    """Of a controller with these weights, in this process."""
    return np.zeros(MEMORY, np.uint64)
