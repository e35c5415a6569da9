"""Many games at once, each as `Rotate` plays its level."""

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
from winnable.games.rotate.solve.kernels import Blocks, Cells, Parents, count_clusters, turn_action
from winnable.inert.arrays import I64, NDArray, np


class Workspace(NamedTuple):
    """boards:  int16 [games, cells]; first: int16 [levels, cells]
    figures: int64 [levels, 2], turns at the start, -1: as many as it takes, and colours
    blocks, parents: see solve/kernels.py
    left:    the field, see seen.py
    """

    boards: Cells
    first: Cells
    figures: I64
    blocks: Blocks
    parents: Parents
    left: NDArray[np.int32]


class Rules(NamedTuple):
    """levels: how many there are; ways: to turn a block, by a quarter clockwise and on"""

    levels: int
    columns: int
    ways: int


@borrowing_kernel
def look(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> bool:
    """Note which actions are legal; return whether the board is finished."""
    colours = work.figures[ledger.seeds[game] % rules.levels, 1]
    finished = count_clusters(work.boards[game], rules.columns, work.parents) == colours
    ledger.over[game] = finished or work.left[game, 0] == 0
    for action in range(ledger.masks.shape[1]):
        ledger.masks[game, action] = not ledger.over[game]
    return finished


@borrowing_kernel
def begin(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Begin one game from the level of its seed."""
    level = ledger.seeds[game] % rules.levels
    for cell in range(work.first.shape[1]):
        work.boards[game, cell] = work.first[level, cell]
    work.left[game, 0] = work.figures[level, 0]
    look(game, work, rules, ledger)
    begin_entry(game, ledger)


@borrowing_kernel
def begin_all(work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Begin every game, with the seeds that are there."""
    for game in range(work.boards.shape[0]):
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
        action = actions[game]
        if not ledger.masks[game, action]:
            pay_illegal(game, ledger, conditions)
            continue
        ledger.turns[game] += 1
        turn_action(work.boards[game], rules.columns, work.blocks, rules.ways, action, False)
        if work.left[game, 0] > 0:
            work.left[game, 0] -= 1
        reward = 1.0 if look(game, work, rules, ledger) else 0.0
        pay(game, reward, ledger, conditions)
    return NONE
