"""The article's own test of its optimiser (30-D sphere, genes within ±100), and what asking and telling
cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median

from bench.report import Row
from winnable.optimize import JSO, LSHADE, AdaptiveDE, CrossEntropy, DifferentialEvolution, Optimizer

GENES = 30
EVALUATIONS = 50_000
GOAL = 1e-8
MICROSECONDS = 3.0


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """Two rows for each optimiser and `games` runs: the median of the best values after 50,000 evaluations,
    and the least time per evaluation outside the function; references are our goals."""
    bounds = [-100.0] * GENES, [100.0] * GENES
    makers: dict[str, Callable[[int], Optimizer]] = {
        "AdaptiveDE": lambda seed: AdaptiveDE(*bounds, seed=seed, max_evaluations=EVALUATIONS),
        "JSO": lambda seed: JSO(*bounds, seed=seed, max_evaluations=EVALUATIONS),
        "LSHADE": lambda seed: LSHADE(*bounds, seed=seed, max_evaluations=EVALUATIONS),
        "DifferentialEvolution, 60 genomes": lambda seed: DifferentialEvolution(
            *bounds, 60, seed=seed, max_evaluations=EVALUATIONS
        ),
        "CrossEntropy": lambda seed: CrossEntropy(*bounds, seed=seed, max_evaluations=EVALUATIONS),
    }
    for done, (name, make) in enumerate(makers.items(), 1):
        runs = [_run(make(seed + game)) for game in range(games)]
        if progress is not None:
            progress(done, len(makers))
        yield Row(f"{name}: best value", median(best for best, _ in runs), "", None, None, games, seed, GOAL)
        own = min(own for _, own in runs)
        yield Row(f"{name}: own time per evaluation", own, "µs", None, None, games, seed, MICROSECONDS)


def _run(optimizer: Optimizer) -> tuple[float, float]:
    """The best value, and the microseconds per evaluation that the optimiser took for itself."""
    own = 0.0
    while not optimizer.should_stop():
        began = time.perf_counter()
        genomes = optimizer.ask()
        own += time.perf_counter() - began
        losses = (genomes * genomes).sum(axis=1)
        began = time.perf_counter()
        optimizer.tell(genomes, losses)
        own += time.perf_counter() - began
    return optimizer.best[1], own / optimizer.evaluations * 1e6
