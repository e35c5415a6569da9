"""What is kept survives, what is damaged is moved aside, and what cannot be written is said."""

import shutil
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.waiting import wait_until
from winnable.store import database as module
from winnable.store.database import (
    CHECKPOINT_SAVES,
    FILE_NAME,
    MIGRATIONS,
    KeptRun,
    KeptSession,
    MovedOn,
    Store,
    StoreError,
    data_folder,
)


def kept(number: int, updated: float | None = None, ply: int = 0, level: bytes = b"{}") -> KeptSession:
    when = float(number) if updated is None else updated
    return KeptSession(f"{number:032x}", f"toy:#{number}", level, b"[1,2]", ply, "playing", when)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "data")
    assert not opened.trouble
    yield opened
    opened.close()


def test_a_session_comes_back_after_a_restart(tmp_path: Path) -> None:
    first = Store(tmp_path)
    revision = first.save(kept(1))
    first.save(replace(kept(1, updated=5.0, ply=2), revision=revision))
    second = Store(tmp_path)  # the first was not even closed
    assert second.load(kept(1).id) == kept(1, updated=5.0, ply=2)
    first.close()
    second.close()


def test_replacing_changes_the_level_too(store: Store) -> None:
    revision = store.save(kept(1))
    store.save(kept(2))
    easier = kept(1, updated=5.0, ply=2, level=b'{"drops":12}')
    revision = store.save(replace(easier, revision=revision))
    assert store.load(easier.id).level == b"{}", "a click writes no level"
    store.replace(replace(easier, revision=revision))
    assert store.load(easier.id) == easier
    assert store.load(kept(2).id) == kept(2)
    store.replace(kept(3))
    assert store.load(kept(3).id) == kept(3)


def test_a_replacement_that_cannot_be_written_leaves_what_there_was(store: Store) -> None:
    store.save(kept(1))
    other = sqlite3.connect(str(store.path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        store.replace(kept(1, ply=2, level=b"[]"))
    other.rollback()
    other.close()
    assert store.load(kept(1).id) == kept(1)


def test_lists_are_newest_first_and_limited(store: Store) -> None:
    for number in range(60):
        store.save(kept(number))
    assert [entry.level_id for entry in store.sessions()] == [f"toy:#{n}" for n in range(59, 9, -1)]
    assert len(store.sessions(limit=3)) == 3


def test_runs_are_newest_first_and_limited(store: Store) -> None:
    for id, started in (("aa", 1.0), ("ab", 3.0), ("b", 2.0), ("ac", 3.0)):
        store.add_run(KeptRun(id, "toy", "bowl", "cma", b"{}", "1", started, started, "running"))
    assert [run.id for run in store.runs()] == ["ac", "ab", "b", "aa"]
    assert [run.id for run in store.runs(limit=1)] == ["ac"]
    assert store.run_ids("a")[-1] == "aa"
    assert sorted(store.run_ids("a")) == ["aa", "ab", "ac"]


def test_delete(store: Store) -> None:
    store.save(kept(1))
    store.delete(kept(1).id)
    store.delete(kept(1).id)
    with pytest.raises(StoreError, match=r"session: 0+1 is not kept"):
        store.load(kept(1).id)


def test_the_oldest_are_pruned_by_number_and_by_size(store: Store) -> None:
    for number in range(10):
        store.save(kept(number, level=b"x" * 100))
    store.prune(max_sessions=6)
    assert [entry.updated for entry in store.sessions()] == [9, 8, 7, 6, 5, 4]
    store.prune(max_bytes=399)
    assert [entry.updated for entry in store.sessions()] == [9, 8, 7]
    store.prune(max_bytes=200)
    assert [entry.updated for entry in store.sessions()] == [9, 8]
    store.prune(max_bytes=1)
    assert [entry.updated for entry in store.sessions()] == [9]


def test_the_log_does_not_grow_without_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    done, write = list[Path](), module._checkpoint  # pyright: ignore[reportPrivateUsage]

    def write_and_note(path: Path) -> None:
        write(path)
        done.append(path)

    monkeypatch.setattr(module, "_checkpoint", write_and_note)
    assert store.path is not None
    log = store.path.with_name(f"{FILE_NAME}-wal")
    revision = 0
    for number in range(4 * CHECKPOINT_SAVES):
        game = KeptSession("0" * 32, "x", b"x", b"1," * 4000, number, "playing", float(number), revision)
        revision = store.save(game)
        wait_until(lambda: len(done) == (number + 1) // CHECKPOINT_SAVES, "the log in the file")  # noqa: B023
    assert log.stat().st_size < 3 * CHECKPOINT_SAVES * 24_000
    assert store.load("0" * 32).ply == 4 * CHECKPOINT_SAVES - 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_the_data_is_private(store: Store) -> None:
    assert store.path is not None
    store.save(kept(1))
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    for path in store.path.parent.iterdir():
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_the_environment_chooses_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path / "there"))
    assert data_folder() == tmp_path / "there"
    monkeypatch.delenv("WINNABLE_DATA")
    assert "winnable" in str(data_folder())


@pytest.mark.parametrize(
    "content", [b"this is no database, but it is long enough" * 100, b"SQLite format 3\0junk"]
)
def test_a_damaged_file_is_moved_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    store = Store(tmp_path)
    assert "damaged" in store.trouble
    store.save(kept(1))
    store.close()
    (moved,) = [path for path in tmp_path.iterdir() if "damaged" in path.name and path.suffix != "-wal"]
    assert moved.read_bytes() == content
    assert str(moved) in store.trouble
    again = Store(tmp_path)
    assert not again.trouble
    assert again.load(kept(1).id) == kept(1)
    again.close()


def test_the_folder_is_made_with_all_above_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "here" / "and" / "there")
    assert not store.trouble
    assert store.path is not None
    assert store.path.is_file()
    store.close()


def garble(path: Path, start: int) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:start] + b"\xa5" * (len(content) - start))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "a header of garbage": lambda path: path.write_bytes(b"\xa5" * 100 + path.read_bytes()[100:]),
    "pages of garbage": lambda path: garble(path, 4096),
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "text": lambda path: path.write_text("no games here\n" * 1000),
    "empty": lambda path: path.write_bytes(b""),
    "a log of garbage": lambda path: Path(f"{path}-wal").write_bytes(b"\xa5" * 100_000),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_whatever_is_damaged_a_game_can_be_kept_and_nothing_is_deleted(tmp_path: Path, damage: str) -> None:
    store = Store(tmp_path)
    for number in range(60):
        store.save(kept(number, level=b"x" * 3000))
    store.close()
    path = tmp_path / FILE_NAME
    DAMAGES[damage](path)
    before = path.read_bytes() if path.is_file() else b""
    store = Store(tmp_path)
    with suppress(StoreError):  # what is not there any more
        for entry in store.sessions():
            store.load(entry.id)
    revision = store.save(kept(99))
    store.save(replace(kept(99, ply=1), revision=revision))
    assert store.load(kept(99).id).ply == 1
    store.close()
    if damage == "a log of garbage":
        assert not store.trouble
    elif damage == "a folder":
        assert "not kept" in store.trouble
        return
    elif damage != "empty":
        assert "damaged" in store.trouble
        moved = [found for found in tmp_path.iterdir() if "damaged" in found.name]
        assert before in [found.read_bytes() for found in moved]
    again = Store(tmp_path)
    assert again.load(kept(99).id).ply == 1
    assert (len(again.sessions(100)) > 1) == (damage == "a log of garbage")
    again.close()


def test_damage_found_later_is_moved_aside_too(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in range(50):
        store.save(kept(number, level=b"x" * 5000))
    store.close()
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    store = Store(tmp_path)
    store.save(kept(99))
    assert [entry.updated for entry in store.sessions()] == [99]
    assert "damaged" in store.trouble
    assert any("damaged" in path.name for path in tmp_path.iterdir())
    store.close()


def test_whoever_comes_second_finds_the_file_begun(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    asked: list[str] = []

    def execute(query: str) -> Any:
        asked.append(query)
        if len(asked) == 1:  # the version, when there was no schema yet
            Store(tmp_path).close()
            return SimpleNamespace(fetchone=lambda: (0,))
        return database.execute(query)

    module._migrate(cast(Any, SimpleNamespace(execute=execute)))  # pyright: ignore[reportPrivateUsage]
    assert database.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    database.close()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    database = sqlite3.connect(tmp_path / FILE_NAME)
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    store = Store(tmp_path)
    assert "newer version" in store.trouble
    store.save(kept(1))  # in memory
    assert store.load(kept(1).id) == kept(1)
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_file_of_an_earlier_version_is_carried_over(tmp_path: Path) -> None:
    """Games were in a table of their own, with their levels, and the newest one was found by the clock."""
    old = sqlite3.connect(tmp_path / FILE_NAME)
    for script in MIGRATIONS[:2]:
        old.executescript(script)
    old.execute("PRAGMA user_version = 2")
    for number in (3, 1, 2):
        game = kept(number, level=b"level %d" % number)
        values = (game.id, game.level_id, game.level, game.actions, game.ply, game.standing, game.updated)
        old.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    old.commit()
    store = Store(tmp_path)
    assert not store.trouble
    assert [entry.updated for entry in store.sessions()] == [3, 2, 1]
    for number in (1, 2, 3):
        assert store.load(kept(number).id) == kept(number, level=b"level %d" % number)
    moved = replace(store.load(kept(1).id), ply=1)
    assert store.save(moved) > store.load(kept(3).id).revision
    assert [entry.updated for entry in store.sessions()] == [1, 3, 2]
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        old.execute("UPDATE sessions SET ply = 5")  # so an earlier version under way is told
    old.close()
    store.close()


def test_who_has_not_seen_the_last_save_writes_nothing(store: Store) -> None:
    revision = store.save(kept(1))
    newest = store.save(replace(kept(1, ply=1), revision=revision))
    for save in (store.save, store.replace):
        for seen in (0, revision):
            with pytest.raises(MovedOn) as told:
                save(replace(kept(1, ply=2), revision=seen))
            assert told.value.kept == kept(1, ply=1)
            assert told.value.kept.revision == newest
    store.delete(kept(1).id, revision)
    assert store.load(kept(1).id).ply == 1, "nor deletes it"
    store.delete(kept(1).id, newest)
    again = store.save(replace(kept(1, ply=3), revision=newest))
    assert again > newest, "no revision comes twice, also after the newest game is gone"
    assert store.load(kept(1).id).ply == 3


def test_levels_go_with_their_games(store: Store) -> None:
    for number in range(5):
        store.save(kept(number))
    store.delete(kept(0).id)
    store.prune(max_sessions=2)
    (left,) = store._run(lambda database: database.execute("SELECT count(*) FROM levels").fetchone())  # pyright: ignore[reportPrivateUsage]
    assert left == 2


def test_programs_that_save_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each writes down its own marks in one game, and goes on from the other's when it was too late."""

    def play(store: Store, mark: bytes) -> None:
        game = store.load(kept(1).id)
        for _ in range(100):
            while True:
                try:
                    store.save(replace(game, actions=game.actions + mark))
                except MovedOn as moved:
                    game = moved.kept
                except StoreError as error:
                    assert "locked" in str(error)  # noqa: PT017
                else:
                    break
            game = store.load(kept(1).id)

    stores = [Store(tmp_path) for _ in range(3)]
    stores[0].save(kept(1))
    threads = [
        threading.Thread(target=play, args=(store, mark))
        for store, mark in zip(stores, (b"a", b"b", b"c"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    marks = stores[0].load(kept(1).id).actions
    assert [marks.count(mark) for mark in (b"a", b"b", b"c")] == [100] * 3
    for store in stores:
        store.close()


def test_a_file_that_another_program_moved_aside_or_somebody_deleted_is_begun_again(tmp_path: Path) -> None:
    first, second = Store(tmp_path), Store(tmp_path)
    for number in range(50):
        first.save(kept(number, level=b"x" * 5000))
    first._run(lambda database: database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())  # pyright: ignore[reportPrivateUsage]
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    for store in (first, second):
        for number in (98, 99):
            with suppress(MovedOn):
                store.save(kept(number))
    moved = [found for found in tmp_path.iterdir() if "damaged" in found.name and found.suffix != "-wal"]
    assert len([found for found in moved if not found.name.endswith(("-wal", "-shm"))]) == 1, moved
    for found in tmp_path.glob(f"{FILE_NAME}*"):
        if "damaged" not in found.name:
            found.unlink()
    assert not second.sessions()
    second.save(kept(1))
    assert first.load(kept(1).id) == kept(1)
    first.close()
    second.close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "data")
    assert "games are not kept" in store.trouble
    assert not store.is_kept
    store.save(kept(1))
    assert store.sessions()
    store.close()


def test_who_must_have_the_users_own_is_refused_another(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "data"):
        with pytest.raises(StoreError, match="cannot be opened"):
            Store(folder, in_memory=False)
    store = Store(tmp_path / "data", in_memory=False)
    assert store.is_kept
    shutil.rmtree(tmp_path / "data")
    (tmp_path / "data").write_text("")
    for _ in range(2):
        with pytest.raises(StoreError, match="cannot be "):
            store.save(kept(1))
    store.close()


def test_a_full_disk_is_one_error(store: Store) -> None:
    store._run(lambda database: database.execute("PRAGMA max_page_count = 1"))  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(StoreError, match="full"):
        store.save(kept(1, level=b"x" * 100_000))
    store._run(lambda database: database.execute("PRAGMA max_page_count = 1000000"))  # pyright: ignore[reportPrivateUsage]
    store.save(kept(1))


def test_in_memory(tmp_path: Path) -> None:
    store = Store(None)
    store.save(kept(1))
    assert store.load(kept(1).id) == kept(1)
    store.close()
