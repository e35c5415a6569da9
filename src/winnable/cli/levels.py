"""LEVEL arguments and stdin."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from winnable.cli.output import note
from winnable.contract.core import Action, Budget, LevelError, WinnableError, finish
from winnable.levels.checking import sources
from winnable.levels.files import MAX_BYTES, NamedLevel, entries, entry, plain, read_file, read_level
from winnable.levels.find import InFile, files_of, find_level, in_file
from winnable.levels.identity import MAKING_SECONDS
from winnable.levels.links import read_link, write_link
from winnable.words import tn

if TYPE_CHECKING:
    from winnable.play.session import Session


def load_level(
    text: str, seed: int = 0, seconds: float = MAKING_SECONDS, board: str | None = None
) -> NamedLevel:
    """Finds a LEVEL, see `find_level`; `-` reads the level, or the board, from stdin. seconds: that making it
    may take. Raises WinnableError, GaveUp (one of these) when they do not suffice."""
    if board is None and (found := file_of(text)) is not None:
        try:
            return read_level(one_level(found), seed)
        except LevelError as error:
            raise error if text == "-" else error.within(text[:200]) from None
    if board == "-":
        board = read_stdin().decode("utf-8", "replace")
    return find_level(text, seed, Budget(seconds), board)


def load_levels(
    text: str, seed: int = 0, seconds: float = MAKING_SECONDS, board: str | None = None
) -> list[NamedLevel]:
    """Finds a LEVEL likewise; of a file of several levels, of a folder or a pattern all of them."""
    if board is not None:
        return [load_level(text, seed, seconds, board)]
    levels = list[NamedLevel]()
    for source, content in level_entries(text, seed, seconds):
        try:
            levels.append(read_level(content, seed) if isinstance(content, bytes) else content)
        except LevelError as error:
            raise (error if source == "-" else error.within(source[:200])) from None
    return levels


def level_entries(
    text: str, seed: int = 0, seconds: float = MAKING_SECONDS
) -> Iterator[tuple[str, bytes | NamedLevel]]:
    """(source, level) of each level that is meant, unread where it is in a file."""
    if (names := files_of(text)) is not None:
        for name in names:
            yield from sources(name, read_content(name))
    elif (found := file_of(text)) is None:
        yield text, load_level(text, seed, seconds)
    elif found.line is not None:
        yield text, found.read()
    else:
        yield from sources(text, read_content(text))


def load_session(text: str, seed: int = 0, board: str | None = None) -> Session:
    """A game on a LEVEL, the one of a link, or the one in a file: a saved game, or what another program
    wrote. `-` reads the file, or the board, from stdin. Raises likewise."""
    from winnable.play.links import session_on
    from winnable.play.session import Session

    if board is None and (found := file_of(text)) is not None:
        try:
            return Session.read(one_level(found), seed)
        except LevelError as error:
            raise error.within(text[:200]) from None
    named = load_level(text, seed, board=board)
    return Session(named) if board is not None else finish(session_on(named, text))


def load_position(
    text: str, seed: int = 0, seconds: float = MAKING_SECONDS, board: str | None = None
) -> tuple[NamedLevel, list[Action]]:
    """Finds a LEVEL likewise, and what was played on it where it is a link to a game: then the id is what
    stands behind the link's `#`. Whether it can be played, the rules have yet to say."""
    named = load_level(text, seed, seconds, board)
    link = read_link(text) if board is None else None
    if link is None or not link.actions:
        return named, []
    return named._replace(id=write_link(link) or named.id), [*link.actions[: link.ply]]


def keep_apart(written: Mapping[str, str | None], levels: Iterable[str]) -> None:
    """Raises WinnableError where a file that is to be written, by the name of its option, holds some of the
    levels that are read, or is that of another option, too. Devices and pipes are nobody's."""
    taken = dict[object, str]()
    for text in levels:
        found = in_file(text)
        names = files_of(text) or ([] if found is None else [found.path])
        taken |= {key: "" for name in names if (key := _identity(name))}
    for option, path in written.items():
        if path is None or path == "-" or (key := _identity(path)) is None:
            continue
        if (other := taken.get(key)) is not None:
            raise WinnableError("cli.twice" if other else "cli.own", field=option, other=other)
        taken[key] = option


def _identity(path: str) -> object:
    """The same for a file by whatever name; None: it is none."""
    try:
        about = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return (about.st_dev, about.st_ino) if stat.S_ISREG(about.st_mode) else None


def file_of(text: str) -> InFile | None:
    """A LEVEL that is in a file, or in stdin."""
    return InFile(text) if text == "-" else in_file(text)


def one_level(found: InFile) -> bytes:
    """Reads a single level: of several the one in that line, else the first, which is told."""
    levels = entries(read_content(found.path))
    if found.line is None and len(levels) > 1:
        note(tn("cli.level.first", len(levels), path=found.path, line=levels[1][0]))
    return entry(levels, found.line)


def read_content(path: str) -> bytes:
    """A file's bytes, or those of stdin for `-`."""
    return read_stdin() if path == "-" else read_file(Path(path))


def read_stdin() -> bytes:
    """All of stdin, unpacked. Raises WinnableError where it is too much."""
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise WinnableError("file.larger", field="stdin", most=MAX_BYTES >> 20)
    return plain(content)
