"""`winnable data`: out to a file, in from it, and what it refuses."""

from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.store.test_results import result
from winnable.store import results
from winnable.store.database import Store, data_folder


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
    }
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path / "elsewhere"))
    assert kept() == []
    assert "added 0 games, 1 results" in run("data", "import", path).stdout
    assert kept() == [result(1)]
    again = document(run("data", "import", path, "--json"))
    assert (again["games"], again["results"], again["runs"]) == (0, 0, 0)


def test_a_file_that_is_no_data_is_one_error(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "poem"
    one_error(run("data", "import", str(path), code=2), "poem")
    path.write_text("no data")
    one_error(run("data", "import", str(path), code=2), "no file of winnable's data")
    one_error(run("data", "export", str(tmp_path / "none" / "x.gz"), code=2))
