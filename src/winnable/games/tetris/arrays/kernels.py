"""Many games of one level at once, each as `SeededTetris` plays the level with the dice of its seed. Which
rules hold, `simplified` or `travel`, is told by the table of shapes."""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.batch_kernels import (
    NONE,
    Conditions,
    Ledger,
    begin_entry,
    begun_anew,
    first_refused,
    pay,
    pay_illegal,
)
from winnable.compiled.jit import borrowing_kernel
from winnable.compiled.philox_kernels import below, seeded_rolls
from winnable.games.tetris.players.kernels import place
from winnable.games.tetris.players.play_kernels import PIECES
from winnable.games.tetris.players.shape_kernels import (
    MOST_TURNS,
    NOWHERE,
    WIDTH,
    must_travel,
    pivot_row,
    reached,
)
from winnable.inert.arrays import I8, I64, U64, NDArray, U, np


class Workspace(NamedTuple):
    """walls:  uint64 [games, width + 2], see players/kernels.py; first: uint64 [width + 2], the level's
    shapes: see shape_kernels.py
    boards, pieces, following: the fields `board`, `piece` and `next`, see seen.py
    """

    walls: U64
    first: U64
    shapes: I64
    boards: NDArray[np.int8]
    pieces: I8
    following: I8


class Rules(NamedTuple):
    """height: of the board; preview: the next piece is seen"""

    height: int
    preview: bool


@borrowing_kernel
def look(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Note which actions are legal for the piece, if it can appear; if not, or the piece is NONE, the game is
    over."""
    walls, _, shapes, _, pieces, following = work
    now, piece, width = walls[game], int(pieces[game, 0]), walls.shape[1] - 2
    for action in range(MOST_TURNS * width):
        ledger.masks[game, action] = 0
    ledger.over[game] = True
    if piece == NONE:
        following[game, 0] = NONE
        return
    travels = must_travel(now, rules.height, piece, shapes)
    pivot = pivot_row(now, rules.height, piece, shapes) if travels else 0
    if pivot != NOWHERE:
        for turns in range(MOST_TURNS):
            across = shapes[MOST_TURNS * piece + turns, WIDTH]
            columns = reached(now, rules.height, piece, turns, pivot, shapes) if travels and across else -1
            if across == 0 or columns == 0:
                break
            for left in range(width - across + 1):
                if columns >> left & 1:
                    ledger.masks[game, turns * width + left] = 1
                    ledger.over[game] = False
    if ledger.over[game]:
        pieces[game, 0] = following[game, 0] = NONE


@borrowing_kernel
def draw_board(game: int, work: Workspace, rules: Rules) -> None:
    """Write the wall into the field `board`."""
    board, now = work.boards[game], work.walls[game]
    for row in range(board.shape[0]):
        place = U(rules.height - 1 - row)
        for column in range(board.shape[1]):
            board[row, column] = now[column + 1] >> place & U(1)


@borrowing_kernel
def begin(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Begin one game from the level's wall."""
    for column in range(work.first.size):
        work.walls[game, column] = work.first[column]
    rolls = seeded_rolls(ledger.seeds[game], 0)
    work.pieces[game, 0] = below(rolls[0], PIECES)
    work.following[game, 0] = below(rolls[1], PIECES) if rules.preview else NONE
    look(game, work, rules, ledger)
    begin_entry(game, ledger)
    draw_board(game, work, rules)


@borrowing_kernel
def begin_all(work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Begin every game, with the seeds that are there."""
    for game in range(work.walls.shape[0]):
        begin(game, work, rules, ledger)


@borrowing_kernel
def step(actions: I64, work: Workspace, rules: Rules, ledger: Ledger, conditions: Conditions) -> int:
    """Play an action of each game; what ended begins anew instead. `first_refused`: then nothing was
    played."""
    refused = first_refused(actions, ledger, conditions)
    if refused != NONE:
        return refused
    for game in range(actions.size):
        if begun_anew(game, ledger):
            begin(game, work, rules, ledger)
            continue
        piece = int(work.pieces[game, 0])
        if not ledger.masks[game, actions[game]]:
            pay_illegal(game, ledger, conditions)
            continue
        ledger.turns[game] += 1
        lines = place(work.walls[game], rules.height, piece, actions[game], work.shapes)
        coming = NONE
        if lines != NOWHERE:
            rolls = seeded_rolls(ledger.seeds[game], ledger.turns[game])
            coming = below(rolls[0], PIECES)
        reward = float(max(lines, 0))
        if rules.preview and lines != NOWHERE:
            work.pieces[game, 0], work.following[game, 0] = work.following[game, 0], coming
        else:
            work.pieces[game, 0] = coming
        look(game, work, rules, ledger)
        draw_board(game, work, rules)
        pay(game, reward, ledger, conditions)
    return NONE
