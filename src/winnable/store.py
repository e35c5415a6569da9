"""What is kept between starts: games and tuning runs, in one SQLite file in the user's data folder.

A commit is in the operating system's hands when it returns, so that `kill -9` loses nothing (a power cut
may lose the last clicks, never the file: write-ahead log, `synchronous=NORMAL`). A damaged file is moved
aside, never deleted. When nothing can be written, everything works on in memory and the caller is told.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import platformdirs

from winnable.core import WinnableError

T = TypeVar("T")

FILE_NAME = "winnable.sqlite3"
MAX_SESSIONS = 300
MAX_LEVEL_BYTES = 256 * 2**20
"""Of all kept sessions together; older ones beyond it are forgotten."""
LISTED = 50
CHECKPOINT_SAVES = 400
"""After so many the log is written into the file, beside the game: it waits for the disk."""

MIGRATIONS = (
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        level_id TEXT NOT NULL,
        level BLOB NOT NULL,
        actions BLOB NOT NULL,
        ply INTEGER NOT NULL,
        standing TEXT NOT NULL,
        updated REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX sessions_by_time ON sessions (updated);
    """,
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        tunable TEXT NOT NULL,
        optimizer TEXT NOT NULL,
        arguments BLOB NOT NULL,
        version TEXT NOT NULL,
        started REAL NOT NULL,
        updated REAL NOT NULL,
        status TEXT NOT NULL,
        writer TEXT NOT NULL,
        checkpoint BLOB,
        result BLOB
    ) WITHOUT ROWID;
    CREATE INDEX runs_by_time ON runs (started);
    CREATE TABLE run_events (
        run TEXT NOT NULL,
        number INTEGER NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    """,
)
"""The schema's version is the number of steps taken (`PRAGMA user_version`). Append; never change one."""

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class StoreError(WinnableError):
    """Something could not be kept or read; what is in memory is unharmed."""


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A game as `Session.save` gives it, in parts: the level never changes, the rest does with each click."""

    id: str
    level_id: str
    level: bytes
    """JSON"""
    actions: bytes
    """JSON: a SavedTree; a list, also of the undone ones, in what was kept before there were branches."""
    ply: int
    standing: str
    updated: float
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A kept session as lists show it."""

    id: str
    level_id: str
    ply: int
    standing: str
    updated: float


class RunTaken(StoreError):
    """Somebody else goes on with the run, or has deleted it: whoever wrote it until now must stop."""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A tuning run; what `arguments`, `checkpoint` and `result` hold is the business of runs.py (JSON)."""

    id: str
    game: str
    tunable: str
    optimizer: str
    arguments: bytes
    version: str
    started: float
    """Seconds since 1970, like `updated`, when its writer last gave a sign of life."""
    updated: float
    status: str
    checkpoint: bytes | None = None
    result: bytes | None = None
    last_event: bytes | None = None


_SESSION = "id, level_id, level, actions, ply, standing, updated"
_RUN = "id, game, tunable, optimizer, arguments, version, started, updated, status"
_LAST_EVENT = "(SELECT content FROM run_events WHERE run = id ORDER BY number DESC LIMIT 1)"


def data_folder() -> Path:
    """`WINNABLE_DATA` if it is set, else the user's data folder."""
    return Path(os.environ.get("WINNABLE_DATA") or platformdirs.user_data_dir("winnable", appauthor=False))


class Store:
    """Safe to call from any thread. Every method raises StoreError."""

    def __init__(self, folder: Path | None) -> None:
        """None keeps everything in memory only."""
        self.path = None if folder is None else folder / FILE_NAME
        self.trouble = ""
        """What went wrong at opening, for people to read; empty when all is well."""
        self._lock = threading.Lock()
        self._saves = 0
        self._database = self._open()

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def save(self, kept: KeptSession) -> None:
        """Inserts, or updates all but the level (so that a click writes little)."""
        self._run(lambda database: _save(database, kept))
        self._saved()

    def replace(self, kept: KeptSession) -> None:
        """Like `save`, but with its level too: all of it or nothing."""
        values = (
            kept.id, kept.level_id, kept.level, kept.actions, kept.ply, kept.standing, kept.updated,
        )  # fmt: skip
        query = f"INSERT OR REPLACE INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._run(lambda database: database.execute(query, values))
        self._saved()

    def load(self, id: str) -> KeptSession:
        """Raises StoreError also when there is no such session."""
        query = f"SELECT {_SESSION} FROM sessions WHERE id = ?"
        row = self._run(lambda database: database.execute(query, (id,)).fetchone())
        if row is None:
            raise StoreError("kept.none", field="session", given=id[:40])
        return KeptSession(*row)

    def delete(self, id: str) -> None:
        """Nothing happens when it is not kept."""
        self._run(lambda database: database.execute("DELETE FROM sessions WHERE id = ?", (id,)))

    def sessions(self, limit: int = LISTED) -> list[SessionEntry]:
        """Newest first."""
        query = "SELECT id, level_id, ply, standing, updated FROM sessions ORDER BY updated DESC LIMIT ?"
        rows = self._run(lambda database: database.execute(query, (limit,)).fetchall())
        return [SessionEntry(*row) for row in rows]

    def prune(self, max_sessions: int = MAX_SESSIONS, max_bytes: int = MAX_LEVEL_BYTES) -> None:
        """Forgets the oldest beyond a number and beyond a size; the newest always stays."""
        query = """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM (
                    SELECT id, ROW_NUMBER() OVER newest AS place, SUM(length(level)) OVER newest AS size
                    FROM sessions WINDOW newest AS (ORDER BY updated DESC, id)
                ) WHERE place > ? OR (place > 1 AND size > ?)
            )"""
        self._run(lambda database: database.execute(query, (max_sessions, max_bytes)))

    # -- tuning runs ---------------------------------------------------------------------------------------

    def add_run(self, kept: KeptRun) -> None:
        values = (
            kept.id, kept.game, kept.tunable, kept.optimizer, kept.arguments, kept.version, kept.started,
            kept.updated, kept.status,
        )  # fmt: skip
        query = f"INSERT INTO runs ({_RUN}, writer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '')"
        self._run(lambda database: database.execute(query, values))

    def load_run(self, id: str) -> KeptRun:
        """Raises StoreError also when there is no such run."""
        query = f"SELECT {_RUN}, checkpoint, result, {_LAST_EVENT} FROM runs WHERE id = ?"
        row = self._run(lambda database: database.execute(query, (id,)).fetchone())
        if row is None:
            raise StoreError("kept.none", field="run", given=id[:40])
        return KeptRun(*row)

    def take_run(self, id: str, writer: str) -> None:
        """From now on only `writer` may save it; a writer before it is refused with RunTaken."""
        query = "UPDATE runs SET writer = ?, status = 'running', updated = ?, result = NULL WHERE id = ?"
        cursor = self._run(lambda database: database.execute(query, (writer, time.time(), id)))
        if cursor.rowcount == 0:
            raise StoreError("kept.none", field="run", given=id[:40])

    def save_run(
        self,
        id: str,
        writer: str,
        *,
        status: str = "running",
        checkpoint: bytes | None = None,
        events: Sequence[tuple[int, bytes]] = (),
        result: bytes | None = None,
    ) -> None:
        """All of it or nothing; None leaves a part as it was. Raises RunTaken."""
        changing = (status, time.time(), checkpoint, result, id, writer)

        def work(database: sqlite3.Connection) -> None:
            with _transaction(database):
                cursor = database.execute(
                    "UPDATE runs SET status = ?, updated = ?, checkpoint = coalesce(?, checkpoint),"
                    " result = coalesce(?, result) WHERE id = ? AND writer = ?",
                    changing,
                )
                if cursor.rowcount == 0:
                    raise RunTaken("store.elsewhere", field="run", given=id[:40])
                database.executemany(
                    "INSERT OR REPLACE INTO run_events (run, number, content) VALUES (?, ?, ?)",
                    [(id, number, content) for number, content in events],
                )

        self._run(work)
        self._saved()

    def runs(self, limit: int = LISTED) -> list[KeptRun]:
        """Newest first, without their checkpoints."""
        query = f"SELECT {_RUN}, NULL, result, {_LAST_EVENT} FROM runs ORDER BY started DESC, id DESC LIMIT ?"
        rows = self._run(lambda database: database.execute(query, (limit,)).fetchall())
        return [KeptRun(*row) for row in rows]

    def run_ids(self, prefix: str) -> list[str]:
        query = "SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY started DESC"
        rows = self._run(lambda database: database.execute(query, (len(prefix), prefix)).fetchall())
        return [id for (id,) in rows]

    def run_events(self, id: str) -> list[bytes]:
        query = "SELECT content FROM run_events WHERE run = ? ORDER BY number"
        rows = self._run(lambda database: database.execute(query, (id,)).fetchall())
        return [content for (content,) in rows]

    def delete_run(self, id: str) -> bool:
        """False when it was not kept. Whoever writes it is refused from then on."""

        def work(database: sqlite3.Connection) -> bool:
            with _transaction(database):
                database.execute("DELETE FROM run_events WHERE run = ?", (id,))
                return database.execute("DELETE FROM runs WHERE id = ?", (id,)).rowcount > 0

        return self._run(work)

    def _saved(self) -> None:
        self._saves += 1
        if self._saves % CHECKPOINT_SAVES == 0 and self.path is not None:
            threading.Thread(target=_checkpoint, args=(self.path,), daemon=True).start()

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """A damaged file found on the way is moved aside, and the work done with a fresh one."""
        with self._lock:
            try:
                return work(self._database)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error) or self.path is None:
                    raise StoreError("store.unusable", reason=error) from None
                damage = error
            self._database.close()
            self.trouble = _move_aside(self.path, damage)
            self._database = self._open()
            try:
                return work(self._database)
            except sqlite3.Error as error:
                raise StoreError("store.unusable", reason=error) from None

    def _open(self) -> sqlite3.Connection:
        if self.path is None:
            return _connect(":memory:")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            try:
                return _connect(self.path)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self.trouble = _move_aside(self.path, error)
                return _connect(self.path)
        except (OSError, sqlite3.Error, StoreError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self.trouble = f"games are not kept: {self.path}: {reason}"
            return _connect(":memory:")


def _connect(path: Path | str) -> sqlite3.Connection:
    # Clicks wait for the store: another process that holds the file must not stop them for long.
    database = sqlite3.connect(path, timeout=0.25, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("PRAGMA wal_autocheckpoint=0")
        _migrate(database)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def _transaction(database: sqlite3.Connection) -> Generator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _checkpoint(path: Path) -> None:
    """With a connection of its own, for which savers need not wait. What fails is done the next time."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, timeout=0.25)) as database:
        database.execute("PRAGMA wal_checkpoint(PASSIVE)")


def _migrate(database: sqlite3.Connection) -> None:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StoreError("store.newer")
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        # Another process may be at it too: whoever comes second finds the version changed and rolls back.
        database.execute("BEGIN IMMEDIATE")
        (now,) = database.execute("PRAGMA user_version").fetchone()
        if now < number:
            for statement in filter(None, (part.strip() for part in script.split(";"))):
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {number}")
        database.execute("COMMIT")


def _save(database: sqlite3.Connection, kept: KeptSession) -> None:
    changing = (kept.actions, kept.ply, kept.standing, kept.updated)
    cursor = database.execute(
        "UPDATE sessions SET actions = ?, ply = ?, standing = ?, updated = ? WHERE id = ?",
        (*changing, kept.id),
    )
    if cursor.rowcount == 0:
        database.execute(
            f"INSERT INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (kept.id, kept.level_id, kept.level, *changing),
        )


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # The low byte is the primary code; SQLITE_CORRUPT has extended ones.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def _move_aside(path: Path, error: Exception) -> str:
    """Returns what to tell people. The log files go with it: they belong to no other file."""
    kept = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**6}")
    path.rename(kept)
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").rename(f"{kept}{suffix}")
    return f"the data file was damaged ({error}); it was moved to {kept}, and a new one begun"
