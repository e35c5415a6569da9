"""COCO's BBOB for our optimisers and for whichever rivals are installed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.report import Row, rate_row
from bench.tuning.bbob_contestants import ENTRANTS, Entrant, installed
from bench.tuning.bbob_functions import (
    FUNCTIONS,
    Outcome,
    Task,
    expected_running_time,
    require_coco,
    run_task,
    share,
)
from winnable.workers.engines import make_engine
from winnable.workers.executor import Evaluator

TIMED = {
    1: "sphere",
    3: "Rastrigin",
    8: "Rosenbrock",
    10: "ellipsoid",
    15: "rotated Rastrigin",
    21: "Gallagher",
}
"""The six functions whose expected running time is shown."""

MEASURED_ELSEWHERE = {
    "minionpy ARRDE": 0.887,
    "minionpy jSO": 0.868,
    "pygmo de1220": 0.835,
    "pygmo sade": 0.828,
    "cmaes, IPOP": 0.826,
    "cma, IPOP": 0.820,
    "scipy differential_evolution": 0.802,
}
"""Share of the pairs in 5-D by 10,000D, from an earlier measurement with another harness (3 instances)."""


class Part(NamedTuple):
    """One set of runs. told: what the entrants are told, in evaluations per dimension; only_planners: whether
    those that do not use it are left out; marks: at how many evaluations per dimension the share is taken."""

    title: str
    dimension: int
    budget: int
    only_planners: bool
    marks: tuple[int, ...]
    timed: bool = False


PARTS = (
    Part("5-D", 5, 10_000, False, (100, 1000, 10_000), True),
    Part("5-D, told 1000D", 5, 1000, True, (1000,)),
    Part("5-D, told 100D", 5, 100, True, (100,)),
    Part("20-D", 20, 1000, False, (100, 1000)),
)


def rows(
    games: int = 2,
    seed: int = 0,
    coco: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """games: how many instances of each of the 24 functions, beginning with number 1 + seed; slow rivals run
    on the first alone, and 20-D is measured on it alone. coco: a folder into which COCO writes what cocopp
    reads, with a folder in it for each part and entrant. Runs in as many processes as there are processors.
    Raises WinnableError when COCO is not installed."""
    require_coco()
    plan = [
        (part, name, [logged(task, part, coco) for task in tasks_of(part, name, games, seed)])
        for part in PARTS
        for name in _entrants(part)
    ]
    total, done = sum(len(tasks) for _, _, tasks in plan), 0
    with Evaluator(make_engine("auto"), ordered=True) as evaluator:
        for place, task in enumerate(task for _, _, tasks in plan for task in tasks):
            evaluator.submit(place, run_one, task)
        for part, name, tasks in plan:
            outcomes: list[Outcome] = []
            for _ in tasks:
                outcomes.append(next(evaluator)[1])
                done += 1
                if progress is not None:
                    progress(done, total)
            yield from rows_of(part, name, outcomes, seed)


def tasks_of(part: Part, name: str, games: int, seed: int) -> list[Task]:
    instances = 1 if ENTRANTS[name].slow or part.dimension > 5 else games
    budget = part.budget * part.dimension
    return [
        Task(name, function, 1 + seed + index, part.dimension, budget, budget, seed + 100 * function + index)
        for function in FUNCTIONS
        for index in range(instances)
    ]


def logged(task: Task, part: Part, folder: str | None) -> Task:
    if folder is None:
        return task
    words = re.sub(r"[^A-Za-z0-9]+", "-", f"{part.title} {task.contestant}").strip("-")
    return task._replace(log=str(Path(folder) / words / f"f{task.function:02}-i{task.instance:02}"))


def run_one(task: Task) -> Outcome:
    """In a worker process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run_task(task, ENTRANTS[task.contestant].run)


def rows_of(part: Part, name: str, outcomes: list[Outcome], seed: int) -> Iterator[Row]:
    for mark in part.marks:
        hits, pairs = share(outcomes, mark * part.dimension)
        reference = MEASURED_ELSEWHERE.get(name) if part.timed and mark == 10_000 else None
        yield rate_row(f"{part.title}, {name}: targets by {mark}D", hits, pairs, seed, reference)
    if not part.timed:
        return
    for function, title in TIMED.items():
        runs = [outcome for outcome in outcomes if outcome.task.function == function]
        expected = expected_running_time(runs)
        if expected is not None:
            label = f"{part.title}, {name}: evaluations per D to 1e-8, f{function} {title}"
            yield Row(label, expected / part.dimension, "D", n=len(runs), seed=seed)
    evaluations = sum(outcome.evaluations for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    yield Row(
        f"{part.title}, {name}: own time per evaluation",
        seconds / evaluations * 1e6,
        "µs",
        n=evaluations,
        seed=seed,
    )


def _entrants(part: Part) -> dict[str, Entrant]:
    return {name: entrant for name, entrant in installed().items() if entrant.plans or not part.only_planners}
