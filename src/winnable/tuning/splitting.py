"""Multilevel splitting: the hazard of players that are too good to die while we watch.

Let l_1 < ... < l_m be levels of danger, and let a *climb* begin when the level reaches l_1 from below and end
when it falls below l_1 again or the player dies. After a death the game starts anew, below l_1. In the long
run

    deaths / steps  =  climbs / steps  ×  deaths / climb
                    =  rate of climbs  ×  p_1 p_2 ... p_m,

where p_i is the chance that a climb which reached l_i gets to l_(i+1), or to death for i = m, before it ends.
This is the rate formula of forward flux sampling (R. J. Allen, P. B. Warren, P. R. ten Wolde, Phys. Rev.
Lett. 94, 2005, 018104), with each p_i by fixed-effort splitting (M. J. J. Garvels, The splitting method in
rare event simulation, 2000; F. Cérou, A. Guyader, M. Rousset, Chaos 29, 2019, 043108, for a review).

One run: a game is played for `base_steps` after a warm-up; the states in which its climbs began are kept.
Then, level by level, `copies` copies of the states that reached l_i are played until their climb gets to
l_(i+1) or ends. The states kept are shared out evenly, in random order: each has copies / kept on average. A
copy that dies, or jumps over levels, has reached all of those.

Why it is unbiased: write p(x) for the chance that a climb which is now in x ends in death. Given the kept
states x_1 ... x_K of a level, a share R / copies of the copies reaches the next one, in states y_1 ... y_R,
and E[(K / copies) Σ p(y_j)] = Σ p(x_j), because p(x) = E p(y) and each x has copies / K copies on average. By
induction the estimate's mean is E[Σ p(x_j) / base_steps] over the climbs of the base game, which is the rate
of deaths as soon as that game is in its steady state. That holds for every number of copies, also if a level
is never reached (the estimate is then 0). What remains is the bias of a warm-up that is too short: it
vanishes geometrically.

Error: the copies of one run share ancestors, so the binomial formula per level is too narrow, and it is not
used. `runs` independent runs are made and their spread gives the error. With few copies most runs say too
little and some far too much, and the spread is then underestimated with the mean: publish nothing from fewer
than 4000 copies, or from runs that differ severalfold.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, sqrt
from typing import NamedTuple

from winnable.contract.core import Budget, Search
from winnable.inert.arrays import Bools, np
from winnable.search.meter import Meter
from winnable.stats.quantiles import student_975
from winnable.tuning.process import NO_CEILING, NO_FLOOR, Floats, Herd, Ints, States


@dataclass(frozen=True, slots=True)
class SplittingPlan:
    """What one estimate takes.

    levels:     ascending; games start below the first, and climbs to it should be common
    copies:     per level and run
    runs:       independent runs, at least two: their spread is the error
    base_steps: per run, after `warmup` steps
    most_steps: of all runs together; if they do not get by with it there is no estimate
    """

    levels: tuple[int, ...]
    base_steps: int
    most_steps: int
    copies: int = 1000
    runs: int = 8
    warmup: int = 1000

    def __post_init__(self) -> None:
        if not self.levels or list(self.levels) != sorted(set(self.levels)):
            raise ValueError(f"levels: {self.levels} is empty or does not ascend")
        for name, least in (("base_steps", 1), ("copies", 1), ("runs", 2), ("warmup", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: {getattr(self, name)} is less than {least}")
        if self.runs * (self.warmup + self.base_steps) > self.most_steps:
            raise ValueError(f"most_steps: {self.most_steps} are not even enough for the base games")


@dataclass(frozen=True, slots=True)
class Splitting:
    """An estimate of the hazard.

    hazards:  of each independent run
    steps:    of all runs together
    finished: whether `most_steps` was enough; if not, nothing is known
    """

    hazards: tuple[float, ...]
    steps: int
    finished: bool

    @property
    def hazard(self) -> float:
        """The mean over the runs."""
        return sum(self.hazards) / len(self.hazards)

    @property
    def error(self) -> float:
        """The standard error of the logarithm, by the delta method; infinite where no run saw a death."""
        mean, runs = self.hazard, len(self.hazards)
        if mean == 0:
            return inf
        variance = sum((hazard - mean) ** 2 for hazard in self.hazards) / (runs - 1)
        return sqrt(variance / runs) / mean

    @property
    def interval(self) -> tuple[float, float]:
        """95 %: Student's, around the logarithm of the mean."""
        if not self.finished or self.hazard == 0:
            return 0.0, inf
        half = min(700.0, student_975(len(self.hazards) - 1) * self.error)
        return exp(log(self.hazard) - half), exp(log(self.hazard) + half)


class _Kept(NamedTuple):
    """States in which a level was reached, the run each belongs to, and whether it was reached by dying."""

    states: States
    run: Ints
    dead: Bools


def split(herd: Herd, plan: SplittingPlan, rng: np.random.Generator) -> Splitting:
    """Makes the plan's runs, all at once. Raises ValueError if a game does not start below the first
    level."""
    kept = _first_climbs(herd, plan, rng)
    spent = plan.runs * (plan.warmup + plan.base_steps)
    hazards = _per_run(kept, plan) / plan.base_steps
    for target in (*plan.levels[1:], NO_CEILING):
        copies = _shared_out(kept, plan, rng)
        kept, steps = _climb(herd, copies, plan.levels[0], target, plan.most_steps - spent, rng)
        spent += steps
        if kept is None:
            return Splitting((), spent, False)
        hazards = hazards * _per_run(kept, plan) / plan.copies
    return Splitting(tuple(map(float, hazards)), spent, True)


def _per_run(kept: _Kept, plan: SplittingPlan) -> Floats:
    return np.bincount(kept.run, minlength=plan.runs).astype(np.float64)


def _first_climbs(herd: Herd, plan: SplittingPlan, rng: np.random.Generator) -> _Kept:
    """The base games of all runs, each `base_steps` long: where their climbs began."""
    first = plan.levels[0]
    states = _warm(herd, plan, rng)
    climbing = herd.level(states) >= first
    left = np.full(plan.runs, plan.base_steps)
    found = [_Kept(states[:0], np.zeros(0, np.int64), np.zeros(0, np.bool_))]
    while (run := np.flatnonzero(left)).size:
        up = climbing[run]
        low, high = np.where(up, first, NO_FLOOR), np.where(up, NO_CEILING, first)
        leap = herd.leap(states[run], low, high, left[run], rng)
        left[run] -= leap.steps
        above = _at_least(herd, leap.states, leap.died, first)
        begins = above & ~up
        found.append(_Kept(leap.states[begins], run[begins], leap.died[begins]))
        states[run] = _restarted(herd, leap.states, leap.died, first, rng)
        climbing[run] = above & ~leap.died
    return _Kept(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _warm(herd: Herd, plan: SplittingPlan, rng: np.random.Generator) -> States:
    """Each run's base game after its warm-up."""
    states = _started(herd, plan.runs, plan.levels[0], rng)
    left = np.full(plan.runs, plan.warmup)
    while (run := np.flatnonzero(left)).size:
        anywhere = np.full(run.size, NO_CEILING)
        leap = herd.leap(states[run], -anywhere, anywhere, left[run], rng)
        left[run] -= leap.steps
        states[run] = _restarted(herd, leap.states, leap.died, plan.levels[0], rng)
    return states


def _started(herd: Herd, copies: int, first: int, rng: np.random.Generator) -> States:
    states = herd.start(copies, rng)
    if (herd.level(states) >= first).any():
        raise ValueError(f"levels: a game starts at level {first} or above; the first level must be higher")
    return states


def _restarted(herd: Herd, states: States, died: Bools, first: int, rng: np.random.Generator) -> States:
    if died.any():
        states[died] = _started(herd, int(died.sum()), first, rng)
    return states


def _at_least(herd: Herd, states: States, died: Bools, level: int) -> Bools:
    """Which are at `level` or above; the dead are."""
    reached = died.copy()
    alive = np.flatnonzero(~died)
    if alive.size:
        reached[alive] = herd.level(states[alive]) >= level
    return reached


def _shared_out(kept: _Kept, plan: SplittingPlan, rng: np.random.Generator) -> _Kept:
    """`copies` of each run's states: all as often, the remainder going to some of them at random."""
    order = np.lexsort((rng.random(kept.run.size), kept.run))
    counts = np.bincount(kept.run, minlength=plan.runs)
    first = np.cumsum(counts) - counts
    runs = np.flatnonzero(counts)
    turns = np.arange(plan.copies) % counts[runs, None]
    chosen = order[first[runs, None] + turns].ravel()
    return _Kept(kept.states[chosen], kept.run[chosen], kept.dead[chosen])


def _climb(
    herd: Herd, copies: _Kept, first: int, target: int, most_steps: int, rng: np.random.Generator
) -> tuple[_Kept | None, int]:
    """Those copies that reach `target` or die before they fall below `first`, and the steps that all took;
    None for them if that would take more than `most_steps`."""
    states, dead = copies.states, copies.dead.copy()
    reached = _at_least(herd, states, dead, target)
    going, spent = np.flatnonzero(~reached), 0
    while going.size:
        share = (most_steps - spent) // going.size
        if share < 1:
            return None, spent
        low, high, limit = (np.full(going.size, bound) for bound in (first, target, share))
        leap = herd.leap(states[going], low, high, limit, rng)
        spent += int(leap.steps.sum())
        states[going], dead[going] = leap.states, leap.died
        reached[going] = _at_least(herd, leap.states, leap.died, target)
        going = going[~reached[going] & _at_least(herd, leap.states, leap.died, first)]
    return _Kept(states[reached], copies.run[reached], dead[reached]), spent


def common_level(
    herd: Herd, rng: np.random.Generator, *, steps: int, share: float = 0.2, copies: int = 32
) -> Search[int]:
    """A first level for a plan: the least that the player is at or above in at most `share` of its steps, as
    seen in the second half of `copies` games played side by side."""
    states, meter = herd.start(copies, rng), Meter(Budget())
    seen: list[Ints] = []
    highest_start = int(herd.level(states).max())
    one, anywhere = np.ones(copies, np.int64), np.full(copies, NO_CEILING)
    for _ in range(max(2, steps // copies)):
        leap = herd.leap(states, -anywhere, anywhere, one, rng)
        states = leap.states
        if leap.died.any():
            states[leap.died] = herd.start(int(leap.died.sum()), rng)
        seen.append(herd.level(states))
        meter.expanded += copies
        if meter.is_due:
            yield from meter.allows("outlook")
    levels = np.concatenate(seen[len(seen) // 2 :])
    return max(int(np.quantile(levels, 1 - share, method="higher")), highest_start) + 1
