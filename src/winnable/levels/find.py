"""What a LEVEL may be: the one answer for the command line, for programs and for the page.

path.json                 a file; only who may look around in the files names one
path.jsonl#LINE           a level in a file of several, one a line; without LINE the first
GAME                      its default level, from a seed
GAME:params#SEED          an identity; `GAME:daily` is today's
GAME/NAME                 a level that ships with the game
GAME:BOARD, BOARD         in a game's text notation, or as another program writes it; on a command line they
                          may be two arguments, GAME BOARD
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from winnable.contract.arguments import MAX_SEED, of_kind, whole
from winnable.contract.core import Budget, LevelError, Search, WinnableError, finish, searching
from winnable.contract.errors import nearest, unusable
from winnable.contract.registry import GAMES, load_game, loaded_games
from winnable.levels.dailies import made_ahead
from winnable.levels.files import (
    NamedLevel,
    entries,
    entry,
    meant_format,
    named_by_content,
    plain,
    read_file,
    read_level,
    shipped_level,
)
from winnable.levels.identity import Identity, hint, is_identity, parse_identity
from winnable.levels.links import read_link

_OF_SEVERAL = re.compile(r"(.+)[#:]([0-9]{1,9})", re.DOTALL)
"""`check` writes a colon, as compilers do."""
_LIKE_A_FILE = re.compile(r"(?:[/~]|\.{1,2}[/\\]|[A-Za-z]:\\).*|.*[\w)-]\.[A-Za-z][\w-]{1,15}(?:[#:][0-9]+)?")
_LONGEST_NAME = 60
OF_MAPS = (".tmx", ".tmj", ".ldtk", ".ldtkl")
"""Of the files of programs that draw maps."""
SUFFIXES = (".json", ".jsonl", *OF_MAPS)
"""Of the level files of a folder."""


class InFile(NamedTuple):
    """line: of a file of several; None: of the whole"""

    path: str
    line: int | None = None

    def read(self) -> bytes:
        """The level, of several the first one. Raises WinnableError."""
        return self.levels()[0]

    def levels(self) -> list[bytes]:
        """All that are meant. Raises WinnableError."""
        several = entries(read_file(Path(self.path)))
        return [level for _, level in several] if self.line is None else [entry(several, self.line)]


def in_file(text: object) -> InFile | None:
    """The file of that name, or a line of one; None: there is no such file. Raises WinnableError for what
    is no name."""
    name = level_text(text)
    if is_file(name):
        return InFile(name)
    several = _OF_SEVERAL.fullmatch(name)
    return InFile(several[1], int(several[2])) if several and is_file(several[1]) else None


def _refuse(error: OSError) -> None:
    """Of a folder that cannot be looked into, whose levels would be left out."""
    raise error


def files_of(text: str) -> list[str] | None:
    """The files that a folder or a pattern such as `levels/*.json` stands for, by name; None: it is neither.
    Of a folder those that end as level files do, also in folders within. Raises WinnableError where there are
    none."""
    try:
        if is_file(text):
            return None
        if os.path.isdir(text):
            inside = os.walk(text, onerror=_refuse)
            paths = [Path(folder, name) for folder, _, names in inside for name in names]
            found = [path for path in paths if path.suffix in SUFFIXES and path.is_file()]
            names = sorted(str(path) for path in found if not path.name.startswith("."))
        elif glob.has_magic(text) and not is_identity(text):
            names = sorted(filter(is_file, glob.iglob(text, recursive=True)))
            if not names and not text.endswith(SUFFIXES):  # a board, perhaps
                return None
        else:
            return None
    except (OSError, ValueError) as error:  # ValueError: a null character
        raise unusable(getattr(error, "filename", None) or text, error) from None
    if not names:
        raise WinnableError("level.files", field=text[:200], known=list(SUFFIXES))
    return names


def level_text(level: object) -> str:
    """What a program names a level by. Raises WinnableError for what is neither text nor a path."""
    if isinstance(level, str | os.PathLike):
        return os.fsdecode(level)  # type: ignore[arg-type]
    raise LevelError("level.kind", field="level", given=repr(level)[:_LONGEST_NAME])


def find_level(
    text: str, seed: int = 0, budget: Budget | None = None, board: str | None = None
) -> NamedLevel:
    """A LEVEL that may be a file, and is one where there is a file of that name; or, of the game `text`, this
    `board` in its text notation.

    `seed` makes the default level, and deals files of a foreign format that hold a layout only. `budget`: to
    make the level. Raises WinnableError, GaveUp (one of these) when the budget ends before.
    """
    seed = whole("seed", seed, 0, MAX_SEED)
    if budget is not None:
        of_kind("budget", budget, Budget)
    if board is not None:
        return parsed_board([text], of_kind("board", board, str))
    if (found := in_file(text)) is None:
        named = find_named(text, seed, budget)
        return named_by_content(named.game, named.level) if _is_shipped(named.id) else named
    try:
        return read_level(found.read(), seed)
    except LevelError as error:
        raise error.within(text[:200]) from None


def find_named(text: str, seed: int = 0, budget: Budget | None = None) -> NamedLevel:
    """A LEVEL that is no file, where it might have been one. Raises likewise."""
    if (text := _linked(text)) in GAMES:
        game = load_game(text)
        return finish(made_level(Identity(game, game.params_type(), seed), budget))
    if (named := finish(_named(text, budget))) is not None:
        return named
    raise missing(text, files=True)


def find_level_or_board(text: str, game: str, budget: Budget) -> Search[NamedLevel]:
    """A LEVEL of the page, which must not look around in the files, or a board, first of all of this `game`
    ("": boards must name theirs). Raises likewise."""
    if (named := (yield from _named(text := _linked(text), budget))) is not None:
        return named
    if not game or hint(text) is not None:
        raise missing(text)
    try:
        return parsed_board([game, *(one.name for one in loaded_games() if one.name != game)], text)
    except LevelError:
        if _is_shipped(text):
            raise missing(text) from None
        raise


def _named(text: str, budget: Budget | None) -> Search[NamedLevel | None]:
    name, colon, board = text.partition(":")
    if colon and name in GAMES and _may_be_board(board):
        try:
            return parsed_board([name], board)
        except LevelError:
            if _meant(name, board) is not None:
                raise missing(f"{name}/{board}") from None
            raise
    if is_identity(text):
        return (yield from made_level(parse_identity(text), budget))
    return shipped_level(text)


def _is_shipped(text: str) -> bool:
    """Whether it is meant as the name of a level that ships."""
    name, slash, _ = text.partition("/")
    return bool(slash) and name in GAMES


def missing(text: str, files: bool = False) -> WinnableError:
    """What is wrong with a LEVEL that is none. files: it might have been a file."""
    if (meant := hint(text)) is not None:
        return LevelError("level.hint", given=text[:80], meant=meant[:80])
    name, mark, rest = [*re.split("([:/#])", text, maxsplit=1), "", ""][:3]
    if _is_shipped(text):
        return LevelError("level.none", field="level", game=name, given=rest[:_LONGEST_NAME],
                          near=_meant(name, rest))  # fmt: skip
    if files and (several := re.fullmatch("(.+)#(.*)", text, re.DOTALL)) and is_file(several[1]):
        return LevelError("level.number", field="level", given=several[2][:_LONGEST_NAME], file=several[1])
    if files and ("\0" in text or os.path.exists(text) or _LIKE_A_FILE.fullmatch(text)):
        return _no_file(text)
    if (near := nearest(name, GAMES)) is not None:
        return LevelError("game.unknown", field="level", given=name, known=list(GAMES), near=near)
    if len(text) > _LONGEST_NAME or mark or re.search(r"[\s,]", text):
        return LevelError("level.board", field="level")
    return LevelError("level.unknown", field="level", given=text)


def _meant(game: str, rest: str) -> str | None:
    """The level that ships under this name, or nearly so; or the daily one."""
    stems = [path.stem for path in load_game(game).levels.glob("*.json")]
    if near := rest if rest in stems else nearest(rest, stems):
        return f"{game}/{near}"
    return f"{game}:daily" if rest == "daily" or nearest(rest, ["daily"]) else None


def _no_file(text: str) -> WinnableError:
    """As the system says it, and what lies beside it under nearly that name."""
    try:
        read_file(Path(text))
    except WinnableError as error:
        near = None
        if error.code == "file.ENOENT":
            with suppress(OSError):
                # By their stems: the same ending makes no two names alike.
                beside = {Path(name).stem: name for name in os.listdir(Path(text).parent)}
                stem = Path(text).stem
                near = beside.get(stem) or beside.get(nearest(stem, beside) or "")
        return WinnableError(error.code, **error.values, near=near and str(Path(text).with_name(near)))
    return LevelError("level.unknown", field="level", given=text[:_LONGEST_NAME])


def made_level(identity: Identity, budget: Budget | None = None) -> Search[NamedLevel]:
    """Raises LevelError, GaveUp (one of these) when the budget ends before."""
    level = made_ahead(identity)
    if level is None:
        level = yield from searching(identity.game.generate(identity.params, identity.seed, budget))
    return NamedLevel(identity.game, level, str(identity))


def parsed_board(names: Sequence[str], text: str) -> NamedLevel:
    """Reads a board by the first of the games that can read it; when none can, the first one says why."""
    content = plain(text.encode(errors="replace"))
    complaints = list[LevelError]()
    if (meant := meant_format(content)) is not None and meant[0].name in names:
        return named_by_content(meant[0], meant[1].read(content, 0).level)
    for game in map(load_game, names):
        try:
            return named_by_content(game, game.parse_board(text))
        except LevelError as error:
            complaints.append(error)
    raise complaints[0]


def _linked(text: str) -> str:
    """The LEVEL of a link, or the text itself, see `typed`. Raises WinnableError."""
    if (link := read_link(text)) is None:
        return typed(text)
    name = re.split("[:/#@]", level := typed(link.level), maxsplit=1)[0]
    if name not in GAMES:
        raise LevelError("link.game", given=name[:_LONGEST_NAME], known=list(GAMES))
    return level


def typed(text: str) -> str:
    """A LEVEL that begins with a game, as a Chinese keyboard types it, in plain characters; else as it is."""
    plainly = normalize("NFKC", text)
    return plainly if re.split("[:/#]", plainly, maxsplit=1)[0] in GAMES else text


def is_kind(text: str) -> bool:
    """Whether it means all levels of some parameters, one for each seed: `GAME`, `GAME:key=value,...`."""
    name, colon, rest = text.partition(":")
    return name in GAMES and (not colon or (rest != "daily" and "#" not in rest and not _may_be_board(rest)))


def is_file(text: str) -> bool:
    """Whether there is a file of that name."""
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _may_be_board(rest: str) -> bool:
    """What follows `GAME:` is parameters and a seed, or `daily`, or a board."""
    key, equals, _ = rest.partition(",")[0].partition("=")
    return "#" not in rest and rest not in ("", "daily") and not (equals and key.strip().isidentifier())
