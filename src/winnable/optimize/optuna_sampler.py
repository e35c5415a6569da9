"""Our optimisers as a sampler of Optuna (extra `optuna`).

    study = optuna.create_study(sampler=Sampler(max_trials=500, seed=1))

Parameters of all kinds lie on the unit interval: a category is its place among the others. Those that come
and go from trial to trial are sampled at random.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from winnable.inert.arrays import np
from winnable.optimize.base import Floats, Optimizer
from winnable.optimize.minimize import method_of


class Sampler(BaseSampler):
    """Asks an optimiser for one genome a trial, also while others run, and tells it the value in the end: a
    trial that failed or was pruned counts as infinitely bad. Of a trial whose parameters are not those that
    were asked for (enqueued, or out of a range that changed) it is told nothing.

    It remembers in this process alone: with several processes each has a search of its own, and a study that
    is loaded again begins a new one, as one does whose parameters change.
    """

    def __init__(self, max_trials: int, *, method: str = "adaptive-de", seed: int = 0) -> None:
        """max_trials: of the study; some methods narrow their search as they are used up. method: see
        `minimize.METHODS`. Raises ValueError; ImportError for a method whose extra is not there."""
        self._max_trials, self._make, self._seed = max_trials, method_of(method), seed
        self._make(np.zeros(1), np.ones(1), seed, max_trials)  # what is wrong is said now, not at a trial
        self._random = RandomSampler(seed)
        self._seen = IntersectionSearchSpace()
        self._optimizer: Optimizer | None = None
        self._space: dict[str, BaseDistribution] = {}
        self._asked: dict[tuple[str, int], Floats] = {}
        self._lock = threading.Lock()

    def reseed_rng(self) -> None:
        self._random.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        space = self._seen.calculate(study)
        return {name: space[name] for name in sorted(space) if not space[name].single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        if len(study.directions) > 1:
            raise ValueError("study: this sampler knows one objective")
        if not search_space:
            return {}
        with self._lock:
            if self._optimizer is None or search_space != self._space:
                low, high = np.zeros(len(search_space)), np.ones(len(search_space))
                self._optimizer = self._make(low, high, self._seed, self._max_trials)
                self._space, self._asked = search_space, {}
            (genome,) = self._optimizer.ask(1)
            self._asked[study.study_name, trial.number] = genome
        found = zip(search_space.items(), genome, strict=True)
        return {name: value_at(distribution, gene) for (name, distribution), gene in found}

    def _was_played(self, trial: FrozenTrial, genome: Floats) -> bool:
        """Whether the trial used what was asked; values that are enqueued, fixed or drawn anew are others."""
        asked = zip(self._space.items(), genome, strict=True)
        return all(
            value_at(distribution, gene) == trial.params[name]
            for (name, distribution), gene in asked
            if name in trial.params
        )

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        loss = math.inf
        if state == TrialState.COMPLETE and values is not None:
            loss = -values[0] if study.direction == StudyDirection.MAXIMIZE else values[0]
        with self._lock:
            genome = self._asked.pop((study.study_name, trial.number), None)
            if self._optimizer is not None and genome is not None and self._was_played(trial, genome):
                self._optimizer.tell(genome[None], [loss])


def value_at(distribution: BaseDistribution, gene: float) -> Any:
    """What lies there on the unit interval."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[min(int(gene * len(distribution.choices)), len(distribution.choices) - 1)]
    assert isinstance(distribution, FloatDistribution | IntDistribution)
    low, high = distribution.low, distribution.high
    is_whole = isinstance(distribution, IntDistribution)
    step = distribution.step
    half = step / 2 if step is not None else 0.0
    if distribution.log:
        first, last = math.log(low - (0.5 if is_whole else 0)), math.log(high + (0.5 if is_whole else 0))
        value = math.exp(first + gene * (last - first))
    else:
        value = low - half + gene * (high - low + 2 * half)
    if step is not None:
        value = low + step * round((value - low) / step)
    value = min(max(value, low), high)
    return int(value) if is_whole else float(value)
