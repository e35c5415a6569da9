"""Level files of the real game (羊了个羊): reads three JSON forms, writes the server's.

- recorded boards: `{"tiles": [[type, x, y, layer, mold], ...]}`
- layouts before the deal: `{"cells": [[type or 0, x, y, layer, mold], ...],
  "blockTypeData": {type: triples}}`
- the server's: `{"levelData": {layer: [{id, type, rolNum, rowNum, layerNum, moldType, blockNode}, ...]},
  "blockTypeData": {type: triples}, ...}` with rolNum = x and rowNum = y; type 0 = to be dealt here too.

Types and layers count from 1 there and from 0 in our levels: kind = type - 1. Units are the same. Mold 2
marks the blind side stacks, whose tiles we call `hidden`. Tiles are numbered in the order in which the game
deals them: layer by layer from the bottom, in file order within a layer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from winnable.contract.arguments import whole
from winnable.contract.core import LevelError
from winnable.games.triple.rules.level import MAX_KINDS, MAX_TILES, SIDE, Level, Tile
from winnable.levels.files import decode, has_fields

MAX_BYTES = 32 * 2**20
SLOTS = 7
MOLD_PLAIN, MOLD_HIDDEN = 1, 2
TO_BE_DEALT = 0
FORMS = ("tiles", "cells", "levelData")

SeedWords: TypeAlias = tuple[int, int, int, int]
"""The game's own form of a deal seed: four uint32, as its server sends them (`map_seed`)."""

Type: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_KINDS)]
TypeOrZero: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_KINDS)]
Units: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Layer: TypeAlias = Annotated[int, Meta(ge=1, le=100_001)]
Mold: TypeAlias = Annotated[int, Meta(ge=MOLD_PLAIN, le=MOLD_HIDDEN)]
Triples: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_TILES)]


class _Block(Struct):
    """A tile of the server's form. What else stands there, `blockNode` (null in all files known) among it,
    follows from the rest and is skipped."""

    id: Annotated[str, Meta(max_length=100)]
    type: TypeOrZero
    rolNum: Units
    rowNum: Units
    layerNum: Layer
    moldType: Mold = MOLD_PLAIN
    metaType: int = 0


class _File(Struct):
    tiles: Annotated[list[tuple[Type, Units, Units, Layer, Mold]], Meta(max_length=MAX_TILES)] | None = None
    cells: (
        Annotated[list[tuple[TypeOrZero, Units, Units, Layer, Mold]], Meta(max_length=MAX_TILES)] | None
    ) = None
    levelData: dict[Layer, Annotated[list[_Block], Meta(max_length=MAX_TILES)]] | None = None
    blockTypeData: dict[Type, Triples] | None = None
    metaType: int = 0


class _Cell(NamedTuple):
    """type 0: to be dealt."""

    type: int
    x: int
    y: int
    layer: int
    mold: int


def knows(content: bytes) -> bool:
    """Whether it is JSON with a field of one of the three forms."""
    return has_fields(content, FORMS)


def read(content: bytes, seed: int) -> Level:
    """The level in a file of any of the three forms; what is not dealt yet is dealt with `seed`
    (0 <= seed < 2**64). Raises LevelError that names the field (as a JSON path) or the cause."""
    file = _decoded(content)
    if file.metaType:
        raise LevelError("triple.sheep.mode", field="metaType", given=file.metaType)
    form, cells = _cells_of(file)
    cells.sort(key=lambda cell: cell.layer)
    if any(cell.type == TO_BE_DEALT for cell in cells):
        cells = _dealt(cells, file.blockTypeData, seed)
    for number, count in sorted(Counter(cell.type for cell in cells).items()):
        if count % 3:
            raise LevelError("triple.sheep.type", field=f"{form}", number=number, count=count)
    if not cells:
        raise LevelError("triple.sheep.none", field=f"{form}")
    tiles = tuple(
        Tile(cell.type - 1, cell.x, cell.y, cell.layer - 1, cell.mold == MOLD_HIDDEN) for cell in cells
    )
    return Level(tiles=tiles, slots=SLOTS)


def write(level: Level) -> bytes:
    """The level in the server's form: JSON in UTF-8. `read(write(level), 0)` is `level` again, apart from its
    title, provenance and certificate, and with its tiles in the game's order.

    Raises LevelError for what that form cannot say: another tray than 7 slots, or tools.
    """
    if level.slots != SLOTS:
        raise LevelError("triple.sheep.slots", field="slots", slots=SLOTS, given=level.slots)
    if level.tools is not None:
        raise LevelError("triple.sheep.tools", field="tools")
    layers: dict[str, list[dict[str, Any]]] = {}
    for tile in sorted(level.tiles, key=lambda tile: tile.layer):
        layers.setdefault(str(tile.layer + 1), []).append(_block_of(tile))
    counts = Counter(tile.kind + 1 for tile in level.tiles)
    return msgspec.json.encode(
        {
            "widthNum": max(8, *(_tiles_wide(tile.x) for tile in level.tiles)),
            "heightNum": max(10, *(_tiles_wide(tile.y) for tile in level.tiles)),
            "levelKey": 0,
            "blockTypeData": {str(number): count // 3 for number, count in sorted(counts.items())},
            "levelData": layers,
        }
    )


def deal_layout(triples: Mapping[int, int], words: SeedWords) -> list[int]:
    """The game's own deal: `3 * triples[type]` of each type, in the order in which undealt cells get them.

    The pool, types ascending, is shuffled (Fisher and Yates, from the last place down) with xorshift128+,
    whose first value is thrown away, and then reversed. Checked against recorded games with known seeds.
    """
    pool = [number for number in sorted(triples) for _ in range(3 * triples[number])]
    random = _xorshift128plus(words)
    next(random)
    for last in range(len(pool) - 1, -1, -1):
        chosen = int(next(random) * (last + 1))
        pool[last], pool[chosen] = pool[chosen], pool[last]
    return pool[::-1]


def seed_words(seed: int) -> SeedWords:
    """Expands an integer, 0 <= seed < 2**64, to the game's four words: the high and the low half of each of
    the first two values of splitmix64 started at `seed` (Steele, Lea and Flood, OOPSLA 2014; the usual way to
    fill the state of a xorshift generator). Raises LevelError."""
    whole("seed", seed, 0, _MASK64)
    first, second = _splitmix64(seed + _GOLDEN), _splitmix64(seed + 2 * _GOLDEN)
    return first >> 32, first & _MASK32, second >> 32, second & _MASK32


_MASK32 = (1 << 32) - 1
_MASK64 = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _splitmix64(state: int) -> int:
    z = state & _MASK64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK64
    return z ^ z >> 31


def _xorshift128plus(words: SeedWords) -> Iterator[float]:
    """Values in [0, 1) with 52 bits, each made of the sum of the state before the step (Vigna, "Further
    scramblings of Marsaglia's xorshift generators", 2017, shifts 23, 18, 5)."""
    s0, s1 = words[0] << 32 | words[1], words[2] << 32 | words[3]
    while True:
        value = s0 + s1 & _MASK64
        mixed = s0 ^ s0 << 23 & _MASK64
        s0, s1 = s1, mixed ^ s1 ^ mixed >> 18 ^ s1 >> 5
        yield (value >> 12) / 2**52


def _decoded(content: bytes) -> _File:
    if len(content) > MAX_BYTES:
        raise LevelError("file.large", field="file", given=len(content), most=MAX_BYTES)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LevelError("file.utf8", field="file", at=error.start) from None
    return decode(content, _File, "file")


def _cells_of(file: _File) -> tuple[str, list[_Cell]]:
    """The name of the form, and its cells in file order."""
    forms: dict[str, Any] = {form: getattr(file, form) for form in FORMS}
    given = [name for name, content in forms.items() if content is not None]
    if len(given) != 1:
        raise LevelError("triple.sheep.form", field="file", forms=list(forms), given=given)
    if file.levelData is not None:
        return given[0], list(_cells_of_blocks(file.levelData))
    rows: Sequence[tuple[int, int, int, int, int]] = file.tiles or file.cells or []
    return given[0], [_Cell(*row) for row in rows]


def _cells_of_blocks(layers: Mapping[int, Sequence[_Block]]) -> Iterator[_Cell]:
    seen: dict[str, str] = {}
    for layer, blocks in sorted(layers.items()):
        for index, block in enumerate(blocks):
            path = f'levelData["{layer}"][{index}]'
            if block.metaType:
                raise LevelError("triple.sheep.mode", field=f"{path}.metaType", given=block.metaType)
            if block.layerNum != layer:
                raise LevelError(
                    "triple.sheep.layer", field=f"{path}.layerNum", given=block.layerNum, layer=layer
                )
            if block.id in seen:
                raise LevelError("triple.sheep.id", field=f"{path}.id", given=block.id, other=seen[block.id])
            seen[block.id] = path
            yield _Cell(block.type, block.rolNum, block.rowNum, layer, block.moldType)


def _dealt(cells: Iterable[_Cell], triples: Mapping[int, int] | None, seed: int) -> list[_Cell]:
    cells = list(cells)
    waiting = sum(cell.type == TO_BE_DEALT for cell in cells)
    dealt = 3 * sum((triples or {}).values())
    if dealt != waiting:  # before any pool is made: the counts may be absurd
        raise LevelError("triple.sheep.deal", field="blockTypeData", dealt=dealt, waiting=waiting)
    types = iter(deal_layout(triples or {}, seed_words(seed)))
    return [cell._replace(type=next(types)) if cell.type == TO_BE_DEALT else cell for cell in cells]


def _block_of(tile: Tile) -> dict[str, Any]:
    return {
        "id": f"{tile.layer + 1}-{tile.x}-{tile.y}",
        "type": tile.kind + 1,
        "rolNum": tile.x,
        "rowNum": tile.y,
        "layerNum": tile.layer + 1,
        "moldType": MOLD_HIDDEN if tile.hidden else MOLD_PLAIN,
        "blockNode": None,
    }


def _tiles_wide(start: int) -> int:
    """How many whole tiles a board needs to hold one that starts at `start`."""
    return -(-(start + SIDE) // SIDE)
