"""`winnable data`: out to a file, in from it, and what it refuses."""

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.store.test_results import result
from winnable.store import results
from winnable.store.database import FILE_NAME, Store, data_folder

EMPTY = gzip.compress(b'{"kind":"head","format":"winnable.data/1","version":"1","made":0}\n')
"""Data of nobody."""


def kept() -> list[results.Result]:
    store = Store(data_folder())
    found = results.every(store)
    store.close()
    return found


def test_data_go_out_and_come_in_elsewhere(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(data_folder())
    results.add(store, result(1))
    store.close()
    path = str(tmp_path / "all.json.gz")
    assert document(run("data", "export", path, "--json")) == {
        "games": 0,
        "results": 1,
        "runs": 0,
        "cards": 0,
        "sets": 0,
        "passed": 0,
    }
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path / "elsewhere"))
    assert kept() == []
    assert "added 0 games, 1 result," in run("data", "import", path).stdout
    assert kept() == [result(1)]
    again = document(run("data", "import", path, "--json"))
    assert (again["games"], again["results"], again["runs"]) == (0, 0, 0)


def a_file(folder: Path) -> str:
    folder.write_text("")
    return "File exists"


def a_newer_schema(folder: Path) -> str:
    folder.mkdir()
    with closing(sqlite3.connect(folder / FILE_NAME)) as database:
        database.execute("PRAGMA user_version = 999")
    return "newer version"


def no_database(folder: Path) -> str:
    (folder / FILE_NAME).mkdir(parents=True)
    return "Is a directory"


COMMANDS = {
    "export": ("data", "export", "backup.gz"),
    "export-json": ("data", "export", "backup.gz", "--json"),
    "import": ("data", "import", "backup.gz"),
    "deck": ("deck",),
    "deck-list": ("deck", "--list"),
    "runs": ("runs",),
    "show": ("runs", "show", "last"),
    "compare": ("runs", "compare", "last"),
    "runs-export": ("runs", "export", "last", "-o", "backup.gz"),
    "delete": ("runs", "delete", "last"),
    "tune": ("tune", "triple", "beam-backward", "--evaluations", "3"),
    "resume": ("tune", "--resume", "last"),
    "watch": ("watch", "triple/1-first-steps", "--by", "run:last"),
    "compare-by": ("compare", "triple", "--by", "run:last"),
}


@pytest.mark.parametrize("spoil", [a_file, a_newer_schema, no_database])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_takes_an_empty_store_for_the_users(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    spoil: Callable[[Path], str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("backup.gz").write_bytes(EMPTY)
    folder = tmp_path / "data"
    monkeypatch.setenv("WINNABLE_DATA", str(folder))
    reason = spoil(folder)
    before = sorted(tmp_path.rglob("*"))
    refused = run(*COMMANDS[command], code=2)
    one_error(refused, "your data cannot be opened")
    one_error(refused, reason)
    assert Path("backup.gz").read_bytes() == EMPTY
    assert sorted(tmp_path.rglob("*")) == before


def test_nor_what_is_there_for_what_cannot_be_read(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    path.write_bytes(EMPTY)
    Store(data_folder()).close()
    with closing(sqlite3.connect(data_folder() / FILE_NAME)) as database, database:
        columns = database.execute("select count(*) from pragma_table_info('runs')").fetchone()[0]
        database.execute(f"insert into runs values ('ab'{', 1' * (columns - 1)})")
    refused = run("data", "export", str(path), code=2)
    assert "1 record" in refused.stderr
    assert "nothing is kept" in refused.stderr
    assert path.read_bytes() == EMPTY


def test_a_damaged_store_is_no_reason_to_replace_a_backup(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    path.write_bytes(EMPTY)
    data_folder().mkdir(parents=True, exist_ok=True)
    (data_folder() / FILE_NAME).write_bytes(b"no database " * 1000)
    one_error(run("data", "export", str(path), code=2), "damaged")
    one_error(run("data", "export", str(path), code=2), "nothing is kept")
    assert path.read_bytes() == EMPTY
    run("data", "export", str(tmp_path / "new.gz"))


def test_what_is_passed_over_is_counted(run: Run, tmp_path: Path) -> None:
    store = Store(data_folder())
    for number in (1, 2):
        results.add(store, result(number))
    store.transact(lambda database: database.execute("UPDATE results SET day = 'never' WHERE helped"))
    store.close()
    path = tmp_path / "all.json.gz"
    assert "1 record of your data cannot be read" in run("data", "export", str(path)).stderr
    path.write_bytes(path.read_bytes() + gzip.compress(b'{"kind":"poem"}\n'))
    assert "1 record cannot be used and was passed over" in run("data", "import", str(path)).stdout


def test_a_file_that_is_no_data_is_one_error(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "poem"
    one_error(run("data", "import", str(path), code=2), "poem")
    path.write_text("no data")
    one_error(run("data", "import", str(path), code=2), "no file of winnable's data")
    one_error(run("data", "export", str(tmp_path / "none" / "x.gz"), code=2))
