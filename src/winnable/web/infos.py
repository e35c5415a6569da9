"""What the page is told about games and kept sessions: parts of the messages in protocol.py."""

from __future__ import annotations

from msgspec import Struct

from winnable.params import Param


class LevelInfo(Struct, frozen=True):
    name: str
    """`triple/first-steps`: what `new` takes."""
    title: dict[str, str]


class GameInfo(Struct, frozen=True):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    params: list[Param]
    players: list[str]
    solvers: list[str]
    tunables: list[str]
    levels: list[LevelInfo]
    explains: bool
    """Whether there is an `explain`."""
    daily: str
    """The identity of today's level."""


class SessionInfo(Struct, frozen=True):
    """A kept game, newest first in lists."""

    session: str
    level_id: str
    ply: int
    standing: str
    updated: float
    """Seconds since 1970."""
