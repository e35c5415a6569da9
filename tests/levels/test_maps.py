"""Boards as maps of Tiled and LDtk: ours again, as these programs write them, and as none does."""

import gzip
import json
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.board import load
from winnable.contract.abilities import Recording, formats_of
from winnable.contract.core import LevelError
from winnable.contract.registry import GAMES, load_game
from winnable.levels.files import encode_level, lines_of, read_level
from winnable.sets import check
from winnable.testing import some_levels

PROGRAMS = ("tiled", "ldtk")
CELLS = [1, 2, 0, 3, 0, 4]
LEVEL = load_game("drops").parse_board("120/304")
DICE = st.integers(0, 2**53 - 1)


def written(level: Any, program: str) -> bytes:
    game = load_game(level.__struct_config__.tag.removeprefix("winnable.").removesuffix("/1"))
    write = formats_of(game)[program].write
    assert write is not None
    return write(Recording(level))


def played(level: Any) -> dict[str, Any]:
    """What a map says of a level, the tiles of triple in the order of maps."""
    found: dict[str, Any] = json.loads(encode_level(level))
    for name in ("provenance", "certificate"):
        found.pop(name, None)
    if tiles := found.get("tiles"):
        tiles.sort(key=in_maps)
    return found


def in_maps(tile: dict[str, int]) -> tuple[int, ...]:
    return tile["layer"], tile["y"] % 8, tile["x"] % 8, tile["y"], tile["x"]


def assert_comes_again(level: Any) -> None:
    for program in PROGRAMS:
        content = written(level, program)
        again = read_level(content)
        assert played(again.level) == played(level)
        assert written(again.level, program) == content


@pytest.mark.parametrize("name", GAMES)
def test_levels_come_again(name: str) -> None:
    for level in some_levels(load_game(name)):
        assert_comes_again(level)


def rows(cells: Sequence[Any], columns: int) -> list[Any]:
    return [cells[at : at + columns] for at in range(0, len(cells) - columns + 1, columns)]


@given(st.text("01234", min_size=6, max_size=90), st.integers(1, 6), st.booleans(), DICE, st.text(max_size=9))
def test_any_board_of_drops_comes_again(
    text: str, columns: int, is_open: bool, dice: int, title: str
) -> None:
    board = ["1" * columns, *rows(text, columns)[:30]]
    fields = {"board": board, "open": is_open, "flash": {"series": dice}, "title": {"en": title}}
    assert_comes_again(
        msgspec.convert(fields | {"format": "winnable.drops/1"}, load_game("drops").level_type)
    )


@given(st.lists(st.integers(0, 99), min_size=4, max_size=40), st.integers(0, 10**6))
def test_any_board_of_rotate_comes_again(labels: list[int], turns: int) -> None:
    cells = [label for label in dict.fromkeys([*labels, 0, 120]) for _ in range(2)]
    board = rows(cells, 2)
    fields = {"format": "winnable.rotate/1", "board": board, "rules": "pairs", "turns": turns}
    assert_comes_again(msgspec.convert(fields, load_game("rotate").level_type))


@given(st.lists(st.integers(0, 35), min_size=4, max_size=64), st.integers(2, 8), DICE)
def test_any_board_of_2048_comes_again(exponents: list[int], columns: int, dice: int) -> None:
    cells = [2**exponent if exponent else 0 for exponent in exponents]
    board = [[2] + [0] * (columns - 1), *rows(cells, columns)[:6], [0] * columns]
    sides = {"rows": len(board), "columns": columns}
    for drawn in (board, []):
        fields = {"format": "winnable.2048/1", "board": drawn, "dice": dice, **sides}
        assert_comes_again(msgspec.convert(fields, load_game("2048").level_type))


@given(st.text(".x", min_size=12, max_size=90), st.integers(4, 16), st.integers(22, 40), DICE)
def test_any_wall_of_tetris_comes_again(text: str, width: int, height: int, dice: int) -> None:
    wall = ["x".ljust(width, "."), *(row for row in rows(text, width) if "." in row)]
    fields = {"format": "winnable.tetris/1", "width": width, "height": height, "wall": wall, "dice": dice}
    assert_comes_again(msgspec.convert(fields, load_game("tetris").level_type))


PLACE = st.tuples(
    st.integers(0, 4), st.integers(0, 40), st.integers(0, 40), st.integers(0, 63), st.booleans()
)


@given(st.lists(PLACE, min_size=1, max_size=20), st.integers(1, 10_000))
def test_any_tiles_of_triple_come_again(places: list[tuple[int, int, int, int, bool]], slots: int) -> None:
    """Three of each kind, far from each other in layers that may be left out."""
    tiles = [
        {"kind": kind, "x": 50 * third + x, "y": 50 * at + y, "layer": 3 * layer, "hidden": hidden}
        for at, (layer, x, y, kind, hidden) in enumerate(places)
        for third in range(3)
    ]
    fields = {"format": "winnable.triple/1", "tiles": tiles, "slots": slots, "tools": {"seed": slots}}
    assert_comes_again(msgspec.convert(fields, load_game("triple").level_type))


def test_tiled_has_the_picture_of_each_tile() -> None:
    """As bytes that a decoder of PNG would take: the editor shows a cross where it finds none."""
    root = ElementTree.fromstring(written(LEVEL, "tiled"))
    pictures = [b64decode(one.text or "") for one in root.findall("tileset/tile/image/data")]
    assert len(set(pictures)) == 4
    for picture in pictures:
        assert picture.startswith(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 32, 32))
        at = picture.index(b"IDAT")
        (length,) = struct.unpack(">I", picture[at - 4 : at])
        assert len(zlib.decompress(picture[at + 4 : at + 4 + length])) == 32 * (1 + 3 * 32)


FORMAT = '<property name="format" value="winnable.drops/1"/>'
CERTIFICATE = '<property name="certificate" value="{}"/>'
TILESET = '<tileset firstgid="1" name="water"/>'
GIDS = struct.pack("<6I", *CELLS)


def tmx(layers: str, tilesets: str = TILESET, properties: str = FORMAT, about: str = "") -> bytes:
    size = 'width="3" height="2" tilewidth="8" tileheight="8"'
    said = f"<properties>{properties}</properties>"
    return f'<?xml version="1.0"?>\n<map {size} {about}>{said}{tilesets}{layers}</map>'.encode()


def layer(data: str, about: str = "", packing: str = 'encoding="csv"') -> str:
    return f'<layer name="A" width="3" height="2" {about}><data {packing}>{data}</data></layer>'


def packed(content: bytes, compression: str = "") -> str:
    return layer(b64encode(content).decode(), "", f'encoding="base64" compression="{compression}"')


BOARD = layer("1,2,0,\n3,0,4")
VALUED = TILESET.replace(
    "/>", '><tile id="0"><properties><property name="value" value="3"/></properties></tile></tileset>'
)


@pytest.mark.parametrize(
    "content",
    [
        tmx(BOARD),
        tmx(packed(GIDS)),
        tmx(packed(zlib.compress(GIDS), "zlib")),
        tmx(packed(gzip.compress(GIDS), "gzip")),
        tmx(layer("".join(f'<tile gid="{gid}"/>' if gid else "<tile/>" for gid in CELLS), packing="")),
        tmx(layer(",".join(str(gid | 0xA0000000 if gid else 0) for gid in CELLS))),
        b'<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">' + tmx(BOARD).split(b"\n", 1)[1],
        tmx(layer("4,4,4,4,4,4", 'visible="0"') + BOARD),
        tmx(f'<group visible="0">{layer("4,4,4,4,4,4")}</group><group><group>{BOARD}</group></group>'),
        tmx('<group offsetx="8">' + layer("1,2,0,3,0,4", 'offsetx="-8"') + "</group>"),
        tmx(layer("4,2,0,0,0,4") + layer("1,0,0,3,0,0") + '<objectgroup><object id="1"/></objectgroup>'),
        tmx(layer("7,8,0,1,0,10"), VALUED + TILESET.replace("1", "7")),
        tmx(layer(
            '<chunk x="-2" y="-2" width="2" height="2">0,0,1,2</chunk>'
            '<chunk x="-2" y="0" width="3" height="2">3,0,4,0,0,0</chunk>'
        ), about='infinite="1"'),
    ],
)  # fmt: skip
def test_what_tiled_writes_is_read(content: bytes) -> None:
    assert read_level(content).level == LEVEL


def tmj(**changed: Any) -> bytes:
    board = {"type": "tilelayer", "name": "A", "width": 3, "height": 2, "data": CELLS, "visible": True}
    told = {"name": "format", "type": "string", "value": "winnable.drops/1"}
    size = {"width": 3, "height": 2, "tilewidth": 8, "tileheight": 8, "infinite": False}
    sets = [{"firstgid": 1, "name": "water"}]
    said = {"type": "map", "layers": [board], "properties": [told], "tilesets": sets}
    return json.dumps(said | size | changed).encode()


def test_the_json_of_tiled_is_read() -> None:
    content = tmj()
    assert read_level(content).level == LEVEL
    assert read_level(content.replace(b"drops/1", rb"drops\/1")).level == LEVEL
    told = [*json.loads(content)["properties"], {"name": "drops", "type": "float", "value": 3.0}]
    told += [{"name": "every", "value": "2"}, {"name": "open", "type": "bool", "value": True}]
    level = read_level(tmj(properties=told)).level
    assert (level.drops, level.every, level.open) == (3, 2, True)
    inner = json.loads(content)["layers"][0] | {"data": b64encode(GIDS).decode(), "encoding": "base64"}
    group: dict[str, Any] = {
        "type": "group",
        "layers": [inner, {"type": "objectgroup", "objects": [], "name": "o"}],
    }
    assert read_level(tmj(layers=[group])).level == LEVEL


@pytest.mark.parametrize(
    ("content", "code", "field"),
    [
        (tmx(BOARD, properties=""), "map.format", "format"),
        (tmx(BOARD, properties=FORMAT.replace("drops", "drips")), "map.format", "format"),
        (tmx(BOARD + "<!-- winnable.triple/1 -->", properties=""), "map.format", "format"),
        (tmx(BOARD, properties=FORMAT + '<property name="drosp" value="3"/>'), "shape.unknown", None),
        (tmx(BOARD, properties=FORMAT + '<property name="drops" value="x"/>'), "shape.kind", "drops"),
        (tmx(BOARD, properties=FORMAT + '<property name="board" value="x"/>'), "map.drawn", "board"),
        (tmx(BOARD, properties=FORMAT + CERTIFICATE), "map.drawn", "certificate"),
        (tmx(BOARD, about='orientation="isometric"'), "map.orientation", "orientation"),
        (tmx(BOARD, '<tileset firstgid="1" source="water.tsx"/>'), "map.tileset", "tilesets"),
        (tmx(BOARD, ""), "map.gid", "tilesets"),
        (tmx(layer("5,0,0,0,0,0")), "params.within", "tilesets"),
        (tmx(layer("0,0,0,0,0,0")), "drops.empty", "board"),
        (tmx(layer("1,2,0,3,0")), "map.count", "layer A"),
        (tmx(layer("1,2,0,3,0,x")), "map.damaged", "layer A"),
        (tmx(layer("1,2,0,3,0,-1")), "map.damaged", "layer A"),
        (tmx(layer("1,2,0,3,0,4294967297")), "map.damaged", "layer A"),
        (tmx(layer("1,2,0,3,0," + "9" * 5000)), "map.damaged", "layer A"),
        (tmx(packed(GIDS[:-1])), "map.damaged", "layer A"),
        (tmx(packed(GIDS, "zlib")), "map.damaged", "layer A"),
        (tmx(packed(GIDS, "zstd")), "map.packing", "layer A"),
        (tmx(layer("1,2,0,3,0,4", 'offsetx="4"')), "map.offset", "layer A"),
        (tmx(layer("1,2,0,3,0,4", 'offsetx="nan"')), "shape.least", "layers[0].offsetx"),
        (tmx(layer("1,2,0,3,0,4", 'visible="maybe"')), "shape.kind", "layers[0].visible"),
        (tmx("&a;"), "map.xml", "file"),
        (b'<!DOCTYPE map [<!ENTITY a "b">]>' + tmx("&a;").split(b"\n", 1)[1], "map.entity", "file"),
        (tmx(BOARD)[:-1], "map.xml", "file"),
        (tmx(BOARD) + b"\xff", "file.utf8", "file"),
        (b"<tileset>" + FORMAT.encode() + b"</tileset>", "map.root", "file"),
        (tmx(BOARD).replace(b'width="3"', b"", 1), "shape.missing", None),
        (tmj(width="3"), "shape.kind", "width"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_map_is_one_error(content: bytes, code: str, field: str | None) -> None:
    with pytest.raises(LevelError) as error:
        read_level(content)
    assert (error.value.code, error.value.values.get("field")) == (code, field)
    assert "{" not in error.value.said("zh-CN")


def test_no_attribute_takes_the_place_of_what_is_within() -> None:
    about = 'properties="x" tilesets="x" tiles="x" chunks="x" layers="x" data="x"'
    content = tmx(BOARD.replace("<data", f"<data {about}"), TILESET.replace("/>", f" {about}/>"), about=about)
    assert read_level(content).level == LEVEL


def test_values_are_those_of_the_game() -> None:
    told = VALUED.replace('id="0"', 'id="2"').replace('value="3"', 'value="6"')
    content = tmx(BOARD, told, FORMAT.replace("drops", "2048"))
    with pytest.raises(LevelError, match="tile 2: value: '6' is none of 2, 4, 8"):
        read_level(content)
    assert read_level(content.replace(b'"6"', b'"1024"')).level.board == ((2, 4, 0), (1024, 0, 16))
    with pytest.raises(LevelError, match=r"board\[0\]\[2\]: there is no tile"):
        read_level(tmx(BOARD, properties=FORMAT.replace("drops", "rotate")))


def test_layers_of_triple_lie_as_drawn_at_eighths() -> None:
    game = FORMAT.replace("drops", "triple")
    over = layer("0,0,0,1,1,0", 'offsetx="4" offsety="-7"')
    tiles = read_level(tmx(layer("1,2,2,2,0,0") + over, properties=game)).level.tiles
    assert [(t.kind, t.x, t.y, t.layer) for t in tiles] == [
        (0, 0, 0, 0), (1, 8, 0, 0), (1, 16, 0, 0), (1, 0, 8, 0), (0, 4, 1, 1), (0, 12, 1, 1)
    ]  # fmt: skip
    for about, code in (('offsetx="0.5"', "triple.map.eighths"), ('offsety="-9"', "shape.least")):
        with pytest.raises(LevelError) as error:
            read_level(tmx(layer("1,1,1,0,0,0", about), properties=game))
        assert error.value.code == code
    named = [layer("1,1,1,0,0,0").replace('"A"', f'"{name}"') for name in ("L2", "L2_4_0", "L1")]
    assert {t.layer for t in read_level(tmx(named[2] + named[0], properties=game)).level.tiles} == {1, 2}
    with pytest.raises(LevelError, match="layer L1: lies above layer 2"):
        read_level(tmx("".join(named[1:]), properties=game))


def large(board: str, side: str) -> str:
    return board.replace('"3"', f'"{side}"').replace('"2"', f'"{side}"')


@pytest.mark.parametrize(
    "content",
    [
        tmx("<a/>" * 10**6),
        tmx("<a>" * 10**5 + "</a>" * 10**5),
        tmx("<group>" * 10**5 + "</group>" * 10**5),
        tmx(packed(zlib.compress(bytes(2**27)), "zlib")),
        tmx(large(packed(zlib.compress(bytes(4 * 10**6)), "zlib"), "1000") * 99),
        tmx(large(BOARD, "16000000")),
        tmx(BOARD).replace(b'"3"', b'"16000000"', 1).replace(b'"2"', b'"16000000"', 1),
        tmx(BOARD + " " * 2**23),
        tmx(layer(
            '<chunk x="-9999999999" y="0" width="1" height="1">1</chunk>'
            '<chunk x="9999999999" y="9" width="1" height="1">1</chunk>'
        ), about='infinite="1"'),
        b'{"tilesets": [], "a": "winnable.drops/1", "layers": ' + b'[{"layers":' * 10**5,
    ],
)  # fmt: skip
def test_a_small_file_asks_for_little(content: bytes) -> None:
    with pytest.raises(LevelError):
        read_level(content)


def ldtk(layers: list[Any], fields: dict[str, Any], **changed: Any) -> dict[str, Any]:
    said = [{"__identifier": name, "__value": value, "__type": "String"} for name, value in fields.items()]
    return {"identifier": "Level", "uid": 0, "layerInstances": layers, "fieldInstances": said, **changed}


def instance(kind: str, **changed: Any) -> dict[str, Any]:
    offset = {"__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__gridSize": 16, "__cWid": 3, "__cHei": 2}
    cells: dict[str, Any] = {"intGridCsv": [], "gridTiles": [], "visible": True}
    return {"__type": kind, "__identifier": kind, **offset, **cells, **changed}


GRID = instance("IntGrid", intGridCsv=CELLS)
TILES = instance("Tiles", gridTiles=[{"px": [16, 0], "t": 3, "f": 1}, {"px": [64, 0], "t": 9}])
TILE = "layerInstances[0].gridTiles[0]"
OTHERS = [instance("Entities", __gridSize=8), instance("AutoLayer", __gridSize=8, intGridCsv=[])]
DROPS = {"format": "winnable.drops/1"}


def project(*levels: dict[str, Any], worlds: Any = ()) -> bytes:
    return json.dumps({"__header__": {}, "defs": {}, "levels": levels, "worlds": worlds}, indent=1).encode()


def test_levels_of_ldtk_are_read(tmp_path: Path) -> None:
    under = instance("IntGrid", intGridCsv=[1, 1, 0, 0, 0, 0])
    levels = [
        ldtk([*OTHERS, GRID], DROPS | {"drops": 7, "every": None, "rules": "half"}),
        ldtk([TILES, under, instance("IntGrid", intGridCsv=[4] * 6, visible=False)], DROPS),
        ldtk([GRID], {}),
    ]
    content = project(*levels[:2], worlds=[{"identifier": "World", "levels": levels[2:]}])
    (path := tmp_path / "world.ldtk").write_bytes(content)
    assert load(path).code == "120/304,rules=half,drops=7"
    assert load(f"{path}#2").code == "140/000"
    assert [(row.source, row.ok) for row in check(tmp_path)] == [(f"{path}:{n}", n < 3) for n in (1, 2, 3)]
    assert [*lines_of(content)] == [1, 2, 3]
    assert read_level(json.dumps(levels[1]).encode()).level.board == ("140", "000")  # as an .ldtkl has it


@pytest.mark.parametrize(
    ("level", "code", "field"),
    [
        (ldtk([GRID], {}), "map.format", "format"),
        (ldtk([GRID], DROPS | {"Drops": 3}), "shape.unknown", None),
        (ldtk([instance("IntGrid", intGridCsv=[1])], DROPS), "map.count", "layer IntGrid"),
        (ldtk([instance("IntGrid", intGridCsv=[9] * 6)], DROPS), "params.within", "layer IntGrid"),
        (ldtk([GRID, TILES | {"__gridSize": 8}], DROPS), "map.sides", "layerInstances"),
        (ldtk([GRID | {"__pxTotalOffsetX": 8}], DROPS), "map.offset", "layer IntGrid"),
        (ldtk([instance("Tiles", gridTiles=[{"px": [0, 0]}])], DROPS), "shape.missing", TILE),
        (ldtk([], DROPS), "shape.length", "board"),
        (ldtk([instance("Tiles", __cWid=2**24, __cHei=2**24)], DROPS), "map.large", "map"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_level_of_ldtk_is_one_error(level: Any, code: str, field: str | None) -> None:
    with pytest.raises(LevelError) as error:
        read_level(project(level))
    assert (error.value.code, error.value.values.get("field")) == (code, field)


def test_levels_of_ldtk_in_files_of_their_own_are_named() -> None:
    outside = ldtk([], DROPS) | {"layerInstances": None, "externalRelPath": "world/Level.ldtkl"}
    with pytest.raises(LevelError, match=r"'world/Level\.ldtkl': read that one"):
        read_level(project(outside))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (project(), "map.levels"),
        (project(worlds=[{"identifier": "World", "levels": []}]), "map.levels"),
        (project(ldtk([], DROPS) | {"layerInstances": None}), "map.layers"),
    ],
)
def test_a_project_without_a_level_is_not_fine(content: bytes, code: str, tmp_path: Path) -> None:
    """Nor is it nothing: a check of it would answer yes."""
    told = b'{"$": "winnable.drops/1", "layerInstances": 0,'
    (path := tmp_path / "world.ldtk").write_bytes(content.replace(b"{", told, 1))
    with pytest.raises(LevelError) as error:
        load(path)
    assert error.value.code == code
    assert [row.ok for row in check(path)] == [False]


def test_a_map_that_would_be_too_large_is_not_written() -> None:
    tiles = [{"kind": 0, "x": 99_000 * at, "y": 99_000 * at, "layer": 0} for at in (0, 1)]
    tiles += [{"kind": 0, "x": 0, "y": 0, "layer": 1}]
    level = msgspec.convert({"format": "winnable.triple/1", "tiles": tiles}, load_game("triple").level_type)
    for program in PROGRAMS:
        with pytest.raises(LevelError, match="more than 1048576 cells"):
            written(level, program)
