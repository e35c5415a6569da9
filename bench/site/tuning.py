"""How weights are tuned in whatever Python this runs: the native one, or a browser's.

`python -m bench.site.tuning RUN [FILE...]` prints a `Told` as JSON. The files are kernels that were compiled
ahead (GAME.so beside GAME.json).
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench.site.asking import load
from winnable.contract.core import finish
from winnable.contract.methods import Wanted
from winnable.tuning.loop import GenerationEvent, State, tune
from winnable.tuning.optimizers import make_optimizer
from winnable.tuning.runs import chosen_optimizer, find_tunable
from winnable.tuning.tuner import allowed_steps


class Run(Struct, frozen=True):
    """What is tuned, and how."""

    game: str
    tunable: str
    optimizer: str
    evaluations: int
    seed: int = 0


class Told(Struct, frozen=True):
    """Each generation with all of the run's state after it, and the seconds that it took."""

    generations: list[Any]
    seconds: float


def tuned(run: Run) -> Told:
    """Tunes in this process."""
    tunable, told = find_tunable(run.game, run.tunable), list[Any]()
    method = chosen_optimizer(Wanted(run.optimizer, {})).method
    optimizer = make_optimizer(method, tunable, run.seed, run.evaluations)

    def hear(event: GenerationEvent, state: State) -> None:
        told.append((replace(event, seconds=0), state))

    finish(tunable.evaluate(tunable.start, run.seed, 1))  # what is done once is done before
    began = time.perf_counter()
    steps = allowed_steps(tunable)
    finish(tune(tunable, optimizer, seed=run.seed, evaluations=run.evaluations, steps=steps, on_event=hear))
    return Told(msgspec.to_builtins(told), time.perf_counter() - began)


def main(run: str, *files: str) -> None:
    """Prints how it went."""
    load(files)
    asked = msgspec.json.decode(Path(run).read_bytes(), type=Run)
    print(msgspec.json.encode(tuned(asked)).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
