"""Many games at once, each as `Drops` plays its level, on boards of bits."""

from __future__ import annotations

from typing import Final, NamedTuple

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
from winnable.games.drops.solve.kernels import Cells
from winnable.inert.arrays import I8, I64, NDArray, np

LEFT, EVERY, FLASH, OPEN = range(4)
"""Of a level: clicks at the start, -1: as many as it takes; bursts for a drop, 0: none are given; whether it
is of a flash game; whether empty cells may be clicked."""
FIGURES: Final = 4


class Room(NamedTuple):
    """bits:     uint64 [games, words], see click_kernels.py
    first:    uint64 [levels, words]; figures: int64 [levels, FIGURES]
    geometry, cells, chain: see kernels.py
    boards, left, bursts: the fields, see seen.py
    """

    bits: Bits
    first: Bits
    figures: I64
    geometry: I64
    cells: Cells
    chain: I64
    boards: I8
    left: NDArray[np.int32]
    bursts: NDArray[np.int16]


class Rules(NamedTuple):
    """levels: how many there are"""

    levels: int


@borrowing_kernel
def look(game: int, room: Room, rules: Rules, ledger: Ledger) -> None:
    """Draws the board, and says which actions are legal."""
    bits, board = room.bits[game], room.boards[game]
    over = room.left[game, 0] == 0 or is_empty(bits)
    is_open = room.figures[ledger.seeds[game] % rules.levels, OPEN] != 0
    for cell in range(ledger.masks.shape[1]):
        drops = drops_at(bits, cell)
        board[cell // board.shape[1], cell % board.shape[1]] = drops
        ledger.masks[game, cell] = not over and (is_open or drops > 0)
    ledger.over[game] = over


@borrowing_kernel
def begin(game: int, room: Room, rules: Rules, ledger: Ledger) -> None:
    level = ledger.seeds[game] % rules.levels
    for word in range(room.first.shape[1]):
        room.bits[game, word] = room.first[level, word]
    room.left[game, 0], room.bursts[game, 0] = room.figures[level, LEFT], 0
    look(game, room, rules, ledger)
    begin_entry(game, ledger)


@borrowing_kernel
def fill_tank(game: int, level: int, bursts: int, room: Room) -> None:
    """After a click, see `Drops`."""
    if room.left[game, 0] < 0:
        return
    room.left[game, 0] -= 1
    every = room.figures[level, EVERY]
    if room.figures[level, FLASH]:
        room.left[game, 0] += bursts // BURSTS_PER_DROP + (1 if is_empty(room.bits[game]) else 0)
    elif every:
        bursts += room.bursts[game, 0]
        room.left[game, 0] += bursts // every
        room.bursts[game, 0] = bursts % every


@borrowing_kernel
def begin_all(room: Room, rules: Rules, ledger: Ledger) -> None:
    """Of the seeds that are there."""
    for game in range(room.bits.shape[0]):
        begin(game, room, rules, ledger)


@borrowing_kernel
def step(actions: I64, room: Room, rules: Rules, ledger: Ledger, conditions: Conditions) -> int:
    """An action of each game; what ended begins anew instead. `first_refused`: then nothing was played."""
    refused = first_refused(actions, ledger, conditions)
    if refused != NONE:
        return refused
    for game in range(actions.size):
        if begun_anew(game, ledger):
            begin(game, room, rules, ledger)
            continue
        if not ledger.masks[game, actions[game]]:
            pay_illegal(game, ledger, conditions)
            continue
        ledger.turns[game] += 1
        bits = room.bits[game]
        bursts = click(bits, room.geometry, room.cells, room.chain, actions[game])
        fill_tank(game, ledger.seeds[game] % rules.levels, bursts, room)
        reward = 1.0 if is_empty(bits) else 0.0
        look(game, room, rules, ledger)
        pay(game, reward, ledger, conditions)
    return NONE
