"""What is known of a board before anybody plays on it: how many lines a controller's game has in the mean,
and how high its wall usually is.

To find that takes ten seconds and more. `long_runs.json` has it for the boards that are offered first; it was
written by `scripts/measure_tetris_boards.py`. For any other board it is found once in a process.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from winnable.games.tetris.measure.judge import BASE_PIECES, Strength, danger_levels, expected_lines, herd_of
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import Controlled
from winnable.games.tetris.players.shape_kernels import ControlledRules

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
        return CONTROLLERS[self.controller].weights

    def herd(self) -> Controlled:
        return herd_of(self.width, self.height, self.weights, self.rules)

    def mean_lines(
        self, seed: int, copies: int, most_pieces: int, base_pieces: int = BASE_PIECES
    ) -> Strength:
        """See `expected_lines`."""
        return expected_lines(
            self.width,
            self.height,
            self.weights,
            seed,
            copies,
            most_pieces=most_pieces,
            base_pieces=base_pieces,
            rules=self.rules,
        )


class LongRun(Struct, frozen=True):
    """calm: rows, see `calm_below`"""

    board: Board
    calm: int
    strength: Strength


@lru_cache(maxsize=256)
def calm_below(board: Board) -> int:
    """Rows: a wall below that is calm, see `outlook.py`."""
    return _known()[board].calm if board in _known() else find_calm(board)


def find_calm(board: Board) -> int:
    return min(danger_levels(board.herd(), np.random.default_rng(0))[0], board.height // 2)


@cache
def _known() -> dict[Board, LongRun]:
    return {known.board: known for known in msgspec.json.decode(FILE.read_bytes(), type=list[LongRun])}


class _LongRuns:
    """Mean lines of controllers: each found once, one after the other, in threads that nobody waits for."""

    def __init__(self) -> None:
        self._found: dict[Board, Strength | None] = {}
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def find(self, board: Board) -> Strength | None:
        """None while it is being found."""
        if board in _known():
            return _known()[board].strength
        with self._lock:
            if board not in self._found:
                self._found[board] = None
                threading.Thread(target=self._work, args=(board,), daemon=True).start()
            return self._found[board]

    def _work(self, board: Board) -> None:
        with self._turn:
            strength = board.mean_lines(0, COPIES, MOST_PIECES)
        with self._lock:
            self._found[board] = strength


LONG_RUN = _LongRuns()
