"""How games ended: a row for each end that was reached by playing, in the store's file."""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, dataclass, fields
from datetime import date
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from winnable.store.database import Count, Store, Time, read_row

Ended: TypeAlias = Literal["won", "lost", "over"]
Id: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Text: TypeAlias = Annotated[str, Meta(max_length=10_000)]
"""An identity of another package's game is as long as its parameters."""


@dataclass(frozen=True, slots=True)
class Result:
    """id:       tells the session and the actions that led to the end: the same end is one result
    content:  the level by what is played
    day:      whose daily level it was, as 2026-11-25, if it was played on that day
    helped:   whether the game had help (see `Session.helped`) until then
    outcome:  `over`: there was no goal; where one is on the way, as a tile of 2048, whether it was made
    par:      how many actions the shortest win has, where that was known
    score:    in a game without a goal: what its actions were rewarded with
    seconds:  of play, on the whole game until then; None: not known
    finished: seconds since 1970
    """

    id: Id
    session: Id
    game: Text
    level_id: Text
    content: Text
    day: Annotated[str, Meta(pattern=r"^[12]\d{3}-\d\d-\d\d\Z")] | None
    outcome: Ended
    helped: bool
    actions: Count
    par: Count | None
    score: Annotated[int, Meta(ge=-(2**53), le=2**53)] | None
    seconds: Time | None
    finished: Time

    def __post_init__(self) -> None:
        if self.day is not None:
            date.fromisoformat(self.day)


_COLUMNS = ", ".join(field.name for field in fields(Result))
_PLACES = ", ".join("?" for _ in fields(Result))


def add(store: Store, result: Result) -> bool:
    """False where it was known. Raises StoreError."""
    return store.transact(lambda database: add_in(database, result))


def add_in(database: sqlite3.Connection, result: Result) -> bool:
    """Like `add`, in a transaction."""
    query = f"INSERT OR IGNORE INTO results ({_COLUMNS}) VALUES ({_PLACES})"
    return database.execute(query, astuple(result)).rowcount > 0


def every(store: Store) -> list[Result]:
    """All results in the order in which they came about, but for those that cannot be read. Raises
    StoreError."""
    return [result for result in rows(store) if result is not None]


def rows(store: Store) -> list[Result | None]:
    """All results in the order of `every`; None: one that cannot be read. Raises StoreError."""
    query = f"SELECT {_COLUMNS} FROM results ORDER BY finished, id"
    return [read_row(Result, row) for row in store.rows(query)]
