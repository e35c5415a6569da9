"""Levels of triple as one line of text, and boards as a picture for a terminal.

The notation needs no quotes in a shell: `SLOTS:GROUP/GROUP/...`. A group is the tiles of one layer, joined by
commas; a tile is `KIND@X.Y`, with an `h` behind it when its face is hidden. The first group is layer 0 and
each further one lies one layer higher, unless it begins with its layer: `5=3@0.0,3@8.0`. The variant with
tools writes how often undo, move-out and shuffle may be used, and the seed: `7+tools=1.1.1.0:...`.

    7:0@0.0,0@8.0,1@16.0/1@4.4,1@12.4/0@8.8h

The picture has one column and half a line for each eighth of a tile. Kinds are letters, and every open tile
shows the number of its action; covered tiles are dotted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase
from typing import Any, cast

from winnable.contract.arguments import whole
from winnable.contract.core import LevelError, Puzzle
from winnable.games.triple.rules.level import MAX_KINDS, MAX_TILES, SIDE, Level, Tile, Tools
from winnable.games.triple.rules.puzzle import Observation, SeenTile, SeenTool, Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.words import t

SYMBOLS = ascii_uppercase + ascii_lowercase + "#$%&*^<=>@~!"
"""One character for each kind."""
assert len(SYMBOLS) == MAX_KINDS

_HEAD = re.compile(r"([0-9]{1,9})(?:\+tools=([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,9})\.([0-9]{1,16}))?")
_LAYER = re.compile(r"([0-9]{1,9})=")
_TILE = re.compile(r"([0-9]{1,9})@([0-9]{1,9})\.([0-9]{1,9})(h?)")
_MAX_COORDINATE = 100_000


def format_board(level: Level) -> str:
    """The level in one line, without its title, provenance and certificate."""
    head = str(level.slots)
    if level.tools is not None:
        tools = level.tools
        head += f"+tools={tools.undo}.{tools.move_out}.{tools.shuffle}.{tools.seed}"
    return f"{head}:{'/'.join(_groups(level.tiles))}"


def _groups(tiles: Iterable[Tile]) -> Iterator[str]:
    expected = 0
    for layer, group in groupby(tiles, key=lambda tile: tile.layer):
        text = ",".join(f"{tile.kind}@{tile.x}.{tile.y}{'h' * tile.hidden}" for tile in group)
        yield text if layer == expected else f"{layer}={text}"
        expected = layer + 1


def facts(level: Level) -> dict[str, int]:
    """How large the level is."""
    counts = {
        "tiles": len(level.tiles),
        "kinds": len({tile.kind for tile in level.tiles}),
        "layers": len({tile.layer for tile in level.tiles}),
        "slots": level.slots,
        "hidden": sum(tile.hidden for tile in level.tiles),
    }
    if level.tools is not None:
        counts["tools"] = level.tools.undo + level.tools.move_out + level.tools.shuffle
    return counts


def parse_board(text: str) -> Level:
    """Inverse of `format_board`. Raises LevelError that names the tile."""
    head, colon, body = text.strip().partition(":")
    if not colon:
        raise LevelError("triple.colon", field="board")
    if body.count(",") + body.count("/") >= MAX_TILES:
        raise LevelError("triple.text.most", field="board", most=MAX_TILES)
    slots, tools = _parse_head(head)
    tiles = tuple(_parse_tiles(body))
    if len(tiles) < 3:
        raise LevelError("triple.few", field="board")
    return Level(tiles=tiles, slots=slots, tools=tools)


def _parse_head(head: str) -> tuple[int, Tools | None]:
    match = _HEAD.fullmatch(head)
    if match is None:
        raise LevelError("triple.head", field="board", given=head[:40])
    slots = whole("slots", int(match[1]), 1, 10_000)
    if match[2] is None:
        return slots, None
    undo, move_out, shuffle = (
        whole(f"tools.{name}", int(match[index]), 0, 1000)
        for index, name in ((2, "undo"), (3, "move_out"), (4, "shuffle"))
    )
    return slots, Tools(undo, move_out, shuffle, whole("tools.seed", int(match[5]), 0, 2**53 - 1))


def _parse_tiles(body: str) -> Iterator[Tile]:
    layer, index = -1, 0
    for group in body.split("/"):
        layer += 1
        given = _LAYER.match(group)
        if given is not None:
            layer, group = int(given[1]), group[given.end() :]
        whole(f"tiles[{index}].layer", layer, 0, _MAX_COORDINATE)
        for part in group.split(","):
            yield _parse_tile(index, part, layer)
            index += 1


def _parse_tile(index: int, text: str, layer: int) -> Tile:
    match = _TILE.fullmatch(text)
    if match is None:
        raise LevelError("triple.form", field=f"tiles[{index}]", given=text[:40])
    return Tile(
        whole(f"tiles[{index}].kind", int(match[1]), 0, MAX_KINDS - 1),
        whole(f"tiles[{index}].x", int(match[2]), 0, _MAX_COORDINATE),
        whole(f"tiles[{index}].y", int(match[3]), 0, _MAX_COORDINATE),
        layer,
        bool(match[4]),
    )


_LINES = SIDE // 2
"""A tile is SIDE columns wide and this many lines high, as terminal cells are about twice as high as wide."""
_MAX_COLUMNS, _MAX_LINES = 400, 400
_WRAP = 96


def render(puzzle: Puzzle, state: Any) -> str:
    """The board from above, the tray and how the game stands; an open tile shows its action's number."""
    triple = cast(Triple | TripleWithTools, puzzle)
    seen = triple.observe(state)
    return "\n".join([*_board(seen.tiles, triple.level.tiles), *_below(seen)])


def tile_symbol(kind: int | None) -> str:
    """The sign of a kind in pictures of characters; `?` for a hidden face."""
    return "?" if kind is None else SYMBOLS[kind]


def _board(seen: Sequence[SeenTile], all_tiles: Sequence[Tile]) -> Iterator[str]:
    """Paints from the bottom layer up; neighbours share their borders. The frame is that of the whole level,
    so that the picture stays where it is during a game."""
    left, top = min(tile.x for tile in all_tiles), min(tile.y for tile in all_tiles)
    columns = max(tile.x for tile in all_tiles) - left + SIDE + 1
    height = (max(tile.y for tile in all_tiles) - top) // 2 + _LINES + 1
    if not seen:
        return
    if columns > _MAX_COLUMNS or height > _MAX_LINES:
        yield t("board.triple.large")
        yield _listed(t("board.triple.open"), _numbered(tile for tile in seen if tile.open))
        return
    lines = [[" "] * columns for _ in range(height)]
    painter = [[-1] * columns for _ in range(height)]
    for tile in seen:
        line, column = (tile.y - top) // 2, tile.x - left
        for offset, text in enumerate(_face(tile)):
            lines[line + offset][column : column + SIDE + 1] = text
            painter[line + offset][column : column + SIDE + 1] = [tile.tile] * (SIDE + 1)
    yield from ("".join(line).rstrip() for line in lines)
    slivers = [tile for tile in seen if not _symbol_shows(tile, painter, left, top)]
    if slivers:
        yield _listed(t("board.triple.edges"), _numbered(slivers))


def _face(tile: SeenTile) -> tuple[str, ...]:
    """Five lines of nine characters. A covered tile has its symbol in each quarter: some quarter may show."""
    symbol = tile_symbol(tile.kind)
    edge = "+" + "-" * (SIDE - 1) + "+"
    if tile.open:
        return edge, f"|{symbol:^7}|", f"|{tile.tile:^7}|", "|       |", edge
    return edge, f"|.{symbol}...{symbol}.|", "|.......|", f"|.{symbol}...{symbol}.|", edge


def _symbol_shows(tile: SeenTile, painter: Sequence[Sequence[int]], left: int, top: int) -> bool:
    """False for a known face of which only a strip without a symbol shows (side stacks)."""
    if tile.open or tile.kind is None:
        return True
    line, column = (tile.y - top) // 2, tile.x - left
    return any(painter[line + down][column + right] == tile.tile for down in (1, 3) for right in (2, 6))


def _below(seen: Observation) -> Iterator[str]:
    yield _tray(seen)
    if seen.aside:
        yield _listed(t("board.triple.aside"), _numbered(seen.aside))
    if seen.tools:
        yield _listed(t("board.triple.tools"), map(_tool, seen.tools))
    standing = t(f"board.triple.{seen.status}")
    open_count = sum(tile.open for tile in seen.tiles)
    yield t("board.triple.status", standing=standing, left=len(seen.tiles), open=open_count)


def _tool(tool: SeenTool) -> str:
    return t("board.triple.tool", action=tool.action, name=tool.name, uses=tool.uses)


def _tray(seen: Observation) -> str:
    if seen.slots > 30:
        return _listed(
            t("board.triple.tray"), [f"{len(seen.tray)} / {seen.slots}:", *map(tile_symbol, seen.tray)]
        )
    cells = [*map(tile_symbol, seen.tray), *" " * (seen.slots - len(seen.tray))]
    return t("board.triple.cells", cells="][".join(cells), slots=seen.slots)


def _numbered(tiles: Iterable[SeenTile]) -> Iterator[str]:
    return (f"{tile.tile}={tile_symbol(tile.kind)}" for tile in tiles)


def _listed(title: str, entries: Iterable[str]) -> str:
    """`title`, 7 columns wide, and the entries, wrapped; at most 20 lines of them."""
    lines = [title]
    for entry in entries:
        if len(lines[-1]) + 1 + len(entry) > _WRAP:
            if len(lines) == 20:
                lines[-1] += " ..."
                break
            lines.append(" " * 7)
        lines[-1] += f" {entry}"
    return "\n".join(lines)
