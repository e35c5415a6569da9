"""The most that can be scored in a game of 2048, by a player who also chooses where which tile appears.

A tile of 2 ** k that was made of 2s alone brought (k - 1) * 2 ** k points, and each 4 that appeared brought 4
less. So what counts is how large the tiles get, and how few 4s appear. `ceiling` is proved in docs/2048.md;
`perfect_game` looks for a game that gets there, with a beam over the sum of the tiles, which grows with every
turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bench.game2048 import perfect_kernels
from bench.game2048.perfect_kernels import I32, Layer
from winnable.contract.core import IllegalAction
from winnable.games.game2048.board import grid_kernels
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State

MOST_CELLS = 16
"""Each more takes twice as many layers."""
WIDTH = 128


class Spawn(NamedTuple):
    """A tile that appears."""

    cell: int
    exponent: int


class Turn(NamedTuple):
    action: int
    spawn: Spawn


START = Spawn(0, 1), Spawn(1, 1)


class Game(NamedTuple):
    """start: the two tiles of the beginning"""

    rows: int
    columns: int
    start: tuple[Spawn, Spawn]
    turns: Sequence[Turn]


def ceiling(cells: int) -> int:
    """No game on so many cells scores more."""
    return sum((k - 1) << k for k in range(2, cells + 2)) - 4 * cells


def score(game: Game) -> int:
    """By the readable rules. Raises IllegalAction for a turn that they do not allow."""
    rules = Game2048(Level(rows=game.rows, columns=game.columns))
    board: State = (0,) * (game.rows * game.columns)
    for spawn in game.start:
        board = _with_spawn(board, spawn)
    total = 0
    for turn in game.turns:
        board, reward = rules.afterstate(board, turn.action)
        board = _with_spawn(board, turn.spawn)
        total += reward
    return total


def _with_spawn(board: State, spawn: Spawn) -> State:
    if spawn.exponent not in (1, 2) or board[spawn.cell]:
        raise IllegalAction("2048.spawn", tile=spawn.exponent, cell=spawn.cell)
    return (*board[: spawn.cell], spawn.exponent, *board[spawn.cell + 1 :])


def perfect_game(rows: int, columns: int, width: int = WIDTH) -> Game:
    """The longest game that a beam finds, and of several the one whose board costs least; the wider the beam,
    the better. Raises ValueError for more than MOST_CELLS."""
    if rows * columns > MOST_CELLS:
        raise ValueError(f"{rows * columns} cells: more than {MOST_CELLS}")
    beam = _Beam(rows, columns, width)
    while beam.advance():
        pass
    return Game(rows, columns, START, beam.turns())


class _Beam:
    """A layer holds boards of one sum, of which the best `width` are followed: by a 2 into the next layer, by
    a 4 into the one after it."""

    def __init__(self, rows: int, columns: int, width: int) -> None:
        self._width = width
        self._lines = grid_kernels.lines_of(Game2048(Level(rows=rows, columns=columns)))
        self._order = np.array(_snake(rows, columns), np.int32)
        cells = rows * columns
        random = np.random.default_rng(0)
        self._keys = random.integers(0, 2**64, (cells, cells + 2), np.uint64)
        self._layers = [_layer(2 * 4 * cells * width, cells) for _ in range(3)]
        """Of now, and of the next two sums."""
        self._origins: list[I32] = []
        """Of the boards that were followed, sum by sum."""
        here = self._layers[0]
        for spawn in START:
            here.boards[0, spawn.cell] = spawn.exponent
        here.number[0] = 1

    def advance(self) -> bool:
        """Follows the boards of this sum. False where none is left, here and later."""
        here, with_two, with_four = self._layers
        kept = self._best(here)
        self._origins.append(here.origins[kept])
        perfect_kernels.follow(here, kept, with_two, with_four, self._lines, self._order, self._keys)
        here.number[0] = 0
        here.slots.fill(-1)
        self._layers = [with_two, with_four, here]
        return bool(with_two.number[0] or with_four.number[0])

    def turns(self) -> Sequence[Turn]:
        """To the best board of the last sum that was reached."""
        turns: list[Turn] = []
        at, row = len(self._origins) - 1, 0
        while at > 0:
            row, code = map(int, self._origins[at][row])
            turn = Turn(code >> 5, Spawn(code >> 1 & 15, 1 + (code & 1)))
            turns.append(turn)
            at -= turn.spawn.exponent
        return turns[::-1]

    def _best(self, layer: Layer) -> I32:
        """Rows, ascending by cost."""
        costs = layer.costs[: layer.number[0]]
        if len(costs) > self._width:
            best = np.argpartition(costs, self._width)[: self._width]
        else:
            best = np.arange(len(costs))
        return best[np.argsort(costs[best], kind="stable")].astype(np.int32)


def _layer(room: int, cells: int) -> Layer:
    return Layer(
        number=np.zeros(1, np.int32),
        boards=np.zeros((room, cells), np.uint8),
        hashes=np.zeros(room, np.uint64),
        fours=np.zeros(room, np.int32),
        costs=np.zeros(room, np.int32),
        origins=np.zeros((room, 2), np.int32),
        slots=np.full(1 << (2 * room - 1).bit_length(), -1, np.int32),
    )


def _snake(rows: int, columns: int) -> list[int]:
    """All cells, row by row, every other row backwards."""
    return [
        row * columns + (column if row % 2 == 0 else columns - 1 - column)
        for row in range(rows)
        for column in range(columns)
    ]


def warm() -> None:
    perfect_game(2, 2, 1)
