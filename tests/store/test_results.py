"""Results of games: each end once, in their order; kept games know whether they had help."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from winnable.store import results
from winnable.store.database import FILE_NAME, MIGRATIONS, KeptSession, Store, StoreError

SESSION = "5" * 32


def result(number: int, finished: float = 1.0) -> results.Result:
    return results.Result(
        id=f"{number:032x}",
        session=SESSION,
        game="toy",
        level_id="toy:#1",
        content="toy@0",
        day="2026-11-25",
        outcome="won",
        helped=number % 2 == 1,
        actions=3,
        par=None,
        score=None,
        seconds=1.5,
        finished=finished,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path)
    yield opened
    opened.close()


def test_results_come_back_after_a_restart_in_their_order(store: Store, tmp_path: Path) -> None:
    late, early = result(1, 9.0), result(2, 3.0)
    assert results.add(store, late)
    assert results.add(store, early)
    again = Store(tmp_path)
    assert results.every(again) == [early, late]
    again.close()


def test_the_first_result_of_an_end_stays(store: Store) -> None:
    assert results.add(store, result(1))
    assert not results.add(store, replace(result(1, 9.0), outcome="lost"))
    assert results.every(store) == [result(1)]


def test_a_result_that_cannot_be_written_is_an_error(store: Store) -> None:
    other = sqlite3.connect(str(store.path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        results.add(store, result(1))
    other.rollback()
    other.close()
    assert results.every(store) == []


def test_a_damaged_file_makes_room_for_new_results(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database " * 1000)
    store = Store(tmp_path)
    assert "damaged" in store.trouble
    results.add(store, result(1))
    assert results.every(store) == [result(1)]
    store.close()


def test_games_kept_before_there_were_results_had_no_help_that_is_known(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as old:
        for script in MIGRATIONS[:3]:
            old.executescript(script)
        old.execute("INSERT INTO games VALUES (?, 'toy:#1', x'5b5d', 0, 'playing', 1.0, 7)", (SESSION,))
        old.execute("INSERT INTO levels VALUES (?, x'7b7d')", (SESSION,))
        old.execute("PRAGMA user_version = 3")
    old.close()
    store = Store(tmp_path)
    kept = store.load(SESSION)
    assert (kept.helped, kept.seconds, kept.revision) == (False, None, 7)
    store.save(replace(kept, helped=True, seconds=2.0))
    assert (store.load(SESSION).helped, store.load(SESSION).seconds) == (True, 2.0)
    assert results.every(store) == []
    store.close()


def test_a_game_remembers_help(store: Store) -> None:
    kept = KeptSession(SESSION, "toy:#1", b"{}", b"[]", 0, "playing", 1.0, helped=True, seconds=4.0)
    store.save(kept)
    assert store.load(SESSION) == kept
