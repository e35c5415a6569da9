"""The greedy games of `players.Greedy`, compiled. Tests hold both equal, click by click.

Packing: tiles keep their numbers; kinds are renumbered from 0 in ascending order (greedy compares them). The
shape of the board is packed once (`Shape`), so that thousands of deals on it can be played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from winnable.compiled.jit import kernel
from winnable.contract.core import LevelError, Search, finish
from winnable.games.triple.players.by_name import find_overlaps
from winnable.games.triple.rules.level import MAX_SHAPE_TILES, Level, Tile
from winnable.games.triple.rules.puzzle import Poll
from winnable.inert.arrays import I32, I64, Bools, np

ROWS = 256
"""Tiles of which is read at once what lies beneath them."""


class Shape(NamedTuple):
    """Who lies on whom, up to every pair of tiles: hence MAX_SHAPE_TILES. The list of tile i is
    `values[start[i]:start[i + 1]]`, start int64 [tiles + 1].

    on:      int32; all higher tiles that overlap tile i, from the highest layer down
    below:   int32; all lower tiles that tile i overlaps, ascending
    beneath: int32; all tiles that cannot go before tile i: those below, those below them and so on, ascending
    """

    on: I32
    on_start: I64
    below: I32
    below_start: I64
    beneath: I32
    beneath_start: I64


class GreedyGame(NamedTuple):
    """A game that greedy played. `completion` is the article's: picked tiles (also those in the tray) /
    all."""

    actions: tuple[int, ...]
    completion: float
    won: bool


def pack_shape(tiles: Sequence[Tile], poll: Poll = tuple) -> Search[Shape]:
    """Raises LevelError for more than MAX_SHAPE_TILES tiles."""
    count = len(tiles)
    if count > MAX_SHAPE_TILES:
        raise LevelError("triple.repair.tiles", field="tiles", tiles=count, most=MAX_SHAPE_TILES)
    on, on_start = yield from find_overlaps(tiles, poll)
    reach = np.zeros((count, count), np.bool_)
    reach[on, np.repeat(np.arange(count), np.diff(on_start))] = True
    below, below_start = yield from _columns(reach, poll)
    for tile in sorted(range(count), key=lambda tile: tiles[tile].layer):
        yield from poll()
        lower = below[below_start[tile] : below_start[tile + 1]]
        reach[tile] |= reach[lower].any(axis=0)
    beneath, beneath_start = yield from _columns(reach, poll)
    return Shape(on, on_start, below, below_start, beneath, beneath_start)


def pack_kinds(kinds: Sequence[int]) -> I32:
    """int32 [tiles]: the kinds renumbered 0, 1, 2 ... in ascending order."""
    return np.unique(np.array(kinds), return_inverse=True)[1].astype(np.int32)


def play_greedy(level: Level) -> GreedyGame:
    """One whole game from the start, by the plain rules. Raises LevelError like `pack_shape`."""
    shape, kinds = finish(pack_shape(level.tiles)), pack_kinds([tile.kind for tile in level.tiles])
    clicks = np.empty(len(kinds), np.int32)
    picked = greedy_game(kinds, level.slots, shape, clicks)
    return GreedyGame(tuple(clicks[:picked].tolist()), picked / len(kinds), picked == len(kinds))


def warm() -> None:
    """Compiles the kernels."""
    play_greedy(Level(tiles=tuple(Tile(0, 0, 0, layer) for layer in range(3))))


def _columns(matrix: Bools, poll: Poll) -> Search[tuple[I32, I64]]:
    """Of each row the columns that are set, ascending, in one list, and where each row's begin in it."""
    found, start = list[I32](), np.zeros(len(matrix) + 1, np.int64)
    for row in range(0, len(matrix), ROWS):
        yield from poll()
        found.append(np.nonzero(matrix[row : row + ROWS])[1].astype(np.int32))
    np.cumsum(matrix.sum(axis=1), out=start[1:])
    return np.concatenate(found), start


@kernel
def greedy_game(kinds: I32, slots: int, shape: Shape, clicks: I32) -> int:
    """Plays until the tray is full or the board is empty; the tiles picked go to `clicks` (int32 [tiles]).

    kinds: int32 [tiles], renumbered as by `pack_kinds`. Returns how many tiles were picked.
    """
    on, on_start, below, below_start, beneath, beneath_start = shape
    count = len(kinds)
    left = np.arange(count)  # the first `count - picked` of it: the tiles on the board, ascending
    direct = np.empty(count, np.int64)  # tiles on it, directly
    cost = np.ones(count, np.int64)  # clicks to take it: itself and all tiles on it
    for tile in range(count):
        direct[tile] = on_start[tile + 1] - on_start[tile]
    for tile in beneath:
        cost[tile] += 1
    tray = np.zeros(kinds.max() + 1, np.int64)
    in_tray = 0
    picked = 0
    while picked < count and in_tray < slots:
        tile = choose(kinds, tray, left[: count - picked], direct, cost)
        tile = dig(tile, on, on_start, cost)
        clicks[picked] = tile
        for index in range(below_start[tile], below_start[tile + 1]):
            direct[below[index]] -= 1
        for index in range(beneath_start[tile], beneath_start[tile + 1]):
            cost[beneath[index]] -= 1
        cost[tile] = 0  # marks it as gone
        remove(left[: count - picked], tile)
        picked += 1
        kind = kinds[tile]
        tray[kind] = (tray[kind] + 1) % 3
        in_tray += 1 if tray[kind] > 0 else -2
    return picked


@kernel
def choose(kinds: I32, tray: I64, left: I64, direct: I64, cost: I64) -> int:
    """The first tile of the cheapest plan, whether or not something lies on it. See `players.Greedy`."""
    count = len(tray)
    threshold = lowest_threshold(kinds, tray, left, direct)
    first_seen = np.full(count, -1)
    number = np.zeros(count, np.int64)
    cheapest = np.zeros((count, 3), np.int64)  # up to three tiles per kind, cheapest first
    for tile in left:
        kind = kinds[tile]
        if first_seen[kind] < 0:
            first_seen[kind] = tile
        if direct[tile] <= threshold:
            insert(cheapest[kind], min(int(number[kind]), 3), tile, cost)
            number[kind] += 1
    best = -1
    best_cost = 0
    best_rank = 0
    for kind in range(count):
        wanted = 3 - tray[kind]
        if number[kind] < wanted:
            continue
        plan = 0
        for place in range(wanted):
            plan += cost[cheapest[kind, place]]
        rank = kind if tray[kind] > 0 else count + first_seen[kind]
        if best < 0 or plan < best_cost or (plan == best_cost and rank < best_rank):
            best, best_cost, best_rank = cheapest[kind, 0], plan, rank
    return best


@kernel
def lowest_threshold(kinds: I32, tray: I64, left: I64, direct: I64) -> int:
    """The least number of direct tiles at which some kind has enough candidates to complete its triple."""
    threshold = 0
    while True:
        number = tray.copy()
        following = 1 << 60
        for tile in left:
            if direct[tile] > threshold:
                following = min(following, int(direct[tile]))
                continue
            kind = kinds[tile]
            number[kind] += 1
            if number[kind] == 3:
                return threshold
        threshold = following


@kernel
def insert(three: I64, number: int, tile: int, cost: I64) -> None:
    """Keeps the three cheapest tiles in order; of equals, the one that came first stays in front."""
    place = number
    while place > 0 and cost[three[place - 1]] > cost[tile]:
        if place < 3:
            three[place] = three[place - 1]
        place -= 1
    if place < 3:
        three[place] = tile


@kernel
def dig(tile: int, on: I32, on_start: I64, cost: I64) -> int:
    """Goes from a tile to the last one on it that is still there (its cost is not 0), until nothing lies on
    it."""
    index = on_start[tile + 1] - 1
    while index >= on_start[tile]:
        if cost[on[index]] > 0:
            tile = int(on[index])
            index = on_start[tile + 1]
        index -= 1
    return tile


@kernel
def remove(left: I64, tile: int) -> None:
    """Takes `tile` out of the ascending list; the last place becomes free."""
    for place in range(np.searchsorted(left, tile), len(left) - 1):
        left[place] = left[place + 1]
