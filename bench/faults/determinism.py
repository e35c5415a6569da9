"""The same seed gives the same result: over processes, threads, hash seeds and versions of Python.

In each environment a process of its own does all tasks; what they print, without times and ids of runs, must
be the same everywhere. `WINNABLE_PYTHONS` names other interpreters than this one, separated as in PATH, which
must have winnable's dependencies.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import msgspec

from bench import PYTHON_PATH
from bench.report import CheckFailed, Row
from winnable.contract.core import WinnableError, finish

DAY = 20261124
SMALL = "layers=8", "sets=4", "side=5"
TASKS: dict[str, Sequence[str]] = {
    "generate triple": ("generate", "triple", *SMALL, "--count", "3"),
    "generate drops": ("generate", "drops", "par_min=3", "--count", "3"),
    "generate tetris": ("generate", "tetris", "--count", "3"),
    "generate rotate": ("generate", "rotate", "--count", "3"),
    "generate 2048": ("generate", "2048", "--count", "3"),
    "generate triple winnable": ("generate", "triple", *SMALL, "--certify", "--time", "600", "--count", "2"),
    "solve triple": ("solve", "triple/2-pyramid", "--time", "600"),
    "solve triple exact": ("solve", "triple:layers=10,sets=4,side=5#1", "--solver", "exact", "--time", "600"),
    "solve drops": ("solve", "drops/12-drizzle", "--time", "600"),
    "solve drops genetic": ("solve", "drops/03-chequers", "--solver", "genetic", "--time", "600"),
    "solve rotate": ("solve", "rotate/06-three-of-each", "--time", "600"),
    "tune tetris": ("tune", "tetris", "article-mean", "--evaluations", "12", "--optimizer", "de",
                    "--with", "size=6", "--workers", "@workers"),
    "tune tetris steadily": ("tune", "tetris", "article-mean", "--evaluations", "12", "--optimizer", "lshade",
                             "--steady", "--seed", "5", "--workers", "@workers"),
    "compare triple": ("compare", "triple", *(part for pair in SMALL for part in ("--set", pair)),
                       "--by", "greedy,random", "--games", "5", "--time", "600"),
    "compare drops": ("compare", "drops/12-drizzle", "--by", "greedy,random", "--games", "5"),
    "compare tetris": ("compare", "tetris", "--by", "random", "--games", "3", "--time", "600"),
    "compare rotate": ("compare", "rotate/02-bulls-eye", "--by", "greedy", "--games", "2", "--time", "600"),
    "compare 2048": ("compare", "2048", "--by", "random", "--games", "5", "--time", "600"),
    "measure triple": ("measure", "triple/1-first-steps", "--games", "20", "--time", "2400"),
    "repair triple": ("repair", "triple:layers=8,sets=4,side=5,slots=5#4", "--time", "600"),
    "train 2048": ("train", "2048", "--network", "012 048", "--games", "300"),
}  # fmt: skip
TIMED = {"seconds", "processor", "started", "updated", "memory", "id", "run", "version"}
"""Keys of what is printed that need not be the same. The ids of levels are `level` or `level_id`."""


class Place(NamedTuple):
    """An environment. cores: that its process may use; None: all."""

    name: str
    python: str
    hash_seed: str
    threads: int
    cores: int | None = None


def rows(*, targets: str | None = None, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """targets: names of tasks, with commas. Raises CheckFailed."""
    names = [*TASKS, "daily"] if targets is None else targets.split(",")
    if unknown := set(names) - {*TASKS, "daily"}:
        raise WinnableError(f"targets: {sorted(unknown)[0][:40]!r} is none of {', '.join([*TASKS, 'daily'])}")
    places = list(_places())
    found: dict[str, dict[str, Any]] = {}
    for number, place in enumerate(places):
        found[place.name] = _done(place, names)
        if progress is not None:
            progress(number + 1, len(places))
    same = {name: _all_same([results.get(name) for results in found.values()]) for name in names}
    for name in names:
        yield Row(f"{name}: the same", float(same[name]), n=len(places))
    yield Row("tasks that are the same everywhere", sum(same.values()), n=len(names), reference=17)
    if different := [name for name in names if not same[name]]:
        first = {place: str(results.get(different[0]))[:300] for place, results in found.items()}
        raise CheckFailed(f"{', '.join(different)}: {first}")


def _places() -> Iterator[Place]:
    """The first one is what the others are compared with."""
    here = sys.executable
    yield Place("as it is", here, "0", 1)
    yield Place("one core", here, "1", 1, 1)
    yield Place("two threads", here, "12345", 2)
    for python in filter(None, os.environ.get("WINNABLE_PYTHONS", "").split(os.pathsep)):
        yield Place(python, python, "7", 1)


def _done(place: Place, names: Sequence[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PYTHONPATH": PYTHON_PATH,
            "PYTHONHASHSEED": place.hash_seed,
            "NUMBA_NUM_THREADS": str(place.threads),
            "WINNABLE_DATA": folder,
            "LANG": "C.UTF-8",
        }
        command = [
            place.python,
            "-m",
            "bench.faults.determinism",
            str(place.threads),
            str(place.cores or 0),
        ]
        done = subprocess.run([*command, *names], env=environment, capture_output=True, check=False)
    if done.returncode:
        raise WinnableError(f"{place.name}: {done.stderr.decode(errors='replace')[-2000:]}")
    return msgspec.json.decode(done.stdout)


def _all_same(results: Sequence[Any]) -> bool:
    return all(result == results[0] and result is not None for result in results)


# -- in a process of its own -------------------------------------------------------------------------------


def main(workers: int, cores: int, names: Sequence[str]) -> None:
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {*sorted(os.sched_getaffinity(0))[:cores]})
    results: dict[str, Any] = {}
    for name in names:
        began = time.monotonic()
        results[name] = _daily() if name == "daily" else _printed([*TASKS[name], "--json"], workers)
        print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
    os.write(1, msgspec.json.encode(results))


def _daily() -> Mapping[str, str]:
    from winnable.contract.registry import GAMES, load_game
    from winnable.levels.identity import content_id

    games = map(load_game, GAMES)
    return {game.name: content_id(game, finish(game.generate(game.daily, DAY))) for game in games}


def _printed(arguments: Sequence[str], workers: int) -> Any:
    """What the command prints, and its exit code."""
    from winnable.cli.app import app

    given = [str(workers) if argument == "@workers" else argument for argument in arguments]
    sys.stdout.flush()
    kept, code = os.dup(1), 0
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            app.main(given)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        printed = file.read()
    return [code, _untimed(msgspec.json.decode(printed)) if printed.strip() else None]


def _untimed(value: Any) -> Any:
    if isinstance(value, dict):
        kept = cast("dict[str, Any]", value)
        return {
            name: _untimed(part) for name, part in kept.items() if name not in TIMED and "second" not in name
        }
    return [_untimed(part) for part in cast("list[Any]", value)] if isinstance(value, list) else value


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
