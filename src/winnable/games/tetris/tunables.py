"""What can be tuned in tetris: the weights of a controller, judged by how seldom it dies, rules `simplified`.

Most candidates of a search die soon, and a few deaths tell all that is worth knowing of them. Those that
outlive a share of the evaluation's pieces are judged by splitting with the rest. With so few copies that is
noisy (its logarithm by about 0.5 for the best on 10 × 20), but a search bears with that, as it compares many;
judge what it finds by `judge.expected_lines`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite, log

import numpy as np

from winnable.core import WinnableError
from winnable.games.tetris.controllers import CONTROLLERS
from winnable.games.tetris.features import FEATURES
from winnable.games.tetris.judge import danger_levels, herd_of
from winnable.tuning.splitting import SplittingPlan, split
from winnable.tuning.survival import survive
from winnable.tuning.tunable import Judgement, Tunable

START = CONTROLLERS["dt-20"].weights
BOUND = 15.0
"""The choice depends on the ratios of the weights alone."""
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
    width: int = 10
    height: int = 20
    steps: float = 400_000

    @property
    def low(self) -> tuple[float, ...]:
        return (-BOUND,) * len(self.genes)

    @property
    def high(self) -> tuple[float, ...]:
        return (BOUND,) * len(self.genes)

    @property
    def start(self) -> tuple[float, ...]:
        """Of DT-20."""
        return tuple(float(START.get(gene, 0.0)) for gene in self.genes)

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Judgement:
        """Never more than `steps` pieces (but one at least). Where splitting does not come to an end with
        them, or sees no death, what was played stands alone; its hazard is then too high.

        Raises WinnableError unless the genome is a finite number for each gene."""
        if len(genome) != len(self.genes) or not all(map(isfinite, genome)):
            raise WinnableError(f"genome: {genome} is not {len(self.genes)} finite weights")
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
        levels = danger_levels(herd, chance[1], COMMON)
        copies = int(for_copies / (RUNS * CLIMB * len(levels) ** 2))
        if copies < LEAST_COPIES:
            return replace(alone, cost=played.steps + COMMON)
        found = split(herd, SplittingPlan(levels, base, left, copies, RUNS, WARMUP), chance[2])
        cost = played.steps + COMMON + found.steps
        if not found.finished or found.hazard == 0:
            return replace(alone, cost=cost)
        return Judgement(log(found.hazard), found.error, cost)


def _weights_of(name: str, features: Iterable[str]) -> Tunable:
    return FeatureWeights(name, tuple(features))


TUNABLES: dict[str, Tunable] = {
    tunable.name: tunable
    for tunable in (_weights_of("features-9", START), _weights_of("features-11", FEATURES))
}
"""Those of DT-20, and all; for `tunables` in the game's `game.py`."""
