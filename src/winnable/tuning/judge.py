"""Judges one player: the log hazard of a bounded run, by splitting where it hardly saw a death."""

from __future__ import annotations

from math import log

import numpy as np

from winnable.tuning.process import Herd
from winnable.tuning.splitting import SplittingPlan, split
from winnable.tuning.survival import survive
from winnable.tuning.tunable import Judgement


def judge(
    herd: Herd, seed: int, *, deaths: int = 4, steps: float, splitting: SplittingPlan | None = None
) -> Judgement:
    """Plays until `deaths` deaths or `steps` steps; loss = log hazard.

    With a plan, a run that its steps stopped is followed by splitting, whose estimate then stands alone (if
    it ends within the plan's `most_steps` and saw a death). The cost is at most `steps` + `most_steps`. Use a
    plan to judge the few best: spent on every candidate of a search it leaves too few candidates."""
    chance_of_run, chance_of_splitting = (
        np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(2)
    )
    run = survive(herd, chance_of_run, deaths=deaths, steps=max(1, int(steps)))
    if splitting is None or run.stopped:
        return Judgement(run.log_hazard, run.error, run.steps)
    found = split(herd, splitting, chance_of_splitting)
    cost = run.steps + found.steps
    if not found.finished or found.hazard == 0:
        return Judgement(run.log_hazard, run.error, cost)
    return Judgement(log(found.hazard), found.error, cost)
