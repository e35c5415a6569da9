"""Sets of levels as pages show them: their rows, and which levels are like earlier ones."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct, field

from winnable.contract.core import WinnableError
from winnable.contract.registry import titles
from winnable.levels.checking import Checked, Looked
from winnable.levels.files import read_level
from winnable.store import sets
from winnable.store.database import Store
from winnable.store.sets import KeptLevel, KeptSet
from winnable.web.refusals import refusal
from winnable.web.set_protocol import Problem, SetRow

MOST_CODE = 200_000
"""Characters of a level's notation that a row carries."""


class Found(Struct, frozen=True):
    """What is known of a level, as the store has it. content, picture: see `Looked`"""

    look: Checked
    judged: bool = False
    problem: Problem | None = None
    content: str = ""
    picture: str = ""
    title: dict[str, str] = field(default_factory=dict[str, str])
    code: str | None = None


def found_of(content: bytes, looked: Looked, judged: bool) -> bytes:
    """What was found of this level, for the store."""
    title, code, problem = dict[str, str](), None, None
    try:
        named = read_level(content)
        title = dict(named.level.title or titles(named.game.name))
        text = named.game.format_board(named.level)
        code = text if len(text) <= MOST_CODE else None
    except WinnableError:
        pass
    if looked.problem is not None:
        told = refusal("", looked.problem)
        problem = Problem(told.message, told.code, told.values)
    found = Found(looked.checked, judged, problem, looked.content, looked.picture, title, code)
    return msgspec.json.encode(found)


_found: msgspec.json.Decoder[Found] = msgspec.json.Decoder(Found)


class OpenSet:
    """A set that pages look at, or that is worked on. On the event loop."""

    def __init__(self, kept: KeptSet, levels: Iterable[KeptLevel]) -> None:
        self.kept = kept
        self.names = {one.number: one.name for one in levels}
        self._found = {one.number: found for one in levels if (found := _read(one)) is not None}
        self.order = [number for number in kept.order if number in self._found]
        self._like: dict[int, tuple[int | None, int | None]] = {}
        self._compare()

    @classmethod
    def load(cls, store: Store, id: str) -> OpenSet:
        """What was removed from it when it was open last is gone now. Raises StoreError."""
        kept = sets.find(store, id)
        sets.forget(store, kept)
        return cls(kept, sets.levels(store, id).values())

    def take(self, kept: KeptSet, levels: Iterable[KeptLevel]) -> list[int]:
        """The set as it is kept now, with these levels. Which rows are not what they were."""
        changed = set[int]()
        for one in levels:
            if (found := _read(one)) is not None:
                self._found[one.number], self.names[one.number] = found, one.name
                changed.add(one.number)
        self.kept, before = kept, self._like
        self.order = [number for number in kept.order if number in self._found]
        self._compare()
        likened = {number for number, like in self._like.items() if before.get(number) != like}
        return sorted(changed | likened)

    def rows(self, numbers: Iterable[int]) -> list[SetRow]:
        """Those of the numbers that there are."""
        return [self._row(number) for number in numbers if number in self._found]

    def unjudged(self) -> list[int]:
        """Those that were not looked into."""
        return [number for number in self.order if not self._found[number].judged]

    def looks(self, numbers: Iterable[int]) -> list[tuple[int, Checked]]:
        """What is known of these."""
        return [(number, self._found[number].look) for number in numbers if number in self._found]

    def pictures(self) -> set[str]:
        """What tells the levels that look alike."""
        return {self._found[number].picture for number in self.order}

    def _row(self, number: int) -> SetRow:
        found, like = self._found[number], self._like.get(number, (None, None))
        return SetRow(
            number,
            self.names[number],
            found.title,
            found.code,
            found.look,
            found.problem,
            found.judged,
            *like,
        )

    def _compare(self) -> None:
        """Finds for each level the first that is the same, and the first that looks alike."""
        first, like = dict[str, int](), dict[int, tuple[int | None, int | None]]()
        for number in self.order:
            found = self._found[number]
            if found.content:
                same, twin = first.setdefault(found.content, number), first.setdefault(found.picture, number)
                same, twin = (None if one == number else one for one in (same, twin))
                like[number] = same, None if twin == same else twin
        self._like = like


def _read(one: KeptLevel) -> Found | None:
    """None: what the store has of it cannot be read."""
    try:
        return _found.decode(one.found)
    except (msgspec.MsgspecError, UnicodeError):
        return None
