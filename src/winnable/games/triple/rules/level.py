"""The level of triple: its schema and everything that must hold for its rules to work."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from winnable.contract.core import LevelError
from winnable.contract.provenance import unchecked_replace
from winnable.levels.base import BaseLevel

SIDE = 8
"""Width and height of a tile in units. A tile at (x, y) covers [x, x + SIDE) × [y, y + SIDE)."""
MAX_TILES = 100_000
MAX_KINDS = 64
MAX_SHAPE_TILES = 4096
"""That fast greedy games take (`greedy_kernels.Shape`)."""

Coordinate = Annotated[int, Meta(ge=0, le=100_000)]
Kind = Annotated[int, Meta(ge=0, lt=MAX_KINDS)]


class Tile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One tile; `x` goes right and `y` down, in eighths of a tile; a higher layer lies above a lower one."""

    kind: Kind
    x: Coordinate
    y: Coordinate
    layer: Coordinate
    hidden: bool = False
    """Its face shows only when nothing lies on the tile (the blind side stacks of the real game)."""


class Tools(Struct, frozen=True, forbid_unknown_fields=True):
    """The variant `tools`: how often each tool of the real game may be used."""

    undo: Annotated[int, Meta(ge=0, le=1000)] = 1
    move_out: Annotated[int, Meta(ge=0, le=1000)] = 1
    shuffle: Annotated[int, Meta(ge=0, le=1000)] = 1
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    """Decides what each shuffle deals, so that the same actions give the same game."""


class Level(BaseLevel, frozen=True, tag="winnable.triple/1"):
    """An immutable instance. The index of a tile in `tiles` is its action."""

    tiles: Annotated[tuple[Tile, ...], Meta(min_length=3, max_length=MAX_TILES)]
    slots: Annotated[int, Meta(ge=1, le=10_000)] = 7
    """As soon as this many tiles stay in the tray after a click, the game is lost: one fewer may rest."""
    tools: Tools | None = None

    def __post_init__(self) -> None:
        _check_threes(self.kinds)
        check_overlaps(self.tiles)

    @property
    def kinds(self) -> tuple[int, ...]:
        """Of the tiles."""
        return tuple(tile.kind for tile in self.tiles)

    def with_kinds(self, kinds: Sequence[int]) -> Level:
        """The same places with other kinds, one for each tile, below MAX_KINDS. Raises LevelError when
        they do not come in threes, ValueError when they are not as many as the tiles."""
        tiles = tuple(replace(tile, kind=kind) for tile, kind in zip(self.tiles, kinds, strict=True))
        _check_threes(kinds)
        return unchecked_replace(self, tiles=tiles)


def _check_threes(kinds: Iterable[int]) -> None:
    for kind, count in sorted(Counter(kinds).items()):
        if count % 3:
            raise LevelError("triple.kind", field="tiles", kind=kind, count=count)


def check_overlaps(tiles: Iterable[Tile]) -> None:
    """Two tiles of one layer must not overlap; only tiles of the nine squares around can."""
    squares: defaultdict[tuple[int, int, int], list[tuple[int, Tile]]] = defaultdict(list)
    for index, tile in enumerate(tiles):
        column, row = tile.x // SIDE, tile.y // SIDE
        for near_column in (column - 1, column, column + 1):
            for near_row in (row - 1, row, row + 1):
                for other_index, other in squares.get((tile.layer, near_column, near_row), ()):
                    if abs(tile.x - other.x) < SIDE and abs(tile.y - other.y) < SIDE:
                        raise LevelError(
                            "triple.overlap",
                            field=f"tiles[{index}]",
                            other=other_index,
                            layer=tile.layer,
                            x=tile.x,
                            x2=other.x,
                            y=tile.y,
                            y2=other.y,
                        )
        squares[tile.layer, column, row].append((index, tile))
