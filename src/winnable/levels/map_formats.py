"""Levels in the files of Tiled and LDtk, for every game that declares how its board lies on a map.

What tiles do not say are properties of the map, in LDtk fields of the level: by the names of the level file,
`format` first, with its values; what is an object there is its JSON here, as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from winnable.contract.abilities import Format
from winnable.contract.core import LevelError
from winnable.contract.registry import GAMES
from winnable.inert.late import late_modules
from winnable.levels.base import BaseLevel
from winnable.levels.files import OURS, convert, decode
from winnable.levels.maps import Drawing, TileMap

if TYPE_CHECKING:
    from winnable.levels import ldtk, tiled
else:
    ldtk, tiled = late_modules("winnable.levels", "ldtk", "tiled")

MAX_BYTES = 2**23
UNSAID = ("$schema", "provenance", "certificate")
"""Of a level file: what no map says."""
_TAG = re.compile(rb"winnable\.([\w-]{1,40})\\?/1")
"""Tiled writes `\\/` in JSON."""


_PROGRAMS = {
    "tiled": (tiled, ".tmx", "a map of Tiled, the level's other fields as properties; reads .tmj too"),
    "ldtk": (ldtk, ".ldtk", "a level of LDtk, the level's other fields as its fields"),
}


def map_formats(kind: type[BaseLevel], drawing: Drawing) -> Mapping[str, Format]:
    """By name. kind: of the game's levels"""
    made = dict[str, Format]()
    for name, (files, suffix, about) in _PROGRAMS.items():
        read, write = partial(_read, kind, drawing, files), partial(_write, drawing, files)
        made[name] = Format.of_levels(name, about, read, write, partial(_knows, kind, files), suffix)
    return made


def _games(content: bytes) -> set[str]:
    """Those that it may be of: one needs to be named, and more than its property may look like a name."""
    return {name.decode() for name in _TAG.findall(content)} & GAMES.keys()


def _knows(kind: type[BaseLevel], files: Any, content: bytes) -> bool:
    """Also where it names no game, to say so."""
    games = _games(content)
    return (not games or any(_tag(kind) == f"{OURS}{name}/1" for name in games)) and files.knows(content)


def _read(kind: type[BaseLevel], drawing: Drawing, files: Any, content: bytes, seed: int) -> BaseLevel:
    """`seed` has no effect. Raises LevelError that names the field, the layer or the cell."""
    if len(content) > MAX_BYTES:
        raise LevelError("file.large", field="file", given=len(content), most=MAX_BYTES)
    tags = [f"{OURS}{name}/1" for name in GAMES]
    if not _games(content):
        raise LevelError("map.format", field="format", known=tags)
    drawn: TileMap = files.read(content, drawing)
    settings = {name: _plain(value) for name, value in drawn.settings.items()}
    if (given := settings.get("format")) != _tag(kind):
        code = "map.format" if given is None else "level.format"
        raise LevelError(code, field="format", given=str(given)[:60], known=tags)
    if twice := settings.keys() & {*drawing.fields, *UNSAID}:
        raise LevelError("map.drawn", field=min(twice))
    return convert({**settings, **drawing.read(drawn)}, kind)


def _write(drawing: Drawing, files: Any, level: BaseLevel) -> bytes:
    """The map from which `_read` gives the level again, without its provenance and certificate."""
    drawn = drawing.draw(level)
    said = msgspec.to_builtins(level)
    settings = {name: _told(said[name]) for name in said.keys() - {*drawing.fields, *UNSAID}}
    return files.write(drawn._replace(settings=dict(sorted(settings.items()))), drawing)


def _tag(kind: type[BaseLevel]) -> Any:
    return kind.__struct_config__.tag


def _plain(value: Any) -> Any:
    if isinstance(value, str) and value.startswith("{"):
        with suppress(LevelError):
            return decode(value.encode(errors="replace"), dict[str, Any])
    return value


def _told(value: Any) -> Any:
    """As a property: an object as JSON, and a number as text where it is too large for one."""
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode()
    return str(value) if type(value) is int and value.bit_length() > 31 else value
