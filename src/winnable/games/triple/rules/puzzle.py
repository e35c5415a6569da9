"""Rules of triple (马了个马, 羊了个羊): pick uncovered tiles into a tray where three alike vanish.

A tile is covered while any tile of a higher layer overlaps it (the article's `cal_can_click`; the real game
alike). A picked tile goes to the tray; three of a kind there vanish at once. When `slots` tiles stay in the
tray after that, the game is lost, so at most `slots - 1` may rest (the article's `remove_3_card`). All tiles
gone: won.

Every three of a kind vanish whatever was picked between them, so the tray follows from *which* tiles were
picked: of each kind, their number modulo 3. The set of picked tiles is therefore the whole state: bit i of
the integer is set when tile i was picked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from math import gcd
from typing import NamedTuple, TypeAlias

from winnable.contract.core import Action, IllegalAction, Progress, Search, finish
from winnable.games.triple.rules.level import SIDE, Level, Tile

Picked: TypeAlias = int
Poll: TypeAlias = Callable[[], Iterable[Progress]]
"""What work without a budget of its own calls again and again: tells how far those are who need it, and may
raise."""
POLLED = 1000
"""Tiles between two calls: a few milliseconds."""
NOTHING = -1
"""In place of a tile."""


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile on the board as a player sees it; `kind` is None while its face is hidden."""

    tile: int
    kind: int | None
    x: int
    y: int
    layer: int
    open: bool
    """Nothing lies on it: it can be picked (unless the game is over)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the full board takes, in units; tiles that are gone count too."""

    left: int
    top: int
    right: int
    bottom: int
    layer: int
    """The highest."""


@dataclass(frozen=True, slots=True)
class SeenTool:
    """A tool of the variant `tools`; whether it can be used now, the legal actions tell."""

    name: str
    action: Action
    uses: int
    """Left."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player sees: the board from the bottom up, the kinds in the tray, and how the game stands."""

    tiles: tuple[SeenTile, ...]
    tray: tuple[int, ...]
    slots: int
    bounds: Bounds
    status: str
    """`playing`, `won` or `lost` (the tray is full; whether a game still in play is lost is for a solver)."""
    aside: tuple[SeenTile, ...] = ()
    """Tiles that the tool `move_out` laid beside the tray; only the variant `tools` has them."""
    tools: tuple[SeenTool, ...] = ()


class Covers(NamedTuple):
    """For each tile the tiles directly on it, ascending, and whether these leave nothing of it uncovered."""

    direct: tuple[tuple[int, ...], ...]
    buried: tuple[bool, ...]


class Triple:
    """One level of triple as a `Puzzle[Picked]`, also `Named`, `Observed` and `Completed`.

    covers: for each tile the tiles directly on it, ascending. A tile is uncovered when all of these are gone:
            what lies higher up lies on one of them.
    buried: for each tile whether these leave nothing of it uncovered.
    """

    def __init__(self, level: Level, places: Triple | None = None) -> None:
        """places: of a level whose tiles lie in the same places, which need not be looked at again"""
        self.level = level
        self.kinds = level.kinds
        self.slots = level.slots
        self.bounds = Bounds(
            left=min(tile.x for tile in level.tiles),
            top=min(tile.y for tile in level.tiles),
            right=max(tile.x for tile in level.tiles) + SIDE,
            bottom=max(tile.y for tile in level.tiles) + SIDE,
            layer=max(tile.layer for tile in level.tiles),
        )
        self.covers, self.buried = (
            (places.covers, places.buried) if places is not None else finish(direct_covers(level.tiles))
        )
        self._all: Picked = (1 << len(self.kinds)) - 1
        self._tiles_of_kind = {
            kind: int("".join("1" if other == kind else "0" for other in reversed(self.kinds)), 2)
            for kind in sorted(set(self.kinds))
        }

    @property
    def num_actions(self) -> int:
        """How many tiles the level has: an action is a tile's number."""
        return len(self.kinds)

    def initial(self) -> Picked:
        """The full board, no tile picked."""
        return 0

    def legal_actions(self, state: Picked) -> Sequence[Action]:
        """The uncovered tiles, unless the tray is full; ascending."""
        return [] if self.is_full(state) else self.uncovered(state)

    def apply(self, state: Picked, action: Action) -> Picked:
        """Picks a tile. Raises IllegalAction."""
        after = self.apply_on_board(state, action)
        if self.is_full(state):
            raise IllegalAction("triple.full", given=action)
        return after

    def apply_on_board(self, state: Picked, action: Action) -> Picked:
        """Takes the tile off the board, whatever is in the tray. Raises IllegalAction."""
        self._check_index(action)
        if state >> action & 1:
            raise IllegalAction("triple.gone", given=action)
        if any(not state >> above & 1 for above in self.covers[action]):
            raise IllegalAction("triple.covered", given=action)
        return state | 1 << action

    def is_goal(self, state: Picked) -> bool:
        """Whether all tiles are picked."""
        return state == self._all

    def cost(self, state: Picked, action: Action) -> int:
        """One for each click."""
        return 1

    def completion(self, state: Picked) -> float:
        """The share of all tiles that is picked, also where they rest in the tray: so the article counts."""
        return state.bit_count() / len(self.kinds)

    def tray(self, state: Picked) -> tuple[int, ...]:
        """The kinds that rest in the tray, ascending."""
        return tuple(
            kind
            for kind, tiles in self._tiles_of_kind.items()
            for _ in range((state & tiles).bit_count() % 3)
        )

    def is_full(self, state: Picked) -> bool:
        """Whether the tray is full, in a state that a game can come to: at most `slots` tiles rest in its
        tray."""
        # Tiles vanish by threes: only at every third number of picked ones can as many as that be left.
        if (state.bit_count() - self.slots) % 3:
            return False
        return sum([(state & tiles).bit_count() % 3 for tiles in self._tiles_of_kind.values()]) >= self.slots

    def uncovered(self, state: Picked) -> list[Action]:
        """The tiles on the board that nothing lies on, ascending."""
        picked = picked_flags(state, len(self.kinds))
        return [
            tile
            for tile, covers in enumerate(self.covers)
            if not picked[tile] and all(picked[above] for above in covers)
        ]

    def observe(self, state: Picked) -> Observation:
        """What a person sees of the state."""
        status = "won" if self.is_goal(state) else "lost" if self.is_full(state) else "playing"
        return Observation(
            self.seen_tiles(state, self.kinds), self.tray(state), self.slots, self.bounds, status
        )

    def seen_tiles(self, state: Picked, kinds: Sequence[int]) -> tuple[SeenTile, ...]:
        """The board from the bottom up; a face is hidden when the tile is wholly covered, or covered at all
        and marked `hidden`."""
        picked = picked_flags(state, len(kinds))
        seen: list[SeenTile] = []
        for index, tile in enumerate(self.level.tiles):
            if picked[index]:
                continue
            lying_on_it = [above for above in self.covers[index] if not picked[above]]
            wholly = self.buried[index] and len(lying_on_it) == len(self.covers[index])
            hidden = wholly or (tile.hidden and bool(lying_on_it))
            kind = None if hidden else kinds[index]
            seen.append(SeenTile(index, kind, tile.x, tile.y, tile.layer, not lying_on_it))
        return tuple(sorted(seen, key=lambda tile: tile.layer))

    def action_name(self, action: Action) -> str:
        """`NUMBER:kindKIND@X,Y,LAYER`. Raises IllegalAction."""
        self._check_index(action)
        tile = self.level.tiles[action]
        return f"{action}:kind{tile.kind}@{tile.x},{tile.y},{tile.layer}"

    def parse_action(self, text: str) -> Action:
        """The tile by its number, whatever follows a colon. Raises IllegalAction."""
        number = text.partition(":")[0].strip()
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise IllegalAction("triple.tile", given=text[:40], last=len(self.kinds) - 1)
        action = int(number)
        self._check_index(action)
        return action

    def _check_index(self, action: Action) -> None:
        if not 0 <= action < len(self.kinds):
            raise IllegalAction("triple.number", given=action, last=len(self.kinds) - 1)


def picked_flags(state: Picked, count: int) -> list[bool]:
    """Bit i of `state` for each i < count, read in one pass."""
    return [bit == "1" for bit in reversed(f"{state:0{count}b}")]


def union(sets: Iterable[Picked]) -> Picked:
    """All tiles of these sets."""
    return reduce(int.__or__, sets, 0)


def members(tiles: Picked) -> list[int]:
    """The numbers of the tiles in a set, ascending."""
    found: list[int] = []
    while tiles:
        lowest = tiles & -tiles
        found.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return found


def tiles_above(puzzle: Triple) -> list[int]:
    """Finds for each tile all tiles that must be picked before it, as bits."""
    above = [0] * puzzle.num_actions
    for tile in sorted(range(puzzle.num_actions), key=lambda tile: -puzzle.level.tiles[tile].layer):
        for cover in puzzle.covers[tile]:
            above[tile] |= above[cover] | 1 << cover
    return above


def tiles_below(puzzle: Triple) -> list[int]:
    """Finds for each tile all tiles that must wait for it, as bits."""
    below = [0] * puzzle.num_actions
    for tile in sorted(range(puzzle.num_actions), key=lambda tile: puzzle.level.tiles[tile].layer):
        for cover in puzzle.covers[tile]:
            below[cover] |= below[tile] | 1 << tile
    return below


def direct_covers(tiles: Sequence[Tile], poll: Poll = tuple) -> Search[Covers]:
    """Finds what lies on each tile.

    Goes down from the top layer, in each block of SIDE × SIDE units by itself, and remembers for each square
    of the coarsest grid on which all tiles lie the lowest tile so far. The reference (pairwise overlap with
    every higher layer) stands in the tests.
    """
    step = gcd(SIDE, *(tile.x for tile in tiles), *(tile.y for tile in tiles))
    blocks: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    order = sorted(range(len(tiles)), key=lambda index: -tiles[index].layer)
    for first in range(0, len(order), POLLED):
        yield from poll()
        for index in order[first : first + POLLED]:
            x, y = tiles[index].x, tiles[index].y
            for column in range(x // SIDE, -(-x // SIDE) + 1):
                for row in range(y // SIDE, -(-y // SIDE) + 1):
                    blocks[column, row].append(index)
    covers: list[set[int]] = [set() for _ in tiles]
    for (column, row), inside in blocks.items():
        yield from poll()
        lowest = [NOTHING] * SIDE**2
        for index in inside:
            squares = _squares(tiles[index].x - SIDE * column, tiles[index].y - SIDE * row, step)
            covers[index].update([lowest[square] for square in squares])
            for square in squares:
                lowest[square] = index
    direct = list[tuple[int, ...]]()
    for first in range(0, len(covers), POLLED):
        yield from poll()
        direct += [tuple(sorted(above - {NOTHING})) for above in covers[first : first + POLLED]]
    return Covers(tuple(direct), tuple(NOTHING not in above for above in covers))


@cache
def _squares(x: int, y: int, step: int) -> tuple[int, ...]:
    """Of the block from (0, 0) to (SIDE, SIDE) those that a tile at (x, y) lies on, numbered."""
    return tuple(
        SIDE * column + row
        for column in range(max(x, 0), min(x, 0) + SIDE, step)
        for row in range(max(y, 0), min(y, 0) + SIDE, step)
    )
