"""LEVEL arguments and stdin."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from winnable.contract.core import Budget, LevelError, WinnableError
from winnable.levels.files import MAX_BYTES, NamedLevel, read_file, read_level
from winnable.levels.find import find_level, is_file
from winnable.levels.identity import MAKING_SECONDS

if TYPE_CHECKING:
    from winnable.play.session import Session


def load_level(
    text: str, seed: int = 0, seconds: float = MAKING_SECONDS, board: str | None = None
) -> NamedLevel:
    """See `find_level`; `-` reads the level, or the board, from stdin. seconds: that making it may take.
    Raises WinnableError, GaveUp (one of these) when they do not suffice."""
    if text == "-" and board is None:
        return read_level(read_stdin(), seed)
    if board == "-":
        board = read_stdin().decode("utf-8", "replace")
    return find_level(text, seed, Budget(seconds), board)


def load_session(text: str, seed: int = 0, board: str | None = None) -> Session:
    """A game on a LEVEL, or the one in a file: a saved game, or what another program wrote. `-` reads the
    file, or the board, from stdin. Raises likewise."""
    from winnable.play.session import Session

    if board is None and (text == "-" or is_file(text)):
        try:
            return Session.read(read_content(text), seed)
        except LevelError as error:
            raise error.within(text[:200]) from None
    return Session(load_level(text, seed, board=board))


def read_content(path: str) -> bytes:
    """A file's bytes, or those of stdin for `-`."""
    return read_stdin() if path == "-" else read_file(Path(path))


def read_stdin() -> bytes:
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise WinnableError("file.larger", field="stdin", most=MAX_BYTES >> 20)
    return content
