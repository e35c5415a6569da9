"""Maps of Tiled (https://doc.mapeditor.org: TMX and JSON map format): reads .tmx and .tmj, writes .tmx, which
has the pictures of its tiles in it.

What counts are the tile layers of an orthogonal map that are seen, also those in groups. A tile stands for
its property `value`, else for its place in its tileset.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode, b64encode
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from winnable.contract.core import LevelError
from winnable.levels.files import convert, decode, has_fields
from winnable.levels.maps import MOST_TILES, SIDE, Drawing, Layer, TileMap, check_size, colour

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

WHICH = 0x0FFFFFFF
"""The bits of a cell that say which tile it is; the others flip or turn it, which changes nothing here."""

Count = Annotated[int, Meta(ge=0, le=2**24)]
Cell = Annotated[int, Meta(ge=0, lt=2**32)]
Pixels = Annotated[float, Meta(ge=-1e6, le=1e6)]
Side = Annotated[int, Meta(ge=1, le=2**16)]


class _Property(msgspec.Struct):
    name: str
    value: Any = ""


class _Tile(msgspec.Struct):
    id: Count
    properties: list[_Property] = []


class _Tileset(msgspec.Struct):
    firstgid: Annotated[int, Meta(ge=1, lt=2**28)]
    source: str | None = None
    tiles: list[_Tile] = []


class _Chunk(msgspec.Struct):
    width: Count = 0
    height: Count = 0
    data: list[Cell] | str = []
    x: int = 0
    y: int = 0


class _Layer(_Chunk):
    """A tile layer, a group, or what else there is. Only in an infinite map it has chunks."""

    type: str = ""
    name: str = ""
    visible: bool = True
    offsetx: Pixels = 0
    offsety: Pixels = 0
    encoding: str = "csv"
    compression: str = ""
    chunks: list[_Chunk] = []
    layers: list[_Layer] = []


class _Map(msgspec.Struct):
    width: Count
    height: Count
    tilewidth: Side
    tileheight: Side
    orientation: str = "orthogonal"
    infinite: bool = False
    layers: list[_Layer] = []
    tilesets: list[_Tileset] = []
    properties: list[_Property] = []


def knows(content: bytes) -> bool:
    """Whether it is XML with a map or a tileset, or JSON with tilesets."""
    start = content[:4096].lstrip()
    is_xml = start.startswith(b"<") and (b"<map" in start or b"<tileset" in start)
    return is_xml or has_fields(content, ["tilesets"])


def read(content: bytes, drawing: Drawing) -> TileMap:
    """The map in a file, whatever its game. Raises LevelError that names the field or the layer."""
    is_xml = content.lstrip().startswith(b"<")
    found: _Map = convert(_from_xml(content), _Map) if is_xml else decode(content, _Map)
    if found.orientation != "orthogonal":
        raise LevelError("map.orientation", field="orientation", given=found.orientation)
    value_of = _values(found.tilesets, drawing)
    layers, spread, tiles = list[Layer](), 0, 0
    for layer, x, y in _seen(found.layers):
        cells = dict[tuple[int, int], int]()
        for chunk in layer.chunks if found.infinite else [layer]:
            check_size(spread := spread + chunk.width * chunk.height)
            for at, gid in enumerate(_gids(layer, chunk)):
                if gid & WHICH:
                    row, column = divmod(at, chunk.width)
                    cells[chunk.x + column, chunk.y + row] = value_of(gid & WHICH)
        check_size(tiles := tiles + len(cells), MOST_TILES)
        layers.append(Layer(layer.name, cells, x / found.tilewidth, y / found.tileheight))
    drawn = TileMap(found.width, found.height, layers, {one.name: one.value for one in found.properties})
    return drawn.cropped() if found.infinite else drawn


def _seen(layers: Sequence[_Layer], x: float = 0, y: float = 0) -> Iterator[tuple[_Layer, float, float]]:
    """The tile layers that are seen, and where they begin, in pixels."""
    for layer in layers:
        if layer.visible:
            begin = x + layer.offsetx, y + layer.offsety
            if layer.type == "tilelayer":
                yield layer, *begin
            yield from _seen(layer.layers, *begin)


def _values(tilesets: Sequence[_Tileset], drawing: Drawing) -> Callable[[int], int]:
    """What the tile of a number stands for; 0 is none."""
    tilesets = sorted(tilesets, key=lambda one: one.firstgid)
    firsts = [one.firstgid for one in tilesets]
    said = {
        one.firstgid + tile.id: convert(told.value, int, f"tile {tile.id}: value")
        for one in tilesets
        for tile in one.tiles
        for told in tile.properties
        if told.name == "value"
    }

    @cache
    def value_of(gid: int) -> int:
        if not (index := bisect_right(firsts, gid)):
            raise LevelError("map.gid", field="tilesets", given=gid)
        if (source := tilesets[index - 1].source) is not None:
            raise LevelError("map.tileset", field="tilesets", given=source)
        if gid not in said:
            return drawing.value(gid - firsts[index - 1] + 1, "tilesets")
        if said[gid] not in drawing.values:
            field = f"tile {gid - firsts[index - 1]}: value"
            raise LevelError("given.option", field=field, given=said[gid], known=[*drawing.values])
        return said[gid]

    return value_of


def _gids(layer: _Layer, chunk: _Chunk) -> Sequence[int]:
    """A number for each cell, row-major."""
    gids, count = chunk.data, chunk.width * chunk.height
    field, packing = f"layer {layer.name}", layer.compression or layer.encoding
    if isinstance(gids, str) and packing not in ("csv", "base64", "zlib", "gzip"):
        raise LevelError("map.packing", field=field, given=packing)
    try:
        if isinstance(gids, str) and packing == "csv":
            gids = [int(cell) for cell in gids.split(",")] if gids.strip() else []
            if not all(0 <= gid < 2**32 for gid in gids):
                raise ValueError("no cell")
        elif isinstance(gids, str):
            content = b64decode(gids)
            if packing != "base64":  # zlib tells the two apart
                content = zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(content, 4 * count + 1)
            gids = struct.unpack(f"<{len(content) // 4}I", content)
    except (ValueError, struct.error, zlib.error):
        raise LevelError("map.damaged", field=field, packing=packing) from None
    if len(gids) != count:
        raise LevelError("map.count", field=field, given=len(gids), count=count)
    return gids


def _from_xml(content: bytes) -> dict[str, Any]:
    from xml.etree import ElementTree

    try:
        if "<!ENTITY" in (text := content.decode()):  # a few of them can stand for gigabytes
            raise LevelError("map.entity", field="file")
        if (root := ElementTree.fromstring(text)).tag != "map":
            raise LevelError("map.root", field="file", given=root.tag)
        return _fields(root)
    except UnicodeDecodeError as error:
        raise LevelError("file.utf8", field="file", at=error.start) from None
    except ElementTree.ParseError as error:
        raise LevelError("map.xml", field="file", reason=str(error)) from None
    except RecursionError:
        raise LevelError("nested", field="file") from None


_OF_CHILDREN = {"properties", "tilesets", "tiles", "chunks", "layers", "data"}
"""No attribute has one of these names."""


def _fields(node: Element) -> dict[str, Any]:
    """As Tiled's JSON has them."""
    found: dict[str, Any] = {name: node.attrib[name] for name in node.attrib.keys() - _OF_CHILDREN}
    for child in node:
        match child.tag:
            case "properties":
                found["properties"] = [{"value": one.text or ""} | one.attrib for one in child]
            case "tileset" | "tile" | "chunk":
                found.setdefault(f"{child.tag}s", []).append(_fields(child))
            case "layer" | "group":
                kind = {"type": "tilelayer" if child.tag == "layer" else "group"}
                found.setdefault("layers", []).append(_fields(child) | kind)
            case "data":
                found |= _fields(child)
            case _:
                pass
    if node.tag in ("data", "chunk"):  # once, each cell was an element
        found["data"] = [tile.get("gid", 0) for tile in found.pop("tiles", ())] or node.text or ""
    return found


def write(drawn: TileMap, drawing: Drawing) -> bytes:
    """The map as .tmx. Raises LevelError for one that is too large."""
    check_size(len(drawn.layers) * drawn.width * drawn.height)
    size, tile = f'width="{drawn.width}" height="{drawn.height}"', f'tilewidth="{SIDE}" tileheight="{SIDE}"'
    offered = drawing.offered(drawn)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<map version="1.8" orientation="orthogonal" renderorder="right-down" {size} {tile} infinite="0">',
        _properties(drawn.settings),
        f'<tileset firstgid="1" name="tiles" {tile} tilecount="{len(offered)}" columns="0">',
        *(_tile(number, value) for number, value in offered),
        "</tileset>",
    ]
    for number, layer in enumerate(drawn.layers, 1):
        begin = f'offsetx="{SIDE * layer.x:g}" offsety="{SIDE * layer.y:g}"'
        cells = ",\n".join(",".join(map(str, row)) for row in drawing.rows(drawn, layer))
        lines.append(f'<layer id="{number}" name="{_quoted(layer.name)}" {size} {begin}>')
        lines.append(f'<data encoding="csv">\n{cells}\n</data></layer>')
    return "\n".join([*lines, "</map>", ""]).encode()


def _properties(values: Mapping[str, Any]) -> str:
    lines = list[str]()
    for name, value in values.items():
        kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "string"
        text = _quoted(str(value).lower() if kind == "bool" else str(value))
        lines.append(f'<property name="{name}" type="{kind}" value="{text}"/>')
    return f"<properties>{''.join(lines)}</properties>"


def _quoted(text: str) -> str:
    return text.translate({ord(char): f"&#{ord(char)};" for char in '&<"\n'} | {0xFFFE: None, 0xFFFF: None})


def _tile(number: int, value: int) -> str:
    """With a square of one colour, as PNG."""
    pixels = (b"\0" + bytes(colour(number)) * SIDE) * SIDE
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)  # 8 bits each of red, green and blue
    content = b"\x89PNG\r\n\x1a\n"
    for name, part in ((b"IHDR", header), (b"IDAT", zlib.compress(pixels)), (b"IEND", b"")):
        content += struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
    data = f'<data encoding="base64">{b64encode(content).decode()}</data>'
    image = f'<image format="png" width="{SIDE}" height="{SIDE}">{data}</image>'
    return f'<tile id="{number - 1}">{_properties({"value": str(value)})}{image}</tile>'
