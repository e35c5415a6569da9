"""Players of triple by name: the article's greedy threshold rule, one that picks at random, and those that
see what a person sees (`fair_players.py`).

The first two need no search and no compiler. `greedy_kernels.py` plays the same greedy game in one compiled
call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from winnable.contract.core import Action, Found, LevelError, Player, Search, finish
from winnable.games.triple.rules.level import SIDE, Tile
from winnable.games.triple.rules.puzzle import Picked, Poll, Triple, picked_flags
from winnable.games.triple.rules.tools import ToolsState, TripleWithTools, plain_position
from winnable.inert.arrays import I32, I64, np
from winnable.play.playing import RandomPlayer

MAX_OVERLAPS = 20_000_000
"""Pairs of overlapping tiles; real boards and the article's have some thousands."""


class Overlaps(NamedTuple):
    """For each tile *all* higher tiles that overlap it (the article's `parent_list`), in one flat table.

    above: int32 [pairs]. Those of tile i are `above[start[i]:start[i + 1]]`, from the highest layer down and
           within a layer ascending: the order in which the article collects them.
    start: int64 [tiles + 1]
    """

    above: I32
    start: I64


def find_overlaps(tiles: Sequence[Tile], poll: Poll = tuple) -> Search[Overlaps]:
    """Raises LevelError past MAX_OVERLAPS pairs. Time grows with the square of the number of tiles."""
    x, y, layer = np.array([(tile.x, tile.y, tile.layer) for tile in tiles], np.int32).T
    order = np.lexsort((np.arange(len(tiles)), -layer)).astype(np.int32)
    x, y, layer = x[order], y[order], layer[order]
    found: list[I32] = []
    start = np.zeros(len(tiles) + 1, np.int64)
    for index, tile in enumerate(tiles):
        yield from poll()
        higher = int(np.searchsorted(-layer, -tile.layer))
        near = (np.abs(x[:higher] - tile.x) < SIDE) & (np.abs(y[:higher] - tile.y) < SIDE)
        found.append(order[:higher][near])
        start[index + 1] = start[index] + len(found[-1])
        if start[index + 1] > MAX_OVERLAPS:
            raise LevelError("triple.overlaps", field="tiles", most=MAX_OVERLAPS)
    return Overlaps(np.concatenate(found), start)


class Greedy:
    """The article's automatic player (`get_click_pos`), choice for choice.

    The plan for a kind is to complete its triple: with `t` of it in the tray, its 3 - t cheapest tiles. A
    tile costs one click for itself and one for each tile that lies on it, directly or not. (What lies on two
    tiles of the plan is counted twice; of equals, the lower tile number goes first.) Only tiles under at
    most `threshold` direct tiles count; the threshold starts at 0 and rises until some kind has enough of
    them. The cheapest plan wins; of equals, kinds in the tray go first, ascending, then the others in the
    order in which they appear on the board. The player then makes the first click of the plan: to bare the
    plan's first tile, the article digs depth first through the tiles on it, starting with the lowest of
    these.

    It sees hidden faces and never looks at the room left in the tray; both as the article has it. One thing
    is done in another way: `get_parent_list` walks all *paths* up through the overlaps, which takes
    exponential time. Each of its visits moves what it finds to the end of the list, so the reversed list is
    the postorder of one depth-first walk that visits each tile once. Hence the number of clicks is that of
    the distinct tiles above (and itself), and the first click is found by going on to the last tile of the
    list that is still there, until nothing lies on it.
    """

    def __init__(self, puzzle: Triple, seed: int = 0) -> None:
        """`seed` has no effect. Raises LevelError for boards with more than MAX_OVERLAPS overlaps."""
        self._puzzle = puzzle
        self._overlaps = finish(find_overlaps(puzzle.level.tiles))
        self._above = [
            self._overlaps.above[start:end].tolist() for start, end in pairwise(self._overlaps.start)
        ]

    def choose(self, state: Picked) -> Action:
        """The tile that greedy picks in `state`; at least one tile must be left."""
        there = [not picked for picked in picked_flags(state, len(self._above))]
        tiles = self._tiles_by_kind(state, there)
        wanted = {kind: 3 - self._puzzle.tray(state).count(kind) for kind in tiles}
        direct = self._count_direct(there)
        threshold = min(sorted(direct[tile] for tile in tiles[kind])[wanted[kind] - 1] for kind in tiles)
        best_cost, first = len(there) * 3 + 1, -1
        for kind, all_tiles in tiles.items():
            candidates = [tile for tile in all_tiles if direct[tile] <= threshold]
            if len(candidates) < wanted[kind]:
                continue
            costs = sorted((self._clicks(tile, there), tile) for tile in candidates)[: wanted[kind]]
            cost = sum(clicks for clicks, _ in costs)
            if cost < best_cost:
                best_cost, first = cost, costs[0][1]
        return self._first_click(first, there)

    def _tiles_by_kind(self, state: Picked, there: list[bool]) -> dict[int, list[int]]:
        """The tiles left of each kind, ascending; the kinds in the article's order."""
        tiles: dict[int, list[int]] = {kind: [] for kind in self._puzzle.tray(state)}
        for tile, kind in enumerate(self._puzzle.kinds):
            if there[tile]:
                tiles.setdefault(kind, []).append(tile)
        return tiles

    def _count_direct(self, there: list[bool]) -> list[int]:
        """For each tile how many tiles that are still there overlap it from higher layers."""
        sums = np.zeros(len(self._overlaps.above) + 1, np.int64)
        np.cumsum(np.array(there)[self._overlaps.above], out=sums[1:])
        return np.diff(sums[self._overlaps.start]).tolist()

    def _clicks(self, tile: int, there: list[bool]) -> int:
        """How many tiles must go to take `tile`, itself included."""
        seen = {tile}
        waiting = [tile]
        while waiting:
            for above in self._above[waiting.pop()]:
                if there[above] and above not in seen:
                    seen.add(above)
                    waiting.append(above)
        return len(seen)

    def _first_click(self, tile: int, there: list[bool]) -> int:
        while True:
            on_it = next((above for above in reversed(self._above[tile]) if there[above]), None)
            if on_it is None:
                return tile
            tile = on_it


class WithoutTools:
    """A player of the plain game in the variant `tools`: as if there were no tools, and it never uses one."""

    def __init__(self, puzzle: TripleWithTools, make: Callable[[Triple], Player[Picked]]) -> None:
        """make: plain rules -> the player. Raises what it raises."""
        self._puzzle = puzzle
        self._make = make
        self._player = make(puzzle.plain)
        self._made_for: tuple[bytes, tuple[int, ...]] = (bytes(puzzle.plain.kinds), ())

    def choose(self, state: ToolsState) -> Found[Action]:
        """The plain player's pick in the position without further tools."""
        plain, picked = plain_position(self._puzzle, state)
        if self._made_for != (state.kinds, state.aside):
            self._player, self._made_for = self._make(plain), (state.kinds, state.aside)
        return self._player.choose(picked)


def _plain(make: Callable[[Triple, int], Player[Picked]]) -> Callable[[Any, int], Player]:
    """The same for both variants."""

    def made(puzzle: Triple | TripleWithTools, seed: int) -> Player:
        if isinstance(puzzle, TripleWithTools):
            return WithoutTools(puzzle, lambda plain: make(plain, seed))
        return make(puzzle, seed)

    return made


def _fair(name: str) -> Callable[[Any, int], Player]:
    """One of `fair_players.py`, which compiles."""

    def make(puzzle: Triple, seed: int) -> Player[Picked]:
        from winnable.games.triple.players import fair_players

        return fair_players.make_player(name, puzzle, seed)

    return _plain(make)


SKILLS: Mapping[str, float] = {
    "random": -380,
    "matching": 790,
    "hurried": 1800,
    "careful": 2000,
    "sampling-4": 2360,
    "sampling-16": 2720,
    "foresight": 2640,
}
"""Those that know no more than a person sees -> their skill (see `winnable.stats.skill`), as printed by
`winnable bench triple-skills --games 60 --runs 4`."""
PLAYERS: Mapping[str, Callable[[Any, int], Player]] = {
    "greedy": _plain(Greedy),
    "random": RandomPlayer,
    **{name: _fair(name) for name in SKILLS if name != "random"},
}
"""Name -> (puzzle, seed) -> player, for the plain puzzle and the one with tools."""
