"""Another program's player of 2048 beside ours, on the same dice and by the readable rules.

The environment variable WINNABLE_2048_LIBRARY names a shared library that has the functions of nneonneo's
2048-ai: `init_tables()`, and `find_best_move(board)`, which takes 16 exponents of 4 bits, the first cell
lowest, and answers 0 to 3: up, down, left, right.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from bench.game2048.strength import Game, begin, of_player, play_on, whole_games
from bench.kept_games import KeptGames
from bench.report import Row
from winnable.contract.chance import Turn
from winnable.contract.core import Action, WinnableError
from winnable.games.game2048.board.kernels import MAX_EXPONENT, pack
from winnable.games.game2048.rules.puzzle import DOWN, LEFT, RIGHT, UP, Seeded2048, State

VARIABLE: Final = "WINNABLE_2048_LIBRARY"
MOVES: Final = UP, DOWN, LEFT, RIGHT
OURS: Final = "search-1ms", "search-10ms"


def rows(games: int = 10, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """The rows of `2048-strength` for the library's player and for ours. Games are kept as they stand; Ctrl-C
    ends it with those that are over. Raises WinnableError where there is no library."""
    path, seeds = _path(), range(seed, seed + games)
    decided_by = hashlib.sha256(path.read_bytes()).hexdigest()
    theirs = KeptGames("2048-library", decided_by, Game, begin, partial(play_on, Library))
    contestants = {path.stem: theirs, **{name: whole_games(name) for name in OURS}}
    for number, (name, kept) in enumerate(contestants.items()):

        def told(over: int, before: int = number * games) -> None:
            if progress is not None:
                progress(before + over, len(contestants) * games)

        played, stopped = kept.played_until_stopped(seeds, told)
        if played:
            yield from of_player(name, played, seed)
        if stopped:
            return


class Library:
    """The player of the library. It knows tiles to 32,768, and takes larger ones for such."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0) -> None:
        """`seed` has no effect. Raises WinnableError."""
        self._puzzle, self._functions = puzzle, _loaded(_path())

    def choose(self, state: Turn[State]) -> Action:
        """Any legal action where the library names none. Raises WinnableError where it is illegal."""
        board = pack(tuple(min(exponent, MAX_EXPONENT) for exponent in state.state))
        answer: int = self._functions.find_best_move(board)
        legal = self._puzzle.legal_actions(state)
        if answer < 0:
            return legal[0]
        if answer >= len(MOVES) or MOVES[answer] not in legal:
            raise WinnableError(f"{VARIABLE}: find_best_move(0x{board:016x}) answers {answer}: illegal")
        return MOVES[answer]


def _path() -> Path:
    if not (named := os.environ.get(VARIABLE)):
        raise WinnableError(f"{VARIABLE}: it must name a shared library with a player of 2048")
    if not (path := Path(named)).is_file():
        raise WinnableError(f"{VARIABLE}: there is no file {path}")
    return path.resolve()


@cache
def _loaded(path: Path) -> Any:
    try:
        library = ctypes.CDLL(str(path))
        library.init_tables()
        library.find_best_move.argtypes = [ctypes.c_uint64]
    except (OSError, AttributeError) as error:
        raise WinnableError(f"{VARIABLE}: {error}") from None
    return library
