"""How to judge noisy players: which way to measure ranks them best for its cost, what splitting saves, and
whether the estimates and the tests keep what they promise; all where the truth is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from bench.report import Row, bootstrap_interval, mean_row, rate_row
from bench.tuning.death_race import DeathRace
from bench.tuning.pile_walk import PileWalk
from winnable.tuning.process import Floats
from winnable.tuning.splitting import SplittingPlan, split

CANDIDATES = 20
SPREADS = {"early": 100.0, "late": 3.0}
"""The longest mean life of a population's candidates / the shortest; log-uniform in between."""
LIFE = 1000.0
"""The shortest mean life, in steps."""
RANKED: dict[tuple[str, str], tuple[float, float]] = {
    ("early", "one game"): (0.551, 0.97),
    ("early", "min of 4 games"): (0.551, 3.95),
    ("early", "mean of 4 games"): (0.768, 3.95),
    ("early", "T = 4 mean lives"): (0.826, 4.00),
    ("late", "one game"): (0.182, 1.01),
    ("late", "min of 4 games"): (0.179, 3.99),
    ("late", "mean of 4 games"): (0.366, 4.04),
    ("late", "T = 4 mean lives"): (0.369, 4.00),
}
"""Kendall's tau with the truth, and cost in mean games per candidate: figures of another program."""
REFERENCES_OF_SPLITTING = {10: 3.5, 12: 6.0, 14: 13.0, 16: 32.0, 18: 40.0, 20: 88.0}
"""Rows of a Tetris board: what splitting saved there (the middle of the range measured)."""
FIRST_LEVEL = 3
SPLITTING_RUNS = 64


def rows(
    games: int = 600, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: populations of the ranking table; the other figures rest on as many runs as they say."""
    parts: list[Iterator[Row]] = [_ranking(phase, games, seed) for phase in SPREADS]
    parts += [_splitting(top, seed) for top in REFERENCES_OF_SPLITTING]
    parts += [_unbiased(seed), _races(1.0, seed), _races(0.8, seed)]
    for done, part in enumerate(parts, 1):
        yield from part
        if progress is not None:
            progress(done, len(parts))


def _ranking(phase: str, repeats: int, seed: int) -> Iterator[Row]:
    """The games of these players last geometrically distributed times, as good players' games do."""
    rng = np.random.default_rng([seed, 1, len(phase)])
    shape = repeats, CANDIDATES
    lives = LIFE * SPREADS[phase] ** rng.random(shape)
    for name, (losses, steps) in _measured(lives, rng).items():
        tau, cost = RANKED.get((phase, name), (None, None))
        yield mean_row(f"{phase}, {name}: tau", list(_tau(losses, -lives)), "", seed, tau)
        per_candidate = steps.sum(axis=1) / lives.sum(axis=1)
        yield mean_row(f"{phase}, {name}: cost", list(per_candidate), "games", seed, cost)


def _measured(lives: Floats, rng: np.random.Generator) -> dict[str, tuple[Floats, Floats]]:
    """For each way to measure: losses and steps, float [repeats, candidates]."""
    four: Floats = rng.geometric(1 / lives[..., None], (*lives.shape, 4)).astype(np.float64)
    four_games = four.sum(axis=2)
    whole: Floats = 4 * lives.mean(axis=1, keepdims=True) * np.ones_like(lives)
    deaths: NDArray[np.int64] = rng.poisson(whole / lives)
    found: dict[str, tuple[Floats, Floats]] = {
        "one game": (-four[..., 0], four[..., 0]),
        "min of 4 games": (-four.min(axis=2), four_games),
        "mean of 4 games": (-four_games, four_games),
        "T = 4 mean lives": (-whole / (deaths + 0.5), whole),
    }
    earlier = np.sort(rng.gamma(4, lives) / 3.5, axis=1)[:, -(CANDIDATES // 4) :]
    for k, times in ((4, 4.0), (4, 1.0), (16, 4.0)):
        horizon = times * earlier.mean(axis=1, keepdims=True)
        ends = np.cumsum(rng.geometric(1 / lives[..., None], (*lives.shape, k)), axis=2)
        seen = (ends <= horizon[..., None]).sum(axis=2)
        steps = np.minimum(ends[..., -1], horizon)
        found[f"{k} deaths or T = {times:g} of the best quarter"] = (
            np.log((seen - (seen == k) + 0.5) / steps),
            steps,
        )
    return found


def _tau(a: Floats, b: Floats) -> Floats:
    """Kendall's tau-a of each row: pairs in the same order less those in opposite order, of all."""
    first, second = np.triu_indices(a.shape[1], 1)
    return (np.sign(a[:, first] - a[:, second]) * np.sign(b[:, first] - b[:, second])).mean(axis=1)


def _splitting(top: int, seed: int) -> Iterator[Row]:
    """Brute force needs 1 / (hazard · e²) steps for a relative error e; so the gain is 1 / (hazard · v · n)
    if runs of n steps have the relative variance v."""
    walk = PileWalk(top)
    plan = SplittingPlan(
        tuple(range(FIRST_LEVEL, top)), base_steps=10_000, most_steps=10**10, runs=SPLITTING_RUNS
    )
    found = split(walk, plan, np.random.default_rng([seed, 2, top]))
    hazards, steps = np.array(found.hazards) / walk.hazard, found.steps / plan.runs
    yield mean_row(f"{top} rows, splitting: hazard / exact", list(hazards), "", seed, 1.0)
    yield Row(f"{top} rows, splitting: steps of a run", steps, "steps", n=plan.runs, seed=seed)
    squares = (hazards - 1) ** 2
    low, high = bootstrap_interval(list(squares))
    gain, least, most = (1 / (walk.hazard * steps * variance) for variance in (squares.mean(), high, low))
    reference = REFERENCES_OF_SPLITTING[top]
    yield Row(f"{top} rows, splitting: gain", gain, "×", least, most, plan.runs, seed, reference)


def _unbiased(seed: int) -> Iterator[Row]:
    walk = PileWalk(12)
    plan = SplittingPlan(tuple(range(FIRST_LEVEL, 12)), 2000, 10**10, copies=200, runs=1000, warmup=500)
    hazards = np.array(split(walk, plan, np.random.default_rng([seed, 3])).hazards) / walk.hazard
    yield mean_row("1000 small splitting runs: hazard / exact", list(hazards), "", seed, 1.0)
    rng = np.random.default_rng([seed, 4])
    for lives in (2.0, 4.0, 100.0):
        ends = np.cumsum(rng.exponential(1.0, (10_000, 4)), axis=1)
        deaths, steps = (ends <= lives).sum(axis=1), np.minimum(ends[:, -1], lives)
        errors = np.log((deaths - (deaths == 4) + 0.5) / steps)
        yield mean_row(f"4 deaths or T = {lives:g} lives: bias of log hazard", list(errors), "", seed, 0.0)
        naive = np.log((deaths + 0.5) / steps)
        yield mean_row(f"4 deaths or T = {lives:g} lives: all deaths counted", list(naive), "", seed)


def _races(ratio: float, seed: int, races: int = 2000) -> Iterator[Row]:
    rng = np.random.default_rng([seed, 5, int(100 * ratio)])
    wrong, deaths = 0, list[float]()
    for _ in range(races):
        race = DeathRace(ratio=0.8)
        while race.decision == "undecided":
            hit = int(rng.random() < ratio / (1 + ratio))
            race.tell(hit, 1 - hit)
        wrong += race.decision == ("accept" if ratio == 1 else "reject")
        deaths.append(float(sum(race.deaths)))
    said = "no better, accepted" if ratio == 1 else f"hazard {ratio:g} of the incumbent's, rejected"
    yield rate_row(f"sequential test: {said}", wrong, races, seed, 0.05)
    yield mean_row(f"sequential test, hazard ratio {ratio:g}: deaths needed", deaths, "deaths", seed)
