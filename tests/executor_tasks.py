"""Tasks that worker processes import by name, and helpers of the tests of the evaluator."""

import contextlib
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from tests.waiting import PATIENCE, wait_until
from winnable.contract.core import WinnableError
from winnable.workers.executor import Evaluator, TaskError


def judge(genome: tuple[float, ...], seed: int) -> float:
    draw = random.Random(seed)
    return sum((gene - draw.random()) ** 2 for gene in genome)


def nap(seconds: float, value: Any = None) -> Any:
    time.sleep(seconds)
    return value


LOCK = threading.Lock()
GATE = threading.Event()
running: list[int] = []
peaks: list[int] = []


def pass_gate() -> bool:
    return GATE.wait(PATIENCE)


def count_running() -> None:
    """How many of these run at once, in the threads of this process."""
    with LOCK:
        running.append(1)
        peaks.append(len(running))
    time.sleep(0.002)
    with LOCK:
        running.pop()


def pid() -> int:
    return os.getpid()


def note_pid_and_nap(folder: str, seconds: float) -> int:
    """Leaves a file named after the worker."""
    Path(folder, str(os.getpid())).touch()
    time.sleep(seconds)
    return os.getpid()


def die_once(flag: str, value: int) -> int:
    """kill -9 of its own worker, at the first try."""
    path = Path(flag)
    if not path.exists():
        path.touch()
        die()
    return value


def die(log: str = "", after: float = 0.0) -> NoReturn:
    """Kills its worker at every try, after some seconds, and counts them in a file."""
    if log:
        with Path(log).open("a") as file:
            file.write("x")
    time.sleep(after)
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fill() -> NoReturn:
    """Takes memory until somebody ends it."""
    taken = list[bytes]()
    while True:
        taken.append(b"x" * (16 << 20))
        time.sleep(0.02)
        if len(taken) > 256:
            raise MemoryError("nobody ended it")


def leave(code: int) -> NoReturn:
    os._exit(code)


class Stubborn(Exception):
    """Can be pickled, but comes back only as a TypeError; holds what cannot be pickled, too."""

    def __init__(self, first: str, second: object) -> None:
        super().__init__(f"{first} is stubborn")
        self.second = second


def fail(kind: str) -> NoReturn:
    if kind == "stubborn":
        raise Stubborn("this", lambda: 0)
    if kind == "refused":
        raise WinnableError("genome: too long")
    if kind == "exit":
        sys.exit(3)
    raise ValueError("no luck")


def unpicklable() -> Any:
    return lambda: 0


class Heavy:
    """Its pickle says no to whoever reads it."""

    def __reduce__(self) -> Any:
        return fail, ("plain",)


def heavy() -> Any:
    return Heavy()


def drain(evaluator: Evaluator) -> tuple[dict[Any, Any], dict[Any, TaskError]]:
    """All results, and all errors."""
    values: dict[Any, Any] = {}
    errors: dict[Any, TaskError] = {}
    while evaluator.outstanding:
        try:
            task, value = next(evaluator)
            values[task] = value
        except TaskError as error:
            errors[error.task] = error
    return values, errors


def alive(process: int) -> bool:
    """Whether it runs; a zombie does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # also between opening and reading
        if Path("/proc/self").exists():
            return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


def kill_first(folder: Path) -> None:
    """kill -9 of a worker that has left its name there and still lives."""

    def kill_one() -> bool:
        for process in (int(path.name) for path in folder.iterdir() if path.name.isdigit()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
                return True
        return False

    wait_until(kill_one, "a worker")
