"""What is known of a board before anybody plays on it: how many lines a controller's game has in the mean,
and how high its wall usually is.

To find that takes ten seconds and more. `long_runs.json` has it for the boards that are offered first; it was
written by `scripts/measure_tetris_boards.py`. For any other board it is found once in a process.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from winnable.contract.core import Search
from winnable.games.tetris.measure.judge import (
    BASE_PIECES,
    GivenUp,
    Strength,
    danger_levels,
    expected_lines,
    herd_of,
)
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import Controlled
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.inert.arrays import np
from winnable.search.memory import gives_back

CONTROLLER = "dt-20"
"""It plays on wherever nobody else is named."""
FILE = Path(__file__).parent / "long_runs.json"
COPIES, MOST_PIECES = 2000, 20_000_000
"""While somebody waits, see `expected_lines`."""


class Board(NamedTuple):
    """What the mean lines of a game depend on."""

    width: int
    height: int
    controller: str = CONTROLLER
    rules: ControlledRules = "simplified"

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights of the controller."""
        return CONTROLLERS[self.controller].weights

    def herd(self) -> Controlled:
        """The herd of the controller on this board."""
        return herd_of(self.width, self.height, self.weights, self.rules)

    def mean_lines(
        self,
        seed: int,
        copies: int,
        most_pieces: int,
        base_pieces: int = BASE_PIECES,
        wanted: Callable[[], bool] | None = None,
    ) -> Strength:
        """The mean lines of a game of the controller, see `expected_lines`."""
        return expected_lines(
            self.width,
            self.height,
            self.weights,
            seed,
            copies,
            most_pieces=most_pieces,
            base_pieces=base_pieces,
            rules=self.rules,
            wanted=wanted,
        )


class LongRun(Struct, frozen=True):
    """calm: rows, see `calm_below`"""

    board: Board
    calm: int
    strength: Strength


def calm_below(board: Board) -> Search[int]:
    """The height, in rows, below which a wall is calm, see `outlook.py`."""
    calm = _calm()
    if board not in calm:
        calm[board] = yield from find_calm(board)
    return calm[board]


def find_calm(board: Board) -> Search[int]:
    """The height below which a wall is calm, by playing."""
    levels = yield from danger_levels(board.herd(), np.random.default_rng(0))
    return min(levels[0], board.height // 2)


@cache
def _calm() -> dict[Board, int]:
    return {board: known.calm for board, known in _known().items()}


@cache
def _known() -> dict[Board, LongRun]:
    return {known.board: known for known in msgspec.json.decode(FILE.read_bytes(), type=list[LongRun])}


class _LongRuns:
    """Mean lines of controllers: each found once, one after the other, in a thread that nobody waits for."""

    def __init__(self) -> None:
        self._found: dict[Board, Strength] = {}
        self._wanted: dict[Board, None] = {}
        """In the order of asking; the first is in work."""
        self._lock, self._working = threading.Lock(), False

    def find(self, board: Board) -> Strength | None:
        """None while it is being found."""
        if board in _known():
            return _known()[board].strength
        with self._lock:
            if board not in self._found:
                self._wanted[board] = None
                if not self._working and sys.platform != "emscripten":  # which has no threads
                    self._working = True
                    threading.Thread(target=self._work, name="tetris-long-runs", daemon=True).start()
            return self._found.get(board)

    def give_up(self) -> None:
        """All that is not found yet, until somebody asks again."""
        with self._lock:
            self._wanted.clear()

    def _work(self) -> None:
        while (board := self._next()) is not None:
            try:
                found = board.mean_lines(0, COPIES, MOST_PIECES, wanted=partial(self._is_wanted, board))
            except GivenUp:
                continue
            with self._lock:
                self._found[board] = found
                self._wanted.pop(board, None)

    def _next(self) -> Board | None:
        """None: there is nothing to do, and the thread ends."""
        with self._lock:
            board = next(iter(self._wanted), None)
            self._working = board is not None
            return board

    def _is_wanted(self, board: Board) -> bool:
        with self._lock:
            return board in self._wanted


LONG_RUN = _LongRuns()
gives_back(LONG_RUN.give_up, "tetris")
