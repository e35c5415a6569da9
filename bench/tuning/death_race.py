"""Wald's test where deaths are counted; beside `LossRace`, which compares any losses."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, lgamma, log, log1p

from winnable.stats.sequential import Decision, Verdict


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
