"""How strong the players of 2048 are that look ahead over a network, by whole games of the readable rules.
A game takes seconds to minutes, and there are many, so they are kept as they stand (`kept_games.py`).
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import msgspec

from bench.kept_games import KeptGames
from bench.report import Row, mean_row, rate_row
from winnable.contract.chance import Turn
from winnable.contract.core import Player, finish
from winnable.games.game2048.exact.endgame import tables_there
from winnable.games.game2048.players.by_name import PLAYERS, SEARCHES, Make
from winnable.games.game2048.players.expectimax import network_path
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048, State

TIMES: Final = {"search-1ms": 10, "search-10ms": 1, "search-50ms": 1}
"""Of each player, so many times the games asked for."""
TILES: Final = range(11, 17)
"""Exponents, whose shares of games are told."""
SLICE = 3.0
"""Seconds of a player: so long Ctrl-C waits."""


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as far as it is played. cells: exponents; seconds: processor time of the player."""

    seed: int
    cells: tuple[int, ...]
    score: int = 0
    moves: int = 0
    seconds: float = 0.0
    over: bool = False


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

        seeds = range(seed, seed + times * games)
        played, stopped = whole_games(name).played_until_stopped(seeds, told)
        if played:
            yield from of_player(called(name), played, seed)
        if stopped:
            return
        done += len(seeds)


def of_player(who: str, games: Sequence[Game], seed: int) -> Iterator[Row]:
    """Shares of games in which it makes a tile, the mean score, and the processor time of a move."""
    for exponent in TILES:
        yield tile_row(who, games, exponent, seed)
    yield mean_row(f"{who}: score", [game.score for game in games], "", seed)
    moves = sum(game.moves for game in games)
    seconds = sum(game.seconds for game in games)
    yield Row(f"{who}: a move", seconds / moves * 1000, "ms", n=moves, seed=seed)


def tile_row(who: str, games: Sequence[Game], exponent: int, seed: int, goal: float | None = None) -> Row:
    """The share of games in which it makes the tile."""
    reached = sum(max(game.cells) >= exponent for game in games)
    return rate_row(f"{who}: games that make a {1 << exponent:,}", reached, len(games), seed, goal)


def called(name: str) -> str:
    """A player, with the endgame tables as they are now."""
    tables = len(tables_there())
    return f"{name}, {tables} endgame tables" if tables else name


def whole_games(name: str) -> KeptGames[Game]:
    """Of a player, with the network and the endgame tables as they are now."""
    return KeptGames("2048-strength", decided_by(name), Game, begin, partial(play_on, player_of(name)))


def decided_by(name: str) -> list[object]:
    """All that a player's games depend on besides the seed."""
    network = hashlib.sha256(network_path().read_bytes()).hexdigest()
    return [name, SEARCHES[name], network, tables_there()]


def player_of(name: str) -> Make:
    """Which workers can import."""
    return partial(_of_name, name)


def begin(seed: int) -> Game:
    """With dice from this seed."""
    return Game(seed, Seeded2048(Level(dice=seed)).initial().state)


def _of_name(name: str, puzzle: Seeded2048, seed: int) -> Player[Turn[State]]:
    return PLAYERS[name](puzzle, seed)


def play_on(make: Make, game: Game, seconds: float = SLICE, last: float = math.inf) -> Game:
    """The game after the player has thought for so long, or at its end, which a tile of the exponent `last`
    is, too."""
    puzzle = Seeded2048(Level(dice=game.seed))
    player, state = make(puzzle, game.seed), Turn(game.cells, game.score, game.moves)
    thought = 0.0
    while not (over := _is_over(puzzle, state, last)) and thought < seconds:
        began = time.process_time()
        action = finish(player.choose(state))
        thought += time.process_time() - began
        state = puzzle.apply(state, action)
    seconds = game.seconds + thought
    return Game(game.seed, state.state, state.score, state.turn, seconds, over=over)


def _is_over(puzzle: Seeded2048, state: Turn[State], last: float) -> bool:
    return max(state.state) >= last or not puzzle.legal_actions(state)
