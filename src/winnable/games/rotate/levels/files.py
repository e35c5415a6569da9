"""Files of the two contests.

`procon20` (Kosen Procon 20, 2009): text, "size colours" in the first line, then the rows. How the organisers
parted the colours of a row is not known for sure: blanks, commas and semicolons are read, and rows without
any of these, whose signs are a colour each.

`procon36` (Kosen Procon 36, 2025): the server's JSON, {"startsAt": second, "problem": {"field": {"size": n,
"entities": [[label, ...], ...]}}}; what else it holds is skipped. When the match starts is kept in the
level's provenance, and written again.
"""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.core import LevelError
from winnable.contract.provenance import Provenance
from winnable.games.rotate.levels.text import SIGNS
from winnable.games.rotate.rules.level import MAX_COLOURS, MAX_LABEL, MAX_SIDE, MIN_SIDE, Level, Row
from winnable.levels.files import decode, has_fields, plain

MAX_BYTES = 2**20
PROCON36 = "procon36"
STARTS = "startsAt"
_SEPARATORS = re.compile(r"[\s,;]+")


def knows_procon20(content: bytes) -> bool:
    """Whether two whole numbers come first, and rows below them."""
    lines = [line for line in content[:1000].splitlines() if line.strip()]
    return len(lines) > 1 and re.fullmatch(rb"\s*\d+[\s,;]+\d+[\s,;]*", lines[0]) is not None


def knows_procon36(content: bytes) -> bool:
    """Whether it is JSON with a `problem`."""
    return has_fields(content, ["problem"])


def read_procon20(content: bytes, seed: int) -> Level:
    """Read the text of a level of the rules `clusters`. `seed` has no effect. Raises LevelError that names
    the line and the field."""
    lines = [
        (number, [word for word in _SEPARATORS.split(line) if word])
        for number, line in enumerate(_text(content).splitlines(), 1)
    ]
    (number, first), *rows = [(number, words) for number, words in lines if words] or [(1, list[str]())]
    if len(first) != 2:
        raise LevelError("rotate.head", field=f"line {number}", given=len(first))
    size = _whole(first[0], f"line {number}: size", MIN_SIDE, MAX_SIDE)
    colours = _whole(first[1], f"line {number}: colours", 2, MAX_COLOURS)
    if len(rows) != size:
        raise LevelError("rotate.rows", field=f"line {number}: size", size=size, rows=len(rows))
    level = Level(tuple(_row(row, words, size) for row, words in rows))
    if level.colours != colours:
        raise LevelError(
            "rotate.colours.file", field=f"line {number}: colours", given=colours, colours=level.colours
        )
    return level


def write_procon20(level: Level) -> bytes:
    """Write the text from which `read_procon20` gives the level again, without its title, provenance and
    certificate. Raises LevelError for what the file cannot say: a rectangle, pairs, turns."""
    _check_square(level, "clusters")
    rows = (" ".join(map(str, row)) for row in level.board)
    return "\n".join([f"{level.rows} {level.colours}", *rows, ""]).encode()


class _Field(Struct):
    size: Annotated[int, Meta(ge=MIN_SIDE, le=MAX_SIDE)]
    entities: Annotated[tuple[Row, ...], Meta(max_length=MAX_SIDE)]


class _Problem(Struct):
    field: _Field


class _Match(Struct):
    problem: _Problem
    startsAt: int = 0


def read_procon36(content: bytes, seed: int) -> Level:
    """Read a match as a level of the rules `pairs`. `seed` has no effect. Raises LevelError that names the
    field."""
    match: _Match = decode(_text(content).encode(), _Match, "file")
    field, path = match.problem.field, "problem.field.entities"
    if len(field.entities) != field.size:
        raise LevelError("rows.size", field=path, given=len(field.entities), size=field.size)
    for index, row in enumerate(field.entities):
        if len(row) != field.size:
            raise LevelError("row.size", field=f"{path}[{index}]", given=len(row), size=field.size)
    made = Provenance(PROCON36, __version__, {STARTS: match.startsAt}, 0) if match.startsAt else None
    return Level(field.entities, "pairs", provenance=made)


def write_procon36(level: Level) -> bytes:
    """Write the match from which `read_procon36` gives the level again, without its title and certificate,
    and without a provenance but that of such a match. Raises LevelError for what the file cannot say: a
    rectangle, colours, turns."""
    _check_square(level, "pairs")
    made = level.provenance
    starts = made.params.get(STARTS, 0) if made is not None and made.generator == PROCON36 else 0
    return msgspec.json.encode(_Match(_Problem(_Field(level.rows, level.board)), starts))


def _check_square(level: Level, rules: str) -> None:
    if level.rules != rules:
        raise LevelError("rotate.contest.rules", field="rules", rules=rules, given=level.rules)
    if level.rows != level.columns:
        raise LevelError("rotate.contest.square", field="board", columns=level.columns, rows=level.rows)
    if level.turns is not None:
        raise LevelError("rotate.contest.turns", field="turns")


def _text(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise LevelError("file.large", field="file", given=len(content), most=MAX_BYTES)
    try:
        return plain(content).decode()
    except UnicodeDecodeError as error:
        raise LevelError("file.utf8", field="file", at=error.start) from None


def _row(number: int, words: list[str], size: int) -> tuple[int, ...]:
    if len(words) == 1:
        signs = words[0].lower()
        for column, sign in enumerate(signs, 1):
            if sign not in SIGNS:
                raise LevelError("cell.sign", field=f"line {number}", given=sign, column=column)
        cells = tuple(map(SIGNS.index, signs))
    else:
        cells = tuple(
            _whole(word, f"line {number}: column {column}", 0, MAX_LABEL)
            for column, word in enumerate(words, 1)
        )
    if len(cells) != size:
        raise LevelError("row.size", field=f"line {number}", given=len(cells), size=size)
    return cells


def _whole(word: str, where: str, least: int, most: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 9 and least <= int(word) <= most):
        raise LevelError("params.within", field=where, given=word[:40], low=least, high=most)
    return int(word)
