"""How strong the players of 2048 are that look ahead over a network, by whole games of the readable rules.

Games are played on worker processes, one for each processor, and each that is over is kept in the data
folder: the next run goes on from there.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

import msgspec

from winnable.benchmarks.report import Row, mean_row, rate_row
from winnable.core import WinnableError
from winnable.engines import Processes
from winnable.executor import Evaluator
from winnable.games.game2048.expectimax import network_path
from winnable.games.game2048.level import Level
from winnable.games.game2048.players import PLAYERS, SEARCHES
from winnable.games.game2048.rules import Seeded2048
from winnable.library import write_file
from winnable.store import data_folder

TIMES: Final = {"search-1ms": 10, "search-10ms": 1}
"""Of each player, so many times the games asked for."""
TILES: Final = range(11, 17)
"""Exponents, whose shares of games are told."""


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that is over. largest: exponent of its largest tile; seconds: processor time of the player."""

    score: int
    largest: int
    moves: int
    seconds: float


def rows(
    games: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """On 4 × 4, with dice from `seed` on, for each player the shares of games in which it makes a tile, the
    mean score, and the processor time of a move; of the fast player ten times as many games. Ctrl-C ends it
    with the games that are over."""
    whole, done = games * sum(TIMES.values()), 0
    for name, times in TIMES.items():

        def told(over: int, before: int = done) -> None:
            if progress is not None:
                progress(before + over, whole)

        stopped = False
        path = kept_at(name)
        try:
            play_out(path, name, range(seed, seed + times * games), told)
        except KeyboardInterrupt:
            stopped = True
        played = [game for at, game in load(path).items() if seed <= at < seed + times * games]
        if played:
            yield from _of_player(name, played, seed)
        if stopped:
            return
        done += times * games


def _of_player(name: str, games: list[Game], seed: int) -> Iterator[Row]:
    for exponent in TILES:
        reached = sum(game.largest >= exponent for game in games)
        yield rate_row(f"{name}: games that make a {1 << exponent:,}", reached, len(games), seed)
    yield mean_row(f"{name}: score", [game.score for game in games], "", seed)
    moves = sum(game.moves for game in games)
    seconds = sum(game.seconds for game in games)
    yield Row(f"{name}: a move", seconds / moves * 1000, "ms", n=moves, seed=seed)


def kept_at(name: str) -> Path:
    """Where games of a player are kept, with the network as it is."""
    digest = hashlib.sha256(network_path().read_bytes())
    digest.update(f"{name} {SEARCHES[name]}".encode())
    return data_folder() / f"2048-strength-{digest.hexdigest()[:16]}.json"


def load(path: Path) -> dict[int, Game]:
    """By their seeds. Raises WinnableError for a file that cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[int, Game])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise WinnableError(f"{path}: {error}") from None


def play_out(path: Path, name: str, seeds: range, told: Callable[[int], None]) -> None:
    """Plays the games of these seeds that the file does not have, and keeps each when it is over."""
    played = load(path)
    waiting = [seed for seed in seeds if seed not in played]
    path.parent.mkdir(parents=True, exist_ok=True)
    with Evaluator(Processes(os.cpu_count() or 1)) as evaluator:
        while waiting or evaluator.outstanding:
            while waiting and evaluator.free:
                seed = waiting.pop(0)
                evaluator.submit(seed, play, name, seed)
            seed, game = cast("tuple[int, Game]", next(evaluator))
            played[seed] = game
            write_file(path, msgspec.json.encode(played))
            told(sum(seed in played for seed in seeds))


def play(name: str, seed: int) -> Game:
    """A game from the beginning to its end."""
    puzzle = Seeded2048(Level(dice=seed))
    player, state, seconds = PLAYERS[name](puzzle, seed), puzzle.initial(), 0.0
    while puzzle.legal_actions(state):
        began = time.process_time()
        action = player.choose(state)
        seconds += time.process_time() - began
        state = puzzle.apply(state, action)
    return Game(state.score, max(state.state), state.turn, seconds)
