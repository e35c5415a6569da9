"""Breaks the code of each point of the articles, and runs the tests that carry its number: one must fail.

`.venv/bin/python scripts/mutate_articles.py [POINT ...] [--workers 2]`; without points, all: half an hour of
two processors, so it is no part of the tests. `--check` runs the same tests on the tree as it is.

`article_mutants.toml` has the mutants: a table for each, by its point; `file` under src/winnable, `old` text
that stands there once (`count` times, if given), and `new`. A mutant is made in a copy of the tree. It does
not count as killed where no test could be collected, where a name or an import fails, or where they hang.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("article_mutants.toml")
COPIED = ("src", "tests", "bench", "docs", "examples", "scripts", "pyproject.toml", "README.md", "mkdocs.yml")
SECONDS = 900
PASSED, FAILED = 0, 1
"""Exit codes of pytest."""
FAILURE = re.compile(r"^FAILED tests/(\S+)(?: - (.*))?$", re.MULTILINE)
"""The test, and the first line of what it says."""
BROKEN = ("SyntaxError", "ImportError", "ModuleNotFoundError", "NameError")


@dataclass(frozen=True)
class Mutant:
    """One change. point: as `A12`; number: of several of one point."""

    point: str
    number: int
    file: str
    old: str
    new: str
    count: int = 1

    @property
    def name(self) -> str:
        return f"{self.point}.{self.number}"

    def changed(self, whole: str) -> str:
        """The text of the file with it. Raises ValueError where `old` does not stand there `count` times."""
        if (found := whole.count(self.old)) != self.count:
            raise ValueError(f"its text stands {found} times in {self.file}")
        return whole.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    """All of the table, in its order."""
    table = tomllib.loads(TABLE.read_text("utf-8"))
    return [
        Mutant(point, number, **change)
        for point, changes in table.items()
        for number, change in enumerate(changes, 1)
    ]


def carrying(point: str, tree: Path = ROOT) -> list[str]:
    """What carries the number of the point, as pytest names it."""
    pattern = re.compile(rf"^def (test_(?:[a-e]\d+_)*{point.lower()}_\w+)", re.MULTILINE)
    return [
        f"{path.relative_to(tree).as_posix()}::{name}"
        for path in sorted((tree / "tests").rglob("test_*.py"))
        for name in pattern.findall(path.read_text("utf-8"))
    ]


def run_tests(tree: Path, tests: Iterable[str]) -> tuple[int, str]:
    """pytest's exit code, and what it said. Raises TimeoutExpired."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "COLUMNS": "400",
    }
    done = subprocess.run(
        command, cwd=tree, env=environment, timeout=SECONDS, capture_output=True, check=False, text=True
    )
    return done.returncode, done.stdout


def verdict(mutant: Mutant, tree: Path) -> tuple[bool, str]:
    """Whether it was killed, and by what; the tree is as it was afterwards."""
    path = tree / "src" / "winnable" / mutant.file
    whole = path.read_text("utf-8")
    try:
        path.write_text(mutant.changed(whole), "utf-8")
        code, said = run_tests(tree, carrying(mutant.point, tree))
    except ValueError as error:
        return False, str(error)
    except subprocess.TimeoutExpired:
        return False, f"its tests are not over after {SECONDS} s"
    finally:
        path.write_text(whole, "utf-8")
    if code == PASSED:
        return False, "SURVIVED"
    failure = FAILURE.search(said)
    if code != FAILED or failure is None or (failure[2] or "").startswith(BROKEN):
        return False, f"no test judged it: pytest ended with {code}\n{said[-1000:]}"
    return True, f"killed by {failure[1]}: {failure[2] or ''}"


def copy_of_the_tree(folder: Path) -> Path:
    """Raises SystemExit unless it is what its tests will import, and not what is installed."""
    folder.mkdir()
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    imported = subprocess.run(
        [sys.executable, "-c", "import winnable; print(winnable.__file__)"],
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    if not imported.startswith(str(folder)):
        sys.exit(f"{imported.strip()} is imported, and not the copy of the tree")
    return folder


def check(points: Iterable[str], folder: Path) -> int:
    """Exit code: whether the tests that carry these points pass on the tree as it is."""
    tests = dict.fromkeys(test for point in points for test in carrying(point))
    code, said = run_tests(copy_of_the_tree(folder), tests)
    print(said)
    return code


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("points", nargs="*", metavar="POINT", help="as A12")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="run the tests only, without any mutant")
    arguments = parser.parse_args()
    wanted = {point.upper() for point in arguments.points}
    chosen = [mutant for mutant in mutants() if not wanted or mutant.point in wanted]
    points = list(dict.fromkeys(mutant.point for mutant in chosen))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.workers) as pool:
        if arguments.check:
            sys.exit(check(points, Path(folder) / "0"))
        trees: Queue[Path] = Queue()
        for number in range(arguments.workers):
            trees.put(copy_of_the_tree(Path(folder) / str(number)))

        def judge(mutant: Mutant) -> tuple[bool, str]:
            tree = trees.get()
            try:
                return verdict(mutant, tree)
            finally:
                trees.put(tree)

        killed = 0
        for mutant, (is_killed, said) in zip(chosen, pool.map(judge, chosen), strict=True):
            killed += is_killed
            print(f"{mutant.name:6} {said}", flush=True)
    print(f"{killed} of {len(chosen)} mutants of {len(points)} points killed")
    sys.exit(killed < len(chosen))


if __name__ == "__main__":
    main()
