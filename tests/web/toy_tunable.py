"""Something to tune that is judged in no time, and as slowly as a test wants."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from random import Random

from winnable.contract.core import Found, Progress, finish
from winnable.contract.tunable import Judgement

PASS = threading.Event()
"""While it is not set, evaluations in this process wait."""
PASS.set()


@dataclass(frozen=True)
class Bowl:
    """The distance from (3, 1), with noise from the seed."""

    name: str = "bowl"
    seconds: float = 0.0
    noise: float = 0.3
    genes: tuple[str, ...] = ("waiting", "tray")
    low: tuple[float, ...] = (0.0, 0.0)
    high: tuple[float, ...] = (8.0, 8.0)
    start: tuple[float, ...] = (6.0, 6.0)

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Found[Judgement]:
        time.sleep(self.seconds)
        while not PASS.wait(0.001):
            yield Progress("tuning", 0, 0, 0.0)
        x, y = genome
        noise = self.noise * Random(seed).random()
        return Judgement((x - 3) ** 2 + (y - 1) ** 2 + noise, None, 1.0)


@dataclass(frozen=True)
class Broken(Bowl):
    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Found[Judgement]:
        yield Progress("tuning", 0, 0, 0.0)
        raise ZeroDivisionError("a bug in a tunable")


@dataclass(frozen=True)
class Deadly(Bowl):
    """Ends its process at one seed."""

    victim: int = -1

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Found[Judgement]:
        if seed == self.victim:
            os._exit(9)
        return super().evaluate(genome, seed, steps)


@dataclass(frozen=True)
class Whole(Bowl):
    """Judged by no search."""

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Judgement:
        return finish(super().evaluate(genome, seed, steps))
