"""Levels of LDtk (https://ldtk.io/json), from its version 1.0 on: reads a level, or the first one of a
project; writes projects of one level, with an IntGrid for each layer.

What counts are the IntGrid and tile layers that are seen. A tile stands for its place in its tileset.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, field

from winnable.contract.core import LevelError
from winnable.levels.files import decode, entries, entry, has_fields
from winnable.levels.maps import MOST_TILES, SIDE, Drawing, Layer, TileMap, check_size, colour

TEMPLATES = Path(__file__).with_name("ldtk.json")
"""What LDtk asks of each part that we write, beside what the level says."""
Count = Annotated[int, Meta(ge=0, le=2**24)]
Pixels = Annotated[int, Meta(ge=-(2**24), le=2**24)]


class _Tile(msgspec.Struct):
    px: tuple[Count, Count]
    t: Count


class _Layer(msgspec.Struct):
    type: str = field(name="__type")
    identifier: str = field(name="__identifier")
    side: Annotated[int, Meta(ge=1, le=2**16)] = field(name="__gridSize")
    columns: Count = field(name="__cWid")
    rows: Count = field(name="__cHei")
    x: Pixels = field(name="__pxTotalOffsetX")
    y: Pixels = field(name="__pxTotalOffsetY")
    grid: list[Count] = field(name="intGridCsv")
    tiles: list[_Tile] = field(name="gridTiles")
    visible: bool = True

    def cells(self, drawing: Drawing) -> dict[tuple[int, int], int]:
        """See `Layer`. Raises LevelError that names the layer."""
        field = f"layer {self.identifier}"
        if self.type != "IntGrid":
            tiles = [(tile.px[0] // self.side, tile.px[1] // self.side, tile.t + 1) for tile in self.tiles]
        elif len(self.grid) == (count := self.columns * self.rows):
            tiles = [(at % self.columns, at // self.columns, n) for at, n in enumerate(self.grid) if n]
        else:
            raise LevelError("map.count", field=field, given=len(self.grid), count=count)
        return {(x, y): drawing.value(n, field) for x, y, n in tiles if x < self.columns and y < self.rows}


class _Field(msgspec.Struct):
    name: str = field(name="__identifier")
    value: Any = field(name="__value")


class _Level(msgspec.Struct):
    fields: list[_Field] = field(name="fieldInstances")
    layers: list[_Layer] | None = field(name="layerInstances")
    path: str | None = field(name="externalRelPath", default=None)


def knows(content: bytes) -> bool:
    """Whether it is JSON with the fields of a project or a level."""
    return has_fields(content, ["layerInstances", "defs"])


def read(content: bytes, drawing: Drawing) -> TileMap:
    """The first level in a file, whatever its game. Raises LevelError that names the field or the layer."""
    content = entry(entries(content), None)
    if has_fields(content, ["levels"]):  # a project still, as there is none in it
        raise LevelError("map.levels", field="levels")
    level: _Level = decode(content, _Level)
    if level.layers is None:
        code = "map.layers" if level.path is None else "map.elsewhere"
        raise LevelError(code, field="layerInstances", given=level.path)
    seen = [one for one in reversed(level.layers) if one.visible and one.type in ("IntGrid", "Tiles")]
    check_size(sum(len(one.grid) + len(one.tiles) for one in seen))
    layers = [(one, one.cells(drawing)) for one in seen]
    check_size(sum(len(cells) for _, cells in layers), MOST_TILES)
    layers = [(one, cells) for one, cells in layers if cells] or layers
    if len({one.side for one, _ in layers}) > 1:
        raise LevelError("map.sides", field="layerInstances")
    return TileMap(
        max((one.columns for one, _ in layers), default=0),
        max((one.rows for one, _ in layers), default=0),
        [Layer(one.identifier, cells, one.x / one.side, one.y / one.side) for one, cells in layers],
        {one.name: one.value for one in level.fields if one.value is not None},
    )


def write(drawn: TileMap, drawing: Drawing) -> bytes:
    """A project of that level. Raises LevelError for a map that is too large."""
    check_size(len(drawn.layers) * drawn.width * drawn.height)
    parts: dict[str, dict[str, Any]] = msgspec.json.decode(TEMPLATES.read_bytes())
    numbers = [
        parts["number"]
        | {"value": number, "identifier": f"v{value}", "color": "#" + bytes(colour(number)).hex().upper()}
        for number, value in drawing.offered(drawn)
    ]
    layers, cells, fields, values = list[Any](), list[Any](), list[Any](), list[Any]()
    for uid, layer in enumerate(reversed(drawn.layers), 1):
        x, y = int(SIDE * layer.x), int(SIDE * layer.y)
        layers.append(
            parts["layer"]
            | {"identifier": layer.name, "uid": uid, "intGridValues": numbers, "pxOffsetX": x, "pxOffsetY": y}
        )
        at = {"__pxTotalOffsetX": x, "__pxTotalOffsetY": y, "__cWid": drawn.width, "__cHei": drawn.height}
        own = {"layerDefUid": uid, "levelId": 0, "iid": f"{parts['level']['iid'][:-12]}{uid:012}"}
        grid = [number for row in drawing.rows(drawn, layer) for number in row]
        cells.append(parts["cells"] | at | own | {"__identifier": layer.name, "intGridCsv": grid})
    for uid, (name, value) in enumerate(drawn.settings.items(), len(layers) + 1):
        kind = "Bool" if isinstance(value, bool) else "Int" if isinstance(value, int) else "String"
        fields.append(parts["field"] | {"identifier": name, "uid": uid, "__type": kind, "type": f"F_{kind}"})
        real = [{"id": f"V_{kind}", "params": [value]}]
        own = {"__identifier": name, "__type": kind, "__value": value}
        values.append(own | {"defUid": uid, "realEditorValues": real})
    size = {"pxWid": SIDE * drawn.width, "pxHei": SIDE * drawn.height}
    level = parts["level"] | size | {"uid": 0, "layerInstances": cells, "fieldInstances": values}
    defs = parts["defs"] | {"layers": layers, "levelFields": fields}
    own = {"nextUid": 1 + len(layers) + len(fields), "defs": defs, "levels": [level]}
    return msgspec.json.encode(parts["project"] | own) + b"\n"
