"""Sequential tests: is the challenger's hazard lower than the incumbent's? They may be looked at after every
game and stopped at any time; error rates and intervals hold all the same.

`DeathRace` counts deaths, when both are played for the same steps; `LossRace` compares any losses, pair by
pair, splitting's included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p, sqrt
from typing import Literal, TypeAlias

Decision: TypeAlias = Literal["accept", "reject", "undecided"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """ratio: the challenger's hazard / the incumbent's, estimated; low, high: its 95 % interval, right at
    whatever time the test was stopped; evidence: deaths or pairs that it rests on."""

    decision: Decision
    ratio: float
    low: float
    high: float
    evidence: int


class DeathRace:
    """Wald's test of "as good as the incumbent" (hazard ratio 1) against "better" (`ratio` < 1).

    Both die as Poisson processes; with the same steps for both, each death is the challenger's with chance
    theta = r / (1 + r), r the ratio of hazards. The test adds up log likelihood ratios of the deaths and
    accepts the challenger above log((1 - beta) / alpha), rejects it below log(beta / (1 - alpha)) (A. Wald,
    Ann. Math. Stat. 16, 1945). alpha: how often it accepts one that is no better; beta: how often it
    rejects one of ratio `ratio` or less.
    """

    def __init__(self, ratio: float = 0.8, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not 0 < ratio < 1:
            raise ValueError(f"ratio: {ratio} is not in 0 ... 1")
        for name, rate in (("alpha", alpha), ("beta", beta)):
            if not 0 < rate < 0.5:
                raise ValueError(f"{name}: {rate} is not in 0 ... 0.5")
        self._accept, self._reject = log((1 - beta) / alpha), log(beta / (1 - alpha))
        self._theirs = log(2 * ratio / (1 + ratio))
        self._ours = log(2 / (1 + ratio))
        self.deaths = (0, 0)
        """Of the challenger and of the incumbent."""
        self.decision: Decision = "undecided"
        """The first one stands."""

    def tell(self, challenger: int, incumbent: int) -> Decision:
        """Further deaths of each, in further steps of which both had the same number."""
        self.deaths = (self.deaths[0] + challenger, self.deaths[1] + incumbent)
        evidence = self.deaths[0] * self._theirs + self.deaths[1] * self._ours
        if self.decision == "undecided":
            if evidence >= self._accept:
                self.decision = "accept"
            elif evidence <= self._reject:
                self.decision = "reject"
        return self.decision

    @property
    def verdict(self) -> Verdict:
        challenger, incumbent = self.deaths
        if challenger + incumbent == 0:
            return Verdict(self.decision, 1.0, 0.0, inf, 0)
        low, high = _share_sequence(challenger, incumbent)
        ratio = (challenger + 0.5) / (incumbent + 0.5)
        return Verdict(self.decision, ratio, low, high, challenger + incumbent)


def _share_sequence(hits: int, misses: int, miss_rate: float = 0.05) -> tuple[float, float]:
    """A confidence sequence of theta / (1 - theta), theta being the chance of a hit: the values whose
    likelihood is at least `miss_rate` times that of the mixture of all theta by Beta(1/2, 1/2). The ratio is
    a martingale under the true theta, so Ville's inequality bounds the chance of ever missing it (H. Robbins,
    Ann. Math. Stat. 41, 1970)."""
    mixture = lgamma(hits + 0.5) + lgamma(misses + 0.5) - lgamma(hits + misses + 1) - 2 * lgamma(0.5)

    def missed(odds: float) -> bool:
        fit = hits * odds - (hits + misses) * (max(odds, 0.0) + log1p(exp(-abs(odds))))
        return mixture - fit > -log(miss_rate)

    middle = log((hits + 0.5) / (misses + 0.5))
    low = _boundary(missed, middle, -50.0) if hits else -inf
    high = _boundary(missed, middle, 50.0) if misses else inf
    return exp(low), exp(high)


def _boundary(missed: Callable[[float], bool], inside: float, outside: float) -> float:
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if missed(middle) else (middle, outside)
    return outside


class LossRace:
    """A sequential t-test of differences d = challenger's loss - incumbent's, on fresh seeds each.

    For differences that are normal with any variance, the Bayes factor with prior N(0, 1) on mean /
    deviation, against mean m, is an e-value (A. Hendriksen, R. de Heide, P. Grünwald, Bayesian Analysis 16,
    2021; H. Wang, A. Ramdas, "Anytime-valid t-tests and confidence sequences", 2024). The means m that are
    not refuted by a factor of 1 / 0.05 are a 95 % interval that holds at every time at once.

    Accepted: the interval lies below 0, a ratio of 1. Rejected: it lies above log(worthwhile), so that the
    gain is at best not worth it. Losses being log hazards, exp(d) is the ratio of hazards. Log hazards from a
    few deaths are not quite normal; the difference of two of about the same size is near enough (tested)."""

    def __init__(self, worthwhile: float = 0.95, miss_rate: float = 0.05) -> None:
        if not 0 < worthwhile <= 1:
            raise ValueError(f"worthwhile: {worthwhile} is not in 0 ... 1")
        if not 0 < miss_rate < 0.5:
            raise ValueError(f"miss_rate: {miss_rate} is not in 0 ... 0.5")
        self._worthwhile, self._miss_rate = log(worthwhile), miss_rate
        self._pairs, self._mean, self._squares = 0, 0.0, 0.0
        self.decision: Decision = "undecided"
        """The first one stands."""

    def tell(self, challenger: float, incumbent: float) -> Decision:
        """One loss of each."""
        difference = challenger - incumbent
        self._pairs += 1
        step = difference - self._mean
        self._mean += step / self._pairs
        self._squares += step * (difference - self._mean)
        low, high = self.interval
        if self.decision == "undecided":
            if high < 0:
                self.decision = "accept"
            elif low > self._worthwhile:
                self.decision = "reject"
        return self.decision

    @property
    def interval(self) -> tuple[float, float]:
        """Of the mean difference. With n pairs, f = n - 1 and t = Student's statistic for mean m, the factor
        is (1 + n)^(-1/2) ((1 + t²/f) / (1 + t²/(f (1 + n))))^(n/2); solved for |t| where it is 1 /
        miss_rate."""
        n, freedom = self._pairs, self._pairs - 1
        if freedom < 1:
            return -inf, inf
        bound = exp((log1p(n) - 2 * log(self._miss_rate)) / n)
        if bound >= 1 + n:
            return -inf, inf
        half = sqrt(freedom * (bound - 1) / (1 - bound / (1 + n))) * sqrt(self._squares / freedom / n)
        return self._mean - half, self._mean + half

    @property
    def verdict(self) -> Verdict:
        low, high = self.interval
        return Verdict(self.decision, _exp(self._mean), _exp(low), _exp(high), self._pairs)


def _exp(value: float) -> float:
    return exp(value) if value < 700 else inf
