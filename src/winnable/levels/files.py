"""Level files: reading, ours and foreign; those that ship with the games; writing whole or not at all."""

from __future__ import annotations

import codecs
import glob
import logging
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from winnable.contract.abilities import Format, Recording, formats_of
from winnable.contract.core import Action, LevelError, WinnableError, unreadable, unusable
from winnable.contract.errors import nearest
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, load_game, loaded_games
from winnable.levels.identity import content_id

BUFFER_BYTES = 1 << 20
MAX_BYTES = 64 * 2**20
ABANDONED_SECONDS = 60.0
"""Nobody waits so long between two writes to a temporary file."""
OURS = "winnable."
"""Begins the `format` of what we write."""
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""What text in units of 16 or 32 bits begins with."""
_TEMPORARY = ".winnable"
"""Ends the names of ours: nothing else beside a file is to be removed."""
log = logging.getLogger("winnable")
_SERIES = re.compile(r"/([a-z]+)-[0-9]+-")


class NamedLevel(NamedTuple):
    """A level with its game and the name under which it was asked for (identity) or by content."""

    game: Game
    level: Any
    id: str


class _Tagged(msgspec.Struct):
    format: str


def plain(content: bytes) -> bytes:
    """The content without the mark that some editors and shells begin a text with."""
    return content.removeprefix(codecs.BOM_UTF8)


class _Rooms(msgspec.Struct):
    """A world of LDtk, or a project of one."""

    levels: list[msgspec.Raw]


class _Project(_Rooms):
    worlds: list[_Rooms] = []


def entries(content: bytes) -> list[tuple[int, bytes]]:
    """(line, level) of each level in JSONL, or (place, level) in a JSON list of ours or a project of LDtk;
    else (1, content)."""
    if b'"layerInstances"' in content:
        with suppress(LevelError):
            project = decode(content, _Project)
            if rooms := [bytes(level) for world in (project, *project.worlds) for level in world.levels]:
                return [*enumerate(rooms, 1)]
    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    if len(lines) > 1 and any(_is_object(line) for _, line in lines[:2]):
        return lines
    if content.lstrip().startswith(b"["):
        with suppress(LevelError):
            listed = [bytes(level) for level in decode(content, list[msgspec.Raw])]
            if listed and all(_is_ours(level) for level in listed):
                return [*enumerate(listed, 1)]
    return [(1, content)]


def lines_of(content: bytes) -> dict[int, int]:
    """The line, from 1, in which each level begins, by the number that `entries` gives it."""
    found, end, line = dict[int, int](), 0, 1
    for number, level in entries(content):
        begin = content.index(level, end)
        found[number] = line = line + content.count(b"\n", end, begin)
        end = begin + len(level)
        line += level.count(b"\n")
    return found


def _is_object(content: bytes) -> bool:
    if content.lstrip().startswith(b"{"):
        with suppress(LevelError):
            decode(content, dict[str, msgspec.Raw])
            return True
    return False


def _is_ours(content: bytes) -> bool:
    with suppress(LevelError):
        return (_format_tag(content) or "").startswith(OURS)
    return False


def entry(levels: Sequence[tuple[int, bytes]], line: int | None) -> bytes:
    """The level in that line; None: the first one. Raises LevelError where there is none."""
    for number, content in levels:
        if line in (None, number):
            return content
    raise LevelError("level.line", field="level", given=line, count=len(levels))


def shipped_levels(game: Game) -> Iterator[tuple[str, Any]]:
    """(`GAME/NAME`, level) of all that ship with the game, by name. A damaged one is logged and left out."""
    for path in sorted(game.levels.glob("*.json")):
        name = f"{game.name}/{path.stem}"
        try:
            yield name, _read_shipped(path, name).level
        except WinnableError as error:
            log.error("%s", error)


def shipped_level(name: str) -> NamedLevel | None:
    """The one of that name, `GAME/NAME`. Raises WinnableError that names it when its file is damaged."""
    game, slash, stem = name.partition("/")
    if game not in GAMES or not slash:
        return None
    paths = load_game(game).levels.glob("*.json")
    return next((_read_shipped(path, name) for path in paths if path.stem == stem), None)


def _read_shipped(path: Path, name: str) -> NamedLevel:
    try:
        return read_level(read_file(path))._replace(id=name)
    except LevelError as error:
        raise error.within(name[:200]) from None


def series_of(name: str) -> str:
    """The series of its game to which a shipped level belongs: `article` for `drops/article-07-...`, none
    where the number comes first."""
    match = _SERIES.search(name)
    return "" if match is None else match[1]


def read_file(path: Path, most: int | None = None) -> bytes:
    """The whole file, see `plain`. Raises WinnableError when it is missing, not a file, or has more than so
    many bytes, else MAX_BYTES."""
    most = MAX_BYTES if most is None else most
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unusable(path, error) from None
    if len(content) > most:
        raise WinnableError("file.larger", field=str(path)[:200], most=most >> 20)
    return plain(content)


def named_by_content(game: Game, level: Any) -> NamedLevel:
    """A level that nobody asked for by a name."""
    return NamedLevel(game, level, content_id(game, level))


def read_level(content: bytes, seed: int = 0) -> NamedLevel:
    """Reads a level, see `read_played`."""
    return read_played(content, seed)[0]


def read_played(content: bytes, seed: int = 0) -> tuple[NamedLevel, Sequence[Action]]:
    """A level of our own format by its `format` field, or a game in another program's: the one that knows the
    content, else the first that can read it. Of several levels the first. Raises LevelError."""
    if content.startswith(_WIDE):
        raise LevelError("file.utf16")
    content = entry(entries(plain(content)), None)
    tag, complaint = None, LevelError("level.no_format")
    try:
        tag = _format_tag(content)
    except LevelError as error:  # a format of plain text, perhaps
        complaint = error
    if tag is not None and tag.startswith(OURS):
        name = tag.removeprefix(OURS).partition("/")[0]
        if name not in GAMES:
            raise _other_format(tag, nearest(name, GAMES))
        game = load_game(name)  # and no other: each takes its time
        return named_by_content(game, decode(content, game.level_type)), ()
    if (meant := meant_format(content)) is not None:
        game, form = meant
        return _named(game, form.read(content, seed))
    if tag is not None:
        raise _other_format(tag, None)
    if complaint.code != "level.no_format" and content.lstrip().startswith((b"{", b"[")):
        raise complaint
    return _read_foreign(content, seed, complaint)


def _other_format(tag: str, near: str | None) -> LevelError:
    known, meant = [_tag(name) for name in GAMES], near and _tag(near)
    return LevelError("level.format", field="format", given=tag[:60], known=known, near=meant)


def _tag(game: str) -> str:
    return f"{OURS}{game}/1"


def meant_format(content: bytes) -> tuple[Game, Format] | None:
    """The one that the content is certainly meant as."""
    known = ((game, form) for game in loaded_games() for form in formats_of(game).values())
    return next(((game, form) for game, form in known if form.knows and form.knows(content)), None)


def _named(game: Game, played: Recording) -> tuple[NamedLevel, Sequence[Action]]:
    return named_by_content(game, played.level), played.actions


def decode(content: bytes, kind: Any, what: str = "") -> Any:
    """JSON -> `kind`; every way in which that can fail becomes one LevelError, whose field is `what` with the
    JSON path."""
    return _fitted(partial(msgspec.json.decode, plain(content)), kind, what, content)


def convert(values: Any, kind: Any, what: str = "") -> Any:
    """Values -> `kind`, likewise; a number or a truth may be its text."""
    return _fitted(partial(msgspec.convert, values, strict=False), kind, what)


def _fitted(read: Callable[..., Any], kind: Any, what: str, content: bytes = b"") -> Any:
    try:
        return read(type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        wide = content.startswith(_WIDE)
        refused = LevelError("file.utf16") if wide else unreadable(error, plain(content))
    except RecursionError:
        refused = LevelError("nested")
    if refused.code == "shape.unknown" and "field" not in refused.values:
        name, known = refused.values["name"], getattr(kind, "__struct_fields__", ())
        refused = LevelError(refused.code, name=name, near=nearest(name, known))
    raise refused.within(what) if what else refused


def read_beside(game: str, name: str, kind: Any) -> Any | None:
    """The file of that name in the game's folder. None: there is none, or none that can be read, which is
    logged."""
    folder = GAMES[game].folder
    path = folder / name if folder else None
    if path is None or not path.is_file():
        return None
    try:
        return decode(read_file(path), kind)
    except WinnableError as error:
        log.error("%s", error.within(str(path)))
        return None


def _format_tag(content: bytes) -> str | None:
    try:
        return msgspec.json.decode(content, type=_Tagged).format
    except msgspec.ValidationError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise unreadable(error, content) from None
    except RecursionError:
        raise LevelError("nested") from None


def _read_foreign(content: bytes, seed: int, reason: LevelError) -> tuple[NamedLevel, Sequence[Action]]:
    """By the first of the formats that cannot tell. reason: why it is none of ours"""
    names = list[str]()
    for game in loaded_games():
        for form in formats_of(game).values():
            names.append(form.name)
            if form.knows is None:
                with suppress(LevelError):
                    return _named(game, form.read(content, seed))
    raise LevelError("level.foreign", reason=reason, formats=[*dict.fromkeys(names)])


def has_fields(content: bytes, names: Sequence[str]) -> bool:
    """Whether it is a JSON object that has one of these."""
    if not plain(content)[:200].lstrip().startswith(b"{"):
        return False
    with suppress(LevelError):
        return not decode(content, dict[str, msgspec.Raw]).keys().isdisjoint(names)
    return False


def encode_level(level: Any) -> bytes:
    """One tile, cell or entry a line would be long; one level a line is what JSONL needs: compact JSON."""
    return msgspec.json.encode(level)


def write_file(path: Path, *parts: bytes) -> None:
    """All parts, one after the other, or nothing at all: a temporary file beside it, then a rename. What
    others left who were killed at this is removed. A link stays one. Raises WinnableError."""
    target = Path(os.path.realpath(path))
    prefix = f".{target.name[:80]}."
    _remove_abandoned(target.parent, prefix)
    try:
        handle, temporary = tempfile.mkstemp(_TEMPORARY, prefix, target.parent)
        try:
            with os.fdopen(handle, "wb", BUFFER_BYTES) as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise unusable(path, error) from None


def _remove_abandoned(folder: Path, prefix: str) -> None:
    for path in folder.glob(f"{glob.escape(prefix)}*{_TEMPORARY}"):
        with suppress(OSError):  # another has removed it, or this system keeps what is still being written
            if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                path.unlink()
