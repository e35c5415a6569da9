"""Many games at once, each as `Triple` plays its level."""

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
from winnable.games.triple.rules.puzzle import NOTHING
from winnable.inert.arrays import I8, I64, NDArray, np

GONE, COVERED, OPEN = range(3)
SHY, BURIED = 1, 2
"""A tile whose face shows only when nothing lies on it; one of which what lies on it leaves nothing to be
seen."""
ALIKE: Final = 3
"""So many vanish."""


class Levels(NamedTuple):
    """kinds, flags: int8 [levels, tiles]
    places:      int32 [levels, tiles, 3], as seen
    covers:      int32 [levels, tiles], how many tiles lie directly on each
    below:       int32, the tiles that tile t of a level lies directly on, from `start[level, t]` to
                 `start[level, t + 1]`
    start:       int64 [levels, tiles + 1]
    """

    kinds: I8
    flags: I8
    places: NDArray[np.int32]
    covers: NDArray[np.int32]
    below: NDArray[np.int32]
    start: I64


class Workspace(NamedTuple):
    """on:    int32 [games, tiles], tiles that still lie directly on each
    place, lies, kind, tray: the fields, see seen.py
    """

    levels: Levels
    on: NDArray[np.int32]
    place: NDArray[np.int32]
    lies: I8
    kind: I8
    tray: I8


class Rules(NamedTuple):
    """pays_part: the reward is what is done more of the level, else 1 for all of it"""

    pays_part: bool


@borrowing_kernel
def face(game: int, level: int, tile: int, work: Workspace) -> int:
    """What a tile shows that is on the board."""
    levels, on = work.levels, work.on[game, tile]
    flags = levels.flags[level, tile]
    if (flags & BURIED and on == levels.covers[level, tile]) or (flags & SHY and on > 0):
        return NOTHING
    return int(levels.kinds[level, tile])


@borrowing_kernel
def begin(game: int, work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Lays out the level of the game's seed, and begins its entry of the ledger."""
    levels = work.levels
    level = ledger.seeds[game] % levels.kinds.shape[0]
    for tile in range(levels.kinds.shape[1]):
        for axis in range(3):
            work.place[game, tile, axis] = levels.places[level, tile, axis]
        work.on[game, tile] = levels.covers[level, tile]
        is_open = levels.covers[level, tile] == 0
        work.lies[game, tile] = OPEN if is_open else COVERED
        work.kind[game, tile] = face(game, level, tile, work)
        ledger.masks[game, tile] = is_open
    for slot in range(work.tray.shape[1]):
        work.tray[game, slot] = NOTHING
    begin_entry(game, ledger)


@borrowing_kernel
def into_tray(kind: int, tray: I8) -> bool:
    """Kinds ascend in it; three of a kind vanish. Whether it is full then."""
    first, alike = 0, 0
    while tray[first] != NOTHING and tray[first] < kind:
        first += 1
    while tray[first + alike] == kind:
        alike += 1
    if alike == ALIKE - 1:
        for slot in range(first, tray.size):
            tray[slot] = tray[slot + alike] if slot + alike < tray.size else NOTHING
        return False
    for slot in range(tray.size - 1, first, -1):
        tray[slot] = tray[slot - 1]
    tray[first] = kind
    return tray[tray.size - 1] != NOTHING


@borrowing_kernel
def pick(game: int, level: int, tile: int, work: Workspace, ledger: Ledger) -> None:
    """An open tile."""
    levels, masks = work.levels, ledger.masks
    work.lies[game, tile], work.kind[game, tile], masks[game, tile] = GONE, NOTHING, 0
    for index in range(levels.start[level, tile], levels.start[level, tile + 1]):
        other = levels.below[index]
        work.on[game, other] -= 1
        work.kind[game, other] = face(game, level, other, work)
        if work.on[game, other] == 0:
            work.lies[game, other], masks[game, other] = OPEN, 1
    full = into_tray(levels.kinds[level, tile], work.tray[game])
    if full:
        for other in range(masks.shape[1]):
            masks[game, other] = 0
    ledger.over[game] = full or ledger.turns[game] == masks.shape[1]


@borrowing_kernel
def begin_all(work: Workspace, rules: Rules, ledger: Ledger) -> None:
    """Begins each game with the seed that it has."""
    for game in range(work.on.shape[0]):
        begin(game, work, rules, ledger)


@borrowing_kernel
def step(actions: I64, work: Workspace, rules: Rules, ledger: Ledger, conditions: Conditions) -> int:
    """An action of each game; what ended begins anew instead. `first_refused`: then nothing was played."""
    refused = first_refused(actions, ledger, conditions)
    if refused != NONE:
        return refused
    tiles = ledger.masks.shape[1]
    for game in range(actions.size):
        if begun_anew(game, ledger):
            begin(game, work, rules, ledger)
            continue
        tile = actions[game]
        if not ledger.masks[game, tile]:
            pay_illegal(game, ledger, conditions)
            continue
        ledger.turns[game] += 1
        picked = ledger.turns[game]
        pick(game, ledger.seeds[game] % work.levels.kinds.shape[0], tile, work, ledger)
        won = 1.0 if picked == tiles else 0.0
        reward = picked / tiles - (picked - 1) / tiles if rules.pays_part else won
        pay(game, reward, ledger, conditions)
    return NONE
