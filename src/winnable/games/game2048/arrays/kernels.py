"""Many games of one level at once, each as `Seeded2048` plays the level with the dice of its seed."""

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
from winnable.compiled.bit_kernels import count_ones, nth_one
from winnable.compiled.jit import borrowing_kernel
from winnable.compiled.philox_kernels import Raw, below, seeded_rolls
from winnable.games.game2048.board import kernels as words
from winnable.games.game2048.board.grid_kernels import Cells, Lines, move
from winnable.inert.arrays import I64, U64, U, np

ACTIONS = 4


class Workspace(NamedTuple):
    """boards: uint8 [games, cells], exponents; first: uint8 [cells], the level's board, or empty cells;
    lines: see grid_kernels.py; slides: see kernels.py, of boards of 4 × 4; else empty"""

    boards: Cells
    first: Cells
    lines: Lines
    slides: U64


class Rules(NamedTuple):
    """fours: percent of the new tiles; drawn: so many tiles are added at the start; goal: its exponent, 0
    without; ends: the game is over there; pays_goal: the reward is 1 for reaching it, else the score"""

    fours: int
    drawn: int
    goal: int
    ends: bool
    pays_goal: bool


@borrowing_kernel
def as_word(cells: Cells, slides: U64) -> np.uint64:
    """The board as kernels.py has it, never 0; but 0 where two of the largest tile that fits might meet: they
    would not merge there."""
    word = U(0)
    if slides.size == 0:
        return word
    for cell in range(15, -1, -1):
        exponent = cells[cell]
        if exponent >= words.MAX_EXPONENT:
            return U(0)
        word = word << U(4) | U(exponent)
    return word


@borrowing_kernel
def play_word(word: np.uint64, action: int, fours: int, rolls: Raw, slides: U64, cells: Cells) -> int:
    """A legal action, and the new tile; the reward. cells: the board after that"""
    after, reward = words.moved(word, action, slides)
    empty = words.empty_cells(after)
    new = nth_one(empty, below(rolls[0], count_ones(empty)))
    after |= new << U(1) if below(rolls[1], 100) < fours else new
    for cell in range(16):
        cells[cell] = after & U(15)
        after >>= U(4)
    return int(reward)


@borrowing_kernel
def add_rolled(cells: Cells, fours: int, where: np.uint64, which: np.uint64) -> None:
    """`Game2048.sample`, with both of its rolls."""
    empty = 0
    for exponent in cells:
        empty += exponent == 0
    left = below(where, empty)
    for cell in range(cells.size):
        if cells[cell] == 0:
            if left == 0:
                cells[cell] = 2 if below(which, 100) < fours else 1
                return
            left -= 1


@borrowing_kernel
def slides(cells: Cells, action: int, lines: Lines) -> bool:
    """Whether the action is legal: somewhere a tile has an empty cell or an equal one before it."""
    for index in range(lines.shape[1]):
        if lines[action, index, 0] < 0:
            break
        before = cells[lines[action, index, 0]]
        for step in range(1, lines.shape[2]):
            cell = lines[action, index, step]
            if cell < 0:
                break
            here = cells[cell]
            if here and (before == 0 or before == here):
                return True
            before = here
    return False


@borrowing_kernel
def largest(cells: Cells) -> int:
    """The largest exponent on a board."""
    found = 0
    for exponent in cells:
        found = max(found, int(exponent))
    return found


@borrowing_kernel
def look(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Writes which actions are legal, and whether the game is over."""
    cells, masks = work.boards[game], ledger.masks
    ended = rules.ends and largest(cells) >= rules.goal
    word = as_word(cells, work.slides)
    if ended or word == U(0):
        for action in range(ACTIONS):
            masks[game, action] = not ended and slides(cells, action, work.lines)
    else:
        (up, right, down, left), _ = words.afterstates(word, work.slides)
        masks[game, 0], masks[game, 1] = up != word, right != word
        masks[game, 2], masks[game, 3] = down != word, left != word
    ledger.over[game] = not (masks[game, 0] | masks[game, 1] | masks[game, 2] | masks[game, 3])


@borrowing_kernel
def begin(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Lays out the level's board, with the tiles that the dice of the game's seed add, and begins its
    entry."""
    cells = work.boards[game]
    for cell in range(cells.size):
        cells[cell] = work.first[cell]
    if rules.drawn:
        rolls = seeded_rolls(ledger.seeds[game], 0)
        add_rolled(cells, rules.fours, rolls[0], rolls[1])
        add_rolled(cells, rules.fours, rolls[2], rolls[3])
    look(game, work, rules, ledger)
    begin_entry(game, ledger)


@borrowing_kernel
def begin_all(work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Begins each game with the seed that it has."""
    for game in range(work.boards.shape[0]):
        begin(game, work, rules, ledger)


@borrowing_kernel
def step(actions: I64, work: Workspace, rules: Rules, ledger: Ledger, conditions: Conditions) -> int:
    """An action of each game; what ended begins anew instead. `first_refused`: then nothing was played."""
    refused = first_refused(actions, ledger, conditions)
    if refused != NONE:
        return refused
    for game in range(actions.size):
        if begun_anew(game, ledger):
            begin(game, work, rules, ledger)
            continue
        action, cells = actions[game], work.boards[game]
        if not ledger.masks[game, action]:
            pay_illegal(game, ledger, conditions)
            continue
        was_there = rules.pays_goal and largest(cells) >= rules.goal
        ledger.turns[game] += 1
        rolls = seeded_rolls(ledger.seeds[game], ledger.turns[game])
        word = as_word(cells, work.slides)
        if word == U(0):
            reward = float(move(cells, action, work.lines))
            add_rolled(cells, rules.fours, rolls[0], rolls[1])
        else:
            reward = float(play_word(word, action, rules.fours, rolls, work.slides, cells))
        if rules.pays_goal:
            reward = 1.0 if not was_there and largest(cells) >= rules.goal else 0.0
        look(game, work, rules, ledger)
        pay(game, reward, ledger, conditions)
    return NONE
