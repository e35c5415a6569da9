"""Sequential tests: is the challenger's hazard lower than the incumbent's? They may be looked at after every
game and stopped at any time; error rates and intervals hold all the same."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, log1p, sqrt
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
        """The interval of the mean difference. With n pairs, f = n - 1 and t = Student's statistic for mean
        m, the factor is (1 + n)^(-1/2) ((1 + t²/f) / (1 + t²/(f (1 + n))))^(n/2); solved for |t| where it is
        1 / miss_rate."""
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
        """The decision so far, with its interval."""
        low, high = self.interval
        return Verdict(self.decision, _exp(self._mean), _exp(low), _exp(high), self._pairs)


def _exp(value: float) -> float:
    return exp(value) if value < 700 else inf
