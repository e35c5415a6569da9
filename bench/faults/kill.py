"""`kill -9` at random moments: what was acknowledged is there, and what goes on ends as if undisturbed.

Each life is a process forked from this one, which has loaded everything, so that a life is short; it runs
what the command line and the studio run. Needs a system that forks. What was found is kept in the data
folder, so that the next run goes on from there.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, NoReturn, Protocol

import msgspec
from msgspec import Struct

from bench.report import CheckFailed, Row
from winnable.contract.core import WinnableError
from winnable.levels.files import write_file
from winnable.store.database import data_folder

KILLS = 100
SEEN = {"play": 32, "generate": 36, "tune": 35, "train": 21, "tables": 7}
"""Kills in the study that came before; none lost anything."""


class Tally(Struct):
    """Of a target.

    acknowledged: actions that the studio answered
    lives:  processes begun; the others than the killed ones came to their end before
    checks: results that had been acknowledged, or ends that were compared with the undisturbed one
    lost:   of them, that were not as they should be; each with what was wrong in `faults`
    """

    acknowledged: int = 0
    lives: int = 0
    kills: int = 0
    checks: int = 0
    lost: int = 0
    faults: list[str] = []


class Target(Protocol):
    def life(self, rng: Random, tally: Tally) -> None:
        """One process, killed or not, and what is checked after it."""
        ...


def rows(
    *,
    games: int = KILLS,
    targets: str | None = None,
    seconds: float = float("inf"),
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """games: kills of each target, those of earlier runs included; ends sooner after `seconds`. Raises
    CheckFailed."""
    if not hasattr(os, "fork"):
        raise WinnableError("kill: this system cannot fork processes")
    known = _targets()
    names = list(known) if targets is None else targets.split(",")
    if unknown := set(names) - known.keys():
        raise WinnableError(f"targets: {sorted(unknown)[0][:40]!r} is none of {', '.join(known)}")
    path = data_folder() / f"kill-{seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    tallies = _load(path)
    end = time.monotonic() + seconds
    with suppress(KeyboardInterrupt):
        for name in names:
            tally = tallies.setdefault(name, Tally())
            if tally.kills >= games:
                continue
            with tempfile.TemporaryDirectory(prefix="winnable-kill-") as folder:
                target = known[name](Path(folder))
                while tally.kills < games and time.monotonic() < end:
                    target.life(Random(f"{seed}:{name}:{tally.lives}"), tally)
                    write_file(path, msgspec.json.encode(tallies))
                    if progress is not None:
                        progress(
                            sum(min(games, tallies.get(name, Tally()).kills) for name in names),
                            games * len(names),
                        )
    for name, tally in tallies.items():
        yield Row(f"{name}: kills", tally.kills, n=tally.lives, reference=SEEN.get(name))
        if tally.acknowledged:
            yield Row(f"{name}: acknowledged actions", tally.acknowledged)
        yield Row(f"{name}: checks", tally.checks)
        yield Row(f"{name}: lost or different", tally.lost, n=tally.checks, reference=0)
    if faults := [f"{name}: {tally.faults[0]}" for name, tally in tallies.items() if tally.faults]:
        raise CheckFailed("; ".join(faults))


def _targets() -> dict[str, Callable[[Path], Target]]:
    from bench.faults import kill_studio, kill_work

    return {
        "play": kill_studio.Play,
        "editor": kill_studio.Editor,
        "generate": kill_work.Generate,
        "tune": kill_work.Tune,
        "train": kill_work.Train,
        "tables": kill_work.Tables,
    }


def _load(path: Path) -> dict[str, Tally]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Tally])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise WinnableError(f"{path}: {error}") from None


def check(tally: Tally, right: bool, fault: str) -> None:
    tally.checks += 1
    if not right:
        tally.lost += 1
        tally.faults = [*tally.faults, fault[:500]][:20]


class Life:
    """A process that does `work` with its data in `folder`, killed after `seconds` unless it has ended."""

    def __init__(self, work: Callable[[], Any], folder: Path, seconds: float | None = None) -> None:
        self.killed = False
        self._ended = False
        self._pid = os.fork()
        if not self._pid:
            _live(work, folder)
        self._timer = None if seconds is None else threading.Timer(seconds, self.kill)
        if self._timer is not None:
            self._timer.start()

    def kill(self) -> None:
        if not self._ended:
            self.killed = True
            os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int:
        """Its exit code; -9 when it was killed."""
        _, status = os.waitpid(self._pid, 0)
        self._ended = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        code = os.waitstatus_to_exitcode(status)
        self.killed = code == -signal.SIGKILL
        return code


def rehearse(work: Callable[[], Any], folder: Path) -> None:
    """Does the work in this process, so that what is compiled or loaded for it is there in all lives."""
    folder.mkdir(parents=True, exist_ok=True)
    before = os.environ.get("WINNABLE_DATA")
    os.environ["WINNABLE_DATA"] = str(folder)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()), suppress(SystemExit):
            work()
    finally:
        del os.environ["WINNABLE_DATA"]
        if before is not None:
            os.environ["WINNABLE_DATA"] = before


def _live(work: Callable[[], Any], folder: Path) -> NoReturn:
    code = 70
    try:
        os.environ["WINNABLE_DATA"] = str(folder)
        for stream in (1, 2):
            os.dup2(os.open(folder / "output", os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            work()
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
    finally:
        os._exit(code)


def command(*arguments: str) -> Callable[[], None]:
    """A command of `winnable`."""

    def work() -> None:
        from winnable.cli.app import app

        app.main([*arguments])

    return work
