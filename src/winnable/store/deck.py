"""The deck: positions of one's own games in which an action was a mistake, and when each is due again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from winnable.store.database import Store, Time, read_row


@dataclass(frozen=True, slots=True)
class Card:
    """id:      tells the level and the actions that lead to the position
    level:   JSON
    actions: JSON: from the start to the position
    played:  the action there that was a mistake
    added, due: seconds since 1970
    memory:  what the scheduler keeps of it, JSON; empty while it was never answered
    """

    id: str
    game: str
    level_id: str
    level: bytes
    actions: bytes
    played: int
    added: Time
    due: Time
    memory: bytes = b""


def card_id(content: str, actions: bytes) -> str:
    """content: tells the level by what is played"""
    return hashlib.sha256(content.encode() + b" " + actions).hexdigest()[:32]


_COLUMNS = ", ".join(field.name for field in fields(Card))
_PLACES = ", ".join("?" for _ in fields(Card))


def add(store: Store, card: Card) -> bool:
    """False where it is known: it stays as it is. Raises StoreError."""
    query = f"INSERT OR IGNORE INTO cards ({_COLUMNS}) VALUES ({_PLACES})"
    return store.transact(lambda database: database.execute(query, astuple(card)).rowcount) > 0


def put(store: Store, card: Card) -> None:
    """Keeps a card in the place of what it was. Raises StoreError."""
    store.transact(lambda database: put_in(database, card))


def put_in(database: sqlite3.Connection, card: Card) -> None:
    """Like `put`, in a transaction."""
    query = f"INSERT OR REPLACE INTO cards ({_COLUMNS}) VALUES ({_PLACES})"
    database.execute(query, astuple(card))


def every(store: Store) -> list[Card]:
    """What is due first comes first, but for those that cannot be read. Raises StoreError."""
    return [card for card in rows(store) if card is not None]


def rows(store: Store) -> list[Card | None]:
    """All cards in the order of `every`; None: one that cannot be read. Raises StoreError."""
    return [read_row(Card, row) for row in store.rows(f"SELECT {_COLUMNS} FROM cards ORDER BY due, id")]


def find_in(database: sqlite3.Connection, id: str) -> Card | None:
    """Finds a card, in a transaction. None: there is none, or none that can be read."""
    row = database.execute(f"SELECT {_COLUMNS} FROM cards WHERE id = ?", (id,)).fetchone()
    return row and read_row(Card, row)


def due(store: Store, now: float, games: Iterable[str]) -> list[Card]:
    """The cards of these games that are due; what is due first comes first. Raises StoreError."""
    known = {*games}
    return [card for card in every(store) if card.game in known and card.due <= now]


def count_due(store: Store, now: float, games: Iterable[str]) -> int:
    """Raises StoreError."""
    found = store.rows("SELECT game, count(*) FROM cards WHERE due <= ? GROUP BY game", now)
    known = {*games}
    return sum(number for game, number in found if game in known)
