"""Checks of levels as a batch."""

from __future__ import annotations

import os

from winnable.batches.rating import rated
from winnable.batches.requests import LevelGiven, Request
from winnable.contract.core import Budget, Search
from winnable.levels.checking import Checking, Looked, look
from winnable.levels.files import NamedLevel, read_level


class Check(Request, frozen=True, kw_only=True):
    """Whether a level is valid, its certificate holds, and it can be won. game: "" where that is not known;
    level: bytes that may be none. source: as the system has it: the name of a file need be no text"""

    source: bytes
    level: bytes | LevelGiven
    how: Checking

    @classmethod
    def of(cls, source: str, level: bytes | NamedLevel, how: Checking) -> Check:
        if isinstance(level, bytes):
            return cls(game="", source=os.fsencode(source), level=level, how=how)
        return cls(game=level.game.name, source=os.fsencode(source), level=LevelGiven.of(level), how=how)

    def answer(self, whole: Budget) -> Search[Looked]:
        content = self.level.named() if isinstance(self.level, LevelGiven) else self.level
        looked = yield from look(os.fsdecode(self.source), content, self.how, whole)
        if not self.how.is_rated or not looked.checked.ok:
            return looked
        named = content if isinstance(content, NamedLevel) else read_level(content, self.how.seed)
        return (yield from rated(looked, named, self.how, whole))
