"""What is kept between starts: games, results, runs, sets of levels, in one SQLite file in the data folder.

A commit is in the operating system's hands when it returns, so that `kill -9` loses nothing (a power cut
may lose the last clicks, never the file: write-ahead log, `synchronous=NORMAL`). A damaged file is moved
aside, never deleted. Where the file cannot be opened, a studio may go on in memory, and is told; nothing else
may, as an empty store is not the user's.

Several programs may use one store. Each save of a game gets the next number there is, its *revision*: who
saves says which one he goes on from, and is told when another has saved the game since. No clock is asked
what is newer.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast, get_args

import platformdirs
from msgspec import Meta, ValidationError, convert

from winnable.contract.core import WinnableError, unusable

T = TypeVar("T")
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Time: TypeAlias = Annotated[float, Meta(ge=0, le=3.2e10)]
"""Seconds since 1970: until 2984, as no calendar of Windows goes far beyond."""
Kind: TypeAlias = Literal["game", "run", "set"]
RunStatus: TypeAlias = Literal["running", "interrupted", "stopped", "finished", "failed"]
"""interrupted: its process has ended without a word; like a stopped one it can be resumed."""

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
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        level_id TEXT NOT NULL,
        actions BLOB NOT NULL,
        ply INTEGER NOT NULL,
        standing TEXT NOT NULL,
        updated REAL NOT NULL,
        revision INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX games_by_revision ON games (revision);
    CREATE TABLE levels (
        game TEXT PRIMARY KEY,
        level BLOB NOT NULL
    );
    CREATE TABLE saves (number INTEGER NOT NULL);
    INSERT INTO games
        SELECT id, level_id, actions, ply, standing, updated, ROW_NUMBER() OVER (ORDER BY updated, id)
        FROM sessions;
    INSERT INTO levels SELECT id, level FROM sessions;
    INSERT INTO saves SELECT count(*) + abs(random() % 1000000000000) FROM sessions;
    DROP TABLE sessions;
    """,
    """
    ALTER TABLE games ADD COLUMN helped INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN seconds REAL;
    CREATE TABLE results (
        id TEXT PRIMARY KEY,
        session TEXT NOT NULL,
        game TEXT NOT NULL,
        level_id TEXT NOT NULL,
        content TEXT NOT NULL,
        day TEXT,
        outcome TEXT NOT NULL,
        helped INTEGER NOT NULL,
        actions INTEGER NOT NULL,
        par INTEGER,
        score INTEGER,
        seconds REAL,
        finished REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX results_by_time ON results (finished);
    """,
    """
    CREATE TABLE cards (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        level_id TEXT NOT NULL,
        level BLOB NOT NULL,
        actions BLOB NOT NULL,
        played INTEGER NOT NULL,
        added REAL NOT NULL,
        due REAL NOT NULL,
        memory BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX cards_by_due ON cards (due);
    """,
    """
    CREATE TABLE sets (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        places BLOB NOT NULL,
        numbers INTEGER NOT NULL,
        work BLOB NOT NULL,
        updated REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE set_levels (
        kept_in TEXT NOT NULL,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        level BLOB NOT NULL,
        found BLOB NOT NULL,
        PRIMARY KEY (kept_in, number)
    ) WITHOUT ROWID;
    """,
)
"""The schema's version is the number of steps taken (`PRAGMA user_version`). Append; never change one.
The third begins to count anywhere: no revision of a file that was moved aside comes again in the next one. A
level lies by itself, because SQLite writes a row as a whole, and a click is to write little."""

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
    ply: Count
    standing: str
    updated: Time
    revision: int = field(default=0, compare=False)
    """As it was read or saved last; 0 when it never was."""
    helped: bool = False
    """See `Session.helped`, and `Session.seconds`."""
    seconds: Time | None = None


class MovedOn(Exception):
    """Another program has saved the game since: `kept` is what it left there."""

    def __init__(self, kept: KeptSession) -> None:
        super().__init__(kept.id)
        self.kept = kept


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A kept session as lists show it."""

    id: str
    level_id: str
    ply: Count
    standing: str
    updated: Time


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
    started: Time
    updated: Time
    """When its writer last gave a sign of life."""
    status: RunStatus
    checkpoint: bytes | None = None
    result: bytes | None = None
    last_event: bytes | None = None


_KEPT = "id, level_id, level, actions, ply, standing, updated, revision, helped, seconds"
_MADE_BY = "game, tunable, optimizer, arguments"
_RUN = f"id, {_MADE_BY}, version, started, updated, status"
_LAST_EVENT = "(SELECT content FROM run_events WHERE run = id ORDER BY number DESC LIMIT 1)"


def data_folder() -> Path:
    """`WINNABLE_DATA` if it is set, else the user's data folder."""
    return Path(os.environ.get("WINNABLE_DATA") or platformdirs.user_data_dir("winnable", appauthor=False))


class Store:
    """Safe to call from any thread. Every method raises StoreError."""

    def __init__(self, folder: Path | None, in_memory: bool = True) -> None:
        """folder:    None keeps everything in memory only
        in_memory: where the file cannot be opened, now or later, goes on without it; else raises StoreError
        """
        self.path = None if folder is None else folder / FILE_NAME
        self.fault: StoreError | None = None
        """What went wrong at opening."""
        self.openings = 0
        """How many files, one after the other, it was: what was read from one is not in the next."""
        self._may_be_in_memory = in_memory
        self._lock = threading.Lock()
        self._saves = 0
        self._file: tuple[int, int] | None = None
        """The one that is open, see `_identity`; None: what is kept is in memory only."""
        self._database = self._open()

    @property
    def trouble(self) -> str:
        """What went wrong at opening, in English; empty when all is well."""
        return "" if self.fault is None else str(self.fault)

    @property
    def is_kept(self) -> bool:
        """False: what is in it ends with the process."""
        return self._file is not None

    @property
    def changes(self) -> int:
        """Rows written since it was opened."""
        return self._database.total_changes

    def image(self) -> bytes:
        """The file as it would be, for whoever keeps it elsewhere."""
        return self._run(lambda database: database.serialize())

    def close(self) -> None:
        """Closes the file; nothing is asked of the store after it."""
        with self._lock:
            self._database.close()

    def transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """All of it or nothing."""

        def whole(database: sqlite3.Connection) -> T:
            with _transaction(database):
                return work(database)

        return self._run(whole)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a SELECT gives; `read_row` makes a record of one. Raises StoreError."""
        return self._run(lambda database: database.execute(query, values).fetchall())

    def save(self, kept: KeptSession) -> int:
        """Inserts, or updates all but the level (so that a click writes little). Returns the new revision, or
        raises MovedOn and writes nothing; a game that was deleted meanwhile comes back."""
        return self._save(kept, with_level=False)

    def replace(self, kept: KeptSession) -> int:
        """Like `save`, but with its level too."""
        return self._save(kept, with_level=True)

    def _save(self, kept: KeptSession, with_level: bool) -> int:
        revision = self.transact(lambda database: save_in(database, kept, with_level))
        self._saved()
        return revision

    def load(self, id: str) -> KeptSession:
        """Raises StoreError also when there is no such session, or none that can be read."""
        kept = self._run(lambda database: load_in(database, id))
        if kept is None:
            raise StoreError("kept.none", field="session", given=id[:40])
        return kept

    def delete(self, id: str, revision: int | None = None) -> None:
        """Nothing happens when it is not kept, or not as it was at `revision`."""

        def work(database: sqlite3.Connection) -> None:
            query = "DELETE FROM games WHERE id = ? AND revision = coalesce(?, revision)"
            database.execute(query, (id, revision))
            _forget_levels(database)

        self.transact(work)

    def sessions(self, limit: int = LISTED) -> list[SessionEntry]:
        """The one saved last comes first; those that cannot be read are left out, here and in `runs`."""
        query = "SELECT id, level_id, ply, standing, updated FROM games ORDER BY revision DESC LIMIT ?"
        return _readable(SessionEntry, self.rows(query, limit))

    def session_ids(self) -> list[str]:
        """The ids of all, in the order of `sessions`."""
        return [id for (id,) in self.rows("SELECT id FROM games ORDER BY revision DESC")]

    def prune(self, max_sessions: int = MAX_SESSIONS, max_bytes: int = MAX_LEVEL_BYTES) -> None:
        """Forgets what was saved longest ago, beyond a number and beyond a size; the newest always stays."""
        self.transact(lambda database: prune_in(database, max_sessions, max_bytes))

    # -- tuning runs ---------------------------------------------------------------------------------------

    def add_run(self, kept: KeptRun) -> None:
        """Keeps a run that is new. Raises StoreError where its id is known."""
        self._run(lambda database: _insert_run(database, kept))

    def load_run(self, id: str) -> KeptRun:
        """Raises StoreError also when there is no such run, or none that can be read."""
        query = f"SELECT {_RUN}, checkpoint, result, {_LAST_EVENT} FROM runs WHERE id = ?"
        found = _readable(KeptRun, self.rows(query, id))
        if not found:
            raise StoreError("kept.none", field="run", given=id[:40])
        return found[0]

    def take_run(self, id: str, writer: str) -> None:
        """Lets only `writer` save it from now on; a writer before it is refused with RunTaken. Raises
        StoreError also when it is finished."""
        query = (
            "UPDATE runs SET writer = ?, status = 'running', updated = ?, result = NULL"
            " WHERE id = ? AND status <> 'finished'"
        )
        cursor = self._run(lambda database: database.execute(query, (writer, time.time(), id)))
        if cursor.rowcount == 0:
            self.load_run(id)
            raise StoreError("run.finished", field="run", id=id)

    def save_run(
        self,
        id: str,
        writer: str,
        *,
        status: RunStatus = "running",
        checkpoint: bytes | None = None,
        events: Sequence[tuple[int, bytes]] = (),
        result: bytes | None = None,
    ) -> None:
        """All of it or nothing; None leaves a part as it was. Raises RunTaken."""
        changing = (status, time.time(), checkpoint, result, id, writer)

        def work(database: sqlite3.Connection) -> None:
            cursor = database.execute(
                "UPDATE runs SET status = ?, updated = ?, checkpoint = coalesce(?, checkpoint),"
                " result = coalesce(?, result) WHERE id = ? AND writer = ?",
                changing,
            )
            if cursor.rowcount == 0:
                raise RunTaken("store.elsewhere", field="run", given=id[:40])
            _put_events(database, id, events)

        self.transact(work)
        self._saved()

    def runs(self, limit: int = LISTED) -> list[KeptRun]:
        """Newest first, without their checkpoints."""
        query = f"SELECT {_RUN}, NULL, result, {_LAST_EVENT} FROM runs ORDER BY started DESC, id DESC LIMIT ?"
        return _readable(KeptRun, self.rows(query, limit))

    def run_ids(self, prefix: str = "") -> list[str]:
        """Newest first; also of those that cannot be read."""
        query = "SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY started DESC, id DESC"
        return [id for (id,) in self.rows(query, len(prefix), prefix)]

    def run_events(self, id: str) -> list[bytes]:
        """Raises StoreError also where one cannot be read."""
        rows = self.rows("SELECT content FROM run_events WHERE run = ? ORDER BY number", id)
        contents = [content for (content,) in rows if isinstance(content, bytes)]
        if len(contents) < len(rows):
            raise StoreError("kept.none", field="run", given=id[:40])
        return contents

    def delete_run(self, id: str) -> bool:
        """False when it was not kept. Whoever writes it is refused from then on."""
        return self.transact(lambda database: _delete_run(database, id))

    def last_saved(self) -> dict[tuple[Kind, str], float]:
        """When each game, each run and each set was saved last."""
        query = " UNION ALL ".join(f"SELECT '{kind}', id, updated FROM {kind}s" for kind in get_args(Kind))
        return {(kind, id): updated for kind, id, updated in self.rows(query)}

    def _saved(self) -> None:
        self._saves += 1
        if self._saves % CHECKPOINT_SAVES == 0 and self.path is not None:
            threading.Thread(target=_checkpoint, args=(self.path,), daemon=True).start()

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """A damaged file found on the way is moved aside, and the work done with a fresh one; likewise when
        another program has moved the file aside, or somebody has deleted it."""
        with self._lock:
            if self._file is not None and _identity(self.path) != self._file:
                self._database.close()
                self._database = self._open()
            try:
                return work(self._database)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error) or self.path is None:
                    raise StoreError("store.unusable", reason=error) from None
                damage = error
            self._database.close()
            try:
                self._move_aside(damage)
                self._database = self._open()
                return work(self._database)
            except StoreError:
                raise
            except (OSError, sqlite3.Error) as error:
                raise StoreError("store.unusable", reason=error) from None

    def _open(self) -> sqlite3.Connection:
        """Raises StoreError unless it may be in memory."""
        self._file = None
        self.openings += 1
        if self.path is None:
            return _connect(":memory:")
        try:
            try:
                return self._open_file(self.path)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._move_aside(error)
                return self._open_file(self.path)
        except (OSError, sqlite3.Error, StoreError) as error:
            self._file = None
            reason = unusable(self.path, error) if isinstance(error, OSError) else error
            if not self._may_be_in_memory:
                raise StoreError("store.unopened", path=str(self.path), reason=reason) from None
            self.fault = StoreError("store.memory", path=str(self.path), reason=reason)
            return _connect(":memory:")

    def _open_file(self, path: Path) -> sqlite3.Connection:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = _identity(path)
        return _connect(path)

    def _move_aside(self, error: Exception) -> None:
        """Unless another program did, and has begun a new file. The log files go with it: they belong to no
        other."""
        path = self.path
        if path is None or _identity(path) != self._file:
            return
        kept = path.with_name(
            f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**6}"
        )
        path.rename(kept)
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{path}{suffix}").rename(f"{kept}{suffix}")
        self.fault = StoreError("store.damaged", reason=error, path=str(kept))


def _identity(path: Path | None) -> tuple[int, int] | None:
    """Tells one file from another that came in its place."""
    try:
        found = os.stat(path) if path is not None else None
    except OSError:
        return None
    return found and (found.st_dev, found.st_ino)


def read_row(kind: type[T], row: Sequence[Any]) -> T | None:
    """The record, a dataclass, whose fields are the row's columns. None: some value is not of its type, as
    SQLite takes any value in any column."""
    values = {
        field.name: bool(value) if field.type == "bool" else value  # SQLite has no truth
        for field, value in zip(fields(cast("Any", kind)), row, strict=True)
    }
    try:
        return convert(values, kind, builtin_types=(bytes,))
    except (ValidationError, ValueError):
        return None


def _readable(kind: type[T], rows: Iterable[Sequence[Any]]) -> list[T]:
    return [record for row in rows if (record := read_row(kind, row)) is not None]


def _text(content: bytes) -> str:
    """One bad byte hides no other row."""
    return content.decode(errors="replace")


def _connect(path: Path | str) -> sqlite3.Connection:
    # Clicks wait for the store: another process that holds the file must not stop them for long.
    database = sqlite3.connect(path, timeout=0.25, isolation_level=None, check_same_thread=False)
    database.text_factory = _text
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
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


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


# -- within a transaction ------------------------------------------------------------------------------------


def load_in(database: sqlite3.Connection, id: str) -> KeptSession | None:
    """Loads a game, in a transaction. None: there is none, or none that can be read."""
    query = f"SELECT {_KEPT} FROM games JOIN levels ON game = id WHERE id = ?"
    found = _readable(KeptSession, database.execute(query, (id,)).fetchall())
    return found[0] if found else None


def save_in(database: sqlite3.Connection, kept: KeptSession, with_level: bool = False) -> int:
    """The new revision. Raises MovedOn."""
    if database.execute("UPDATE saves SET number = number + 1").rowcount == 0:  # it is gone
        database.execute("INSERT INTO saves SELECT coalesce(max(revision), 0) + 1 FROM games")
    (revision,) = database.execute("SELECT number FROM saves").fetchone()
    changing = (
        kept.level_id, kept.actions, kept.ply, kept.standing, kept.updated, revision, kept.helped,
        kept.seconds,
    )  # fmt: skip
    cursor = database.execute(
        "UPDATE games SET level_id = ?, actions = ?, ply = ?, standing = ?, updated = ?, revision = ?,"
        " helped = ?, seconds = ? WHERE id = ? AND revision = ?",
        (*changing, kept.id, kept.revision),
    )
    is_new = cursor.rowcount == 0
    if is_new:
        if (other := load_in(database, kept.id)) is not None:
            raise MovedOn(other)
        database.execute(
            "INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (kept.id, *changing)
        )
    if is_new or with_level:
        database.execute("INSERT OR REPLACE INTO levels VALUES (?, ?)", (kept.id, kept.level))
    return revision


def take_in(database: sqlite3.Connection, kept: KeptSession) -> None:
    """Takes a game in as the one that was saved longest ago. Raises MovedOn where its id is known."""
    if (known := load_in(database, kept.id)) is not None:
        raise MovedOn(known)
    revision = save_in(database, kept, with_level=True)
    (oldest,) = database.execute("SELECT min(revision) FROM games").fetchone()
    if oldest < revision:
        database.execute("UPDATE games SET revision = ? WHERE id = ?", (oldest - 1, kept.id))


def take_in_run(database: sqlite3.Connection, kept: KeptRun, events: Sequence[tuple[int, bytes]]) -> bool:
    """Takes a run in with all it has, also in the place of the same run where that is not as far: whoever
    writes that is refused from then on. False where nothing is changed."""
    query = f"""
        SELECT {_MADE_BY}, status = 'finished',
            (SELECT cast(coalesce(max(number), -1) AS integer) FROM run_events WHERE run = id)
        FROM runs WHERE id = ?"""
    for *made_by, is_finished, last in database.execute(query, (kept.id,)).fetchall():
        is_same = made_by == [kept.game, kept.tunable, kept.optimizer, kept.arguments]
        theirs = kept.status == "finished", max((number for number, _ in events), default=-1)
        if not is_same or theirs <= (is_finished, last):
            return False
        _delete_run(database, kept.id)
    _insert_run(database, kept)
    _put_events(database, kept.id, events)
    return True


def _insert_run(database: sqlite3.Connection, kept: KeptRun) -> None:
    values = (
        kept.id, kept.game, kept.tunable, kept.optimizer, kept.arguments, kept.version, kept.started,
        kept.updated, kept.status, kept.checkpoint, kept.result,
    )  # fmt: skip
    columns = f"{_RUN}, writer, checkpoint, result"
    query = f"INSERT INTO runs ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?)"
    database.execute(query, values)


def _delete_run(database: sqlite3.Connection, id: str) -> bool:
    """Whether it was kept."""
    database.execute("DELETE FROM run_events WHERE run = ?", (id,))
    return database.execute("DELETE FROM runs WHERE id = ?", (id,)).rowcount > 0


def _put_events(database: sqlite3.Connection, run: str, events: Iterable[tuple[int, bytes]]) -> None:
    query = "INSERT OR REPLACE INTO run_events (run, number, content) VALUES (?, ?, ?)"
    database.executemany(query, [(run, number, content) for number, content in events])


def prune_in(
    database: sqlite3.Connection, max_sessions: int = MAX_SESSIONS, max_bytes: int = MAX_LEVEL_BYTES
) -> None:
    """Like `Store.prune`, in a transaction."""
    query = """
        DELETE FROM games WHERE id IN (
            SELECT id FROM (
                SELECT id, ROW_NUMBER() OVER newest AS place, SUM(length(level)) OVER newest AS size
                FROM games JOIN levels ON game = id WINDOW newest AS (ORDER BY revision DESC, id)
            ) WHERE place > ? OR (place > 1 AND size > ?)
        )"""
    database.execute(query, (max_sessions, max_bytes))
    _forget_levels(database)


def _forget_levels(database: sqlite3.Connection) -> None:
    """Of games that are gone."""
    database.execute("DELETE FROM levels WHERE game NOT IN (SELECT id FROM games)")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    # The low byte is the primary code; SQLITE_CORRUPT has extended ones.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
