"""Many games at once, each as `Drops` plays its level, on boards of bits."""

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
from winnable.games.drops.rules.puzzle import BURSTS_PER_DROP
from winnable.games.drops.solve.click_kernels import Bits, click, drops_at, is_empty
from winnable.games.drops.solve.kernels import copy
from winnable.games.drops.solve.linked_kernels import Clicker
from winnable.inert.arrays import I8, I16, I32, I64

LEFT, EVERY, FLASH, OPEN = range(4)
"""Places in a row of `rules`, int64 [levels, 4]: clicks at the start, -1: as many as it takes; bursts for a
drop, 0: none are given; whether it is of a flash game; whether empty cells may be clicked."""


class Workspace(NamedTuple):
    """bits:     uint64 [games, words], see click_kernels.py
    first:    uint64 [levels, words]
    boards, left, bursts: the fields, see seen.py
    """

    bits: Bits
    first: Bits
    clicker: Clicker
    boards: I8
    left: I32
    bursts: I16


@borrowing_kernel
def look(game: int, work: Workspace, rules: I64, ledger: Ledger) -> None:
    """Draws the board, and says which actions are legal."""
    bits, board = work.bits[game], work.boards[game]
    over = work.left[game, 0] == 0 or is_empty(bits)
    is_open = rules[ledger.seeds[game] % rules.shape[0], OPEN] != 0
    for cell in range(ledger.masks.shape[1]):
        drops = drops_at(bits, cell)
        board[cell // board.shape[1], cell % board.shape[1]] = drops
        ledger.masks[game, cell] = not over and (is_open or drops > 0)
    ledger.over[game] = over


@borrowing_kernel
def begin(game: int, work: Workspace, rules: I64, ledger: Ledger) -> None:
    """Puts the level of the game's seed on its board."""
    level = ledger.seeds[game] % rules.shape[0]
    copy(work.first[level], work.bits[game])
    work.left[game, 0], work.bursts[game, 0] = rules[level, LEFT], 0
    look(game, work, rules, ledger)
    begin_entry(game, ledger)


@borrowing_kernel
def fill_tank(game: int, level: int, bursts: int, work: Workspace, rules: I64) -> None:
    """Takes the drop of a click and gives back what its bursts gain, as `Drops` does."""
    if work.left[game, 0] < 0:
        return
    work.left[game, 0] -= 1
    every = rules[level, EVERY]
    if rules[level, FLASH]:
        work.left[game, 0] += bursts // BURSTS_PER_DROP + (1 if is_empty(work.bits[game]) else 0)
    elif every:
        bursts += work.bursts[game, 0]
        work.left[game, 0] += bursts // every
        work.bursts[game, 0] = bursts % every


@borrowing_kernel
def begin_all(work: Workspace, rules: I64, ledger: Ledger) -> None:
    """Begins every game with the level of its seed."""
    for game in range(work.bits.shape[0]):
        begin(game, work, rules, ledger)


@borrowing_kernel
def step(actions: I64, work: Workspace, rules: I64, ledger: Ledger, conditions: Conditions) -> int:
    """An action of each game; what ended begins anew instead. `first_refused`: then nothing was played."""
    refused = first_refused(actions, ledger, conditions)
    if refused != NONE:
        return refused
    for game in range(actions.size):
        if begun_anew(game, ledger):
            begin(game, work, rules, ledger)
            continue
        if not ledger.masks[game, actions[game]]:
            pay_illegal(game, ledger, conditions)
            continue
        ledger.turns[game] += 1
        bits = work.bits[game]
        bursts = click(bits, work.clicker, actions[game])
        fill_tank(game, ledger.seeds[game] % rules.shape[0], bursts, work, rules)
        reward = 1.0 if is_empty(bits) else 0.0
        look(game, work, rules, ledger)
        pay(game, reward, ledger, conditions)
    return NONE
