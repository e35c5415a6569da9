"""From a scale of difficulty to the rates at which people pass: a logistic curve, and what features predict.

A group of people passes a level with the figure x with chance 1 / (1 + exp(slope (x - skill))): Rasch's
model (see skill.py) with a slope of its own, as nobody knows beforehand how far a point of ours goes with
people. Fitted by maximum likelihood; intervals are profiles of it, widened where levels scatter more than
tries alone would (quasi-likelihood; P. McCullagh and J. Nelder, Generalized Linear Models, 1989, 4.5, 9.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

from winnable.inert.arrays import F64, I64, Bools, np
from winnable.stats.quantiles import student_975
from winnable.stats.ranks import rank_correlation
from winnable.stats.skill import CHI_95

ROUNDS, ENOUGH = 100, 1e-9
"""Steps of Newton's at the most, and what the last one gains of the likelihood's logarithm."""
FARTHEST = 100.0
"""Standard deviations of the figures, or logarithms of odds, that an end of an interval is looked for."""
SURE = 12.0
"""Logarithm of the odds beyond which nothing is predicted: of levels never seen nobody is surer."""
LEAST_TOLD = 10
"""Levels; samples of fewer are too alike for an interval by them."""
FOLDS, DRAWN = 10, 1000
"""Parts of which each is predicted from the others; samples of the levels for an interval."""


class Tries(NamedTuple):
    """A row for each level and group: int64 level and group, numbered from 0 without gaps; tries, won."""

    level: I64
    group: I64
    tries: I64
    won: I64

    def of(self, rows: Bools) -> Tries:
        """These rows alone."""
        return Tries(*(part[rows] for part in self))


class Estimate(NamedTuple):
    """With its 95 % interval; None where nothing speaks against all beyond."""

    value: float
    low: float | None
    high: float | None


class Curve:
    """The likeliest one. Raises ValueError for fewer than three levels or two figures, and for a group that
    won all or none of its tries, whose skill nothing bounds."""

    def __init__(self, tries: Tries, figures: F64) -> None:
        """figures: float64[levels]"""
        groups, x = int(tries.group.max(initial=-1)) + 1, figures[tries.level]
        if figures.size < 3 or not np.ptp(figures):
            raise ValueError("figures: three levels at least, and not all the same figure")
        won = np.bincount(tries.group, tries.won)
        if (won == 0).any() or (won == np.bincount(tries.group, tries.tries)).any():
            raise ValueError("won: each group must win some tries and lose some")
        self._tries, self._middle, self._unit = tries, float(x.mean()), float(figures.std())
        self._z = (x - self._middle) / self._unit
        self._dummies = _dummies(tries.group, groups)
        self._best = _likeliest(np.column_stack([self._dummies, self._z]), tries)
        freedom = figures.size - groups - 1
        self.scatter = 1.0
        """How many times as much as by chance alone the levels scatter about the curve."""
        if freedom > 0:
            chance = _chances(self._best.odds)
            off = np.bincount(tries.level, tries.won - tries.tries * chance)
            by_chance = (tries.tries * chance * (1 - chance)).sum()
            self.scatter = float((off**2).sum() / by_chance * figures.size / freedom)
        self._room = CHI_95 / 2
        if self.scatter > 1:
            self._room = student_975(freedom) ** 2 * self.scatter / 2

    @cached_property
    def slope(self) -> Estimate:
        """By how much the logarithm of the odds falls for one of the figure's units."""

        def loss(slope: float) -> float:
            return self._loss(self._dummies, -slope * self._z)

        return _scaled(self._profile(loss, -float(self._best.weights[-1])), 1 / self._unit, 0)

    def skill(self, group: int) -> Estimate:
        """The figure of a level of which the group wins half of its tries; an end is None where the slope may
        be 0. Not finite where the likeliest slope is."""
        slope = float(self._best.weights[-1])
        best = -float(self._best.weights[group]) / slope if slope else inf
        found = self._profile(lambda at: self._loss(*self._through(at, 0.0, group)), best)
        return _scaled(found, self._unit, self._middle)

    def rate(self, figure: float, group: int) -> Estimate:
        """The share of tries at such a level that the group wins."""
        at = (figure - self._middle) / self._unit
        best = float(self._best.weights[group] + at * self._best.weights[-1])
        found = self._profile(lambda odds: self._loss(*self._through(at, odds, group)), best)
        low, high = (
            beyond if end is None else end for end, beyond in zip(found[1:], (-inf, inf), strict=True)
        )
        return Estimate(*_chances(np.array([found.value, low, high], np.float64)).tolist())

    def _through(self, at: float, odds: float, group: int) -> tuple[F64, F64]:
        """All curves on which the group has these odds there."""
        own = self._dummies[:, group]
        return np.column_stack([np.delete(self._dummies, group, 1), self._z - own * at]), own * odds

    def _loss(self, design: F64, offset: F64) -> float:
        """Of the logarithm of the likelihood, beside the best."""
        return self._best.likelihood - _likeliest(design, self._tries, offset).likelihood

    def _profile(self, loss: Callable[[float], float], best: float) -> Estimate:
        """Where the loss is all that is allowed, on both sides."""
        return Estimate(best, *(_end(loss, best, side, self._room) for side in (-1, 1)))


class Predicting(NamedTuple):
    """What one feature alone tells of levels left out.

    levels:    that have it
    ranks:     Spearman's correlation with the share of tries that is won, beyond who tried
    explained: of the deviance that is left when all levels count alike, the share that it explains; below 0
               where it misleads. Both with an interval over levels, by the bootstrap
    log_loss:  nats for each try; log_loss_alike: when all levels count alike
    """

    levels: int
    ranks: Estimate
    explained: Estimate
    log_loss: float
    log_loss_alike: float

    @property
    def tells(self) -> bool:
        """Whether it is shown to predict anything; by so few levels nothing is."""
        return self.levels >= LEAST_TOLD and (self.explained.low or 0) > 0


def predicting(tries: Tries, feature: F64, seed: int = 0) -> Predicting:
    """feature: float64[levels]. Each part of the levels is predicted from the others by the feature's curve.
    Raises ValueError for fewer than three levels."""
    levels, rng = feature.size, np.random.default_rng(seed)
    if levels < 3:
        raise ValueError("feature: three levels at least")
    part = rng.permutation(levels) % min(FOLDS, levels)
    z = ((feature - feature.mean()) / (feature.std() or 1.0))[tries.level]
    dummies = _dummies(tries.group, int(tries.group.max()) + 1)
    odds, alike = np.zeros(z.size), np.zeros(z.size)
    known = np.zeros(z.size, np.bool_)
    for one in range(int(part.max()) + 1):
        out = part[tries.level] == one
        rest = tries.of(~out)
        known |= out & np.isin(tries.group, rest.group)  # of people never seen nothing is predicted
        for design, into in ((np.column_stack([dummies, z]), odds), (dummies, alike)):
            found = _likeliest(design[~out], rest).weights
            into[out] = np.clip(design[out] @ found, -SURE, SURE)
    shown, weights = tries.of(known), tries.tries[known]
    losses = [_losses(shown, one[known]) for one in (odds, alike)]
    least = _losses(shown, None)
    each = np.array([np.bincount(shown.level, loss - least, levels) for loss in losses])
    beyond = np.bincount(shown.level, shown.won - weights * _chances(alike[known]), levels)
    beyond /= np.maximum(np.bincount(shown.level, weights, levels), 1)

    def explained(drawn: I64) -> float:
        mine, theirs = each[:, drawn].sum(axis=1)
        return float(1 - mine / theirs) if theirs > 0 else 0.0

    def ranks(drawn: I64) -> float:
        return rank_correlation(feature[drawn], beyond[drawn])

    draws = [rng.integers(levels, size=levels) for _ in range(DRAWN)]
    mine, theirs = (float(loss.sum() / weights.sum()) for loss in losses)
    return Predicting(levels, _drawn(ranks, levels, draws), _drawn(explained, levels, draws), mine, theirs)


def _drawn(figure: Callable[[I64], float], levels: int, draws: Sequence[I64]) -> Estimate:
    """The figure of all levels, and the interval by those that are drawn."""
    low, high = np.quantile([figure(one) for one in draws], (0.025, 0.975)).tolist()
    return Estimate(figure(np.arange(levels)), low, high)


@dataclass(frozen=True, slots=True)
class _Found:
    """weights: of the design's columns; odds: logarithms, of each row; likelihood: its logarithm"""

    weights: F64
    odds: F64
    likelihood: float


def _likeliest(design: F64, tries: Tries, offset: F64 | float = 0.0) -> _Found:
    """Newton's steps, halved where one goes too far; concave, so they settle, or run off to where a group or
    a feature decides all, as far as it matters."""
    weights = np.zeros(design.shape[1])
    odds = np.zeros(design.shape[0]) + offset
    likelihood = -float(_losses(tries, odds).sum())
    for _ in range(ROUNDS):
        chance = _chances(odds)
        slope = design.T @ (tries.won - tries.tries * chance)
        bend = (design.T * (tries.tries * chance * (1 - chance))) @ design
        step = np.linalg.lstsq(bend, slope, rcond=1e-12)[0]
        step *= min(1.0, 5 / max(float(np.abs(step).max(initial=0)), 1e-12))
        after, gained = odds, -inf
        for _ in range(20):
            after = design @ (weights + step) + offset
            gained = -float(_losses(tries, after).sum()) - likelihood
            if gained >= 0:
                break
            step /= 2
        if gained < ENOUGH:
            break
        weights, odds, likelihood = weights + step, after, likelihood + gained
    return _Found(weights, odds, likelihood)


def _losses(tries: Tries, odds: F64 | None) -> F64:
    """float64[rows], nats, without the constant of the binomial; None: of the rates that came about."""
    won, lost = tries.won, tries.tries - tries.won
    if odds is None:
        share = np.clip(won / tries.tries, 1e-300, 1)
        return np.asarray(-won * np.log(share) - lost * np.log(np.maximum(1 - share, 1e-300)), np.float64)
    return np.asarray(won * np.logaddexp(0, -odds) + lost * np.logaddexp(0, odds), np.float64)


def _chances(odds: F64) -> F64:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -700, 700))), np.float64)


def _dummies(group: I64, groups: int) -> F64:
    return np.asarray(group[:, None] == np.arange(groups), np.float64)


def _end(loss: Callable[[float], float], best: float, side: int, room: float) -> float | None:
    """Where it first exceeds the room on this side, to a thousandth; None: not within FARTHEST."""
    near, far = 0.0, 0.25
    while loss(best + side * far) < room:
        near, far = far, 2 * far
        if far > FARTHEST:
            return None
    while far - near > 1e-3:
        middle = (near + far) / 2
        near, far = (middle, far) if loss(best + side * middle) < room else (near, middle)
    return best + side * (near + far) / 2


def _scaled(found: Estimate, unit: float, middle: float) -> Estimate:
    return Estimate(*(None if one is None else middle + unit * one for one in found))  # type: ignore[arg-type]
