"""Sets of levels, with what is known of each level, and the work on them that is not over."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from time import time
from typing import Any

from winnable.store.database import Count, Store, StoreError, Time, read_row

ID_LENGTH = 12


@dataclass(frozen=True, slots=True)
class KeptSet:
    """id:      hexadecimal, of ID_LENGTH
    places:  JSON: the numbers of its levels, in their order
    numbers: how many numbers were ever given
    work:    JSON: what is not over; empty: nothing
    """

    id: str
    title: str
    places: bytes
    numbers: Count
    work: bytes
    updated: Time

    @property
    def order(self) -> list[int]:
        """Raises StoreError."""
        try:
            found: Any = json.loads(self.places)
            return [int(number) for number in found]
        except (ValueError, TypeError):
            raise StoreError("kept.none", field="set", given=self.id) from None


@dataclass(frozen=True, slots=True)
class KeptLevel:
    """number: which it keeps wherever it stands
    name:  the file that it came from; empty: it was made here
    level: as a file has it
    found: JSON: what is known of it; empty: nothing was looked for
    """

    number: Count
    name: str
    level: bytes
    found: bytes = b""


_SET = ", ".join(field.name for field in fields(KeptSet))
_LEVEL = ", ".join(field.name for field in fields(KeptLevel))


def add(store: Store, kept: KeptSet) -> None:
    """Keeps a set that is new. Raises StoreError."""
    store.transact(lambda database: put_in(database, kept))


def put_in(database: sqlite3.Connection, kept: KeptSet) -> None:
    """Keeps it in the place of what it was, in a transaction."""
    places = ", ".join("?" for _ in fields(KeptSet))
    database.execute(f"INSERT OR REPLACE INTO sets ({_SET}) VALUES ({places})", astuple(kept))


def find(store: Store, id: str) -> KeptSet:
    """Raises StoreError also where there is no such set, or none that can be read."""
    found = [read_row(KeptSet, row) for row in store.rows(f"SELECT {_SET} FROM sets WHERE id = ?", id)]
    if not found or found[0] is None:
        raise StoreError("kept.none", field="set", given=id[:40])
    return found[0]


def every(store: Store) -> list[KeptSet]:
    """The one changed last comes first; those that cannot be read are left out. Raises StoreError."""
    rows = store.rows(f"SELECT {_SET} FROM sets ORDER BY updated DESC, id")
    return [kept for row in rows if (kept := read_row(KeptSet, row)) is not None]


def levels(store: Store, id: str, numbers: Sequence[int] | None = None) -> dict[int, KeptLevel]:
    """Its levels by number, without those that cannot be read; None: all. Raises StoreError."""
    query, wanted = f"SELECT {_LEVEL} FROM set_levels WHERE kept_in = ?", set(numbers or ())
    if numbers is not None and len(numbers) <= 100:
        query += f" AND number IN ({', '.join('?' for _ in numbers)})"
        rows = store.rows(query, id, *numbers)
    else:
        rows = store.rows(query, id)
    found = [level for row in rows if (level := read_row(KeptLevel, row)) is not None]
    return {one.number: one for one in found if numbers is None or one.number in wanted}


def change(
    store: Store,
    id: str,
    *,
    title: str | None = None,
    order: Sequence[int] | None = None,
    put: Iterable[KeptLevel] = (),
    work: bytes | None = None,
) -> KeptSet:
    """All of it or nothing; None leaves a part as it was. order: a level whose number it has not is there
    until `forget`. put: levels; those with a new number stand at the end, unless the order says where. Raises
    StoreError, also where the set is gone."""
    levels, text = [*put], None if order is None else json.dumps([*order]).encode()

    def written(database: sqlite3.Connection) -> KeptSet:
        row = database.execute(f"SELECT {_SET} FROM sets WHERE id = ?", (id,)).fetchone()
        if (kept := row and read_row(KeptSet, row)) is None:
            raise StoreError("kept.none", field="set", given=id[:40])
        places = text or kept.places
        if text is None and (new := [one.number for one in levels if one.number >= kept.numbers]):
            places = json.dumps([*kept.order, *new]).encode()
        numbers = max([kept.numbers, *(one.number + 1 for one in levels)])
        now = KeptSet(
            id, kept.title if title is None else title, places, numbers,
            kept.work if work is None else work, time(),
        )  # fmt: skip
        put_in(database, now)
        put_levels_in(database, id, levels)
        return now

    return store.transact(written)


def take_in(database: sqlite3.Connection, theirs: KeptSet) -> set[int]:
    """Takes in a set, in a transaction: the later one of the two says what is in which place, and levels that
    it cannot have known of come after them. The numbers of those whose levels are wanted; none: nothing is
    changed."""
    row = database.execute(f"SELECT {_SET} FROM sets WHERE id = ?", (theirs.id,)).fetchone()
    ours = row and read_row(KeptSet, row)
    if ours is None:
        put_in(database, theirs)
        return {*theirs.order}
    newer, older = (theirs, ours) if theirs.updated > ours.updated else (ours, theirs)
    added = [number for number in older.order if number >= newer.numbers]
    if newer is ours and not added:
        return set()
    places = json.dumps([*newer.order, *added]).encode()
    numbers = max(ours.numbers, theirs.numbers)
    put_in(database, KeptSet(ours.id, newer.title, places, numbers, ours.work, newer.updated))
    return {*(theirs.order if newer is theirs else added)}


def put_levels_in(database: sqlite3.Connection, id: str, levels: Iterable[KeptLevel]) -> None:
    """Keeps them in the place of what they were, in a transaction."""
    rows = [(id, *astuple(one)) for one in levels]
    query = f"INSERT OR REPLACE INTO set_levels (kept_in, {_LEVEL}) VALUES (?, ?, ?, ?, ?)"
    database.executemany(query, rows)


def forget(store: Store, kept: KeptSet) -> None:
    """Deletes the levels that are not in its order. Raises StoreError."""
    store.transact(lambda database: _forget_in(database, kept.id, {*kept.order}))


def _forget_in(database: sqlite3.Connection, id: str, stay: set[int]) -> None:
    known = database.execute("SELECT number FROM set_levels WHERE kept_in = ?", (id,)).fetchall()
    gone = [(id, number) for (number,) in known if number not in stay]
    database.executemany("DELETE FROM set_levels WHERE kept_in = ? AND number = ?", gone)


def delete(store: Store, id: str) -> None:
    """Nothing happens where it is not kept. Raises StoreError."""
    store.transact(lambda database: delete_in(database, id))


def delete_in(database: sqlite3.Connection, id: str) -> None:
    """Likewise, in a transaction."""
    database.execute("DELETE FROM set_levels WHERE kept_in = ?", (id,))
    database.execute("DELETE FROM sets WHERE id = ?", (id,))
