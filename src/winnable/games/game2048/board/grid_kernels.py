"""Boards of any size, compiled: moves along lines of cells, and games by random moves.

A board is uint8 [cells], exponents of two, row-major. Lines are int16 [4, lines, length], of each action the
lines of cells from their far side on, see `Game2048.lines`; rows are padded with -1 where boards are not
square.
"""

from __future__ import annotations

from typing import TypeAlias

from winnable.compiled.dice_kernels import draw
from winnable.compiled.jit import kernel
from winnable.games.game2048.rules.puzzle import Game2048, State
from winnable.inert.arrays import I16, U8, U64, np

Cells: TypeAlias = U8
Lines: TypeAlias = I16
PADDING = -1


def pack(board: State) -> Cells:
    """The exponents as uint8 [cells]."""
    return np.array(board, np.uint8)


def lines_of(game: Game2048) -> Lines:
    """The lines of cells along which tiles slide: int16 [4, lines, cells], PADDING where a line is
    shorter."""
    longest = max(game.rows, game.columns)
    table = np.full((4, longest, longest), PADDING, np.int16)
    for action, lines in enumerate(game.lines):
        for index, line in enumerate(lines):
            table[action, index, : len(line)] = line
    return table


@kernel
def move(cells: Cells, action: int, lines: Lines) -> int:
    """Moves the board in place; the reward, or -1 when the action is not legal and nothing moves."""
    reward, changed = 0, False
    for index in range(lines.shape[1]):
        if lines[action, index, 0] < 0:
            break
        place, waiting = -1, 0
        for step in range(lines.shape[2]):
            cell = lines[action, index, step]
            if cell < 0:
                break
            exponent = int(cells[cell])
            if exponent == 0:
                continue
            if exponent == waiting:
                exponent += 1
                reward += 1 << exponent
                waiting = 0
            else:
                place += 1
                waiting = exponent
            target = lines[action, index, place]
            if target != cell:
                cells[cell] = 0
                changed = True
            cells[target] = exponent
    return reward if changed else -1


@kernel
def add_tile(cells: Cells, fours: int, dice: U64) -> None:
    """A 2, or a 4 at so many percent, on any of the empty cells, of which there is one at least."""
    empty = 0
    for cell in range(len(cells)):
        empty += cells[cell] == 0
    drawn = draw(dice, 100 * empty)
    left = drawn // 100
    for cell in range(len(cells)):
        if cells[cell] == 0:
            if left == 0:
                cells[cell] = 2 if drawn % 100 < fours else 1
                return
            left -= 1


@kernel
def random_move(cells: Cells, lines: Lines, dice: U64) -> int:
    """Makes a random legal move in place, each as likely; the reward, or -1 when there is none."""
    reward, tried = -1, 0
    while reward < 0 and tried != 15:
        action = draw(dice, 4)
        reward = move(cells, action, lines)
        tried |= 1 << action
    return reward


@kernel
def random_moves(cells: Cells, lines: Lines, fours: int, most: int, dice: U64) -> int:
    """Plays on in place, each legal move as likely, until none is left or so many are made -> the reward."""
    score = 0
    for _ in range(most):
        reward = random_move(cells, lines, dice)
        if reward < 0:
            break
        score += reward
        add_tile(cells, fours, dice)
    return score


@kernel
def makes(cells: Cells, goal: int, lines: Lines, fours: int, games: int, most: int, dice: U64) -> int:
    """Random games that go on from the board after a move -> how many of them make a tile of the exponent
    `goal`; -1 when one was cut, after so many moves."""
    made, game = 0, np.empty(len(cells), np.uint8)
    for _ in range(games):
        game[:] = cells
        add_tile(game, fours, dice)
        moves = 0
        while game.max() < goal and random_move(game, lines, dice) >= 0:
            if moves == most:
                return -1
            add_tile(game, fours, dice)
            moves += 1
        made += game.max() >= goal
    return made


@kernel
def rollouts(cells: Cells, lines: Lines, fours: int, runs: int, most: int, dice: U64) -> float:
    """Mean reward of `runs` games that go on from the board after a move: a new tile, then random moves."""
    total, game = 0, np.empty(len(cells), np.uint8)
    for _ in range(runs):
        game[:] = cells
        add_tile(game, fours, dice)
        total += random_moves(game, lines, fours, most, dice)
    return total / runs
