"""How long one level of drops takes to make, with the proof of its par."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator

from winnable.benchmarks.report import Row, mean_row
from winnable.games.drops.difficulty import facts
from winnable.games.drops.game import GAME
from winnable.games.drops.generator import Params, generate
from winnable.games.drops.level import Level
from winnable.identity import picture_id

KINDS = {
    "any par, uniform": (Params(), 1),
    "par 3 to 6": (Params(par_min=3, par_max=6), 1),
    "par 6": (Params(par_min=6, par_max=6), 20),
    "par 3 to 6, greedy and the seed's A fail by 2": (
        Params(par_min=3, par_max=6, greedy_over=2, a_over=2),
        4,
    ),
    "par 3 to 5, two good first clicks": (Params(par_min=3, par_max=5, keys=2), 40),
}
"""With how many times fewer levels each is measured."""


def rows(
    games: int = 200, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """For each kind of 6 × 6 level: milliseconds of processor time for one, levels a second, the share of
    each par, and how many are distinct pictures. Then the time of `check`'s facts about one."""
    GAME.warm()
    generate(Params(par_min=2, greedy_over=1, a_over=1, keys=2), 0)  # what is compiled only when used
    for done, (name, (params, fewer)) in enumerate(KINDS.items(), 1):
        seeds = range(seed, seed + max(2, games // fewer))
        times: list[float] = []
        levels = [_timed(params, one, times) for one in seeds]
        yield mean_row(f"{name}: time for a level", times, "ms", seed)
        yield Row(f"{name}: levels", 1000 * len(times) / sum(times), "a second", n=len(times), seed=seed)
        pictures = {picture_id(GAME, level) for level in levels}
        yield Row(f"{name}: distinct pictures", len(pictures), n=len(levels), seed=seed)
        pars = Counter(level.certificate.cost for level in levels if level.certificate is not None)
        for par, count in sorted(pars.items()):
            yield Row(f"{name}: levels of par {par}", count, n=len(levels), seed=seed)
        if progress is not None:
            progress(done, len(KINDS))
    times = []
    for one in range(seed, seed + max(2, games // 40)):
        level = generate(Params(), one)
        began = time.process_time()
        facts(level)
        times.append(1000 * (time.process_time() - began))
    yield mean_row("facts about a level, any par", times, "ms", seed)


def _timed(params: Params, seed: int, times: list[float]) -> Level:
    began = time.process_time()
    level = generate(params, seed)
    times.append(1000 * (time.process_time() - began))
    return level
