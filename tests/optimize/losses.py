"""Losses that worker processes import by name."""

import os
import signal
import time
from pathlib import Path
from typing import Any, NoReturn

from winnable.optimize.base import Floats


def bowl(genome: Floats, at: float = 0.0) -> float:
    return float(((genome - at) ** 2).sum())


def slow_bowl(genome: Floats) -> float:
    time.sleep(0.02)
    return bowl(genome)


def who(genome: Floats, folder: str) -> float:
    """Leaves a file named after its process."""
    Path(folder, str(os.getpid())).touch()
    return bowl(genome)


def killed(genome: Floats) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def leaves(genome: Floats) -> NoReturn:
    os._exit(7)


def half(genome: Floats) -> Any:
    """No number for every second genome or so."""
    return None if genome[0] > 0 else 1.0


class Stubborn(Exception):
    """Can be pickled, but not read again."""

    def __init__(self, first: str, second: object) -> None:
        super().__init__(f"{first} is stubborn")
        self.second = second


def stubborn(genome: Floats) -> NoReturn:
    raise Stubborn("this", "that")


def divides(genome: Floats) -> NoReturn:
    raise ZeroDivisionError


def sleeps(genome: Floats) -> float:
    """The first of a population fails at once, the others would take long."""
    if not _begun:
        _begun.append(True)
        time.sleep(0.2)
        divides(genome)
    time.sleep(600)
    return 0.0


_begun: list[bool] = []
