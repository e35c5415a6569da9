"""tables: lists, checks, builds and removes; what it asks, its exit codes, what it refuses, Ctrl-C."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.waiting import PATIENCE, wait_until
from winnable.cli.output import bytes_text
from winnable.contract.registry import GAMES
from winnable.games.game2048.exact import endgame, tables
from winnable.games.game2048.exact.endgame_boards import Pattern

ROOT = Path(__file__).parents[2]
TINY = Pattern("tiny", tuple(range(7, 16)), 6)
BOARDS = 33_792
SIZE = 140_330


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only endgame table is a small one."""
    monkeypatch.setattr(endgame, "PATTERNS", (TINY,))
    monkeypatch.setattr(tables, "ENDGAME_SIZES", {"tiny": SIZE})


def build(run: Run, *options: str, code: int = 0, stdin: str | None = None) -> Any:
    return run("tables", "2048", "tiny", "--build", *options, code=code, stdin=stdin)


def state(run: Run) -> str:
    return document(run("tables", "2048", "--json"))[0]["status"]


def test_the_list(run: Run) -> None:
    shown = run("tables", "2048").stdout
    for name in ("tiny", "exact-3x3", "exact-2x5"):
        (line,) = [line for line in shown.splitlines() if line.startswith(f"{name} ")]
        assert "  missing  " in line
    assert "503 MB" in shown
    assert "2048-endgame/tiny.layers" in shown.replace("\\", "/")
    listed = document(run("tables", "2048", "--json"))
    assert [table["name"] for table in listed] == ["tiny", "exact-3x3", "exact-2x5"]
    assert listed[0] == {
        "name": "tiny",
        "about": "9 tiles of 64 or more lie still on 4 × 4: the best chance of another 64",
        "status": "missing",
        "bytes": 0,
        "size": SIZE,
        "entries": 0,
        "path": str(endgame.tables_folder() / "tiny.layers"),
    }


@pytest.mark.parametrize("game", [game for game in GAMES if game != "2048"])
def test_games_without_tables_say_so(run: Run, game: str) -> None:
    result = run("tables", game)
    assert (result.stdout, result.stderr) == ("", f"winnable: {game} has no tables\n")
    assert document(run("tables", game, "--json")) == []
    one_error(run("tables", game, "six-512", code=2), f"name: {game} has no table 'six-512'; there are: none")


def test_build_check_and_remove(run: Run) -> None:
    assert "tiny  missing" in run("tables", "2048", "tiny", code=1).stdout
    built = build(run, stdin="y\n")
    assert "tiny takes 140 kB of disk space" in built.stderr
    assert f"tiny: built, {BOARDS:,} boards, 140 kB on the disk" in built.stdout
    assert "of memory" in built.stdout
    assert f"tiny  built        {bytes_text(SIZE)}" in run("tables", "2048", "tiny").stdout
    again = document(build(run, "--json"))
    assert again["table"]["status"] == "built"
    assert (again["table"]["entries"], again["table"]["bytes"]) == (BOARDS, SIZE)
    assert again["memory"] > 1e6
    assert again["seconds"] > 0
    assert again["processor"] > 0
    assert run("tables", "2048", "tiny", "--remove").stdout == "tiny: removed, 140 kB\n"
    assert run("tables", "2048", "tiny", "--remove").stdout == "tiny: there is none\n"
    assert document(run("tables", "2048", "tiny", "--remove", "--json"))["status"] == "missing"


def test_it_asks_before_it_builds(run: Run) -> None:
    assert "nothing was built" in build(run, stdin="n\n", code=2).stderr
    assert "--yes is needed where nobody answers" in build(run, stdin="", code=2).stderr
    assert state(run) == "missing"
    assert document(build(run, "--yes", "--json"))["table"]["status"] == "built"


def test_the_time_may_be_up_and_it_goes_on(run: Run) -> None:
    result = build(run, "--yes", "--time", "0.000001", code=3)
    assert "the time is up; the same command goes on" in result.stderr
    assert "tiny: unfinished" in result.stdout
    assert state(run) == "unfinished"
    assert "tiny  unfinished" in run("tables", "2048", "tiny", code=1).stdout
    assert document(build(run, "--yes", "--json"))["table"]["bytes"] == SIZE
    assert state(run) == "built"
    assert [path.name for path in endgame.tables_folder().iterdir()] == ["tiny.layers"]


def test_damage_is_told_and_mended(run: Run) -> None:
    build(run, "--yes")
    path = endgame.tables_folder() / "tiny.layers"
    good = path.read_bytes()
    middle = SIZE // 2
    path.write_bytes(good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :])
    assert state(run) == "built", "by a look at its records alone"
    assert document(run("tables", "2048", "tiny", "--json", code=1))["status"] == "damaged"
    build(run, "--yes")
    assert path.read_bytes() == good
    path.write_bytes(good[:-1])
    assert state(run) == "damaged"
    build(run, "--yes")
    assert path.read_bytes() == good


def test_the_other_tables_are_those_of_the_player(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "EXACT_SIZES", {(2, 3): 238_000})
    built = document(run("tables", "2048", "exact-2x3", "--build", "--yes", "--json"))
    assert built["table"]["entries"] == 14_883
    assert "exact-2x3  built" in run("tables", "2048").stdout


def test_no_room_is_told_before(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    disk: Callable[[Path], Any] = shutil.disk_usage
    free = disk(ROOT).free
    monkeypatch.setattr(tables, "ENDGAME_SIZES", {"tiny": 2 * free})
    one_error(build(run, "--yes", code=2), f"tiny: takes {bytes_text(2 * free)} of disk space, ")
    assert state(run) == "missing"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Missing argument 'GAME'"),
        (["chess"], "unknown game 'chess'"),
        (["2048", "six-2"], "name: 2048 has no table 'six-2'; there are: tiny, exact-3x3, exact-2x5"),
        (["2048", "--build"], "--build: which table? NAME is needed"),
        (["2048", "--remove"], "--remove: which table? NAME is needed"),
        (["2048", "tiny", "--build", "--remove"], "--remove: not together with --build"),
        (["2048", "tiny", "--yes"], "--yes: only with --build"),
        (["2048", "tiny", "--time", "5"], "--time: only with --build"),
        (["2048", "tiny", "--build", "--time", "0"], "not a number of seconds"),
    ],
)
def test_refusals(run: Run, arguments: list[str], complaint: str) -> None:
    one_error(run("tables", *arguments, code=2), complaint)
    assert not endgame.tables_folder().exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_there_is() -> None:
    """A table of minutes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "winnable", "tables", "2048", "six-512", "--build", "--yes", "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(
        lambda: process.poll() is not None or any(endgame.tables_folder().glob("*.unfinished")),
        "the beginning of a table",
    )
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert json.loads(out)["table"]["status"] == "unfinished"
    assert err.splitlines()[-1] == "winnable: interrupted; the same command goes on"


def test_sizes_as_people_read_them() -> None:
    sizes = (0, 999, 1000, 140_330, 9_999_999, 284_983_708, 2_130_000_000, 19e9)
    assert [bytes_text(size) for size in sizes] == [
        "0 B", "999 B", "1.0 kB", "140 kB", "10.0 MB", "285 MB", "2.1 GB", "19 GB",
    ]  # fmt: skip
