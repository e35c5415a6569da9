"""A run of a game, judged by how seldom the player dies: the hazard, deaths per step.

A run stops at its k-th death or after T steps, whichever comes first, so that hopeless players cost little
and good ones never more than T. If the player forgets its past soon compared with its life, as a good one
does, deaths are a Poisson process of rate h and the likelihood of d deaths in n steps is h^d e^(-hn) whatever
the rule to stop (D. R. Cox, D. Oakes, Analysis of Survival Data, 1984): the maximum is d / n.

Its logarithm has a bias that does depend on that rule, and ranks candidates that stopped for different
reasons unfairly:

- stopped by T: d is Poisson(hT) and E log(d + 1/2) = log(hT) + O(1 / (hT)^2); the 1/2 cancels the term
  1/(2hT) and gives no deaths a finite loss (J. B. S. Haldane, Ann. Hum. Genet. 20, 1956; F. J. Anscombe,
  Biometrika 43, 1956);
- stopped by death k: hn is Gamma(k) and E log(hn) = digamma(k) = log(k - 1/2) + O(1 / k^2): the death that
  stopped the run tells nothing new and is not counted, so that k - 1 are.

Either way log hazard = log((counted + 1/2) / steps), and the variance, 1/(hT) or trigamma(k), is
1 / (counted + 1/2) to the same order. No figure is exact for a handful of deaths: with k = 4 and hT >= 4 the
bias is below 0.02 (a test holds it); as hT falls below 1 the estimate cannot follow, being at least
log(1/2 / T).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import Any

from winnable.inert.arrays import np
from winnable.stats.quantiles import gamma_quantile
from winnable.tuning.process import NO_CEILING, NO_FLOOR, Herd


@dataclass(frozen=True, slots=True)
class Survival:
    """What a run saw.

    state:   where it stopped; the last game goes on from here. None: its k-th death stopped it
    stopped: whether its k-th death stopped it, rather than the limit of steps
    """

    deaths: int
    steps: int
    reward: float
    state: Any
    stopped: bool

    @property
    def counted(self) -> int:
        """Deaths that count: not the one that stopped the run."""
        return self.deaths - self.stopped

    @property
    def log_hazard(self) -> float:
        """The logarithm of the hazard."""
        return log((self.counted + 0.5) / self.steps)

    @property
    def error(self) -> float:
        """The standard error of `log_hazard`."""
        return 1 / sqrt(self.counted + 0.5)

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """Exact interval of the hazard for "k deaths or T steps" (conservative where T stopped it, as counts
        are whole).

        Order the outcomes: death k, the earlier the worse, then d = k - 1, ..., 0 deaths at T. At least as
        bad as the outcome means in both cases Poisson(hn) >= deaths, at most as bad Poisson(hn) <= counted;
        each limit gives one of the two a chance of (1 - share) / 2 (F. Garwood, Biometrika 28, 1936)."""
        tail = (1 - share) / 2
        low = gamma_quantile(self.deaths, tail) / self.steps
        return low, gamma_quantile(self.counted + 1, 1 - tail) / self.steps


def survive(herd: Herd, rng: np.random.Generator, *, deaths: int, steps: int) -> Survival:
    """Plays game after game until `deaths` deaths or `steps` steps. Raises ValueError for fewer than one."""
    for name, least in (("deaths", deaths), ("steps", steps)):
        if least < 1:
            raise ValueError(f"{name}: {least} is less than 1")
    seen, left, reward = 0, steps, 0.0
    state = herd.start(1, rng)
    low, high = np.array([NO_FLOOR]), np.array([NO_CEILING])
    while left and seen < deaths:
        leap = herd.leap(state, low, high, np.array([left]), rng)
        left -= int(leap.steps[0])
        reward += float(leap.reward[0])
        died = bool(leap.died[0])
        seen += died
        state = herd.start(1, rng) if died else leap.states
    stopped = seen == deaths
    return Survival(seen, steps - left, reward, None if stopped else state[0], stopped)


@dataclass(slots=True)
class Horizon:
    """How many steps an evaluation may take: `times` the mean life of the best quarter of the candidates so
    far (the last `window` of them), `first` until there are four, never more than `most`.

    Lives are exp(-loss), the loss being a log hazard. A run without deaths claims a life of twice its steps:
    the horizon grows at most eightfold from one generation to the next, however good the candidates get.
    """

    first: float
    most: float
    times: float = 4.0
    window: int = 400
    _losses: list[float] = field(default_factory=list[float])

    def __post_init__(self) -> None:
        if not 1 <= self.first <= self.most < float("inf"):
            raise ValueError(f"first, most: 1 <= {self.first} <= {self.most} < infinity does not hold")

    @property
    def steps(self) -> float:
        """The steps that an evaluation may take."""
        quarter = sorted(self._losses)[: len(self._losses) // 4]
        if not quarter:
            return self.first
        life = sum(exp(min(-loss, 700.0)) for loss in quarter) / len(quarter)
        return min(max(1.0, self.times * life), self.most)

    def tell(self, losses: Sequence[float]) -> None:
        """Takes in the losses of a generation."""
        self._losses = [*self._losses, *losses][-self.window :]

    def state_dict(self) -> list[float]:
        """The losses that it follows, for `load_state_dict`."""
        return list(self._losses)

    def load_state_dict(self, losses: Sequence[float]) -> None:
        """Goes on from what `state_dict` gave."""
        self._losses = [float(loss) for loss in losses]
