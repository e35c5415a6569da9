"""What can be tuned in tetris: the weights of a controller, judged by how seldom it dies, rules `simplified`.

Most candidates of a search die soon, and a few deaths tell all that is worth knowing of them. Those that
outlive a share of the evaluation's pieces are judged by splitting with the rest. With so few copies that is
noisy (its logarithm by about 0.5 for the best on 10 × 20), but a search bears with that, as it compares many;
judge what it finds by `judge.expected_lines`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite, log

from winnable.contract.core import WinnableError, finish
from winnable.contract.tunable import Judgement, Tunable
from winnable.games.tetris.measure.judge import danger_levels, herd_of
from winnable.games.tetris.players.by_name import Controlled
from winnable.games.tetris.players.controllers import CONTROLLERS, DANGER, Controller
from winnable.games.tetris.players.features import PUBLISHED
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.inert.arrays import np
from winnable.tuning.splitting import SplittingPlan, split
from winnable.tuning.survival import survive

START = CONTROLLERS["dt-20"].weights
BOUND = 15.0
"""The choice depends on the ratios of the weights alone."""
SPREADS = {
    "landing_height": 1.5,
    "eroded_cells": 1.0,
    "row_transitions": 1.2,
    "column_transitions": 2.5,
    "holes": 1.5,
    "hole_depth": 0.4,
    "rows_with_holes": 5.0,
    "well_triangles": 1.3,
    "lines": 1.0,
    "level_pair": 1.0,
    "single_step_kinds": 1.0,
    "double_step_kinds": 1.0,
    "level_triple": 1.0,
    "lying_s_z": 1.0,
    "hanging_j_l": 1.0,
    "single_steps": 0.5,
    "double_steps": 0.5,
    "cliffs": 1.0,
    "fitting_pieces": 1.0,
    "bumpiness": 0.4,
    "highest": 0.5,
    "thin_covers": 1.0,
    "rows_over_holes": 0.5,
    "cover": 0.5,
    "nearly_full_rows": 0.5,
}
"""Of `features-50`: about half of DT-20's weights, and for the others what seemed to be of their size."""
IN_DANGER = 0.7
"""Times the spread, for what a weight gains in danger."""
REACH, FIRST = 6.0, 0.5
"""In spreads: how far a weight may go from where it begins, and the first standard deviation."""
DEATHS = 4
FIRST_LOOK = 0.15
"""Of the pieces of an evaluation, before splitting."""
RUNS = 4
BASE, WARMUP, COMMON = 0.1, 500, 3200
"""The share of an evaluation that the base games take; pieces before each of them; pieces to see how high the
wall usually is."""
CLIMB = 2.0
"""Times the number of levels: pieces that a copy is expected to take to the next level, or until the wall is
calm. DT-20 and BCTS take 1.1 on 10 × 10 cells, 1.4 to 1.7 on 10 × 20."""
LEAST_COPIES = 10
"""Of a run. Without pieces for them there is no splitting."""


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """The loss is the log hazard (deaths per piece) on the board; a step is a piece."""

    name: str
    genes: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    start: tuple[float, ...]
    width: int = 10
    height: int = 20
    steps: float = 400_000
    sigma: float = 0.3
    population: int | None = None

    def player(self, genome: tuple[float, ...]) -> Callable[[SeededTetris, int], Controlled]:
        """The controller with these weights."""
        controller = Controller(self.name, dict(zip(self.genes, genome, strict=True)), "tuned")
        return partial(Controlled, controller)

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Judgement:
        """Judge the weights, with never more than `steps` pieces (but one at least). Where splitting does not
        come to an end with them, or sees no death, what was played stands alone; its hazard is then too high.


        Raises WinnableError unless the genome is a finite number for each gene.
        """
        if len(genome) != len(self.genes) or not all(map(isfinite, genome)):
            raise WinnableError("tetris.genome", field="genome", given=genome, count=len(self.genes))
        herd = herd_of(self.width, self.height, dict(zip(self.genes, genome, strict=True)))
        chance = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3)]
        played = survive(herd, chance[0], deaths=DEATHS, steps=max(1, int(steps * FIRST_LOOK)))
        alone = Judgement(played.log_hazard, played.error, played.steps)
        if played.stopped:
            return alone
        left = int(steps) - played.steps - COMMON
        base = int(steps * BASE / RUNS)
        for_copies = left - RUNS * (WARMUP + base)
        if for_copies < RUNS * LEAST_COPIES * CLIMB:
            return alone
        levels = finish(danger_levels(herd, chance[1], COMMON))
        copies = int(for_copies / (RUNS * CLIMB * len(levels) ** 2))
        if copies < LEAST_COPIES:
            return replace(alone, cost=played.steps + COMMON)
        found = split(herd, SplittingPlan(levels, base, left, copies, RUNS, WARMUP), chance[2])
        cost = played.steps + COMMON + found.steps
        if not found.finished or found.hazard == 0:
            return replace(alone, cost=cost)
        return Judgement(log(found.hazard), found.error, cost)


def _weights_of(name: str, features: Iterable[str]) -> FeatureWeights:
    """From those of DT-20, within fixed bounds."""
    genes = tuple(features)
    start = tuple(float(START.get(gene, 0.0)) for gene in genes)
    return FeatureWeights(name, genes, (-BOUND,) * len(genes), (BOUND,) * len(genes), start)


def _near(name: str, spreads: Mapping[str, float]) -> FeatureWeights:
    """From those of DT-20, each with its own spread."""
    start = [float(START.get(gene, 0.0)) for gene in spreads]
    reach = [REACH * spread for spread in spreads.values()]
    low = tuple(at - far for at, far in zip(start, reach, strict=True))
    high = tuple(at + far for at, far in zip(start, reach, strict=True))
    return FeatureWeights(
        name, tuple(spreads), low, high, tuple(start),
        steps=600_000, sigma=FIRST / (2 * REACH), population=30,
    )  # fmt: skip


TUNABLES: dict[str, Tunable] = {
    tunable.name: tunable
    for tunable in (
        _weights_of("features-9", START),
        _weights_of("features-11", PUBLISHED),
        _near(
            "features-50", SPREADS | {name + DANGER: IN_DANGER * spread for name, spread in SPREADS.items()}
        ),
    )
}
"""Those of DT-20; all published ones; and those of our own controller. For `tunables` in the game's
`game.py`."""
