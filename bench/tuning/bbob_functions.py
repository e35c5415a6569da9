"""COCO's BBOB functions, watched: who reaches which target after how many evaluations.

N. Hansen and others, "COCO: A Platform for Comparing Continuous Optimizers in a Black-Box Setting",
Optimization Methods and Software 36 (2021), 114-144. The functions come from the package `coco-experiment`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from os.path import split
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from winnable.contract.core import WinnableError

TARGETS = tuple(10.0**power for power in range(2, -9, -1))
"""Distances to the best value."""

CALIBRATION = 1000
"""Evaluations by which the function's own time is measured."""

FUNCTIONS = range(1, 25)


class Task(NamedTuple):
    """One run. told: the budget that the optimiser is told; it may use no more than `budget`. log: the folder
    of a log that COCO writes, of this run alone; none: no log"""

    contestant: str
    function: int
    instance: int
    dimension: int
    budget: int
    told: int
    seed: int
    log: str = ""


class Outcome(NamedTuple):
    """hits: for each target, after how many evaluations it was reached, None if never; seconds: CPU time
    of the optimiser, without the function's."""

    task: Task
    hits: tuple[int | None, ...]
    evaluations: int
    seconds: float


class BudgetUsedError(Exception):
    """Ends a contestant that asks for more; also when the last target is reached."""


class Watched:
    """The function, counting. low, high: its bounds [dimension]."""

    def __init__(self, task: Task) -> None:
        problem: Any = import_module("cocoex").BareProblem(
            "bbob", task.function, task.dimension, task.instance
        )
        self._problem, self._best_value = problem, float(problem.best_value())
        self._is_logged = task.log != ""
        if self._is_logged:
            self._problem = _logged(task)
        self.dimension, self.told, self.seed = task.dimension, task.told, task.seed
        self.low, self.high = np.full(task.dimension, -5.0), np.full(task.dimension, 5.0)
        self._budget = task.budget
        self._next = TARGETS[0]
        self.hits: list[int] = []
        self.evaluations = 0

    def __call__(self, genome: Any) -> float:
        if self.evaluations >= self._budget or len(self.hits) == len(TARGETS):
            raise BudgetUsedError
        value = float(self._problem(genome))
        self.evaluations += 1
        distance = value - self._best_value
        while distance <= self._next:
            self.hits.append(self.evaluations)
            self._next = TARGETS[len(self.hits)] if len(self.hits) < len(TARGETS) else -np.inf
        return value

    def close(self) -> None:
        """Ends its log; COCO keeps one at a time."""
        if self._is_logged:
            self._problem.free()

    @property
    def done(self) -> bool:
        return self.evaluations >= self._budget or len(self.hits) == len(TARGETS)


def _logged(task: Task) -> Any:
    """The function of COCO's suite, which writes what cocopp reads."""
    coco: Any = import_module("cocoex")
    chosen = f"dimensions: {task.dimension} function_indices: {task.function}"
    suite = coco.Suite("bbob", f"instances: {task.instance}", chosen)
    problem = suite.get_problem_by_function_dimension_instance(task.function, task.dimension, task.instance)
    outer, inner = split(task.log)
    name = task.contestant.replace('"', "")
    problem.observe_with(
        coco.Observer("bbob", f'outer_folder: "{outer}" result_folder: "{inner}" algorithm_name: "{name}"')
    )
    return problem


Contestant: TypeAlias = Callable[[Watched], None]
"""Minimises until BudgetUsedError, or returns when it thinks that it is done: then it is called again, with
another `seed`."""


def run_task(task: Task, contestant: Contestant) -> Outcome:
    watched = Watched(task)
    started = time.process_time()
    while not watched.done:
        before = watched.evaluations
        try:
            contestant(watched)
        except BudgetUsedError:
            break
        if watched.evaluations == before:
            break  # it asks for nothing more
        watched.seed += 1_000_003
    used = time.process_time() - started
    watched.close()
    seconds = max(used - watched.evaluations * _seconds_per_call(task), 0.0)
    hits = (*watched.hits, *[None] * (len(TARGETS) - len(watched.hits)))
    return Outcome(task, hits, watched.evaluations, seconds)


def _seconds_per_call(task: Task) -> float:
    """CPU time of the watched function itself."""
    watched = Watched(task._replace(budget=CALIBRATION, log=""))
    genomes = np.random.default_rng(0).uniform(-5, 5, (CALIBRATION, task.dimension))
    started = time.process_time()
    for genome in genomes:
        watched(genome)
    return (time.process_time() - started) / CALIBRATION


def share(outcomes: Sequence[Outcome], evaluations: int) -> tuple[int, int]:
    """How many of the (run, target) pairs were reached within so many evaluations, and how many there are."""
    hits = [hit for outcome in outcomes for hit in outcome.hits]
    return sum(hit is not None and hit <= evaluations for hit in hits), len(hits)


def expected_running_time(outcomes: Sequence[Outcome]) -> float | None:
    """Evaluations until the last target, those of the failed runs included, per success (the ERT); None
    without a success."""
    spent = [outcome.evaluations if outcome.hits[-1] is None else outcome.hits[-1] for outcome in outcomes]
    successes = sum(outcome.hits[-1] is not None for outcome in outcomes)
    return sum(spent) / successes if successes else None


def require_coco() -> None:
    """Raises WinnableError when the functions' package is missing."""
    if find_spec("cocoex") is None:
        raise WinnableError(
            "optimize-bbob: the functions are in the package coco-experiment, which is not installed: "
            "pip install -e '.[bench]'"
        )


def uniform_start(watched: Watched) -> NDArray[np.float64]:
    """Where a local search may begin."""
    return np.random.default_rng(watched.seed).uniform(-4, 4, watched.dimension)
