"""How fast networks of 2048 learn on one core, beside TDL2048+ (H. Guei), from the beginning, by turns.

The environment variable WINNABLE_TDL2048 names its program; without it there is nothing to compare with.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.report import Row, mean_row
from winnable.contract.core import WinnableError
from winnable.games.game2048.network.training import POINT_GAMES, Point, Settings, Trainer

VARIABLE = "WINNABLE_TDL2048"
NETWORKS = {"4x6": "4x6patt", "8x6": "8x6patt"}
"""With the names that TDL2048+ has for them."""
THOUSANDS = 20
"""Thousands of games of one training."""


class Learned(NamedTuple):
    """moves: a second of the processor; mean: score of the last thousand games."""

    moves: float
    mean: float


def rows(games: int = 3, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """games: trainings of each program and network, by temporal coherence on one thread; ours by its default
    settings. Rows: moves a second of the processor, start included, the mean score of the last thousand
    games, and how many times as many moves as TDL2048+. Raises WinnableError for a program that fails."""
    rival, done = _rival(), 0
    for network, theirs in NETWORKS.items():
        trained: dict[str, list[Learned]] = {"winnable": []} | ({"TDL2048+": []} if rival else {})
        for one in range(seed, seed + max(1, games)):
            trained["winnable"].append(_ours(network, one))
            if rival:
                trained["TDL2048+"].append(_theirs(rival, theirs, one))
            done += 1
            if progress is not None:
                progress(done, max(1, games) * len(NETWORKS))
        for who, several in trained.items():
            yield mean_row(f"{network}, {who}", [one.moves / 1e6 for one in several], "M/s", seed)
            yield mean_row(f"{network}, {who}: score", [one.mean for one in several], "", seed)
        if rival:
            ratios = [ours.moves / other.moves for ours, other in zip(*trained.values(), strict=True)]
            yield mean_row(f"{network}: times TDL2048+", ratios, "×", seed)


def _ours(network: str, seed: int) -> Learned:
    trainer, points = Trainer(Settings(network, seed=seed)), list[Point]()
    trainer.work(lambda _: None, threading.Event(), seconds=0)  # compiles
    began = time.process_time()
    trainer = Trainer(Settings(network, seed=seed))
    trainer.work(points.extend, threading.Event(), games=THOUSANDS * POINT_GAMES)
    return Learned(trainer.moves / (time.process_time() - began), points[-1].mean)


def _rival() -> Path | None:
    if not (named := os.environ.get(VARIABLE)):
        return None
    if not (path := Path(named)).is_file():
        raise WinnableError(f"{VARIABLE}: there is no file {path}")
    return path.resolve()


def _theirs(program: Path, network: str, seed: int) -> Learned:
    command = [program, "-n", network, "-a", "1.0", "-t", f"{THOUSANDS}x{POINT_GAMES}", "-s", str(seed + 1)]
    began = _seconds_of_children()
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise WinnableError(f"{VARIABLE}: {error}") from None
    seconds = _seconds_of_children() - began
    blocks = _found(r"^\d+/\d+ (\d+)ms ([\d.]+)ops", told)
    moves = sum(int(milliseconds) / 1000 * float(speed) for milliseconds, speed in blocks)
    return Learned(moves / seconds, float(_found(r"^local: +avg=(\d+)", told)[-1]))


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _found(pattern: str, told: str) -> list[Any]:
    """After each block of games it says how long they took, how fast they were and what their mean is."""
    if not (found := re.findall(pattern, told, re.MULTILINE)):
        raise WinnableError(f"{VARIABLE}: the program does not say what TDL2048+ says")
    return found
