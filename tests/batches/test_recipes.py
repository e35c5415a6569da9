"""The recipes of docs/scale.md do what it says of them, on a few small levels."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text("utf-8")
COUNT, PARTS = 7, 3
MODULE = f"{sys.executable} -m winnable"
LARGE = "winnable generate triple layers=12 --certify --count"
SMALL = f"{MODULE} generate drops rows=3 columns=3 slack=0 --certify --count"


def recipe(language: str) -> str:
    """The only one in this language, asking for other levels."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found.count(LARGE) == 1
    return found.replace(LARGE, SMALL).replace("--count 1000", f"--count {COUNT}")


def call(folder: Path, *command: str, **variables: object) -> str:
    env = os.environ | {name: str(value) for name, value in variables.items()}
    return subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, text=True).stdout


def whole() -> str:
    return call(Path(), *SMALL.split(), str(COUNT))


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_make(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(recipe("make"), "utf-8")
    asked = ("make", "-j2", f"LEVELS={COUNT}", f"PARTS={PARTS}")
    call(tmp_path, *asked, "part-2.jsonl")
    part = (tmp_path / "part-2.jsonl").read_bytes()
    (tmp_path / "part-2.jsonl").unlink()
    (tmp_path / "part-2.jsonl.rows").write_bytes(part[:-5])  # it was ended in the middle of a row
    call(tmp_path, *asked)
    assert (tmp_path / "levels.jsonl").read_text("utf-8") == whole()
    assert "up to date" in call(tmp_path, *asked, LC_ALL="C")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_slurm_by_the_variables_that_it_sets(tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(recipe("bash"), "utf-8")
    for number in range(PARTS, 0, -1):
        call(tmp_path, "bash", "job.sh", SLURM_ARRAY_TASK_ID=number, SLURM_ARRAY_TASK_COUNT=PARTS)
    files = sorted(tmp_path.glob("part-*.jsonl"))
    assert [file.name for file in files] == ["part-0001.jsonl", "part-0002.jsonl", "part-0003.jsonl"]
    assert "".join(file.read_text("utf-8") for file in files) == whole()


@pytest.mark.parametrize(
    "asked",
    [
        "measure levels.jsonl --by random,matching --games 3",
        "repair levels.jsonl",
        "tasks drops --difficulty easy --count 4",
    ],
)
def test_parts_are_byte_for_byte_the_whole(run: Run, asked: str) -> None:
    run("generate", "triple", "layers=4", "sets=2", "kinds=4", "side=3", "--count", "4", "-o", "levels.jsonl")
    run(*asked.split(), "-o", "whole")
    for part in (1, 2):
        run(*asked.split(), "--shard", f"{part}/2", "-o", f"part-{part}")
    parts = [Path(f"part-{part}").read_bytes() for part in (1, 2)]
    assert all(parts)
    assert b"".join(parts) == Path("whole").read_bytes()


def test_games_of_all_parts_make_the_table_of_the_whole(run: Run) -> None:
    asked = ("compare", "triple:layers=4,sets=2,kinds=4,side=3", "--by", "random,greedy", "--games", "4")
    for part in (1, 2):
        run(*asked, "--shard", f"{part}/2", "-o", f"part-{part}")
    games = b"".join(Path(f"part-{part}").read_bytes() for part in (1, 2))
    Path("games.jsonl").write_bytes(games)
    told = document(run(*asked, "--resume", "games.jsonl", "--json"))
    assert Path("games.jsonl").read_bytes() == games
    assert [row["won"] for row in told] == [row["won"] for row in document(run(*asked, "--json"))]
