"""Processes that are killed, and what is counted of them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct


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
